#include "heur/relaxed_task.h"

#include <algorithm>
#include <set>

#include "model/interpreter.h"

namespace harrier::heur {

namespace {

using model::Edge;
using model::EdgeId;
using model::Expr;
using model::ExprId;
using model::Op;
using model::StmtId;
using model::StmtKind;

constexpr size_t kMostCombinations = 4096;

// A text that only equal expressions share. (What the printer makes of them leaves out to which process a function
// belongs.)
void append_key(const model::System& system, ExprId id, std::string& key) {
  if (!id.valid()) {
    key += '.';
    return;
  }
  const Expr& e = system.expr(id);
  const bool call = e.op == Op::Call;
  for (const int64_t part :
       {int64_t{static_cast<uint8_t>(e.op)}, call ? 0 : int64_t{e.value}, int64_t{e.base}, int64_t{e.count}}) {
    key += std::to_string(part);
    key += ' ';
  }
  if (call) {
    for (const ExprId argument : system.call_arguments(e)) append_key(system, argument, key);
    return;
  }
  for (const ExprId child : {e.a, e.b, e.c}) append_key(system, child, key);
}

}  // namespace

class RelaxedTask::Builder {
 public:
  Builder(RelaxedTask& task, const Watch& watch)
      : task_(task), system_(task.system_), watch_(watch), accesses_(system_, watch), interpreter_(system_) {
    base_ = system_.initial_values();
    knowledge_.known.resize(base_.size(), false);
    interpreter_.use(&knowledge_);
  }

  void build(const std::vector<model::Clause>& goal, Clocks clocks) {
    number_facts();
    const auto include = [&](const auto& part) {
      task_.fact_count_ = part.end_fact();
      for (Implication& i : part.implications()) add({std::move(i.preconditions), {i.fact}, kFree});
    };
    include(task_.thresholds_.emplace(system_, goal, task_.sets_, task_.fact_count_));
    if (clocks == Clocks::Use) include(task_.clock_facts_.emplace(system_, goal, task_.fact_count_));
    task_.by_edge_.resize(system_.edges.size());
    for (const model::Transition& t : task_.transitions_) {
      watch_.poll();
      const auto number = static_cast<uint32_t>(task_.enabled_.size());
      const uint32_t enabled = new_fact();
      task_.enabled_.push_back(enabled);
      for (const EdgeId e : t.edges) task_.by_edge_[e.value].push_back(number);
      enabling_rule(t, enabled);
      effects({number, kFree, {enabled}}, t.edges, statements_of(t.edges));
      if (!t.optional.empty()) broadcast(t, enabled, number);
    }
    task_.goal_ = new_fact();
    for (const model::Clause& clause : goal) {
      Rule rule{{}, {task_.goal_}, kFree};
      require(clause.clocks, rule.preconditions);
      if (conditions(clause.conditions, rule.preconditions)) add(std::move(rule));
    }
  }

 private:
  void number_facts() {
    for (uint32_t v = 0; v < system_.variables.size(); ++v) {
      const model::ValueSet& set = task_.sets_[v];
      if (set.wide) {
        task_.first_fact_.push_back(kFree);
        continue;
      }
      task_.first_fact_.push_back(task_.fact_count_);
      if (task_.window(v)) {
        task_.windowed_.push_back({v, task_.fact_count_, set.values.front(), set.values.back()});
      } else {
        task_.fields_.push_back({v, task_.fact_count_, model::ValueNumbers(set.values)});
      }
      task_.fact_count_ += static_cast<uint32_t>(set.values.size());
    }
  }

  uint32_t new_fact() { return task_.fact_count_++; }

  void add(Rule rule) {
    std::sort(rule.preconditions.begin(), rule.preconditions.end());
    rule.preconditions.erase(std::unique(rule.preconditions.begin(), rule.preconditions.end()),
                             rule.preconditions.end());
    task_.rules_.push_back(std::move(rule));
  }

