// Guidance: everything that decides in which order a best-first search looks at states.
//
// For every admitted state the guide gives the estimate of the heuristic, and the rank of the queue that the state
// belongs into:
//
//   useless    1 if the transition that led here is relatively useless (000 def. 3.7): without it, the goal looks no
//              farther away from the old state than it does from here. The reduced system is the stronger one of 000
//              §3.4.1: also without the edges whose guards read a variable or clock which the transition sets, and
//              those that lead to the same location.
//   contexts   the distance of the transition to the one before it, in interference (000 fig. 4.3), less 1: the first
//              queue is for C_0 and C_1, as in 000 table 4.5. After a transition that is not innocent, 0.
//   bounding   the number of context switches on the way (switches.h). This number is the cost of a path then, and
//              states that are reached in different contexts are told apart, so that it is the least possible one.
//
// Useless and contexts together rank by useless first, then by distance.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "heur/heuristic.h"
#include "model/system.h"
#include "search/contexts.h"
#include "search/switches.h"

namespace harrier::search {

struct GuideOptions {
  bool useless = false;
  bool contexts = false;
  bool context_clocks = false;  // clocks count as variables there
  bool preferred = false;
  bool clocks = false;  // the heuristic looks at zones
  Bounding bounding = Bounding::None;
  bool breadth_first = false;  // estimates are the lengths of paths; there is no heuristic
  bool safe = true;            // the heuristic proves its dead ends; otherwise they are only put last
  uint32_t cache_size =
      0;  // entries of the table of heuristic values (001 §5); 0: exact values, one a state that it tells apart
};

struct Assessment {
  uint32_t estimate = 0;
  uint32_t rank = 0;
  bool preferred = false;
  bool dead_end = false;
};

class Guide {
 public:
  Guide(const model::System& system, const std::vector<model::Clause>& goal, std::unique_ptr<heur::Heuristic> heuristic,
        const GuideOptions& options, Budget& budget);

  bool needs_source() const { return options_.useless || options_.preferred; }
  bool needs_zones() const { return options_.clocks; }
  // The successors of a state are about to be generated. `source` is read during the expansion if needs_source().
  void begin(uint64_t id, const heur::StateView& source);
  // The successor by these edges is not needed (000 prop. 4.5).
  bool prunes(std::span<const uint32_t> edges) const;
  // The cost of the path to a successor that is so many steps away, the last one by these edges.
  uint32_t cost(uint32_t cost_of_parent, uint32_t steps, std::span<const uint32_t> edges);
  // What the cost of going on from a state depends on, besides the state: the context of these edges. Going on from
  // the same state in another context costs at most one more.
  uint32_t context(std::span<const uint32_t> edges);
  // A successor that was admitted; edges are empty for an initial state.
  Assessment assess(uint64_t id, uint64_t discrete, uint32_t cost, const heur::StateView& state,
                    std::span<const uint32_t> edges);

  // A state that was known has been reached again, by other edges: whether it must be expanded once more, with less
  // pruning.
  bool reconsider(uint64_t id, std::span<const uint32_t> edges);

  uint64_t evaluated() const { return evaluated_; }
  uint64_t dead_ends() const { return dead_ends_; }

 private:
  uint32_t restriction_after(uint32_t transition) const;
  uint32_t estimate(uint64_t key, const heur::StateView& state);
  bool is_useless(std::span<const uint32_t> edges, uint32_t estimate);
  const std::vector<uint32_t>& removed_with(uint32_t edge);

  const model::System& system_;
  GuideOptions options_;
  std::unique_ptr<heur::Heuristic> heuristic_;  // null: blind, all estimates 0
  std::unique_ptr<Contexts> contexts_;
  std::optional<Switches> switches_;
  ChunkedArray<uint32_t> arrival_;  // by state: the transition that led to it or, with bounding, its context
  ChunkedArray<uint32_t> depth_;    // by state, if it is wanted
  ChunkedArray<uint32_t> allowed_;  // by state; the closure that its successors are restricted to, or kNone
  uint64_t source_ = 0;
  heur::StateView source_view_ = nullptr;
  std::optional<uint32_t> arrived_by_;  // of the state being expanded
  uint32_t restricted_to_ = UINT32_MAX;
  std::vector<std::vector<uint32_t>> removed_;  // by edge, computed when first needed
  std::vector<bool> removed_known_;
  std::vector<uint32_t> removal_;
  // What an edge tests in its guard, and writes.
  struct EdgeUse {
    std::vector<model::VarId> tests;
    std::vector<model::ClockId> clocks_tested;
    std::vector<model::VarId> writes;
    std::vector<model::ClockId> clocks_written;
  };
  std::vector<EdgeUse> edge_use_;
  ChunkedArray<uint32_t> known_;  // estimates by discrete state, or by state if zones matter
  std::vector<uint32_t> table_;   // or by hash, if cache_size is given
  uint64_t evaluated_ = 0;
  uint64_t dead_ends_ = 0;
};

}  // namespace harrier::search
