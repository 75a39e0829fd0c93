#include "heur/active_processes.h"

#include "model/interpreter.h"

namespace harrier::heur {

namespace {

std::vector<step::Code> compiled(step::Program& program, const std::vector<model::Clause>& goal) {
  std::vector<step::Code> out;
  for (const model::Clause& clause : goal) {
    if (clause.deadlock == model::DeadlockTest::Ignore) out.push_back(program.condition(clause.conditions));
  }
  return out;
}

}  // namespace

ActiveProcesses::ActiveProcesses(std::shared_ptr<const step::Network> network, const std::vector<model::Clause>& goal)
    : network_(std::move(network)),
      workspace_(network_->program()),
      program_(network_->system()),
      others_(compiled(program_, goal)),
      machine_(program_) {}

uint32_t ActiveProcesses::evaluate(const StateView& state) {
  try {
    for (const step::Code& clause : others_) {
      if (machine_.holds(clause, state.values)) return 0;
    }
  } catch (const model::EvalFailure&) {
    // The goal cannot be evaluated here, so it does not hold.
  }
  uint32_t active = 0;
  for (uint32_t p = 0; p < network_->process_count(); ++p) {
    try {
      network_->for_each_firing_of(workspace_, state.values, p, false, [&](const step::Firing&) {
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
