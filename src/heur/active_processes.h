// h^a (Edelkamp, Leue and Lluch-Lafuente 2004, §4.2): how many processes can start a transition. For deadlocks, where
// nobody can.
//
// Clock guards are passed over. Of other clauses of the goal it only counts whether one holds: then the estimate is 0.
// Not admissible: one transition can block many processes. Never a dead end.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "heur/heuristic.h"
#include "step/network.h"
#include "step/workspace.h"

namespace harrier::heur {

class ActiveProcesses : public Heuristic {
 public:
  ActiveProcesses(std::shared_ptr<const step::Network> network, const std::vector<model::Clause>& goal);

  uint32_t evaluate(const StateView& state) override;
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t>, uint32_t) override {
    return evaluate(state);
  }
  bool prefers(std::span<const uint32_t>) const override { return false; }

 private:
  std::shared_ptr<const step::Network> network_;
  step::Workspace workspace_;
  step::Program program_;           // of the goal
  std::vector<step::Code> others_;  // clauses that are not about deadlocks
  step::Machine machine_;
};

}  // namespace harrier::heur
