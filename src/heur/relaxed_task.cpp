#include "heur/relaxed_task.h"

#include <algorithm>

#include "model/analysis.h"

namespace harrier::heur {

using model::Edge;
using model::EdgeId;
using model::StmtId;
using task::Condition;
using task::Effect;
using task::Label;
using task::Task;

class RelaxedTask::Builder {
 public:
  Builder(RelaxedTask& out, const Watch& watch)
      : out_(out), task_(*out.task_), system_(task_.system()), watch_(watch), accesses_(system_, watch) {}

  void build(Clocks clocks) {
    number_facts();
    const auto include = [&](const auto& part) {
      out_.fact_count_ = part.end_fact();
      for (const Implication& i : part.implications()) add_free(i.preconditions, i.fact);
    };
    include(out_.thresholds_.emplace(task_, out_.fact_count_));
    if (clocks == Clocks::Use) include(out_.clock_facts_.emplace(system_, task_.goal(), out_.fact_count_));
    out_.first_auxiliary_ = out_.fact_count_;
    condition_facts_.assign(task_.conditions().size(), kUnseen);
    for (uint32_t t = 0; t < task_.transitions().size(); ++t) {
      watch_.poll();
      const uint32_t enabled = new_fact();
      out_.enabled_.push_back(enabled);
      const auto labels = task_.labels_of(t);
      sender(labels[0], enabled);
      for (const Label& label : labels.subspan(1)) receiver(label, enabled);
    }
    add_axioms();
    out_.goal_ = new_fact();
    for (size_t c = 0; c < task_.goal().size(); ++c) {
      Facts preconditions;
      require(task_.goal()[c].clocks, preconditions);
      if (conditions(task_.goal_conditions(c), preconditions)) add_free(preconditions, out_.goal_);
    }
    out_.rules_.shrink_to_fit();
    out_.preconditions_.shrink_to_fit();
    out_.effects_.shrink_to_fit();
  }

 private:
  static constexpr uint32_t kAlways = UINT32_MAX - 1;
  static constexpr uint32_t kNever = UINT32_MAX - 2;
  static constexpr uint32_t kUnseen = UINT32_MAX - 3;

  // A rule in the making.
  struct Draft {
    uint32_t transition = kFree;
    uint32_t receiver = kFree;
    Facts preconditions;
    Facts effects;
  };

  void number_facts() {
    for (uint32_t v = 0; v < task_.variable_count(); ++v) {
      const task::Domain& domain = task_.domain(v);
      first_fact_.push_back(domain.is_wide() ? kFree : out_.fact_count_);
      if (domain.is_exact()) out_.fields_.push_back({v, out_.fact_count_, &domain.number});
      if (domain.is_window()) {
        out_.windowed_.push_back({v, out_.fact_count_, domain.values.front(), domain.values.back()});
      }
      out_.fact_count_ += domain.size();
    }
  }
  uint32_t new_fact() { return out_.fact_count_++; }
  uint32_t fact(const task::Fact& f) const { return first_fact_[f.variable] + f.value; }

  void add(const Draft& draft) {
    watch_.poll();
    Rule rule;
    rule.transition = draft.transition;
    rule.receiver = draft.receiver;
    auto& preconditions = out_.preconditions_;
    rule.first_precondition = static_cast<uint32_t>(preconditions.size());
    preconditions.insert(preconditions.end(), draft.preconditions.begin(), draft.preconditions.end());
    const auto first = preconditions.begin() + rule.first_precondition;
    std::sort(first, preconditions.end());
    preconditions.erase(std::unique(first, preconditions.end()), preconditions.end());
    rule.end_precondition = static_cast<uint32_t>(preconditions.size());
    rule.first_effect = static_cast<uint32_t>(out_.effects_.size());
    out_.effects_.insert(out_.effects_.end(), draft.effects.begin(), draft.effects.end());
    rule.end_effect = static_cast<uint32_t>(out_.effects_.size());
    out_.rules_.push_back(rule);
  }
  void add_free(const Facts& preconditions, uint32_t fact) { add({kFree, kFree, preconditions, {fact}}); }

