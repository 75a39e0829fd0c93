#include "transform/simplified.h"

#include <algorithm>
#include <vector>

#include "model/dead_values.h"
#include "model/values_in_states.h"

namespace harrier::transform {

using model::ExprId;
using model::Op;

namespace {

model::StmtId forget(model::System& system, const model::DeadValues::Death& death) {
  const ExprId value = system.make_const(death.value);
  const model::StmtId reset =
      system.make_expr_stmt(system.make({.op = Op::Store, .base = death.variable.value, .b = value}));
  if (death.unless.empty()) return reset;
  ExprId dead = system.make_const(1);
  for (const auto& unless : death.unless) {
    // In the shorter way: where the process is, or where it is not.
    const auto count = static_cast<size_t>(system.variable(unless.process).hi) + 1;
    const bool is_elsewhere = 2 * unless.locations.size() <= count;
    ExprId all = system.make_const(is_elsewhere ? 1 : 0);
    for (size_t l = 0; l < count; ++l) {
      const bool needed = std::find(unless.locations.begin(), unless.locations.end(), l) != unless.locations.end();
      if (needed != is_elsewhere) continue;
      const ExprId location = system.make_var(unless.process);
      const ExprId here = system.make_const(static_cast<int32_t>(l));
      const ExprId one = system.make_binary(is_elsewhere ? Op::Ne : Op::Eq, location, here);
      all = system.make_binary(is_elsewhere ? Op::And : Op::Or, all, one);
    }
    dead = system.make_binary(Op::And, dead, all);
  }
  return system.make_stmt({.kind = model::StmtKind::If, .expr = dead, .a = reset});
}

}  // namespace

model::System simplified(const model::System& system, const model::Property& property, bool forgets,
                         const Watch& watch) {
  model::System out = system;
  const std::vector<model::ValueSet> values = model::values_in_states(system, watch);
  for (size_t v = 0; v < values.size(); ++v) {
    if (values[v].wide) continue;
    out.variables[v].lo = values[v].values.front();
    out.variables[v].hi = values[v].values.back();
  }
  if (!forgets) return out;
  const model::DeadValues dead_values(system, property, values, watch);
  for (size_t e = 0; e < out.edges.size(); ++e) {
    for (const model::DeadValues::Death& death : dead_values.deaths(model::EdgeId(e))) {
      out.edges[e].effect.push_back(forget(out, death));
    }
  }
  return out;
}

}  // namespace harrier::transform
