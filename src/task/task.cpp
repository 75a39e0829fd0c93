#include "task/task.h"

#include <algorithm>
#include <map>
#include <string>

#include "task/enumeration.h"
#include "task/slices.h"
#include "task/windows.h"

namespace harrier::task {

using model::Edge;
using model::EdgeId;
using model::Expr;
using model::ExprId;
using model::Op;
using model::ProcessId;
using model::StmtId;
using model::StmtKind;
using model::VarId;

namespace {

using Variables = std::vector<VarId>;  // sorted

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

void unite(Variables& all, const Variables& more) {
  Variables both;
  std::set_union(all.begin(), all.end(), more.begin(), more.end(), std::back_inserter(both));
  all = std::move(both);
}

bool intersect(const Variables& a, const Variables& b) {
  return std::any_of(a.begin(), a.end(), [&](VarId v) { return std::binary_search(b.begin(), b.end(), v); });
}

// What statements together may read and write.
struct Footprint {
  Variables reads;
  Variables writes;
};

// Which processes write a variable.
class Writers {
 public:
  explicit Writers(size_t variables) : writer_(variables, kNobody) {}

  void clear() {
    for (const VarId v : written_) writer_[v.value] = kNobody;
    written_.clear();
  }
  void add(ProcessId process, const Variables& writes) {
    for (const VarId v : writes) {
      uint32_t& writer = writer_[v.value];
      if (writer == kNobody) written_.push_back(v);
      writer = writer == kNobody || writer == process.value ? process.value : kSeveral;
    }
  }
  // Whether one of the variables is written by another process.
  bool disturb(ProcessId process, const Variables& reads) const {
    return std::any_of(reads.begin(), reads.end(),
                       [&](VarId v) { return writer_[v.value] != kNobody && writer_[v.value] != process.value; });
  }

 private:
  static constexpr uint32_t kNobody = UINT32_MAX - 1;
  static constexpr uint32_t kSeveral = UINT32_MAX - 2;

  std::vector<uint32_t> writer_;
  Variables written_;
};

}  // namespace

class Task::Builder {
 public:
  Builder(Task& task, const Watch& watch)
      : task_(task),
        system_(task.system_),
        watch_(watch),
        accesses_(system_, watch),
        enumeration_(task, task.decisions_, watch),
        condition_of_(system_.exprs.size(), kNone),
        effect_of_(system_.stmts.size(), kNone),
        footprint_of_(system_.edges.size()),
        effects_of_(system_.edges.size()),
        writers_(system_.variables.size()),
        has_choices_(system_.has_choices()) {
    task_.first_write_ = {0, 0};  // kImpossible writes nothing
  }

  void build() {
    after_ = footprint(system_.after_update);
    task_.by_edge_.resize(system_.edges.size());
    for (uint32_t t = 0; t < task_.transitions_.size(); ++t) {
      watch_.poll();
      task_.first_label_.push_back(static_cast<uint32_t>(task_.labels_.size()));
      for (const EdgeId e : task_.transitions_[t].edges) task_.by_edge_[e.value].push_back(t);
      add_transition(t);
    }
    task_.first_label_.push_back(static_cast<uint32_t>(task_.labels_.size()));
    for (const model::Clause& clause : task_.goal_) {
      task_.first_goal_.push_back(end(task_.condition_lists_));
      for (const ExprId id : clause.conditions) task_.condition_lists_.push_back(condition(id));
    }
    task_.first_goal_.push_back(end(task_.condition_lists_));
    add_axioms();
    task_.decisions_.shrink_to_fit();
    const auto fit = [](auto&... lists) { (lists.shrink_to_fit(), ...); };
    fit(task_.conditions_, task_.effects_, task_.first_write_, task_.writes_, task_.labels_, task_.moves_,
        task_.condition_lists_, task_.effect_lists_, task_.arbitrary_, task_.axioms_, task_.derived_);
  }

 private:
  template <class T>
  static uint32_t end(const std::vector<T>& list) {
    return static_cast<uint32_t>(list.size());
  }

  // Equal conditions are one.
  uint32_t condition(ExprId id) {
    uint32_t& known = condition_of_[id.value];
    if (known != kNone) return known;
    std::string key;
    append_key(system_, id, key);
    const auto [at, fresh] = conditions_.try_emplace(std::move(key), end(task_.conditions_));
    known = at->second;
    if (fresh) task_.conditions_.push_back({id, accesses_.of(id).reads, enumeration_.condition(id)});
    return known;
  }

