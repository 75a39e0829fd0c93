#include "task/windows.h"

#include <algorithm>
#include <numeric>

namespace harrier::task {

namespace {

using model::Expr;
using model::ExprId;
using model::Op;

// Groups of variables, and the constants of each.
class Groups {
 public:
  explicit Groups(const model::System& system)
      : system_(system), parent_(system.variables.size()), hull_(system.variables.size()) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (size_t v = 0; v < hull_.size(); ++v) hull_[v] = {system.variables[v].initial, system.variables[v].initial};
  }

  struct Hull {
    int64_t lo = 0;
    int64_t hi = 0;
  };
  const Hull& of(uint32_t variable) { return hull_[root(variable)]; }

  // The variables and constants of an expression belong together, and those of each assignment inside. An index is an
  // expression of its own.
  void add(ExprId id) {
    uint32_t group = kNone;
    std::vector<int32_t> constants;
    visit(id, group, constants);
    include(group, constants);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t root(uint32_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void join(uint32_t& group, uint32_t variable) {
    const uint32_t other = root(variable);
    if (group == kNone) group = other;
    group = root(group);
    if (group == other) return;
    hull_[group] = {std::min(hull_[group].lo, hull_[other].lo), std::max(hull_[group].hi, hull_[other].hi)};
    parent_[other] = group;
  }
  void include(uint32_t group, const std::vector<int32_t>& constants) {
    if (group == kNone) return;
    Hull& hull = hull_[root(group)];
    for (const int32_t c : constants) hull = {std::min<int64_t>(hull.lo, c), std::max<int64_t>(hull.hi, c)};
  }

  void visit(ExprId id, uint32_t& group, std::vector<int32_t>& constants) {
    if (!id.valid()) return;
    const Expr& e = system_.expr(id);
    if (e.op == Op::Const) constants.push_back(e.value);
    const bool variable = e.op == Op::Var || e.op == Op::Load || e.op == Op::Store;
    if (variable) {
      const uint32_t count = e.a.valid() ? e.count : 1;
      for (uint32_t i = 0; i < count; ++i) join(group, e.base + i);
      if (e.a.valid()) add(e.a);
    } else {
      visit(e.a, group, constants);
    }
    visit(e.b, group, constants);
    visit(e.c, group, constants);
    if (e.op == Op::Call) {
      for (const ExprId argument : system_.call_arguments(e)) visit(argument, group, constants);
    }
  }

  const model::System& system_;
  std::vector<uint32_t> parent_;
  std::vector<Hull> hull_;
};

}  // namespace

std::vector<std::optional<Window>> windows(const model::System& system, const std::vector<model::Clause>& goal,
                                           size_t most_values) {
  Groups groups(system);
  for (const model::Edge& edge : system.edges) {
    for (const ExprId guard : edge.guard) groups.add(guard);
  }
  for (const model::Stmt& s : system.stmts) {
    if (s.expr.valid()) groups.add(s.expr);
  }
  for (const model::Clause& clause : goal) {
    for (const ExprId condition : clause.conditions) groups.add(condition);
  }
  std::vector<std::optional<Window>> out(system.variables.size());
  for (uint32_t v = 0; v < out.size(); ++v) {
    const model::Variable& variable = system.variables[v];
    const int64_t lo = std::max<int64_t>(groups.of(v).lo - 1, variable.lo);
    const int64_t hi = std::min<int64_t>(groups.of(v).hi + 1, variable.hi);
    if (lo <= hi && hi - lo < static_cast<int64_t>(most_values)) {
      out[v] = Window{static_cast<int32_t>(lo), static_cast<int32_t>(hi)};
    }
  }
  return out;
}

}  // namespace harrier::task
