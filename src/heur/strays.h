// Processes that have left the way of a path at a branch, although they are at a location of it.
//
// A process has *strayed* at a location if it cannot take any of the edges with which participants of the path leave
// the location, and nobody but the process itself can change that: the conditions that forbid them read variables only
// which no other process writes. In the leader election of Bui (2009), say, it has received a number and is about to
// compare it; the path goes on with `other == number`, but the numbers differ.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/system.h"
#include "step/machine.h"

namespace harrier::heur {

class Strays {
 public:
  // `taken` tells of every edge whether the path has one like it.
  Strays(const model::System& system, const std::vector<bool>& taken);
  Strays(const Strays&) = delete;
  Strays& operator=(const Strays&) = delete;

  bool strayed(uint32_t process, uint32_t location, const int32_t* values);

 private:
  step::Program program_;
  std::vector<uint32_t> first_location_;  // by process
  std::vector<uint32_t> first_way_;       // by location of a process
  std::vector<step::Code> ways_;          // conditions on private variables, one of which has to hold
  std::optional<step::Machine> machine_;  // made when the program is complete
};

}  // namespace harrier::heur