  // The fact that stands for a condition, or kAlways or kNever.
  uint32_t fact_of_condition(uint32_t id) {
    uint32_t& known = condition_facts_[id];
    if (known != kUnseen) return known;
    const Condition& condition = task_.condition(id);
    if (condition.decision == task::Decisions::kNone) {
      return known = out_.thresholds_->find(condition.expr).value_or(kAlways);
    }
    size_t tried = 0;
    size_t satisfied = 0;
    std::optional<uint32_t> only;  // the fact that is the last of these
    task_.decisions().for_each_way(condition.decision, way_, [&](std::span<const task::Fact> way, uint32_t holds) {
      ++tried;
      if (holds == 0) return;
      ++satisfied;
      only = way.size() == 1 ? std::optional(fact(way[0])) : std::nullopt;
    });
    if (satisfied == tried) return known = kAlways;
    if (satisfied == 0) return known = kNever;
    if (satisfied == 1 && only) return known = *only;
    known = new_fact();
    Draft rule{kFree, kFree, {}, {known}};
    task_.decisions().for_each_way(condition.decision, way_, [&](std::span<const task::Fact> way, uint32_t holds) {
      if (holds == 0) return;
      rule.preconditions.clear();
      for (const task::Fact& f : way) rule.preconditions.push_back(fact(f));
      add(rule);
    });
    return known;
  }

  // Appends facts that conditions need; false if nothing can satisfy one.
  bool conditions(std::span<const uint32_t> conjunction, Facts& out) {
    return std::all_of(conjunction.begin(), conjunction.end(), [&](uint32_t id) {
      const uint32_t fact = fact_of_condition(id);
      if (fact != kAlways && fact != kNever) out.push_back(fact);
      return fact != kNever;
    });
  }
  // The same of an edge, whose move and conditions are the first of these, which are taken off.
  bool edge_preconditions(EdgeId id, std::span<const task::Move>& moves, std::span<const uint32_t>& guards,
                          Facts& out) {
    const Edge& edge = system_.edge(id);
    const task::Move& move = moves[0];
    const auto guard = guards.first(edge.guard.size());
    moves = moves.subspan(1);
    guards = guards.subspan(guard.size());
    const task::Domain& locations = task_.domain(move.variable);
    if (!locations.is_wide()) {
      const auto location = locations.find(move.from);
      if (!location) return false;
      // In the only location of a process, where planning tasks have all their edges, it always is.
      if (!locations.is_exact() || locations.size() > 1) out.push_back(fact({move.variable, *location}));
    }
    require(edge.clock_guard, out);
    return conditions(guard, out);
  }

  // What axioms derive follows at once. So do initial values: that a body stops to hold is no fact.
  void add_axioms() {
    Facts body;
    for (const task::Axiom& axiom : task_.axioms()) {
      body.clear();
      const auto value = task_.domain(axiom.variable).find(axiom.value);
      if (value && conditions(task_.conditions(axiom), body)) add_free(body, fact({axiom.variable, *value}));
    }
    for (const model::VarId v : task_.derived()) {
      const auto value = task_.domain(v.value).find(system_.variable(v).initial);
      if (value) add_free({}, fact({v.value, *value}));
    }
  }

  void require(std::span<const model::ClockConstraint> constraints, Facts& out) const {
    if (!out_.clock_facts_) return;
    for (const model::ClockConstraint& c : constraints) out_.clock_facts_->require(c, out);
  }
  // The invariants of the targets, as far as they speak of clocks that the transition leaves alone.
  void entered(uint32_t transition, std::span<const EdgeId> edges, Facts& out) {
    if (!out_.clock_facts_) return;
    const std::vector<model::ClockId> written = accesses_.of(task_.transitions()[transition]).clocks_written;
    for (const EdgeId id : edges) {
      const Edge& edge = system_.edge(id);
      for (const model::ClockConstraint& c : system_.process(edge.process).locations[edge.target].clock_invariant) {
        const auto is_written = [&](model::ClockId clock) {
          return std::binary_search(written.begin(), written.end(), clock);
        };
        if (!is_written(c.left) && !is_written(c.right)) out_.clock_facts_->require(c, out);
      }
    }
  }

