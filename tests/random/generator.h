// Random small networks of timed automata. A profile says which features they may have; profile and seed determine
// the model completely.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "random/ta_model.h"

namespace harrier::testing_support {

struct Profile {
  std::string name;
  int min_clocks = 0;
  int max_clocks = 0;
  bool strict = false;                  // strict bounds
  bool diagonals = false;               // constraints on differences of clocks
  bool priorities = false;              // of channels and processes
  bool broadcast_clock_guards = false;  // receivers of a broadcast that depend on clocks
  bool deadlock = false;                // queries about deadlocks
  bool rich = false;                    // functions, quantifiers, many operators
  bool scopes = false;                  // many functions, and names that hide others
  bool derived = false;                 // derived variables, which are added to the model that was read
  bool violations = false;              // functions that leave their ranges, in clock constraints and queries
};

const std::vector<Profile>& profiles();

TaModel generate(const Profile& profile, uint64_t seed);

}  // namespace harrier::testing_support
