// The states of a zone graph, for a search by several threads (parallel_search.h).
//
// A share of the store has the discrete states with certain hashes, and all their zones. While a block is expanded, a
// candidate is compared with the zones that its discrete state has by then; what is left of the work for the share are
// the zones that the block adds. One that is subsumed by a stored zone would be by whatever takes that zone's place, so
// that the zones that are stored in the end, and their numbers, are those of the search by one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "model/path.h"
#include "search/parallel_search.h"
#include "step/zone_generator.h"
#include "store/labels.h"
#include "store/origin.h"
#include "store/state_store.h"
#include "store/zone_index.h"
#include "store/zone_store.h"

namespace harrier::search {

class ParallelZoneSpace {
 public:
  static constexpr size_t kBlock = 512;
  static constexpr size_t kUnit = 16;
  static constexpr size_t kThreadsFrom = 128;

  struct ZoneCandidate : Candidate {
    uint32_t dim = 0;
    size_t bounds = 0;            // where its pattern is
    bool includes_known = false;  // it may include a zone that was stored before the block
    bool long_list = false;       // there are so many of its discrete state that an index pays
    bool fresh_discrete = false;  // taken in, as the first of its discrete state
    uint64_t discrete = 0;        // in the share, if it was known before the block or taken in
    store::ZoneBlock* block = nullptr;
  };
  struct Unit : search::Unit {
    std::vector<ZoneCandidate> candidates;
    std::vector<uint64_t> words;      // of each
    std::vector<zone::Bound> bounds;  // their patterns
    std::vector<uint64_t> unlisted;   // states that have been expanded and need not be kept
    void clear() {
      candidates.clear();
      words.clear();
      bounds.clear();
      unlisted.clear();
    }
  };

  ParallelZoneSpace(const step::Semantics& semantics, Budget& budget, uint32_t threads, bool reduce,
                    std::shared_ptr<const model::Symmetry> symmetry);

  void hire(uint32_t who);
  // States below this number wait, unless they have been expanded.
  void begin_layer(uint64_t end) { layer_end_ = end; }
  void expand_initial(Unit& unit);
  void expand(uint32_t who, Unit& unit, std::span<const uint64_t> block);
  void take_in(uint32_t share, uint32_t shares, std::span<Unit> units, std::span<const uint64_t> block);
  void make_room(uint64_t states) { nodes_.resize(states); }
  void settle(uint32_t who, Unit& unit, std::span<const uint64_t> block);

  bool dropped(uint64_t number) const { return nodes_[number]->block == nullptr; }
  uint64_t stored(uint64_t numbered) const;
  model::Path path_to(uint64_t number, size_t goal_clause);
  model::Path path_to_failure(uint64_t number, const Unit&) { return path_to(number, step::kNoClause); }
  void for_each_discrete(const std::function<bool(const int32_t*)>& visit) const;
  std::vector<step::Machine::Violation> violations() const { return first_violations(workers_); }

 private:
  struct Worker {
    Worker(const step::Semantics& semantics, Budget& budget) : generator(semantics, budget.watch()), labels(budget) {}
    void recover(const Unit&) { generator.recover(); }
    step::ZoneGenerator generator;
    store::Labels labels;
    store::ZonePattern pattern;         // of the candidate that it looks at
    std::vector<uint64_t> violated_in;  // by violation: the state from which it was seen first
  };
  // The zones of a discrete state: linked, the newest first, and in an index when there are many.
  struct List {
    store::ZoneBlock* newest = nullptr;
    store::ZoneIndex* index = nullptr;
  };
  struct Share {
    Share(Budget& budget, uint32_t words) : states(budget, words), lists(budget, 1), zones(budget) {}
    store::StateStore states;
    ChunkedArray<List> lists;              // by state
    std::deque<store::ZoneIndex> indices;  // of long lists
    store::ZoneStore zones;
  };
  struct Node {
    store::Origin origin;
    store::ZoneBlock* block = nullptr;  // null: dropped
    uint64_t discrete = 0;              // in the share
    uint32_t share = 0;
    bool listed = true;  // in the list of its discrete state
  };

  uint32_t share_of(uint64_t hash) const { return static_cast<uint32_t>((hash >> 24 & 0xffff) % shares_.size()); }
  void add_candidate(Unit& unit, Worker& worker, size_t parent, uint32_t label) const;
  void take_in(Worker& worker, uint32_t of, std::span<Unit> units, uint32_t unit, uint32_t candidate,
               uint64_t expanded);
  bool is_subsumed(ZoneCandidate& candidate, const store::ZonePattern& pattern, const List& list) const;
  void drop_included(Share& share, std::span<Unit> units, const store::ZonePattern& pattern, List& list, bool known,
                     uint64_t expanded);
  void unlist(Share& share, std::span<Unit> units, store::ZoneBlock* block, uint64_t expanded);
  bool shows_something(Worker& worker, Unit& unit, size_t candidate, uint64_t number) const;

  const step::Semantics& semantics_;
  Budget& budget_;
  uint32_t threads_;
  std::shared_ptr<const model::Symmetry> symmetry_;
  uint32_t width_;  // words of a discrete state
  bool has_goal_;
  bool discrete_goal_;  // the goal says nothing about clocks
  uint64_t layer_end_ = 0;
  std::deque<Share> shares_;
  ChunkedArray<Node> nodes_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace harrier::search