  void add_axioms() {
    for (const model::Axiom& axiom : system_.axioms) {
      watch_.poll();
      const uint32_t begin = end(task_.condition_lists_);
      for (const ExprId id : axiom.body) task_.condition_lists_.push_back(condition(id));
      task_.axioms_.push_back({axiom.head.value, axiom.value, begin, end(task_.condition_lists_)});
      task_.derived_.push_back(axiom.head);
    }
    std::sort(task_.derived_.begin(), task_.derived_.end());
    task_.derived_.erase(std::unique(task_.derived_.begin(), task_.derived_.end()), task_.derived_.end());
  }

  Footprint footprint(std::span<const StmtId> statements) {
    Footprint out;
    for (const StmtId id : statements) {
      const model::Access access = accesses_.of(id);
      unite(out.reads, access.reads);
      unite(out.writes, access.writes);
    }
    return out;
  }
  const Footprint& footprint(EdgeId edge) {
    auto& known = footprint_of_[edge.value];
    if (!known) known = footprint(system_.edge(edge).effect);
    return *known;
  }

  uint32_t add_effect(Effect effect) {
    const size_t outcomes = task_.first_write_.size();
    effect.decision = enumeration_.effect(effect.statements, effect.writes, [&](std::span<const Write> writes) {
      const uint32_t outcome = end(task_.first_write_) - 1;
      task_.writes_.insert(task_.writes_.end(), writes.begin(), writes.end());
      task_.first_write_.push_back(end(task_.writes_));
      return outcome;
    });
    if (effect.decision == Decisions::kNone) {
      task_.first_write_.resize(outcomes);
      task_.writes_.resize(task_.first_write_.back());
    }
    task_.effects_.push_back(std::move(effect));
    return end(task_.effects_) - 1;
  }
  uint32_t whole(std::span<const StmtId> statements) {
    Footprint all = footprint(statements);
    return add_effect({Effect::Kind::Other,
                       has_choices_,
                       std::move(all.reads),
                       std::move(all.writes),
                       {statements.begin(), statements.end()}});
  }
  // A slice, with what it assumes, if that is not too much.
  uint32_t slice(const Slice& slice) {
    for (const auto* statements : {&slice.statements, &slice.without_assumptions}) {
      Footprint all = footprint(*statements);
      const uint32_t id = add_effect(
          {Effect::Kind::Assignment, slice.chooses, std::move(all.reads), std::move(all.writes), *statements});
      if (task_.effects_[id].decision != Decisions::kNone || statements == &slice.without_assumptions) return id;
      task_.effects_.pop_back();
    }
    return kNone;
  }
  uint32_t single(StmtId id) {
    uint32_t& known = effect_of_[id.value];
    if (known == kNone) {
      const model::Stmt& s = system_.stmt(id);
      model::Access access = accesses_.of(id);
      const Effect::Kind kind = s.kind == StmtKind::Reset        ? Effect::Kind::Reset
                                : system_.expr(s.expr).a.valid() ? Effect::Kind::Other
                                                                 : Effect::Kind::Assignment;
      known = add_effect({kind, false, std::move(access.reads), std::move(access.writes), {id}});
    }
    return known;
  }

  // How the assignments of statements hang together.
  enum class Shape : uint8_t {
    Separate,     // each to variables of its own, and none reads what another one before it wrote
    Overlapping,  // the latter only
    Mixed,        // anything else
  };
  Shape split(std::span<const StmtId> statements, std::vector<StmtId>& out, Variables& written) {
    Shape shape = Shape::Separate;
    for (const StmtId id : statements) {
      const model::Stmt& s = system_.stmt(id);
      if (s.kind == StmtKind::Block) {
        shape = std::max(shape, split(system_.block(s), out, written));
        if (shape == Shape::Mixed) return shape;
        continue;
      }
      const model::Access access = accesses_.of(id);
      if (s.kind == StmtKind::Reset && access.writes.empty()) {
        if (!never_fails(s)) out.push_back(id);
        continue;
      }
      if (s.kind != StmtKind::Expr || system_.expr(s.expr).op != Op::Store) return Shape::Mixed;
      if (intersect(access.reads, written)) return Shape::Mixed;
      if (!accesses_.of(system_.expr(s.expr).b).writes.empty()) return Shape::Mixed;
      if (intersect(access.writes, written)) shape = Shape::Overlapping;
      unite(written, access.writes);
      out.push_back(id);
    }
    return shape;
  }
  bool never_fails(const model::Stmt& reset) const {
    const auto value = system_.constant(reset.expr);
    return value && *value >= 0 && !reset.offset.valid();
  }

