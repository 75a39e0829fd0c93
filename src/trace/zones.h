// The exact zones along a path: all clock valuations with which the system can be in each state of the path, delays
// included. Forward computation without extrapolation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/watch.h"
#include "model/interpreter.h"
#include "model/path.h"
#include "model/system.h"
#include "zone/dbm.h"

namespace harrier::trace {

// What happens to the clocks at a step, with all bounds evaluated.
struct ClockStep {
  std::vector<model::ClockAtom> guard;  // at the moment of firing
  std::vector<model::ClockReset> resets;
  std::vector<model::ClockAtom> invariant;     // of the state after the step
  bool urgent = false;                         // no time passes in the state after the step
  std::vector<model::ClockAtom> arrival = {};  // further constraints right after the step
};

// The constraints of a zone over all clocks that the others do not imply: "x <= 5", "y - x == 2".
std::vector<std::string> zone_text(const std::vector<model::Clock>& clocks, const zone::Zone& zone);

// One list of constraints a step; steps[0] is the initial state, where the clocks are 0. A list is empty where the
// zone is unconstrained, and from the step on at which it is empty.
std::vector<std::vector<std::string>> path_zones(const std::vector<model::Clock>& clocks,
                                                 const std::vector<ClockStep>& steps,
                                                 const Watch& watch = Watch::none());

}  // namespace harrier::trace
