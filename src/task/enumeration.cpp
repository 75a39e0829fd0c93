#include "task/enumeration.h"

#include <algorithm>
#include <utility>

#include "task/threshold.h"

namespace harrier::task {

using model::Expr;
using model::ExprId;
using model::Op;
using model::StmtId;
using model::VarId;

Enumeration::Enumeration(const Task& task, Decisions& out, const Watch& watch)
    : task_(task),
      system_(task.system()),
      out_(out),
      watch_(watch),
      interpreter_(system_),
      values_(system_.initial_values()),
      noted_(values_.size(), 0) {
  knowledge_.known.resize(values_.size(), false);
  interpreter_.use(&knowledge_);
}

Decisions::Node Enumeration::condition(ExprId id) {
  bool holds = false;
  return enumerate([&] { holds = interpreter_.value(id, values_) != 0; },
                   [&](bool done) { return (done && holds) || (is_vague() && may_hold(id)) ? 1u : 0u; });
}

Decisions::Node Enumeration::effect(std::span<const StmtId> statements, std::span<const VarId> variables,
                                    const std::function<uint32_t(std::span<const Write>)>& outcome) {
  return enumerate([&] { run(statements); },
                   [&](bool) {
                     const bool vague = is_vague();
                     if (!possible_ && !vague) return Task::kImpossible;
                     writes_.clear();
                     ++leaf_;
                     if (vague) vague_writes(statements, variables);
                     for (const Write& write : results_) note(write);
                     return outcome(writes_);
                   });
}

void Enumeration::run(std::span<const StmtId> statements) {
  results_.clear();
  possible_ = false;
  choices_.clear();
  size_t runs = 0;
  do {
    undo();
    too_many_ = ++runs > kMostCombinations;
    if (too_many_) return;
    choices_.rewind();
    resets_.clear();
    bool done = false;
    try {
      done = interpreter_.execute(statements, values_, resets_, choices_);
    } catch (const model::EvalFailure&) {
      // A range violation keeps a transition from being taken; a run-time error ends the search anyway.
    }
    if (knowledge_.missing.valid()) return;
    if (!done) continue;
    possible_ = true;
    for (const auto& write : knowledge_.written) {
      results_.push_back({write.variable.value, values_[write.variable.value]});
    }
  } while (choices_.next());
}

template <class Attempt, class Leaf>
Decisions::Node Enumeration::enumerate(Attempt&& attempt, Leaf&& leaf) {
  const size_t before = out_.size();
  const Decisions::Node root = grow(attempt, leaf, 1);
  if (root == Decisions::kNone) out_.shrink_to(before);
  return root;
}

template <class Attempt, class Leaf>
Decisions::Node Enumeration::grow(Attempt&& attempt, Leaf&& leaf, size_t combinations) {
  watch_.poll();
  bool done = true;
  knowledge_.missing = {};
  try {
    attempt();
  } catch (const model::EvalFailure&) {
    done = false;  // a range violation makes a condition false; a run-time error ends the search anyway
  }
  if (std::exchange(too_many_, false)) {
    undo();
    return Decisions::kNone;
  }
  const VarId v = knowledge_.missing;
  if (!v.valid()) {
    const Decisions::Node end = Decisions::leaf(leaf(done));
    undo();
    return end;
  }
  undo();
  const std::vector<int32_t>& values = task_.domain(v.value).values;
  combinations *= values.size();
  if (values.empty() || combinations > kMostCombinations) return Decisions::kNone;
  const Decisions::Node node = out_.grow(v.value, values.size());
  if (node == Decisions::kNone) return node;
  knowledge_.known[v.value] = true;
  combination_.push_back({v.value, 0});
  bool all = true;
  for (size_t i = 0; i < values.size() && all; ++i) {
    combination_.back().second = values_[v.value] = values[i];
    const Decisions::Node child = grow(attempt, leaf, combinations);
    all = child != Decisions::kNone;
    if (all) out_.set_child(node, i, child);
  }
  combination_.pop_back();
  knowledge_.known[v.value] = false;
  return all ? node : Decisions::kNone;
}

void Enumeration::undo() {
  for (size_t i = knowledge_.written.size(); i-- > 0;) {
    const auto& write = knowledge_.written[i];
    values_[write.variable.value] = write.old_value;
    knowledge_.known[write.variable.value] = write.was_known;
  }
  knowledge_.written.clear();
}

// A value that stands for others beyond the end of a window, too.
bool Enumeration::is_vague(uint32_t variable, int32_t value) const {
  const Domain& domain = task_.domain(variable);
  const model::Variable& own = system_.variables[variable];
  return domain.is_window() &&
         ((value == domain.values.front() && value > own.lo) || (value == domain.values.back() && value < own.hi));
}

bool Enumeration::is_vague() const {
  return std::any_of(combination_.begin(), combination_.end(),
                     [&](const auto& c) { return is_vague(c.first, c.second); });
}

// Whether a condition can hold although a combination with a vague value does not satisfy it.
bool Enumeration::may_hold(ExprId condition) const {
  const std::optional<Threshold> threshold = threshold_of(system_, condition);
  if (!threshold || combination_.size() != 1) return true;
  const int32_t end = combination_[0].second;
  const bool upper = end == task_.domain(threshold->variable).values.back();
  switch (threshold->relation) {
    case Threshold::Relation::AtMost: return !upper || threshold->bound >= end;
    case Threshold::Relation::AtLeast: return upper || threshold->bound <= end;
    case Threshold::Relation::Equal: return upper ? threshold->bound >= end : threshold->bound <= end;
    case Threshold::Relation::Different: break;
  }
  return true;
}

// By how much statements change the only variable that they are about; none if they do anything else.
std::optional<int64_t> Enumeration::change_of(std::span<const StmtId> statements) const {
  if (statements.size() != 1 || combination_.size() != 1) return std::nullopt;
  const model::Stmt& s = system_.stmt(statements[0]);
  if (s.kind != model::StmtKind::Expr) return std::nullopt;
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
void Enumeration::vague_writes(std::span<const StmtId> statements, std::span<const VarId> variables) {
  const std::optional<int64_t> change = change_of(statements);
  if (!change) {
    for (const VarId v : variables) note({v.value, 0, true});
    return;
  }
  const auto [variable, end] = combination_[0];
  const std::vector<int32_t>& window = task_.domain(variable).values;
  const int64_t moved = std::clamp<int64_t>(end + *change, window.front(), window.back());
  for (int64_t value = std::min<int64_t>(end, moved); value <= std::max<int64_t>(end, moved); ++value) {
    note({variable, static_cast<int32_t>(value)});
  }
}

void Enumeration::note(const Write& write) {
  const bool again = noted_[write.variable] == leaf_;
  noted_[write.variable] = leaf_;
  const bool known = again && std::any_of(writes_.begin(), writes_.end(), [&](const Write& w) {
                       return w.variable == write.variable && (w.any || w.value == write.value);
                     });
  if (!known) writes_.push_back(write);
}

}  // namespace harrier::task
