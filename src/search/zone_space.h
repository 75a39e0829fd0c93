// The states of a zone graph that a search has found. The contract is in space.h.
//
// A candidate is subsumed if it lies in a_LU of a stored zone of the same discrete state (not with diagonals, where it
// must lie in the zone itself); stored zones that it includes are dropped. Both are sound for reachability and keep
// shortest paths; `keep_below` protects unexpanded states of an earlier layer.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/budget.h"
#include "base/chunked.h"
#include "model/path.h"
#include "step/zone_generator.h"
#include "store/labels.h"
#include "store/origin.h"
#include "store/state_store.h"
#include "store/zone_index.h"
#include "store/zone_store.h"

namespace harrier::search {

class ZoneSpace {
 public:
  // With a symmetry, successors are arranged (step/arrangement.h).
  ZoneSpace(const step::Semantics& semantics, Budget& budget, bool track_cost,
            std::shared_ptr<const model::Symmetry> symmetry = nullptr);

  template <class Visit>
  void for_each_initial(Visit&& visit) {
    edges_ = {};
    part_ = 0;
    generator_.initial([&] {
      const bool go_on = visit();
      ++part_;
      return go_on;
    });
  }
  template <class Visit>
  void for_each_successor(uint64_t id, Visit&& visit) {
    const Node& node = *nodes_[id];
    if (node.block == nullptr) return;
    generator_.load(store_[node.discrete], [&](zone::Bound* to) { store::ZoneStore::read(*node.block, to); });
    generator_.successors([&](const step::Firing& firing) {
      edges_ = firing.edges;
      part_ = firing.part;
      return visit(firing);
    });
  }

  store::Admission admit(uint64_t parent, uint32_t cost, uint32_t context = 0);
  std::optional<size_t> goal();
  // Makes the last state of a path the candidate, without extrapolation on the way, to ask for its parts or values.
  step::ZoneGenerator& generator() { return generator_; }

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
  store::Origin origin_of(uint64_t id) const { return nodes_[id]->origin; }

  size_t variable_count() const { return generator_.variable_count(); }
  const int32_t* candidate() const { return generator_.values(); }
  void read(uint64_t id, int32_t* values) const { read_discrete(nodes_[id]->discrete, values); }
  uint64_t discrete_states() const { return store_.size(); }
  void read_discrete(uint64_t discrete, int32_t* values) const {
    generator_.semantics().layout().unpack(store_[discrete], values);
  }
  const std::vector<step::Machine::Violation>& violations() const { return generator_.violations(); }
  // Of a candidate that was just admitted as fresh, as it is stored; and of a stored state with these values, until the
  // next one is read.
  zone::ZoneView candidate_zone() const { return generator_.zone(); }
  zone::ZoneView read_zone(uint64_t id, const int32_t* values) {
    return generator_.read(values, [&](zone::Bound* to) { store::ZoneStore::read(*nodes_[id]->block, to); });
  }
  uint64_t discrete_of(uint64_t id) const { return nodes_[id]->discrete; }

  model::Path path_to(uint64_t id, size_t goal_clause);

 private:
  struct Node {
    store::Origin origin;
    uint64_t discrete = 0;
    store::ZoneBlock* block = nullptr;  // null: dropped
    uint32_t cost = 0;
    uint32_t context : 30 = 0;
    uint32_t released : 1 = 0;
    uint32_t listed : 1 = 1;  // in the list of its discrete state
    // Nothing that can be reached from a smaller zone of the same discrete state is cheaper there.
    bool as_cheap_as(uint32_t other_cost, uint32_t other_context) const {
      return cost < other_cost || (cost == other_cost && context == other_context);
    }
  };

  // The zones of a discrete state: linked, the newest first, and in an index when there are many.
  struct List {
    store::ZoneBlock* newest = nullptr;
    store::ZoneIndex* index = nullptr;
  };
  void drop_zones_inside(const Node& added, List& list);
  void unlist(store::ZoneBlock* block);
  void enlist(store::ZoneBlock* block, List& list, uint64_t length);

  step::ZoneGenerator generator_;
  std::span<const uint32_t> edges_;  // that lead to the candidate, or none
  uint32_t part_ = 0;                // of where they lead, or of the initial states
  store::StateStore store_;
  store::Labels labels_;
  ChunkedArray<List> lists_;  // by discrete state
  Budget& budget_;
  std::deque<store::ZoneIndex> indices_;  // of long lists
  store::ZoneStore zones_;
  ChunkedArray<Node> nodes_;
  bool track_cost_;
  uint64_t keep_below_ = 0;

  bool known_discrete_ = false;  // the discrete state of the candidate had been admitted before
  uint64_t candidate_discrete_ = 0;
  bool discrete_goal_;                                // the goal says nothing about clocks
  std::unordered_map<uint64_t, size_t> goal_states_;  // then: the discrete states that satisfy a clause
  store::ZonePattern pattern_;                        // scratch
};

}  // namespace harrier::search