  // Runs `attempt` with every combination of reachable values of those variables whose values it turns out to need, in
  // `base_`, and calls visit(whether it came to an end without a failure) after each. False if there are too many
  // combinations. `combination_` are the values before the attempt, and knowledge_.written what it wrote.
  template <class Attempt, class Visit>
  bool for_each_combination(Attempt&& attempt, Visit&& visit, size_t combinations = 1) {
    watch_.poll();
    bool done = true;
    knowledge_.missing = {};
    try {
      attempt();
    } catch (const model::EvalFailure&) {
      // A range violation makes a condition false and keeps a transition from being taken; a run-time error ends the
      // search anyway.
      done = false;
    }
    const model::VarId v = knowledge_.missing;
    if (!v.valid()) visit(done);
    for (size_t i = knowledge_.written.size(); i-- > 0;) {
      const auto& write = knowledge_.written[i];
      base_[write.variable.value] = write.old_value;
      knowledge_.known[write.variable.value] = write.was_known;
    }
    knowledge_.written.clear();
    if (!v.valid()) return true;
    const model::ValueSet& set = task_.sets_[v.value];
    combinations *= set.values.size();
    if (set.wide || combinations > kMostCombinations) return false;
    knowledge_.known[v.value] = true;
    combination_.push_back({v.value, 0});
    bool all = true;
    for (size_t i = 0; i < set.values.size() && all; ++i) {
      combination_.back().second = base_[v.value] = set.values[i];
      all = for_each_combination(attempt, visit, combinations);
    }
    combination_.pop_back();
    knowledge_.known[v.value] = false;
    return all;
  }
  // The value that stands for a value.
  int32_t inside(uint32_t variable, int32_t value) const {
    const Window* window = task_.window(variable);
    return window == nullptr ? value : std::clamp(value, window->lo, window->hi);
  }
  // A value that stands for others beyond the end of a window, too.
  bool is_vague(uint32_t variable, int32_t value) const {
    const Window* window = task_.window(variable);
    return window != nullptr && ((value == window->lo && value > system_.variables[variable].lo) ||
                                 (value == window->hi && value < system_.variables[variable].hi));
  }
  bool is_vague() const {
    return std::any_of(combination_.begin(), combination_.end(),
                       [&](const auto& c) { return is_vague(c.first, c.second); });
  }
  // Whether a condition can hold although a combination with a vague value does not satisfy it.
  bool may_hold(ExprId condition) const {
    const std::optional<Threshold> threshold = threshold_of(system_, condition);
    if (!threshold || combination_.size() != 1) return true;
    const int32_t end = combination_[0].second;
    const bool upper = end == task_.window(threshold->variable)->hi;
    switch (threshold->relation) {
      case Threshold::Relation::AtMost: return !upper || threshold->bound >= end;
      case Threshold::Relation::AtLeast: return upper || threshold->bound <= end;
      case Threshold::Relation::Equal: return upper ? threshold->bound >= end : threshold->bound <= end;
      case Threshold::Relation::Different: break;
    }
    return true;
  }
  // By how much statements change the only variable that they are about; none if they do anything else.
  std::optional<int64_t> change_of(std::span<const StmtId> statements) const {
    if (statements.size() != 1 || combination_.size() != 1) return std::nullopt;
    const model::Stmt& s = system_.stmt(statements[0]);
    if (s.kind != StmtKind::Expr) return std::nullopt;
    const Expr& store = system_.expr(s.expr);
    if (store.op != Op::Store || store.a.valid() || store.base != combination_[0].first) return std::nullopt;
    const Expr& sum = system_.expr(store.b);
    if (sum.op != Op::Add && sum.op != Op::Sub) return std::nullopt;
    const Expr& left = system_.expr(sum.a);
    const auto right = system_.constant(sum.b);
    if (left.op != Op::Var || left.base != store.base || !right) return std::nullopt;
    return sum.op == Op::Add ? int64_t{*right} : -int64_t{*right};
  }
  // What statements may write if a value is vague: what lies between an end of a window and a value beyond it that has
  // been moved, or anything.
  void vague_effects(std::span<const StmtId> statements, Rule& rule) {
    const std::optional<int64_t> change = change_of(statements);
    if (!change) {
      for (const model::VarId v : sets_of(statements).writes) anything(v, rule);
      return;
    }
    const auto [variable, end] = combination_[0];
    const Window& window = *task_.window(variable);
    const int64_t moved = std::clamp<int64_t>(end + *change, window.lo, window.hi);
    for (int64_t value = std::min<int64_t>(end, moved); value <= std::max<int64_t>(end, moved); ++value) {
      assign(variable, static_cast<int32_t>(value), rule);
    }
  }
  std::vector<uint32_t> facts_of_combination() const {
    std::vector<uint32_t> facts;
    for (const auto& [variable, value] : combination_) facts.push_back(task_.fact(variable, value));
    return facts;
  }

