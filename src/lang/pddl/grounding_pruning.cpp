#include "lang/pddl/grounding_pruning.h"

#include <algorithm>
#include <compare>
#include <utility>

#include "base/error.h"
#include "lang/pddl/grounding_effects.h"

namespace harrier::pddl {

namespace {

// Rules that fire once when all literals of their conditions hold.
class Propagation {
 public:
  // `extra`: by rule, how often it has to be released besides.
  Propagation(const Draft& draft, const std::vector<Draft::Range>& rules, const std::vector<uint32_t>& extra,
              std::vector<bool> holds, const Watch& watch)
      : watch_(watch), holds_(std::move(holds)), waiting_(extra), begin_(holds_.size() + 1) {
    for (uint32_t rule = 0; rule < rules.size(); ++rule) {
      for (const LiteralWord literal : draft.of(rules[rule])) {
        if (holds_[literal]) continue;
        ++begin_[literal + 1];
        ++waiting_[rule];
      }
      if (waiting_[rule] == 0) fired_.push_back(rule);
    }
    for (size_t literal = 1; literal < begin_.size(); ++literal) begin_[literal] += begin_[literal - 1];
    readers_.resize(begin_.back());
    std::vector<uint64_t> next = begin_;
    for (uint32_t rule = 0; rule < rules.size(); ++rule) {
      for (const LiteralWord literal : draft.of(rules[rule])) {
        if (!holds_[literal]) readers_[next[literal]++] = rule;
      }
    }
  }

  // `fire` is called for each rule that fires; it calls hold and release.
  template <class Fire>
  void run(Fire&& fire) {
    while (!fired_.empty()) {
      watch_.poll();
      const uint32_t rule = fired_.back();
      fired_.pop_back();
      fire(rule);
    }
  }
  void hold(LiteralWord literal) {
    if (holds_[literal]) return;
    holds_[literal] = true;
    for (uint64_t i = begin_[literal]; i < begin_[literal + 1]; ++i) release(readers_[i]);
  }
  void release(uint32_t rule) {
    if (--waiting_[rule] == 0) fired_.push_back(rule);
  }

  bool has_fired(uint32_t rule) const { return waiting_[rule] == 0; }
  const std::vector<bool>& holding() const { return holds_; }

 private:
  const Watch& watch_;
  std::vector<bool> holds_;        // by literal
  std::vector<uint32_t> waiting_;  // by rule: what is missing
  std::vector<uint64_t> begin_;    // by literal, in readers_
  std::vector<uint32_t> readers_;  // rules
  std::vector<uint32_t> fired_;
};

class Pruning {
 public:
  Pruning(Draft draft, const Watch& watch) : draft_(std::move(draft)), watch_(watch) {}

  Pruned run() {
    find_possible();
    Pruned out;
    simplify(out.draft);
    out.solvable = !out.draft.goals.empty();
    draft_ = {};
    count(out);
    if (out.solvable) keep_relevant(out);
    return out;
  }

 private:
  bool possible(LiteralWord literal) const { return possible_[literal]; }
  bool certain(LiteralWord literal) const { return !possible_[complement(literal)]; }

  // Derived atoms that always hold are known only when it is known what can be; and then less can be.
  void find_possible() {
    std::vector<bool> always(draft_.atoms.size());
    do reach(always);
    while (find_certain(always));
  }

