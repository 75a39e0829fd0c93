// Interference contexts (Wehrle 2011, §4.2): how closely two transitions work on the same variables.
//
// Two transitions interfere if one writes a variable (location; clock, if they count) that the other reads or writes.
// The distance of two transitions is the smallest n with t' in C_n(t), the length of a shortest chain of interfering
// transitions.
//
// A transition is innocent if it cannot make a constraint of the error formula true. After an innocent
// transition t, only transitions of C(t) can start a shortest error path (prop. 4.5): the others may be pruned. That
// argument exchanges neighbouring transitions, so it holds only where non-interfering transitions commute: not with
// clocks, committed locations, urgency or priorities; `may_prune` tells. It speaks of a path, not of a state: a state
// that is reached again after a transition with another closure must be expanded again (the guide sees to that).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/analysis.h"
#include "model/system.h"

namespace harrier::search {

// The flat transitions of a system by the edges that fire.
class TransitionIndex {
 public:
  explicit TransitionIndex(std::span<const model::Transition> transitions);
  // Edges as fired, sender first; a broadcast is found by its sender.
  uint32_t find(std::span<const uint32_t> edges) const;

 private:
  std::unordered_map<uint64_t, uint32_t> by_edges_;
};

class Contexts {
 public:
  static constexpr uint8_t kUnrelated = UINT8_MAX;

  // Whether clocks count as variables is for the caller to say: the definitions of Wehrle (2011) know none. That
  // pruning is right does not depend on it.
  Contexts(const model::System& system, const std::vector<model::Clause>& goal, bool clocks,
           const Watch& watch = Watch::none());

  uint32_t find(std::span<const uint32_t> edges) const { return index_.find(edges); }
  // The smallest n with `second` in C_n(first); kUnrelated if there is none.
  uint8_t distance(uint32_t first, uint32_t second);
  bool innocent(uint32_t transition) const { return innocent_[transition]; }
  // C(t) as a number: transitions with the same one are in each other's C.
  uint32_t closure(uint32_t transition) const { return closure_[transition]; }
  bool may_prune() const { return may_prune_; }
  size_t size() const { return transitions_.size(); }

 private:
  // Variables and clocks in one numbering.
  struct Use {
    std::vector<uint32_t> reads;
    std::vector<uint32_t> writes;
  };
  const std::vector<uint8_t>& distances_from(uint32_t transition);
  void find_closures();

  const Watch& watch_;
  std::vector<model::Transition> transitions_;
  TransitionIndex index_;
  std::vector<Use> uses_;
  std::vector<std::vector<uint32_t>> readers_;  // by variable
  std::vector<std::vector<uint32_t>> writers_;
  std::vector<bool> innocent_;
  std::vector<uint32_t> closure_;
  std::vector<std::vector<uint8_t>> distances_;  // computed when first asked for
  bool may_prune_ = false;
};

}  // namespace harrier::search
