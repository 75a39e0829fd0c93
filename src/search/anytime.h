// Anytime search: a first error quickly, then ever shorter ones, until the last is proved to be shortest or a limit is
// hit.
//
// Greedy search with useless transitions finds the first path. Then weighted A* and A* with the admissible h^L look for
// one that is shorter than the best so far, each bounded to that depth; when the last of them finds nothing, the best
// path is a shortest one.
//
// Where steps have costs that count, every path is cheaper than the one before. Then, and for planning tasks, the
// searches are greedy search with h^FF, preferred and useless transitions, weighted A* with h^FF and preferred
// transitions, as LAMA does (Richter and Westphal 2010), and A* with LM-cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "harrier/cost.h"
#include "search/method.h"

namespace harrier::search {

struct AnytimeSearch {
  bool heuristic_clocks = false;
  bool lazy = false;  // as Traits::lazy: all but A*, without useless transitions

  std::string describe() const { return lazy ? "anytime lazy" : "anytime"; }
  Traits traits() const { return {.costs = true}; }
  Result run(const step::Semantics& semantics, const Config& config) const;
};

// The searches that anytime search consists of: the first finds a path, the others ever shorter or cheaper ones. One
// that is bounded, by depth or by costs, finds a path within that, if there is one.
inline constexpr size_t kStagesOfAnytime = 4;
Config stage_of_anytime(const Config& config, CostType costs, bool planning, size_t stage,
                        std::optional<uint64_t> bound);

}  // namespace harrier::search
