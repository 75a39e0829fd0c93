// The reference explorer: explores a small network completely, state by state, and tells for each query whether its
// goal is reachable and with how few transitions. It shares no code with src/.
//
// A state is the values of the variables plus, for each clock, an integer part and the rank of its fractional part
// (0: none; clocks with equal rank have equal fractions). Time is one of
//   - Dense    delays lead from region to region (Alur and Dill 1994): exact for every network;
//   - Integer  all fractions are 0 and delays are one unit long: exact for reachability when no bound is strict and no
//              constraint is used negated, i.e. no deadlock, priorities or broadcast receivers that depend on clocks
//              (Henzinger, Manna, Pnueli 1992).
//
// What makes it finite, M being the largest constant. Without diagonals a clock above M is as good as M + 1. With
// diagonals, take the clocks and 0 as points on a line: a gap of 2M + 2 or more is shortened by a whole number to
// [2M + 1, 2M + 2). Then differences stay equal or both stay above M, and positions stay equal or both above 2M, which
// delays and resets to constants up to M respect.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "random/network.h"

namespace harrier::testing_support {

enum class TimeDomain : uint8_t { Integer, Dense };

struct Exploration {
  bool complete = false;  // false: more than `max_states`, nothing else is meaningful
  size_t states = 0;
  std::vector<std::optional<uint32_t>> shortest;  // by query; none: unreachable
  std::vector<bool> fails;                        // by query: it has no value in some state that can be reached
};

// All states that were found and what leads from one to another, in dense time; state 0 is the initial one, if there is
// one at all.
struct RegionGraph {
  struct Clock {
    int32_t whole = 0;
    bool fraction = false;  // the value is between whole and whole + 1
  };
  struct State {
    NetValues values;
    std::vector<Clock> clocks;  // [0] is the constant 0
    std::vector<bool> holds;    // by query: its formula
    std::vector<bool> fails;    // by query: the formula has no value
    bool endless = false;       // time passes for ever, without clocks to show it
    std::optional<uint32_t> later;
    std::vector<uint32_t> next;
  };
  std::vector<State> states;
  int32_t largest = 0;  // clocks beyond it are not told apart
};

// Throws NetRuntimeError if the model fails somewhere.
Exploration explore(Network& network, TimeDomain time, size_t max_states);
// The whole graph, with clocks told apart up to `more` beyond the largest constant; none if it is too large.
std::optional<RegionGraph> region_graph(Network& network, size_t max_states, int32_t more);

// Context switches, for explorations that count them instead of transitions.
class SwitchRule {
 public:
  virtual ~SwitchRule() = default;
  // A number above 0 for the transition by these edges, the sender's first.
  virtual uint32_t context(std::span<const uint32_t> edges) = 0;
  virtual bool is_switch(uint32_t before, uint32_t after) = 0;
};

// Over pairs of a state and the last transition: `shortest` is the smallest number of switches on a path to the goal.
Exploration count_switches(Network& network, size_t max_states, SwitchRule& rule);

}  // namespace harrier::testing_support
