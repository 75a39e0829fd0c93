// Anytime search: a first error quickly, then ever shorter ones, until the last is proved to be shortest or a limit is
// hit.
//
// Greedy search with useless transitions finds the first path. Then weighted A* and A* with the admissible h^L look for
// one that is shorter than the best so far, each bounded to that depth; when the last of them finds nothing, the best
// path is a shortest one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "search/method.h"

namespace harrier::search {

struct AnytimeSearch {
  bool heuristic_clocks = false;

  std::string describe() const { return "anytime"; }
  Result run(const step::Semantics& semantics, const Config& config) const;
};

// The searches that anytime search consists of: the first finds a path, the others ever shorter ones. One that is
// bounded to a depth finds a path within it, if there is one.
inline constexpr size_t kStagesOfAnytime = 4;
Config stage_of_anytime(const Config& config, size_t stage, std::optional<uint64_t> depth_limit);

}  // namespace harrier::search
