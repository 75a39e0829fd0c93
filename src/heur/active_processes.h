// h^a (Edelkamp, Leue and Lluch-Lafuente 2004, §4.2): how many processes can start a transition. For deadlocks, where nobody
// can.
//
// Clock guards are passed over, and what is said about the state otherwise does not count. Not admissible: one transition
// can block many processes. Never a dead end.
#pragma once

#include <cstdint>

#include "heur/heuristic.h"
#include "space/network.h"

namespace harrier::heur {

class ActiveProcesses : public Heuristic {
 public:
  explicit ActiveProcesses(const model::System& system) : network_(system), machine_(network_.program()) {}

  uint32_t evaluate(const StateView& state) override;
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t>, uint32_t) override {
    return evaluate(state);
  }
  bool prefers(std::span<const uint32_t>) const override { return false; }

 private:
  space::Network network_;
  space::Machine machine_;
};

}  // namespace harrier::heur
