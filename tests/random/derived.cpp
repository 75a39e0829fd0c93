#include "random/derived.h"

#include <utility>

#include "random/rng.h"
#include "support/random_axioms.h"
#include "support/system_builder.h"

namespace harrier::testing_support {

void add_derived(model::System& system, std::vector<model::Property>& properties, uint64_t seed) {
  Rng rng(seed);
  SystemBuilder b;
  b.system = std::move(system);
  const std::vector<model::VarId> heads = RandomAxioms(b, rng).add(5);
  const auto condition = [&] {
    const model::VarId head = rng.pick(heads);
    const model::ExprId initial = b.eq(head, b.system.variable(head).initial);
    return rng.chance(60) ? b.op(model::Op::Not, initial) : initial;
  };
  for (model::Edge& e : b.system.edges) {
    if (rng.chance(35)) e.guard.push_back(condition());
  }
  for (model::Process& p : b.system.processes) {
    // Where a process starts, it is not certain that the invariant holds.
    const auto initial = static_cast<size_t>(b.system.variable(p.location).initial);
    for (size_t l = 0; l < p.locations.size(); ++l) {
      if (l != initial && rng.chance(15)) p.locations[l].invariant.push_back(condition());
    }
  }
  for (model::Property& property : properties) {
    for (model::Clause& clause : property.goal) {
      if (rng.chance(60)) clause.conditions.push_back(condition());
    }
  }
  system = std::move(b.system);
}

}  // namespace harrier::testing_support