  // Operators come first, then effects, then axioms. An effect waits for its operators, too, which may share it.
  void reach(const std::vector<bool>& always) {
    std::vector<Draft::Range> rules;
    for (const Draft::Operator& op : draft_.operators) rules.push_back(op.preconditions);
    for (const Draft::Effect& effect : draft_.effects) rules.push_back(effect.conditions);
    for (const Draft::Axiom& axiom : draft_.axioms) rules.push_back(axiom.body);
    if (rules.size() > UINT32_MAX) throw Error(ErrorKind::Unsupported, "unsupported: so many operators and effects");
    const size_t effects = draft_.operators.size();
    const size_t axioms = effects + draft_.effects.size();
    std::vector<uint32_t> extra(rules.size());
    std::fill(extra.begin() + effects, extra.begin() + axioms, 1);
    std::vector<bool> holds(draft_.atoms.size() * 2);
    for (uint32_t atom = 0; atom < draft_.atoms.size(); ++atom) {
      holds[literal_word(atom, draft_.atoms[atom].initial || always[atom])] = true;
    }
    Propagation propagation(draft_, rules, extra, std::move(holds), watch_);
    std::vector<bool> released(draft_.effects.size());
    propagation.run([&](uint32_t rule) {
      if (rule < effects) {
        const Draft::Range range = draft_.operators[rule].effects;
        if (range.empty() || released[range.begin]) return;
        released[range.begin] = true;
        for (uint64_t e = range.begin; e < range.end; ++e) propagation.release(static_cast<uint32_t>(effects + e));
      } else if (rule < axioms) {
        propagation.hold(draft_.effects[rule - effects].literal);
      } else {
        propagation.hold(literal_word(draft_.axioms[rule - axioms].head, true));
      }
    });
    possible_ = propagation.holding();
    fired_.resize(rules.size());
    for (uint32_t rule = 0; rule < rules.size(); ++rule) fired_[rule] = propagation.has_fired(rule);
  }

  // Whether there are derived atoms that always hold and were not known to.
  bool find_certain(std::vector<bool>& always) const {
    if (draft_.axioms.empty()) return false;
    std::vector<Draft::Range> rules;
    for (const Draft::Axiom& axiom : draft_.axioms) rules.push_back(axiom.body);
    std::vector<bool> holds(possible_.size());
    for (LiteralWord literal = 0; literal < possible_.size(); ++literal) holds[literal] = certain(literal);
    Propagation propagation(draft_, rules, std::vector<uint32_t>(rules.size()), std::move(holds), watch_);
    bool found = false;
    propagation.run([&](uint32_t rule) {
      const uint32_t head = draft_.axioms[rule].head;
      found = found || !always[head];
      always[head] = true;
      propagation.hold(literal_word(head, true));
    });
    return found;
  }

  // What can be of a condition, without what always holds.
  Draft::Range simplified(Draft::Range from, Draft& out) {
    scratch_.clear();
    for (const LiteralWord literal : draft_.of(from)) {
      if (!certain(literal)) scratch_.push_back(literal);
    }
    return out.add(scratch_);
  }

  void simplify(Draft& out) {
    out.atoms = draft_.atoms;
    out.arguments = std::move(draft_.arguments);
    for (uint32_t i = 0; i < draft_.operators.size(); ++i) {
      watch_.poll();
      if (fired_[i]) add_operator(draft_.operators[i], out);
    }
    const size_t first = draft_.operators.size() + draft_.effects.size();
    for (size_t i = 0; i < draft_.axioms.size(); ++i) {
      watch_.poll();
      const Draft::Axiom& axiom = draft_.axioms[i];
      if (fired_[first + i] && !certain(literal_word(axiom.head, true))) {
        out.axioms.push_back({simplified(axiom.body, out), axiom.head});
      }
    }
    for (const Draft::Range goal : draft_.goals) {
      watch_.poll();
      const auto literals = draft_.of(goal);
      if (!std::all_of(literals.begin(), literals.end(), [&](LiteralWord l) { return possible(l); })) continue;
      out.goals.push_back(simplified(goal, out));
      if (!out.goals.back().empty()) continue;
      out.goals = {{}};
      break;
    }
    sort_unique(out, out.operators);
    sort_unique(out, out.axioms);
    sort_unique(out, out.goals);
  }