  // Appends facts that a condition needs; false if nothing can satisfy it.
  bool condition(ExprId id, std::vector<uint32_t>& out) {
    std::string key;
    append_key(system_, id, key);
    if (const auto known = conditions_.find(key); known != conditions_.end()) {
      if (known->second == kNever) return false;
      if (known->second != kAlways) out.push_back(known->second);
      return true;
    }
    std::vector<std::vector<uint32_t>> ways;  // satisfying combinations, as facts
    size_t tried = 0;
    bool holds = false;
    const bool enumerated = for_each_combination([&] { holds = interpreter_.value(id, base_) != 0; },
                                                 [&](bool done) {
                                                   ++tried;
                                                   if ((done && holds) || (is_vague() && may_hold(id)))
                                                     ways.push_back(facts_of_combination());
                                                 });
    uint32_t fact;
    if (!enumerated) {
      fact = task_.thresholds_->find(id).value_or(kAlways);
    } else if (ways.size() == tried) {
      fact = kAlways;
    } else if (ways.empty()) {
      fact = kNever;
    } else if (ways.size() == 1 && ways[0].size() == 1) {
      fact = ways[0][0];
    } else {
      fact = new_fact();
      for (auto& way : ways) add({std::move(way), {fact}, kFree});
    }
    conditions_.emplace(key, fact);
    if (fact == kNever) return false;
    if (fact != kAlways) out.push_back(fact);
    return true;
  }

  bool conditions(std::span<const ExprId> conjunction, std::vector<uint32_t>& out) {
    return std::all_of(conjunction.begin(), conjunction.end(), [&](ExprId e) { return condition(e, out); });
  }

  bool edge_preconditions(EdgeId id, std::vector<uint32_t>& out) {
    const Edge& edge = system_.edge(id);
    const uint32_t variable = system_.process(edge.process).location.value;
    const uint32_t location = task_.fact(variable, inside(variable, static_cast<int32_t>(edge.source)));
    if (location == kNoSuchFact) return false;
    if (location != kFree) out.push_back(location);
    require(edge.clock_guard, out);
    return conditions(edge.guard, out);
  }

  void require(std::span<const model::ClockConstraint> constraints, std::vector<uint32_t>& out) const {
    if (!task_.clock_facts_) return;
    for (const model::ClockConstraint& c : constraints) task_.clock_facts_->require(c, out);
  }

  // The invariants of the targets, as far as they speak of clocks that the transition leaves alone.
  void entered(const model::Transition& t, std::span<const EdgeId> edges, std::vector<uint32_t>& out) {
    if (!task_.clock_facts_) return;
    const std::vector<model::ClockId> written = accesses_.of(t).clocks_written;
    for (const EdgeId id : edges) {
      const Edge& edge = system_.edge(id);
      for (const model::ClockConstraint& c : system_.process(edge.process).locations[edge.target].clock_invariant) {
        const auto is_written = [&](model::ClockId clock) {
          return std::binary_search(written.begin(), written.end(), clock);
        };
        if (!is_written(c.left) && !is_written(c.right)) task_.clock_facts_->require(c, out);
      }
    }
  }

