#include "heur/active_processes.h"

#include "model/interpreter.h"

namespace harrier::heur {

uint32_t ActiveProcesses::evaluate(const StateView& state) {
  uint32_t active = 0;
  for (uint32_t p = 0; p < network_.process_count(); ++p) {
    try {
      network_.for_each_firing_of(machine_, state.values, p, [&](const space::Firing&) {
        ++active;
        return false;
      });
    } catch (const model::EvalFailure&) {
      ++active;  // whether that matters is for the search to find out
    }
  }
  return active;
}

}  // namespace harrier::heur
