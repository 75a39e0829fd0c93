#include "lang/pddl/encoding.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "lang/pddl/axiom_layers.h"
#include "lang/pddl/grounding.h"
#include "lang/pddl/pruning.h"

namespace harrier::pddl {

namespace {

// Atoms that hold, by the groups they are in: of each group there is one.
class Occupied {
 public:
  explicit Occupied(size_t groups) : by_(groups), at_(groups, 0) {}

  void clear() { ++now_; }
  // Whether another atom of the group holds.
  bool by_other(uint32_t group, uint32_t atom) const { return at_[group] == now_ && by_[group] != atom; }
  void put(uint32_t group, uint32_t atom) {
    by_[group] = atom;
    at_[group] = now_;
  }

 private:
  std::vector<uint32_t> by_;
  std::vector<uint64_t> at_;
  uint64_t now_ = 1;
};

class Encoder {
 public:
  Encoder(const Task& task, const GroundTask& ground, const std::vector<std::vector<uint32_t>>& groups,
          const Watch& watch)
      : task_(task),
        ground_(ground),
        groups_(groups),
        watch_(watch),
        groups_of_(ground.atoms.size()),
        main_(ground.atoms.size()),
        own_(ground.atoms.size(), kNone),
        required_(groups.size()),
        conditional_(groups.size()) {}

  FiniteTask run();

 private:
  // What an effect does to a variable.
  struct Change {
    uint32_t variable = 0;
    const GroundEffect* effect = nullptr;
  };
  struct Variable {
    std::vector<uint32_t> atoms;  // its first values
    bool vacant = true;           // one more value: none of them holds
    bool extra = false;           // it says of its atom again whether it holds
  };

  void find_groups();
  void cover();
  void add_variable(std::vector<uint32_t> atoms);
  void find_vacant();
  void mark_vacant(const GroundOperator& op);
  void find_negated();
  void add_own(std::span<const Literal> literals);

  // Conditions. False: it is known never to hold.
  bool occupy(std::span<const Literal> literals, Occupied& occupied) const;
  bool is_free(uint32_t atom, const Occupied& occupied) const;
  bool translate(std::span<const Literal> literals, std::vector<Fact>& out) const;
  bool require(std::span<const Literal> literals, std::vector<Fact>& out);
  static bool finish(std::vector<Fact>& facts);
  static bool contradict(std::span<const Fact> a, std::span<const Fact> b);
  Fact absent(uint32_t atom) const;

  // Effects.
  void gather(const GroundOperator& op);
  bool overruled(const GroundOperator& op, std::span<const Change> changes, const GroundEffect& removal) const;
  bool can_take_place(const GroundOperator& op, const GroundEffect& effect);
  void translate(const GroundOperator& op, std::span<const Change> changes, Operator& out);
  bool holds(const GroundOperator& op, const GroundEffect& effect, Literal literal) const;

  void write_variables();
  void write_operator(const GroundOperator& op);
  void write_axiom(const GroundAxiom& axiom);
  void write_mutexes();

  const Task& task_;
  const GroundTask& ground_;
  const std::vector<std::vector<uint32_t>>& groups_;
  const Watch& watch_;
  std::vector<std::vector<uint32_t>> groups_of_;  // by atom
  std::vector<Variable> variables_;
  std::vector<Fact> main_;     // by atom: that it holds
  std::vector<uint32_t> own_;  // by atom: the extra variable for it
  FiniteTask out_;