  void enabling_rule(const model::Transition& t, uint32_t enabled) {
    Rule rule{{}, {enabled}, kFree};
    if (std::all_of(t.edges.begin(), t.edges.end(),
                    [&](EdgeId e) { return edge_preconditions(e, rule.preconditions); })) {
      entered(t, t.edges, rule.preconditions);
      add(std::move(rule));
    }
  }

  // An assignment among the statements of an effect.
  struct Assignment {
    StmtId statement;
    const Expr* store = nullptr;
  };
  // How the assignments of an effect hang together.
  enum class Shape : uint8_t {
    Separate,     // each to variables of its own, and none reads what another one before it wrote
    Overlapping,  // the latter only
    Mixed,        // anything else
  };
  Shape split(std::span<const StmtId> statements, std::vector<Assignment>& out, std::set<model::VarId>& written) {
    Shape shape = Shape::Separate;
    for (const StmtId id : statements) {
      const model::Stmt& s = system_.stmt(id);
      if (s.kind == StmtKind::Reset && accesses_.of(id).writes.empty()) continue;
      if (s.kind == StmtKind::Block) {
        shape = std::max(shape, split(system_.block(s), out, written));
        if (shape == Shape::Mixed) return shape;
        continue;
      }
      if (s.kind != StmtKind::Expr || system_.expr(s.expr).op != Op::Store) return Shape::Mixed;
      const Expr& store = system_.expr(s.expr);
      const model::Access access = accesses_.of(id);
      const auto is_written = [&](model::VarId v) { return written.contains(v); };
      if (std::any_of(access.reads.begin(), access.reads.end(), is_written)) return Shape::Mixed;
      if (!accesses_.of(store.b).writes.empty()) return Shape::Mixed;
      if (std::any_of(access.writes.begin(), access.writes.end(), is_written)) shape = Shape::Overlapping;
      written.insert(access.writes.begin(), access.writes.end());
      out.push_back({id, &store});
    }
    return shape;
  }

  // What the rules of an effect have in common.
  struct Head {
    uint32_t transition = 0;
    uint32_t receiver = kFree;
    std::vector<uint32_t> preconditions;

    Rule rule() const { return {preconditions, {}, transition, receiver}; }
  };

  // Everything that is executed when edges fire together, in order.
  std::vector<StmtId> statements_of(const std::vector<EdgeId>& edges) const {
    std::vector<StmtId> out = system_.before_update;
    for (const EdgeId id : edges) {
      const Edge& edge = system_.edge(id);
      out.insert(out.end(), edge.effect.begin(), edge.effect.end());
    }
    out.insert(out.end(), system_.after_update.begin(), system_.after_update.end());
    return out;
  }

  struct Sets {
    std::set<model::VarId> reads;
    std::set<model::VarId> writes;
  };
  Sets sets_of(std::span<const StmtId> statements) {
    Sets out;
    for (const StmtId id : statements) {
      const model::Access access = accesses_.of(id);
      out.reads.insert(access.reads.begin(), access.reads.end());
      out.writes.insert(access.writes.begin(), access.writes.end());
    }
    return out;
  }
  static bool intersect(const std::set<model::VarId>& a, const std::set<model::VarId>& b) {
    return std::any_of(a.begin(), a.end(), [&](model::VarId v) { return b.contains(v); });
  }