  // Appends the effects of statements that follow each other.
  void effects(std::span<const StmtId> statements, std::vector<uint32_t>& out) {
    if (const auto slices = slices_of(system_, statements)) {
      for (const Slice& s : *slices) out.push_back(slice(s));
      return;
    }
    std::vector<StmtId> parts;
    Variables written;
    const Shape shape = split(statements, parts, written);
    if (shape == Shape::Mixed) {
      out.push_back(whole(statements));
      return;
    }
    if (shape == Shape::Overlapping) {
      const uint32_t together = whole(statements);
      if (task_.effects_[together].decision != Decisions::kNone) {
        out.push_back(together);
        return;
      }
      task_.effects_.pop_back();
    }
    for (const StmtId id : parts) out.push_back(single(id));
  }
  const std::vector<uint32_t>& effects(EdgeId edge) {
    auto& known = effects_of_[edge.value];
    if (!known) effects(system_.edge(edge).effect, known.emplace());
    return *known;
  }

  void append(const std::vector<uint32_t>& effects) {
    task_.effect_lists_.insert(task_.effect_lists_.end(), effects.begin(), effects.end());
  }
  // Something is executed with the effects of every transition.
  bool updates() const { return !system_.before_update.empty() || !system_.after_update.empty(); }
  // Everything that is executed when edges fire together, in order.
  std::vector<StmtId> statements_of(std::span<const EdgeId> edges) const {
    std::vector<StmtId> out = system_.before_update;
    for (const EdgeId id : edges) {
      const Edge& edge = system_.edge(id);
      out.insert(out.end(), edge.effect.begin(), edge.effect.end());
    }
    out.insert(out.end(), system_.after_update.begin(), system_.after_update.end());
    return out;
  }

  // A label without effects.
  Label start(uint32_t transition, EdgeId receiver) {
    Label label;
    const Edge& first = system_.edge(task_.transitions_[transition].edges[0]);
    label.transition = transition;
    label.receiver = receiver;
    label.cost = static_cast<uint32_t>(std::min<uint64_t>(model::cost_of(first, task_.costs_), model::kMostCost));
    label.moves.begin = end(task_.moves_);
    label.conditions.begin = end(task_.condition_lists_);
    for (const EdgeId e : task_.transitions_[transition].edges) require(e);
    label.moves.own = end(task_.moves_);
    label.conditions.own = end(task_.condition_lists_);
    if (receiver.valid()) require(receiver);
    label.moves.end = end(task_.moves_);
    label.conditions.end = end(task_.condition_lists_);
    label.effects.begin = label.effects.own = end(task_.effect_lists_);
    label.arbitrary.begin = label.arbitrary.own = end(task_.arbitrary_);
    return label;
  }
  void require(EdgeId id) {
    const Edge& edge = system_.edge(id);
    task_.moves_.push_back({system_.process(edge.process).location.value, static_cast<int32_t>(edge.source),
                            static_cast<int32_t>(edge.target)});
    for (const ExprId guard : edge.guard) task_.condition_lists_.push_back(condition(guard));
  }
  void finish(Label label) {
    label.effects.end = end(task_.effect_lists_);
    label.arbitrary.end = end(task_.arbitrary_);
    task_.labels_.push_back(label);
  }
  void may_be_anything(const Variables& variables) {
    task_.arbitrary_.insert(task_.arbitrary_.end(), variables.begin(), variables.end());
  }

  void add_transition(uint32_t number) {
    const model::Transition& t = task_.transitions_[number];
    writers_.clear();
    for (const EdgeId e : t.optional) writers_.add(system_.edge(e).process, footprint(e).writes);
    const Label alone = start(number, {});
    if (t.edges.size() == 1 && !updates()) {
      append(effects(t.edges[0]));
    } else {
      effects(statements_of(t.edges), task_.effect_lists_);
    }
    if (writers_.disturb({}, after_.reads)) may_be_anything(after_.writes);
    finish(alone);
    for (const EdgeId e : t.optional) {
      watch_.poll();
      add_receiver(number, e);
    }
  }