  void add_operator(const Draft::Operator& op, Draft& out) {
    Draft::Operator made = op;
    effects_.clear();
    for (uint64_t e = op.effects.begin; e < op.effects.end; ++e) {
      const Draft::Effect& effect = draft_.effects[e];
      if (!fired_[draft_.operators.size() + e] || certain(effect.literal)) continue;
      LooseEffect& loose = effects_.emplace_back();
      loose.literal = effect.literal;
      for (const LiteralWord literal : draft_.of(effect.conditions)) {
        if (!certain(literal)) loose.conditions.push_back(literal);
      }
    }
    if (effects_.empty()) return;
    const uint64_t literals = out.literals.size();
    made.preconditions = simplified(op.preconditions, out);
    keep_working(effects_, out.of(made.preconditions));
    if (effects_.empty()) {
      out.literals.resize(literals);
      return;
    }
    made.effects.begin = out.effects.size();
    for (const LooseEffect& effect : effects_) out.effects.push_back({out.add(effect.conditions), effect.literal});
    made.effects.end = out.effects.size();
    out.operators.push_back(made);
  }

  // Orders by content.
  static std::strong_ordering compare(const Draft& in, Draft::Range a, Draft::Range b) {
    const auto left = in.of(a);
    const auto right = in.of(b);
    return std::lexicographical_compare_three_way(left.begin(), left.end(), right.begin(), right.end());
  }
  static std::strong_ordering compare(const Draft& in, const Draft::Axiom& a, const Draft::Axiom& b) {
    const auto order = a.head <=> b.head;
    return order != 0 ? order : compare(in, a.body, b.body);
  }
  static std::strong_ordering compare(const Draft& in, const Draft::Operator& a, const Draft::Operator& b) {
    if (const auto order = a.action <=> b.action; order != 0) return order;
    const uint32_t* left = in.arguments.data() + a.arguments.begin;
    const uint32_t* right = in.arguments.data() + b.arguments.begin;
    if (const auto order =
            std::lexicographical_compare_three_way(left, left + a.arguments.size(), right, right + b.arguments.size());
        order != 0) {
      return order;
    }
    if (const auto order = compare(in, a.preconditions, b.preconditions); order != 0) return order;
    if (const auto order = a.effects.size() <=> b.effects.size(); order != 0) return order;
    for (uint64_t i = 0; i < a.effects.size(); ++i) {
      const Draft::Effect& one = in.effects[a.effects.begin + i];
      const Draft::Effect& other = in.effects[b.effects.begin + i];
      if (const auto order = one.literal <=> other.literal; order != 0) return order;
      if (const auto order = compare(in, one.conditions, other.conditions); order != 0) return order;
    }
    return std::strong_ordering::equal;
  }
  template <class T>
  void sort_unique(const Draft& in, std::vector<T>& items) {
    watch_.poll();
    std::sort(items.begin(), items.end(), [&](const T& a, const T& b) { return compare(in, a, b) < 0; });
    const auto same = [&](const T& a, const T& b) { return compare(in, a, b) == 0; };
    items.erase(std::unique(items.begin(), items.end(), same), items.end());
  }

  void count(Pruned& out) const {
    for (uint32_t atom = 0; atom < out.draft.atoms.size(); ++atom) {
      const bool changes = possible(literal_word(atom, true)) && possible(literal_word(atom, false));
      out.reachable.atoms += changes && out.draft.atoms[atom].predicate != kNone ? 1 : 0;
    }
    out.reachable.operators = out.draft.operators.size();
    out.reachable.axioms = out.draft.axioms.size();
  }

  void keep_relevant(Pruned& out) const;

  Draft draft_;
  const Watch& watch_;
  std::vector<bool> possible_;  // by literal
  std::vector<bool> fired_;     // by operator, effect and axiom
  std::vector<LooseEffect> effects_;
  Literals scratch_;
};

// Backwards from the goal.
class Relevance {
 public:
  Relevance(const Draft& draft, const Watch& watch)
      : draft_(draft), watch_(watch), relevant_(draft.atoms.size() * 2), chosen_(draft.operators.size()) {
    effects_ = lists(draft.effects.size(), [&](size_t e) { return atom_of(draft.effects[e].literal); });
    axioms_ = lists(draft.axioms.size(), [&](size_t a) { return draft.axioms[a].head; });
    owners_.resize(draft.effects.size());
    for (uint32_t i = 0; i < draft.operators.size(); ++i) {
      const Draft::Range effects = draft.operators[i].effects;
      std::fill(owners_.begin() + effects.begin, owners_.begin() + effects.end, i);
    }
  }

