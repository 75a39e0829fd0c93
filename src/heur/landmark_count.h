// Landmark count (Richter and Westphal 2010): the number of landmarks (landmarks.h) that have not been reached on the
// way to a state, and of those that are needed again.
//
// A landmark is *accepted* on a path once it holds there, unless one that should come first (by a reasonable order) has
// not been; and when something holds that cannot have come to hold without it. An accepted landmark that does not hold
// is needed again if it holds in the goal, or must hold just before a landmark that is not accepted. Of several goals,
// the nearest counts. Where a variable with many values has to grow to a bound, the landmark counts as often as it
// takes. Where steps have other costs (task::Task::costs), it counts as much as the cheapest step that may make it
// true.
//
// So the estimate depends on the path. A search keeps a bit a landmark for every state (Heuristic::memory_words). Where
// only the state is known, as in random walks, landmarks count that an abstract path from the state to the goal makes
// true: no other can still be ahead on every path. That path is the one of h^FF, and so are the preferred transitions;
// where there is none, this is a dead end. With a path, dead ends are not looked for, as that takes most of the time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heur/flat_rules.h"
#include "heur/heuristic.h"
#include "heur/landmarks.h"
#include "heur/relaxation.h"
#include "heur/relaxed_task.h"

namespace harrier::heur {

class LandmarkCount : public Heuristic {
 public:
  explicit LandmarkCount(std::shared_ptr<const RelaxedTask> task, const Watch& watch = Watch::none());

  uint32_t evaluate(const StateView& state) override;
  uint32_t memory_words() const override { return static_cast<uint32_t>(words_); }
  uint32_t evaluate_after(const uint64_t* before, const StateView& state, uint64_t* memory) override;
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) override;
  bool prefers(std::span<const uint32_t> edges) const override { return planned_ && plan_.prefers(edges); }

  const Landmarks& landmarks() const { return landmarks_; }

 private:
  // An auxiliary fact and the ways in which it follows from others.
  struct Derived {
    uint32_t fact = 0;
    uint32_t first_way = 0;
    uint32_t end_way = 0;
  };
  // A landmark that is reached by repeating steps.
  struct Repeated {
    uint32_t landmark = 0;
    uint32_t rule = 0;
  };

  std::span<const uint32_t> landmarks_of(uint32_t fact) const {
    return std::span(landmarks_of_).subspan(first_landmark_[fact], first_landmark_[fact + 1] - first_landmark_[fact]);
  }
  void derive(const FlatRules& rules, const Watch& watch);
  void leave_out_free();
  // Finds out which landmarks hold in a state; true: the goal does.
  bool look(const StateView& state);
  void find_prices(const Watch& watch);
  void weigh(const int32_t* values);
  void accept(const uint64_t* before, uint64_t* memory) const;
  uint32_t count(size_t goal, const uint64_t* accepted);
  uint32_t count_planned(const StateView& state, uint32_t length);

  std::shared_ptr<const RelaxedTask> task_;
  FlatRules rules_;
  Landmarks landmarks_;
  Relaxation plan_;
  size_t words_;
  uint32_t largest_;                      // larger estimates are not told apart
  std::vector<uint32_t> first_landmark_;  // by fact: the landmarks that it is, or is an alternative of
  std::vector<uint32_t> landmarks_of_;
  std::vector<Derived> derived_;      // those that others follow from first
  std::vector<uint32_t> first_fact_;  // by way
  std::vector<uint32_t> ways_;        // facts
  std::vector<Repeated> repeated_;
  std::vector<uint32_t> prices_;  // by landmark: what the cheapest step to it costs

  // Scratch of one evaluation.
  bool planned_ = false;
  std::vector<uint32_t> in_state_;
  std::vector<uint64_t> holds_seen_;  // by fact: the last evaluation in whose state it held
  uint64_t evaluation_ = 0;
  std::vector<uint64_t> holding_;  // landmarks, a bit each
  std::vector<uint64_t> missing_;
  std::vector<uint32_t> weights_;  // by landmark
};

}  // namespace harrier::heur
