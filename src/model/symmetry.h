// The processes of a system that can be exchanged with each other without changing it, and the property with it.
//
//     const Symmetry symmetry = find_symmetry(system, property, watch);
//     for (const SymmetricGroup& group : symmetry.groups) …   // P(1), P(2), P(3): any order of them is as good
//
// A group is a list of processes of one type; an exchange of each with the next one is proved (automorphism.h), and
// with it come variables, clocks, channels, names and other processes that belong to them. These exchanges generate
// all permutations of the group, each of which maps the reachable states, and those of the goal, to themselves. So a
// search may take one state for all that permutations make of it (Clarke, Enders, Filkorn and Jha 1996; Ip and Dill
// 1996; Emerson and Sistla 1996). Processes that the property names apart are in different groups; ring-like symmetry,
// where no two can be exchanged alone, is not found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/watch.h"
#include "model/automorphism.h"
#include "model/system.h"

namespace harrier::model {

struct SymmetricGroup {
  std::vector<ProcessId> members;   // two or more
  std::vector<Exchange> exchanges;  // of each but the last with the next
};

struct Symmetry {
  std::vector<SymmetricGroup> groups;
  std::vector<uint32_t> kinds;  // by variable: the class of its values, in Exchange::names
  std::string reason;           // where there is none

  // In all groups together.
  uint64_t processes() const;
};

Symmetry find_symmetry(const System& system, const Property& property, const Watch& watch = Watch::none());

}  // namespace harrier::model