  // The receivers of a broadcast come along or not, each with its own guard. Each is put together with the sender,
  // whose assignments it sees. What reads a variable that another receiver writes may find any value there.
  void broadcast(const model::Transition& t, uint32_t enabled, uint32_t number) {
    const auto any_of_written = [&](const std::set<model::VarId>& written, Rule& rule) {
      for (const model::VarId v : written) anything(v, rule);
    };
    const Sets afterwards = sets_of(system_.after_update);
    std::set<model::VarId> by_receivers;
    for (const EdgeId e : t.optional) by_receivers.merge(sets_of(system_.edge(e).effect).writes);
    if (intersect(afterwards.reads, by_receivers)) {
      Rule rule{{enabled}, {}, number};
      any_of_written(afterwards.writes, rule);
      if (!rule.effects.empty()) add(std::move(rule));
    }
    for (const EdgeId e : t.optional) {
      watch_.poll();
      Head head{number, e.value, {}};
      if (!edge_preconditions(e, head.preconditions)) continue;
      entered(t, {&e, 1}, head.preconditions);
      head.preconditions.push_back(enabled);
      const Edge& edge = system_.edge(e);
      std::set<model::VarId> by_others;
      for (const EdgeId other : t.optional) {
        if (system_.edge(other).process != edge.process) by_others.merge(sets_of(system_.edge(other).effect).writes);
      }
      const Sets own = sets_of(edge.effect);
      const bool follows = !system_.before_update.empty() || !system_.after_update.empty() ||
                           intersect(own.reads, sets_of(system_.edge(t.edges[0]).effect).writes);
      if (intersect(own.reads, by_others)) {
        Rule rule = head.rule();
        enter_target(edge, rule);
        clock_effects({&e, 1}, edge.effect, rule);
        any_of_written(own.writes, rule);
        any_of_written(afterwards.writes, rule);
        if (!rule.effects.empty()) add(std::move(rule));
      } else {
        effects(head, {e}, follows ? statements_of({t.edges[0], e}) : edge.effect);
      }
    }
  }

  // The variable may get any of its values.
  void anything(model::VarId v, Rule& rule) const {
    if (task_.sets_[v.value].wide) task_.thresholds_->assign_anything(v.value, rule.effects);
    for (const int32_t value : task_.sets_[v.value].values) rule.effects.push_back(task_.fact(v.value, value));
  }

  // What edges that take these statements do for the clocks.
  void clock_effects(std::span<const EdgeId> edges, std::span<const StmtId> statements, Rule& rule) {
    if (!task_.clock_facts_) return;
    for (const EdgeId id : edges) task_.clock_facts_->take(system_.edge(id), rule.effects);
    for (const StmtId id : statements) {
      const model::Stmt& s = system_.stmt(id);
      const bool fixed = s.kind == StmtKind::Reset && !s.offset.valid();
      for (const model::ClockId clock : accesses_.of(id).clocks_written) {
        task_.clock_facts_->reset(clock, fixed ? system_.constant(s.expr) : std::nullopt, rule.effects);
      }
    }
  }

  // The variable gets a value, which the rule does not need already.
  void assign(uint32_t variable, int32_t value, Rule& rule) const {
    const uint32_t fact = task_.fact(variable, inside(variable, value));
    if (fact == kFree) {
      task_.thresholds_->assign(variable, value, rule.effects);
    } else if (fact != kNoSuchFact &&
               std::find(rule.preconditions.begin(), rule.preconditions.end(), fact) == rule.preconditions.end()) {
      rule.effects.push_back(fact);
    }
  }

  void enter_target(const Edge& edge, Rule& rule) const {
    assign(system_.process(edge.process).location.value, static_cast<int32_t>(edge.target), rule);
  }

  // The rules for edges that take these statements to fire.
  void effects(const Head& head, const std::vector<EdgeId>& edges, const std::vector<StmtId>& statements) {
    Rule constants = head.rule();
    for (const EdgeId id : edges) enter_target(system_.edge(id), constants);
    clock_effects(edges, statements, constants);
    std::vector<Assignment> assignments;
    std::set<model::VarId> written;
    const Shape shape = split(statements, assignments, written);
    if (shape == Shape::Separate || !computed(statements, head, constants)) {
      if (shape == Shape::Mixed) {
        for (const model::VarId v : sets_of(statements).writes) anything(v, constants);
      } else {
        for (const Assignment& a : assignments) one_by_one(a, head, constants);
      }
    }
    if (!constants.effects.empty()) add(std::move(constants));
  }

