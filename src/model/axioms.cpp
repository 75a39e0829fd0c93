#include "model/axioms.h"

#include "model/interpreter.h"

namespace harrier::model {

namespace {

// A body with a range violation is false, as a guard is.
bool body_holds(Interpreter& run, const Axiom& axiom, const std::vector<int32_t>& values) {
  try {
    return run.holds(axiom.body, values);
  } catch (const EvalFailure& failure) {
    if (failure.fault != Fault::RangeViolation) throw;
    return false;
  }
}

}  // namespace

void derive(const System& system, std::vector<int32_t>& values) {
  if (system.axioms.empty()) return;
  Interpreter run(system);
  for (const Axiom& axiom : system.axioms) values[axiom.head.value] = system.variable(axiom.head).initial;
  for (size_t first = 0, end = 0; first < system.axioms.size(); first = end) {
    while (end < system.axioms.size() && system.axioms[end].layer == system.axioms[first].layer) ++end;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = first; i < end; ++i) {
        const Axiom& axiom = system.axioms[i];
        int32_t& head = values[axiom.head.value];
        if (head == axiom.value || !body_holds(run, axiom, values)) continue;
        head = axiom.value;
        changed = true;
      }
    }
  }
}

}  // namespace harrier::model