  void run() {
    for (const Draft::Range goal : draft_.goals) need(goal);
    while (!open_.empty()) {
      watch_.poll();
      const LiteralWord literal = open_.back();
      open_.pop_back();
      const uint32_t atom = atom_of(literal);
      for (uint64_t i = axioms_.begin[atom]; i < axioms_.begin[atom + 1]; ++i) {
        need(draft_.axioms[axioms_.items[i]].body, !is_positive(literal));
      }
      for (uint64_t i = effects_.begin[atom]; i < effects_.begin[atom + 1]; ++i) {
        const Draft::Effect& effect = draft_.effects[effects_.items[i]];
        const uint32_t owner = owners_[effects_.items[i]];
        if (effect.literal == literal) choose(owner);
        if (chosen_[owner]) need(effect.conditions, effect.literal != literal);
      }
    }
  }

  bool relevant(uint32_t atom) const {
    return relevant_[literal_word(atom, true)] || relevant_[literal_word(atom, false)];
  }
  bool chosen(size_t op) const { return chosen_[op]; }

 private:
  // Numbers of things, by atom.
  struct Lists {
    std::vector<uint64_t> begin;
    std::vector<uint32_t> items;
  };
  template <class AtomOf>
  Lists lists(size_t count, AtomOf&& atom_of_item) const {
    Lists out{std::vector<uint64_t>(draft_.atoms.size() + 1), std::vector<uint32_t>(count)};
    for (size_t i = 0; i < count; ++i) ++out.begin[atom_of_item(i) + 1];
    for (size_t atom = 1; atom < out.begin.size(); ++atom) out.begin[atom] += out.begin[atom - 1];
    std::vector<uint64_t> next = out.begin;
    for (size_t i = 0; i < count; ++i) out.items[next[atom_of_item(i)]++] = static_cast<uint32_t>(i);
    return out;
  }

  // What makes a condition true, or keeps it from becoming true.
  void need(Draft::Range condition, bool negated = false) {
    for (const LiteralWord literal : draft_.of(condition)) {
      const LiteralWord wanted = negated ? complement(literal) : literal;
      if (relevant_[wanted]) continue;
      relevant_[wanted] = true;
      open_.push_back(wanted);
    }
  }
  void choose(uint32_t op) {
    if (chosen_[op]) return;
    chosen_[op] = true;
    need(draft_.operators[op].preconditions);
    const Draft::Range effects = draft_.operators[op].effects;
    for (uint64_t e = effects.begin; e < effects.end; ++e) {
      const Draft::Effect& effect = draft_.effects[e];
      if (relevant_[effect.literal]) need(effect.conditions);
      if (relevant_[complement(effect.literal)]) need(effect.conditions, true);
    }
  }

  const Draft& draft_;
  const Watch& watch_;
  std::vector<bool> relevant_;  // by literal
  std::vector<bool> chosen_;    // by operator
  Lists effects_;
  Lists axioms_;
  std::vector<uint32_t> owners_;  // operators, by effect
  std::vector<LiteralWord> open_;
};

void Pruning::keep_relevant(Pruned& out) const {
  Relevance relevance(out.draft, watch_);
  relevance.run();
  out.kept.resize(out.draft.atoms.size());
  for (uint32_t atom = 0; atom < out.draft.atoms.size(); ++atom) out.kept[atom] = relevance.relevant(atom);
  std::vector<Draft::Operator>& operators = out.draft.operators;
  size_t kept = 0;
  for (size_t i = 0; i < operators.size(); ++i) {
    if (relevance.chosen(i)) operators[kept++] = operators[i];
  }
  operators.resize(kept);
  std::erase_if(out.draft.axioms, [&](const Draft::Axiom& axiom) { return !out.kept[axiom.head]; });
}

}  // namespace

Pruned prune(Draft draft, const Watch& watch) { return Pruning(std::move(draft), watch).run(); }

}  // namespace harrier::pddl