  void one_by_one(const Assignment& a, const Head& head, Rule& constants) {
    if (computed({&a.statement, 1}, head, constants)) return;
    if (!a.store->a.valid() && task_.sets_[a.store->base].wide) {
      task_.thresholds_->assign(a.store->base, a.store->b, constants.effects);
    } else {
      for (const model::VarId v : accesses_.of(a.statement).writes) anything(v, constants);
    }
  }

  // Rules for what statements write, by the values that they need. False if these have too many combinations.
  bool computed(std::span<const StmtId> statements, const Head& head, Rule& constants) {
    std::vector<Rule> rules;
    Rule always = head.rule();
    std::vector<model::ClockReset> resets;
    const bool enumerated = for_each_combination([&] { interpreter_.execute(statements, base_, resets); },
                                                 [&](bool done) {
                                                   const bool vague = is_vague();
                                                   if (!done && !vague) return;
                                                   Rule rule = head.rule();
                                                   for (const uint32_t f : facts_of_combination())
                                                     rule.preconditions.push_back(f);
                                                   if (vague) vague_effects(statements, rule);
                                                   for (const auto& write : knowledge_.written) {
                                                     const uint32_t v = write.variable.value;
                                                     assign(v, base_[v], combination_.empty() ? always : rule);
                                                   }
                                                   if (!rule.effects.empty()) rules.push_back(std::move(rule));
                                                 });
    if (!enumerated) return false;
    constants.effects.insert(constants.effects.end(), always.effects.begin(), always.effects.end());
    for (Rule& rule : rules) add(std::move(rule));
    return true;
  }

  static constexpr uint32_t kAlways = UINT32_MAX - 1;
  static constexpr uint32_t kNever = UINT32_MAX - 2;

  RelaxedTask& task_;
  const model::System& system_;
  const Watch& watch_;
  model::Accesses accesses_;
  model::Interpreter interpreter_;
  std::vector<int32_t> base_;
  model::Interpreter::Knowledge knowledge_;
  std::vector<std::pair<uint32_t, int32_t>> combination_;
  std::map<std::string, uint32_t> conditions_;  // by key: equal conditions share their fact

 public:
  static constexpr uint32_t kNoSuchFact = UINT32_MAX - 3;
};

RelaxedTask::RelaxedTask(const model::System& system, const std::vector<model::Clause>& goal, Clocks clocks,
                         size_t most_values, size_t largest_window, const Watch& watch)
    : system_(system),
      sets_(model::reachable_values(system, watch)),
      transitions_(model::flat_transitions(system, watch)) {
  windows_.resize(sets_.size());
  std::vector<std::optional<Window>> possible;
  for (uint32_t v = 0; v < sets_.size(); ++v) {
    if (!sets_[v].wide && sets_[v].values.size() <= most_values) continue;
    if (possible.empty()) possible = windows(system, goal, largest_window);
    windows_[v] = possible[v];
    sets_[v] = {!possible[v].has_value(), {}};
    if (!possible[v]) continue;
    for (int32_t value = possible[v]->lo; value <= possible[v]->hi; ++value) sets_[v].values.push_back(value);
  }
  Builder(*this, watch).build(goal, clocks);
}

uint32_t RelaxedTask::fact(uint32_t variable, int32_t value) const {
  if (first_fact_[variable] == kFree) return kFree;
  const auto& values = sets_[variable].values;
  const auto at = std::lower_bound(values.begin(), values.end(), value);
  if (at == values.end() || *at != value) return Builder::kNoSuchFact;
  return first_fact_[variable] + static_cast<uint32_t>(at - values.begin());
}

}  // namespace harrier::heur
