// Whether a clock x grows without bound on ways to a goal.
//
// A clock z beside those of the model ticks: wherever time may pass, it can be reset once it is at least 1. x grows
// without bound iff there are ways to the goal that do not reset x in their last part and tick there as often as one
// likes. A way that takes T there can tick at least T - 1 times; one with n ticks takes at least n.
//
// z is compared with 1 only, so that the zone graph is finite. Without subsumption (a state is known only if its zone
// is equal to a known one), every way through the graph has a concrete run and every run is on a way. So x is unbounded
// iff some cycle ticks, does not reset x, and leads on to the goal without resetting x. That is decided by the strongly
// connected components of the graph, which are also looked at whenever it has doubled: a cycle in a part of it will do.
// To close cycles early, a state also leads to states inside its zone: what they can do, it can do. And as a cycle may
// be short, or begin only after many ticks, the oldest and the newest state are expanded in turn.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "step/zone_generator.h"
#include "store/state_store.h"

namespace harrier::search {

using namespace step;
using namespace store;
using namespace zone;

// A system with one more clock, the last, which nothing mentions, and its semantics.
struct Ticking {
  Ticking(const model::System& model, const model::Property& property, const Watch& watch);

  const model::System system;
  const Semantics semantics;
};

class ClockGrowth : private ZoneGenerator {
 public:
  // All arguments must outlive the object.
  ClockGrowth(const Ticking& ticking, model::ClockId clock, Budget& budget);

  enum class Answer : uint8_t { Unknown, Bounded, Unbounded };
  // Expands up to so many states. Bounded and Unbounded are proved.
  Answer advance(uint64_t expansions);

 private:
  struct Arc {
    uint64_t from = 0;
    uint64_t to = 0;
    bool ticks = false;
  };

  model::ClockId tick() const { return model::ClockId(system_.clocks.size() - 1); }
  static constexpr uint64_t kMostCompared = 32;  // states of each discrete state, the first ones

  void load(uint64_t id);
  void read_zone(uint64_t id, uint32_t dim, std::vector<Bound>& zone) const;
  // The candidate as a state of the graph.
  uint64_t admit();
  void expand_state(uint64_t id);
  // Some cycle of the graph so far ticks and leads on to the goal.
  bool has_ticking_cycle() const;

  model::ClockId clock_;
  StateStore states_;  // discrete states with their zones
  StateStore discrete_;
  ChunkedArray<uint64_t> early_;  // by discrete state: how many, and which states of it were the first
  ChunkedArray<bool> goals_;      // by state
  ChunkedArray<Arc> arcs_;        // that do not reset the clock
  std::deque<uint64_t> open_;     // to be expanded
  std::vector<uint64_t> state_;   // scratch
  std::vector<Bound> inner_;
  uint64_t expanded_ = 0;
  uint64_t look_at_ = 64;
  Answer answer_ = Answer::Unknown;
};

}  // namespace harrier::search
