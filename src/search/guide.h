// Guidance: everything that decides in which order a best-first search looks at states. For every admitted state it
// gives the estimate (estimator.h) and the rank of the queue that the state belongs into (preference.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heur/heuristic.h"
#include "search/estimator.h"
#include "search/preference.h"

namespace harrier::search {

struct Assessment {
  std::span<const uint32_t> estimates = {};  // until the next one
  uint32_t rank = 0;
  bool preferred = false;
  bool dead_end = false;
};

class Guide {
 public:
  // Without an estimator there is one estimate, 0. Of several, preferences see the first.
  Guide(std::vector<std::unique_ptr<Estimator>> estimators, std::vector<std::unique_ptr<Preference>> preferences);

  bool needs_source() const { return needs_source_; }
  bool needs_zones() const { return needs_zones_; }
  // Estimates depend on how a state was reached.
  bool remembers_paths() const;
  // The successors of a state are about to be generated. `source` is read during the expansion if needs_source().
  void begin(uint64_t id, const heur::StateView& source);
  // The successor by these edges is not needed.
  bool prunes(std::span<const uint32_t> edges) const;
  // The cost of the path to a successor that is so many steps away, the last one by these edges.
  uint32_t cost(uint32_t cost_of_parent, uint32_t steps, std::span<const uint32_t> edges);
  // What the cost of going on from a state depends on, besides the state.
  uint32_t context(std::span<const uint32_t> edges);
  // A successor that was admitted; edges are empty for an initial state.
  Assessment assess(uint64_t id, uint64_t discrete, uint32_t cost, const heur::StateView& state,
                    std::span<const uint32_t> edges);
  // The two halves of this, where a state waits by the estimates of its parent: these are of the state that is to be
  // expanded (false: it is a dead end), and place a successor.
  bool evaluate(const Estimator::State& state);
  Assessment place(uint64_t id, uint32_t cost, std::span<const uint32_t> edges);
  // A state that was known has been reached again, by other edges: whether it must be expanded once more, with less
  // pruning.
  bool reconsider(uint64_t id, std::span<const uint32_t> edges);

  uint64_t evaluated() const;
  uint64_t dead_ends() const { return dead_ends_; }

 private:
  std::vector<std::unique_ptr<Estimator>> estimators_;
  std::vector<std::unique_ptr<Preference>> preferences_;
  bool needs_source_;
  bool needs_zones_;
  std::vector<uint32_t> estimates_;
  uint64_t source_ = 0;
  uint64_t dead_ends_ = 0;
};

}  // namespace harrier::search
