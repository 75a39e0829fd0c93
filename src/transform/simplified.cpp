#include "transform/simplified.h"

#include <vector>

#include "model/dead_values.h"
#include "model/value_sets.h"

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
    for (const uint32_t location : unless.locations) {
      const ExprId there = system.make_const(static_cast<int32_t>(location));
      const ExprId elsewhere = system.make_binary(Op::Ne, system.make_var(unless.process), there);
      dead = system.make_binary(Op::And, dead, elsewhere);
    }
  }
  return system.make_stmt({.kind = model::StmtKind::If, .expr = dead, .a = reset});
}

}  // namespace

model::System simplified(const model::System& system, const model::Property& property, bool forgets,
                         const Watch& watch) {
  model::System out = system;
  const std::vector<model::ValueSet> values = model::reachable_values(system, watch);
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