  // A receiver sees what the sender did, if it looks at that at all.
  void add_receiver(uint32_t number, EdgeId receiver) {
    const EdgeId sender = task_.transitions_[number].edges[0];
    const ProcessId process = system_.edge(receiver).process;
    const Footprint& own = footprint(receiver);
    Label label = start(number, receiver);
    label.follows = updates() || intersect(own.reads, footprint(sender).writes);
    if (label.follows) {
      const EdgeId both[] = {sender, receiver};
      effects(statements_of(both), task_.effect_lists_);
    } else {
      append(effects(sender));
      label.effects.own = end(task_.effect_lists_);
      append(effects(receiver));
    }
    label.disturbed = writers_.disturb(process, own.reads);
    if (label.disturbed || writers_.disturb(process, after_.reads)) {
      may_be_anything(own.writes);
      may_be_anything(after_.writes);
    }
    finish(label);
  }

  Task& task_;
  const model::System& system_;
  const Watch& watch_;
  model::Accesses accesses_;
  Enumeration enumeration_;
  std::map<std::string, uint32_t> conditions_;                    // by key
  std::vector<uint32_t> condition_of_;                            // by expression
  std::vector<uint32_t> effect_of_;                               // by statement
  std::vector<std::optional<Footprint>> footprint_of_;            // by edge
  std::vector<std::optional<std::vector<uint32_t>>> effects_of_;  // by edge
  Footprint after_;
  Writers writers_;  // among the receivers of the transition at hand
  bool has_choices_;
};

Task::Task(const model::System& system, std::vector<model::Clause> goal, const Watch& watch, CostType costs)
    : Task(system, std::move(goal), Limits(), watch, costs) {}

Task::Task(const model::System& system, std::vector<model::Clause> goal, const Limits& limits, const Watch& watch,
           CostType costs)
    : system_(system), goal_(std::move(goal)), costs_(costs), transitions_(model::flat_transitions(system, watch)) {
  number_values(limits, watch);
  Builder(*this, watch).build();
}

void Task::number_values(const Limits& limits, const Watch& watch) {
  std::vector<model::ValueSet> sets = model::reachable_values(system_, watch);
  std::vector<std::optional<Window>> possible;
  std::map<std::pair<Domain::Kind, std::vector<int32_t>>, uint32_t> known;
  for (uint32_t v = 0; v < sets.size(); ++v) {
    watch.poll();
    Domain::Kind kind = Domain::Kind::Exact;
    std::vector<int32_t> values = std::move(sets[v].values);
    if (sets[v].wide || values.size() > limits.most_values) {
      if (possible.empty()) possible = windows(system_, goal_, limits.largest_window);
      values.clear();
      kind = possible[v] ? Domain::Kind::Window : Domain::Kind::Wide;
      if (possible[v]) {
        for (int64_t x = possible[v]->lo; x <= possible[v]->hi; ++x) values.push_back(static_cast<int32_t>(x));
      }
    }
    const auto [at, fresh] = known.try_emplace({kind, std::move(values)}, static_cast<uint32_t>(domains_.size()));
    domain_of_.push_back(at->second);
    if (!fresh) continue;
    Domain domain{kind, at->first.second, {}};
    if (!domain.is_wide()) domain.number = model::ValueNumbers(domain.values);
    domains_.push_back(std::move(domain));
  }
}

std::optional<Value> Domain::find(int32_t value) const {
  if (is_wide()) return std::nullopt;
  if (kind == Kind::Window) value = std::clamp(value, values.front(), values.back());
  const auto at = std::lower_bound(values.begin(), values.end(), value);
  if (at == values.end() || *at != value) return std::nullopt;
  return static_cast<Value>(at - values.begin());
}

bool Task::is_exact(std::span<const VarId> variables) const {
  return std::all_of(variables.begin(), variables.end(), [&](VarId v) { return domain(v.value).is_exact(); });
}

void Task::read(const int32_t* values, Value* out) const {
  for (uint32_t v = 0; v < variable_count(); ++v) out[v] = domain(v).find(values[v]).value_or(0);
}

}  // namespace harrier::task