  // Of the operator or axiom at hand.
  Occupied required_;
  Occupied conditional_;
  std::vector<Change> changes_;
};

FiniteTask Encoder::run() {
  out_.costs = ground_.costs;
  out_.translation.facts = ground_.atoms.size();
  out_.translation.operators = ground_.operators.size();
  out_.translation.axioms = ground_.axioms.size();
  out_.translation.groups = groups_.size();
  if (!ground_.solvable) return unsolvable(out_);
  find_groups();
  cover();
  find_vacant();
  find_negated();
  write_variables();
  if (!require(ground_.goal, out_.goal)) return unsolvable(out_);
  for (const GroundOperator& op : ground_.operators) write_operator(op);
  for (const GroundAxiom& axiom : ground_.axioms) write_axiom(axiom);
  write_mutexes();
  return pruned(std::move(out_), watch_);
}

void Encoder::find_groups() {
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    watch_.poll();
    for (const uint32_t atom : groups_[g]) groups_of_[atom].push_back(g);
  }
}

// Again and again, the group with most atoms that have no variable yet becomes one (Helmert 2009, §6); the first one
// among several.
void Encoder::cover() {
  std::vector<size_t> left(groups_.size());
  std::vector<std::vector<uint32_t>> by_size;
  for (uint32_t g = 0; g < groups_.size(); ++g) {
    left[g] = groups_[g].size();
    if (left[g] >= by_size.size()) by_size.resize(left[g] + 1);
    by_size[left[g]].push_back(g);
  }
  std::vector<bool> covered(ground_.atoms.size(), false);
  for (size_t size = by_size.size(); size-- > 2;) {
    // Groups that have become smaller are put where they belong when their turn comes.
    std::sort(by_size[size].begin(), by_size[size].end());
    for (const uint32_t g : std::exchange(by_size[size], {})) {
      watch_.poll();
      if (left[g] != size) {
        by_size[left[g]].push_back(g);
        continue;
      }
      std::vector<uint32_t> atoms;
      for (const uint32_t atom : groups_[g]) {
        if (!covered[atom]) atoms.push_back(atom);
      }
      for (const uint32_t atom : atoms) {
        covered[atom] = true;
        for (const uint32_t other : groups_of_[atom]) --left[other];
      }
      add_variable(std::move(atoms));
    }
  }
  for (uint32_t atom = 0; atom < ground_.atoms.size(); ++atom) {
    if (!covered[atom]) add_variable({atom});
  }
}

void Encoder::add_variable(std::vector<uint32_t> atoms) {
  const auto number = static_cast<uint32_t>(variables_.size());
  for (uint32_t i = 0; i < atoms.size(); ++i) main_[atoms[i]] = {number, i};
  variables_.push_back({.atoms = std::move(atoms), .vacant = false});
}

// Whether it can be that none of a variable's atoms holds.
void Encoder::find_vacant() {
  for (Variable& variable : variables_) {
    const auto holds = [&](uint32_t atom) { return ground_.atoms[atom].initial; };
    variable.vacant = variable.atoms.size() == 1 || std::none_of(variable.atoms.begin(), variable.atoms.end(), holds);
  }
  for (const GroundOperator& op : ground_.operators) mark_vacant(op);
}

void Encoder::mark_vacant(const GroundOperator& op) {
  watch_.poll();
  required_.clear();
  if (!occupy(op.preconditions, required_)) return;
  gather(op);
  for (size_t begin = 0, end = 0; begin < changes_.size(); begin = end) {
    while (end < changes_.size() && changes_[end].variable == changes_[begin].variable) ++end;
    Variable& variable = variables_[changes_[begin].variable];
    if (variable.vacant) continue;
    const std::span<const Change> changes = std::span(changes_).subspan(begin, end - begin);
    variable.vacant = std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
      return !change.effect->adds && can_take_place(op, *change.effect) && !overruled(op, changes, *change.effect);
    });
  }
}

// Where the negation of an atom is asked for, one value of a variable has to say so: else the atom gets one of its own,
// too.
void Encoder::find_negated() {
  add_own(ground_.goal);
  for (const GroundAxiom& axiom : ground_.axioms) add_own(axiom.body);
  for (const GroundOperator& op : ground_.operators) {
    watch_.poll();
    add_own(op.preconditions);
    for (const GroundEffect& effect : op.effects) add_own(effect.conditions);
  }
}

