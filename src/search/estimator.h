// The estimates that a search orders states by.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "heur/heuristic.h"
#include "search/aim.h"
#include "store/per_state.h"

namespace harrier::search {

class Estimator {
 public:
  struct State {
    uint64_t id = 0;
    uint64_t discrete = 0;  // the number of its values
    uint64_t parent = 0;
    bool initial = false;
    heur::StateView view;
  };

  virtual ~Estimator() = default;
  // heur::kDeadEnd is proved.
  virtual uint32_t estimate(const State& state) = 0;
  virtual bool needs_zones() const { return false; }
  virtual heur::Heuristic* heuristic() { return nullptr; }
  // Whether the heuristic has looked at this state last.
  virtual bool has_just_seen(uint64_t /*id*/) const { return false; }
  virtual uint64_t evaluated() const { return 0; }
};

// By a heuristic. Estimates are kept: for every discrete state, or every state if zones or paths matter; or in a hashed
// table of so many entries, in which they overwrite each other. With such a table, what a heuristic remembers of paths
// is not kept, and it looks at states alone. A state has the estimate of the path on which it was found first.
class HeuristicEstimator : public Estimator {
 public:
  HeuristicEstimator(Guidance guidance, uint32_t cache_entries, Budget& budget);
  ~HeuristicEstimator() override { budget_.give_back(guidance_.heuristic->bytes()); }

  uint32_t estimate(const State& state) override;
  bool needs_zones() const override { return guidance_.clocks; }
  heur::Heuristic* heuristic() override { return guidance_.heuristic.get(); }
  bool has_just_seen(uint64_t id) const override { return last_ == id && memory_words_ == 0; }
  uint64_t evaluated() const override { return evaluated_; }

 private:
  static constexpr uint32_t kUnknown = UINT32_MAX - 1;

  uint32_t evaluate(const State& state);

  Budget& budget_;
  Guidance guidance_;
  store::PerState<uint32_t> known_;
  std::vector<uint32_t> table_;
  uint32_t memory_words_;
  ChunkedArray<uint64_t> memory_;  // by state, if there is any
  uint64_t evaluated_ = 0;
  uint64_t last_ = UINT64_MAX;  // the state that was evaluated last
};

// The length of the path to a state: the order of breadth-first search.
class DepthEstimator : public Estimator {
 public:
  explicit DepthEstimator(Budget& budget) : depth_(budget) {}
  uint32_t estimate(const State& state) override {
    const uint32_t depth = state.initial ? 0 : depth_[state.parent] + 1;
    return depth_[state.id] = depth;
  }

 private:
  store::PerState<uint32_t> depth_;
};

}  // namespace harrier::search