  // A transition without receivers.
  void sender(const Label& label, uint32_t enabled) {
    const auto& edges = task_.transitions()[label.transition].edges;
    auto moves = task_.moves(label);
    auto guards = task_.conditions(label);
    Facts preconditions;
    if (std::all_of(edges.begin(), edges.end(),
                    [&](EdgeId e) { return edge_preconditions(e, moves, guards, preconditions); })) {
      entered(label.transition, edges, preconditions);
      add_free(preconditions, enabled);
    }
    Draft constants{label.transition, kFree, {enabled}, {}};
    for (const task::Move& move : task_.moves(label)) assign(move.variable, move.to, constants);
    clock_effects(edges, all_updates(edges), constants);
    for (const uint32_t id : task_.effects(label)) effect(task_.effect(id), constants);
    if (!constants.effects.empty()) add(constants);
    add_arbitrary(label, {label.transition, kFree, {enabled}, {}});
  }

  // The receivers of a broadcast come along or not, each with its own guard. Each is put together with the sender,
  // whose assignments it sees. What reads a variable that another receiver writes may find any value there.
  void receiver(const Label& label, uint32_t enabled) {
    watch_.poll();
    const EdgeId edge = label.receiver;
    Draft rule{label.transition, edge.value, {}, {}};
    auto moves = task_.own_moves(label);
    auto guards = task_.own_conditions(label);
    if (!edge_preconditions(edge, moves, guards, rule.preconditions)) return;
    entered(label.transition, {&edge, 1}, rule.preconditions);
    rule.preconditions.push_back(enabled);
    for (const task::Move& move : task_.own_moves(label)) assign(move.variable, move.to, rule);
    const EdgeId both[] = {task_.transitions()[label.transition].edges[0], edge};
    clock_effects({&edge, 1}, label.follows && !label.disturbed ? all_updates(both) : system_.edge(edge).effect, rule);
    if (label.disturbed) {
      add_arbitrary(label, std::move(rule));
      return;
    }
    for (const uint32_t id : task_.own_effects(label)) effect(task_.effect(id), rule);
    if (!rule.effects.empty()) add(rule);
  }

  void add_arbitrary(const Label& label, Draft rule) {
    for (const model::VarId v : task_.arbitrary(label)) anything(v.value, rule);
    if (!rule.effects.empty()) add(rule);
  }

  // Everything that is executed when edges fire together; it matters for clocks only.
  std::vector<StmtId> all_updates(std::span<const EdgeId> edges) const {
    if (!out_.clock_facts_) return {};
    std::vector<StmtId> out = system_.before_update;
    for (const EdgeId id : edges) {
      const Edge& edge = system_.edge(id);
      out.insert(out.end(), edge.effect.begin(), edge.effect.end());
    }
    out.insert(out.end(), system_.after_update.begin(), system_.after_update.end());
    return out;
  }
  // What edges that take these statements do for the clocks.
  void clock_effects(std::span<const EdgeId> edges, std::span<const StmtId> statements, Draft& rule) {
    if (!out_.clock_facts_) return;
    for (const EdgeId id : edges) out_.clock_facts_->take(system_.edge(id), rule.effects);
    for (const StmtId id : statements) {
      const model::Stmt& s = system_.stmt(id);
      const bool fixed = s.kind == model::StmtKind::Reset && !s.offset.valid();
      for (const model::ClockId clock : accesses_.of(id).clocks_written) {
        out_.clock_facts_->reset(clock, fixed ? system_.constant(s.expr) : std::nullopt, rule.effects);
      }
    }
  }