void Encoder::add_own(std::span<const Literal> literals) {
  bool occupied = false;
  for (const Literal literal : literals) {
    if (literal.positive || own_[literal.atom] != kNone) continue;
    const Variable& main = variables_[main_[literal.atom].variable];
    if (main.atoms.size() + (main.vacant ? 1 : 0) == 2) continue;
    if (!std::exchange(occupied, true)) {
      required_.clear();
      if (!occupy(literals, required_)) return;
    }
    if (!is_free(literal.atom, required_)) continue;
    own_[literal.atom] = static_cast<uint32_t>(variables_.size());
    variables_.push_back({.atoms = {literal.atom}, .vacant = true, .extra = true});
  }
}

bool Encoder::occupy(std::span<const Literal> literals, Occupied& occupied) const {
  bool possible = true;
  for (const Literal literal : literals) {
    if (!literal.positive) continue;
    possible = possible && is_free(literal.atom, occupied);
    for (const uint32_t group : groups_of_[literal.atom]) occupied.put(group, literal.atom);
  }
  return possible;
}

bool Encoder::is_free(uint32_t atom, const Occupied& occupied) const {
  return std::none_of(groups_of_[atom].begin(), groups_of_[atom].end(),
                      [&](uint32_t group) { return occupied.by_other(group, atom); });
}

Fact Encoder::absent(uint32_t atom) const {
  const Fact main = main_[atom];
  return own_[atom] != kNone ? Fact{own_[atom], 1} : Fact{main.variable, 1 - main.value};
}

// What is negated and excluded by what is required anyway needs no word. Appends.
bool Encoder::translate(std::span<const Literal> literals, std::vector<Fact>& out) const {
  for (const Literal literal : literals) {
    if (literal.positive) {
      out.push_back(main_[literal.atom]);
    } else if (is_free(literal.atom, required_) && is_free(literal.atom, conditional_)) {
      out.push_back(absent(literal.atom));
    }
  }
  return finish(out);
}

bool Encoder::require(std::span<const Literal> literals, std::vector<Fact>& out) {
  required_.clear();
  conditional_.clear();
  return occupy(literals, required_) && translate(literals, out);
}

bool Encoder::finish(std::vector<Fact>& facts) {
  std::sort(facts.begin(), facts.end());
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  const auto contradict = [](Fact a, Fact b) { return a.variable == b.variable; };
  return std::adjacent_find(facts.begin(), facts.end(), contradict) == facts.end();
}

// Both sorted.
bool Encoder::contradict(std::span<const Fact> a, std::span<const Fact> b) {
  return std::any_of(b.begin(), b.end(), [&](Fact fact) {
    const auto at = std::lower_bound(a.begin(), a.end(), Fact{fact.variable, 0});
    return at != a.end() && at->variable == fact.variable && at->value != fact.value;
  });
}

// The effects by the variables they change; on each, those that delete come first, for what is added as well holds.
void Encoder::gather(const GroundOperator& op) {
  changes_.clear();
  for (const GroundEffect& effect : op.effects) {
    changes_.push_back({main_[effect.atom].variable, &effect});
    if (own_[effect.atom] != kNone) changes_.push_back({own_[effect.atom], &effect});
  }
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return a.variable != b.variable ? a.variable < b.variable : a.effect->adds < b.effect->adds;
  });
}

bool Encoder::holds(const GroundOperator& op, const GroundEffect& effect, Literal literal) const {
  return std::binary_search(op.preconditions.begin(), op.preconditions.end(), literal) ||
         std::binary_search(effect.conditions.begin(), effect.conditions.end(), literal);
}

// Whether an effect can take place and change something, if the operator can be applied.
bool Encoder::can_take_place(const GroundOperator& op, const GroundEffect& effect) {
  conditional_.clear();
  if (!occupy(effect.conditions, conditional_)) return false;
  const auto possible = [&](const Literal literal) { return !literal.positive || is_free(literal.atom, required_); };
  if (!std::all_of(effect.conditions.begin(), effect.conditions.end(), possible)) return false;
  if (effect.adds) return true;
  return !holds(op, effect, {effect.atom, false}) && is_free(effect.atom, required_) &&
         is_free(effect.atom, conditional_);
}

