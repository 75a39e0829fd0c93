// The states of a zone graph that a search has found. The interface is that of DiscreteSpace.
//
// A candidate is subsumed if it lies in a_LU of a stored zone of the same discrete state (not with diagonals, where it
// must lie in the zone itself); stored zones that it includes are dropped. Both are sound for reachability and keep
// shortest paths; `keep_below` protects unexpanded states of an earlier layer.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "step/layout.h"
#include "step/zone_graph.h"
#include "store/origin.h"
#include "store/state_store.h"
#include "store/zone_store.h"

namespace harrier::search {

using namespace step;
using namespace store;
using namespace zone;

class ZoneSpace : private ZoneGraph {
 public:
  ZoneSpace(const model::System& system, const model::Property& property, Budget& budget, bool track_cost,
            std::span<const ClockBounds::Entry> watched = {});

  template <class Visit>
  void for_each_initial(Visit&& visit);
  template <class Visit>
  void for_each_successor(uint64_t id, Visit&& visit);

  Admission admit(uint64_t parent, uint32_t ordinal, uint32_t cost, uint32_t context = 0);
  std::optional<size_t> goal();
  // The parts of the candidate's zone that satisfy the goal. After `follow_exactly`: of the last state of the path.
  std::vector<Zone> goal_parts();
  // Makes the last state of a path the candidate, without extrapolation on the way.
  void follow_exactly(const model::Path& path) { go(path); }

  // The state was subsumed by a later one before it was expanded: skip it.
  bool dropped(uint64_t id) const { return nodes_[id]->block == nullptr; }
  // The state has been expanded; it stays known, but need not be protected any more.
  void release(uint64_t id);
  // States below this number may not be dropped before they are released.
  void keep_below(uint64_t id) { keep_below_ = id; }
  uint64_t transient() const { return 0; }
  uint32_t steps() const { return 1; }
  uint64_t passed() const { return 0; }
  uint64_t stored() const { return zones_.size(); }
  uint32_t cost(uint64_t id) const { return nodes_[id]->cost; }

  size_t variable_count() const { return system_.variables.size(); }
  const int32_t* candidate() const { return values_.data(); }
  void read(uint64_t id, int32_t* values) const { layout_.unpack(store_[nodes_[id]->discrete], values); }
  uint64_t discrete_states() const { return store_.size(); }
  void read_discrete(uint64_t discrete, int32_t* values) const { layout_.unpack(store_[discrete], values); }
  const std::vector<Machine::Violation>& violations() const { return machine_.violations(); }
  uint32_t local_clock(model::ClockId clock) const { return target_.local[clock.value]; }  // in the candidate's zone
  // Of a candidate that was just admitted as fresh, as it is stored; and of a stored state with these values, until the
  // next one is read.
  ZoneView candidate_zone() const { return {target_zone_.data(), target_.local.data(), target_.dim()}; }
  ZoneView read_zone(uint64_t id, const int32_t* values);
  uint64_t discrete_of(uint64_t id) const { return nodes_[id]->discrete; }

  model::Path path_to(uint64_t id, size_t goal_clause);

 private:
  struct Node {
    Origin origin;
    uint64_t discrete = 0;
    ZoneBlock* block = nullptr;  // null: dropped
    uint32_t cost = 0;
    uint32_t context : 30 = 0;
    uint32_t released : 1 = 0;
    uint32_t listed : 1 = 1;  // in the list of its discrete state
    // Nothing that can be reached from a smaller zone of the same discrete state is cheaper there.
    bool as_cheap_as(uint32_t other_cost, uint32_t other_context) const {
      return cost < other_cost || (cost == other_cost && context == other_context);
    }
  };

  bool load(uint64_t id);

  Layout layout_;
  StateStore store_;
  ChunkedArray<ZoneBlock*> lists_;  // by discrete state
  ZoneStore zones_;
  ChunkedArray<Node> nodes_;
  bool track_cost_;
  uint64_t keep_below_ = 0;

  std::vector<uint64_t> source_words_;
  std::vector<uint64_t> words_;
  bool incremental_ = false;
  bool known_discrete_ = false;  // the discrete state of the candidate had been admitted before
  uint64_t candidate_discrete_ = 0;
  bool discrete_goal_;                                // the goal says nothing about clocks
  std::unordered_map<uint64_t, size_t> goal_states_;  // then: the discrete states that satisfy a clause
  // The state whose zone was read.
  ActiveClocks read_;
  std::vector<Bound> read_zone_;
  // Scratch.
  std::vector<Bound> thresholds_;
  ZonePattern pattern_;
};

template <class Visit>
void ZoneSpace::for_each_initial(Visit&& visit) {
  incremental_ = false;
  ZoneGraph::for_each_initial(visit);
}

template <class Visit>
void ZoneSpace::for_each_successor(uint64_t id, Visit&& visit) {
  if (!load(id)) return;
  incremental_ = true;
  uint32_t ordinal = 0;
  expand([&](const Firing& firing, std::span<const Atom>) { return visit(next_ordinal(ordinal), firing); });
}

}  // namespace harrier::search
