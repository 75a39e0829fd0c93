// Merge-and-shrink (Dräger, Finkbeiner and Podelski 2006; Helmert, Haslum, Hoffmann and Nissim 2014).
//
//     MergeAndShrink distances(factors, options, watch);
//     distances.look_up(values)   // at most the true distance; kInfinity: there is no way to the goal
//
// Start with a small graph for each variable. Take two of them, replace them by their product, and if that has more
// than N states, make one of some of these (shrinking.h); repeat (merging.h). All variables count in the end, unlike in
// a projection; the price is that states are confused. Before each step labels that only one graph can tell apart
// become one (label_reduction.h), and states are dropped that cannot be reached or lead nowhere.
//
// Nothing that a graph does not say of the model is lost on the way, so that distances never get larger; without
// shrinking, or by bisimulation that fits, they are those in the product of all factors. When states or time are used
// up no more is merged, and the estimate is the largest of all graphs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abstraction/factors.h"
#include "abstraction/merging/transition_system.h"
#include "base/archive.h"
#include "base/watch.h"
#include "harrier/abstraction.h"

namespace harrier::abstraction {

class MergeAndShrink {
 public:
  // Options that name no strategy are Error(Usage).
  MergeAndShrink(std::shared_ptr<const Factors> factors, const AbstractionOptions& options,
                 const Watch& watch = Watch::none());

  // The distance of a state to the goal in the abstraction. Any thread may call it; nothing is allocated.
  uint32_t look_up(const int32_t* values) const;

  AbstractionReport report() const { return report_; }

  void save(ArchiveWriter& out) const;
  // What was saved for the same factors. Throws Error(Input) if it does not fit them.
  static MergeAndShrink load(ArchiveReader& in, std::shared_ptr<const Factors> factors);

 private:
  class Builder;

  explicit MergeAndShrink(std::shared_ptr<const Factors> factors) : factors_(std::move(factors)) {}
  void check(const ArchiveReader& in) const;
  void sum_up();

  // Trees as programs for a machine with a stack: a leaf puts a state on it, an inner node replaces two by one.
  struct Step {
    uint32_t table = 0;     // where it begins
    uint32_t size = 0;      // of the table
    uint32_t variable = 0;  // of a leaf
    uint32_t stride = 0;    // of an inner node: states of the right one; 0: a leaf
    bool right_first = false;
  };
  // The part whose turn needs more room comes first, so that n leaves need log2 n places.
  static constexpr size_t kStack = 33;

  std::shared_ptr<const Factors> factors_;
  std::vector<Step> steps_;
  std::vector<uint32_t> ends_;    // by tree: where its steps end
  std::vector<uint32_t> tables_;  // states; at the roots distances
  AbstractionReport report_;
};

}  // namespace harrier::abstraction