// Whether the variable gets a new value wherever a deletion takes an atom of it away.
bool Encoder::overruled(const GroundOperator& op, std::span<const Change> changes, const GroundEffect& removal) const {
  return std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
    const auto implied = [&](Literal literal) {
      return literal == Literal{removal.atom, true} || holds(op, removal, literal);
    };
    return change.effect->adds &&
           std::all_of(change.effect->conditions.begin(), change.effect->conditions.end(), implied);
  });
}

void Encoder::translate(const GroundOperator& op, std::span<const Change> changes, Operator& out) {
  const uint32_t v = changes.front().variable;
  const Variable& variable = variables_[v];
  const auto atoms = static_cast<uint32_t>(variable.atoms.size());
  bool removes = false;
  for (const Change& change : changes) {
    const GroundEffect& effect = *change.effect;
    watch_.poll();
    if (!can_take_place(op, effect)) continue;
    // Nothing has changed the value that it has anyway.
    if (effect.adds && !removes && holds(op, effect, {effect.atom, true})) continue;
    if (!effect.adds && overruled(op, changes, effect)) continue;
    FiniteEffect made;
    const uint32_t value = variable.extra ? 0 : main_[effect.atom].value;
    made.fact = {v, effect.adds ? value : atoms};
    if (!effect.adds && atoms > 1 && !holds(op, effect, {effect.atom, true})) made.conditions.push_back({v, value});
    if (!translate(effect.conditions, made.conditions) || contradict(out.preconditions, made.conditions)) continue;
    removes = removes || !effect.adds;
    out.effects.push_back(std::move(made));
  }
}

void Encoder::write_variables() {
  const std::vector<int32_t> layers = axiom_layers(ground_, watch_);
  for (const Variable& variable : variables_) {
    watch_.poll();
    FiniteVariable made{.name = "var" + std::to_string(out_.variables.size())};
    auto initial = static_cast<uint32_t>(variable.atoms.size());
    for (uint32_t i = 0; i < variable.atoms.size(); ++i) {
      const GroundAtom& atom = ground_.atoms[variable.atoms[i]];
      made.values.push_back("Atom " + to_text(task_, ground_, variable.atoms[i]));
      if (atom.initial) initial = i;
      if (atom.derived) made.layer = layers[variable.atoms[i]];
    }
    if (variable.atoms.size() == 1) {
      made.values.push_back("NegatedAtom " + to_text(task_, ground_, variable.atoms.front()));
    } else if (variable.vacant) {
      made.values.emplace_back("<none of those>");
    }
    out_.variables.push_back(std::move(made));
    out_.initial.push_back(initial);
  }
}

void Encoder::write_operator(const GroundOperator& op) {
  watch_.poll();
  Operator made;
  if (!require(op.preconditions, made.preconditions)) return;
  gather(op);
  for (size_t begin = 0, end = 0; begin < changes_.size(); begin = end) {
    while (end < changes_.size() && changes_[end].variable == changes_[begin].variable) ++end;
    translate(op, std::span(changes_).subspan(begin, end - begin), made);
  }
  if (made.effects.empty()) return;
  made.name = to_text(task_, op);
  made.cost = ground_.costs ? op.cost : 1;
  out_.operators.push_back(std::move(made));
}

void Encoder::write_axiom(const GroundAxiom& axiom) {
  watch_.poll();
  FiniteAxiom made;
  if (!require(axiom.body, made.body)) return;
  made.head = main_[axiom.head];
  out_.axioms.push_back(std::move(made));
}

void Encoder::write_mutexes() {
  for (const std::vector<uint32_t>& group : groups_) {
    std::vector<Fact> facts;
    for (const uint32_t atom : group) facts.push_back(main_[atom]);
    out_.mutexes.push_back(std::move(facts));
  }
}

}  // namespace

FiniteTask encode(const Task& task, const GroundTask& ground, const std::vector<std::vector<uint32_t>>& groups,
                  const Watch& watch) {
  return Encoder(task, ground, groups, watch).run();
}

}  // namespace harrier::pddl