  // The variable may get any of its values.
  void anything(uint32_t variable, Draft& rule) const {
    const task::Domain& domain = task_.domain(variable);
    if (domain.is_wide()) out_.thresholds_->assign_anything(variable, rule.effects);
    for (uint32_t i = 0; i < domain.size(); ++i) rule.effects.push_back(first_fact_[variable] + i);
  }
  // The variable gets a value, which the rule does not need already.
  void assign(uint32_t variable, int32_t value, Draft& rule) const {
    const task::Domain& domain = task_.domain(variable);
    if (domain.is_wide()) {
      out_.thresholds_->assign(variable, value, rule.effects);
      return;
    }
    const auto number = domain.find(value);
    if (!number) return;
    const uint32_t assigned = fact({variable, *number});
    if (std::find(rule.preconditions.begin(), rule.preconditions.end(), assigned) == rule.preconditions.end()) {
      rule.effects.push_back(assigned);
    }
  }
  void write(std::span<const task::Write> writes, Draft& rule) const {
    for (const task::Write& w : writes) {
      if (w.any) {
        anything(w.variable, rule);
      } else {
        assign(w.variable, w.value, rule);
      }
    }
  }

  // A rule for each way in which the effect can go. What it does always is put to the constants.
  void effect(const Effect& effect, Draft& constants) {
    if (effect.kind == Effect::Kind::Reset) return;
    if (effect.decision == task::Decisions::kNone) {
      if (effect.kind == Effect::Kind::Assignment && effect.statements.size() == 1 &&
          task_.domain(effect.writes[0].value).is_wide()) {
        const model::Expr& store = system_.expr(system_.stmt(effect.statements[0]).expr);
        out_.thresholds_->assign(store.base, store.b, constants.effects);
      } else {
        for (const model::VarId v : effect.writes) anything(v.value, constants);
      }
      return;
    }
    if (task::Decisions::is_leaf(effect.decision)) {
      write(task_.outcome(task::Decisions::result(effect.decision)), constants);
      return;
    }
    Draft rule{constants.transition, constants.receiver, constants.preconditions, {}};
    task_.decisions().for_each_way(effect.decision, way_, [&](std::span<const task::Fact> way, uint32_t outcome) {
      if (outcome == Task::kImpossible) return;
      rule.effects.clear();
      rule.preconditions.resize(constants.preconditions.size());
      for (const task::Fact& f : way) rule.preconditions.push_back(fact(f));
      write(task_.outcome(outcome), rule);
      if (!rule.effects.empty()) add(rule);
    });
  }

  RelaxedTask& out_;
  const Task& task_;
  const model::System& system_;
  const Watch& watch_;
  model::Accesses accesses_;
  std::vector<uint32_t> first_fact_;       // by variable; kFree: wide
  std::vector<uint32_t> condition_facts_;  // by condition
  std::vector<task::Fact> way_;
};

RelaxedTask::RelaxedTask(std::shared_ptr<const task::Task> task, Clocks clocks, const Watch& watch)
    : task_(std::move(task)) {
  Builder(*this, watch).build(clocks);
}

std::vector<uint32_t> RelaxedTask::meanings() const {
  std::vector<uint32_t> out(fact_count_, kHidden);
  const auto values = [&](uint32_t first, uint32_t variable) {
    std::fill_n(out.begin() + first, task_->domain(variable).size(), variable);
  };
  for (const Field& f : fields_) values(f.first, f.variable);
  for (const WindowedField& f : windowed_) values(f.first, f.variable);
  const auto condition = [&](uint32_t fact) { out[fact] = kCondition; };
  thresholds_->for_each_fact(condition);
  if (clock_facts_) clock_facts_->for_each_fact(condition);
  std::fill(out.begin() + first_auxiliary_, out.end(), kCondition);
  for (const uint32_t enabled : enabled_) out[enabled] = kHidden;
  out[goal_] = kHidden;
  return out;
}

}  // namespace harrier::heur
