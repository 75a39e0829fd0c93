// A layer over a generator that passes through transient states: those in which a process has exclusive control, as
// inside Promela's atomic sequences, and with partial-order reduction those in which one process can go on alone
// (reduction.h).
//
// The successors of a state at rest are then all states at rest that can be reached by transient ones alone, and the
// transient ones that are goals. A successor can be several steps away. Where that would be too many states at once
// (InnerStates::kMost), those that there is no room for are given out as others are; from a state in which somebody has
// control, successors are one step away. What is inside is gone through breadth-first: the first way to each successor
// is a shortest one of those that nobody interrupts, and a search by depth (search/frontier.h) that adds these up finds
// shortest paths.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "step/discrete_generator.h"
#include "step/inner_states.h"
#include "step/reduction.h"

namespace harrier::step {

class Passing {
 public:
  // Without a reduction only states in which a process has control are passed through.
  Passing(DiscreteGenerator& generator, Budget& budget, Reduction* reduction = nullptr)
      : generator_(generator), reduction_(reduction), inner_(budget, generator.semantics().layout().words()) {}

  // There is something to pass through, and no choices are to be told of the steps on the way.
  static bool applies_to(const Semantics& semantics) {
    return !semantics.timed() && semantics.system().control.valid() && !semantics.system().has_choices();
  }

  // As of the generator. The state that is left is another one afterwards.
  template <class Sink>
  void successors(Sink&& sink) {
    if (generator_.is_transient()) {
      generator_.successors(sink);
    } else {
      pass([&](auto& step) { generator_.successors(step); }, sink);
    }
  }
  // The same for what one process can start, of a state in which nobody has control. True if the state that is left is
  // another one afterwards.
  template <class Sink>
  bool successors_of(uint32_t process, Sink&& sink) {
    pass([&](auto& step) { generator_.successors_of(process, step); }, sink);
    return inner_.size() != 0;
  }

  // Of the candidate: the number of steps to it, and what those before the last one are called (InnerStates::label).
  uint32_t steps() const { return inner_.depth(source_) + 1; }
  template <class Of, class Then>
  uint32_t label_before(const Of& of, const Then& then) {
    return inner_.label(source_, of, then);
  }
  // Successors that were passed through so far and not given out.
  uint64_t passed() const { return passed_; }
  // To be called when an evaluation failed, before anything else.
  void recover() { source_ = InnerStates::kOutside; }

 private:
  static constexpr uint32_t kAll = UINT32_MAX;

  // `first(step)` makes the first steps.
  template <class First, class Sink>
  void pass(First&& first, Sink& sink) {
    inner_.clear();
    follow_.clear();
    uint32_t next = 0;
    bool go_on = true;
    auto step = [&](const Firing& firing) {
      if (const std::optional<uint32_t> who = who_goes_on()) {
        const InnerStates::Inserted inserted = inner_.insert(generator_.words(), source_, firing.edges);
        if (inserted == InnerStates::Inserted::Fresh) follow_.push_back(*who);
        if (inserted == InnerStates::Inserted::Known ||
            (inserted == InnerStates::Inserted::Fresh && !generator_.goal(*who == kAll))) {
          ++passed_;
          return true;
        }
      }
      go_on = sink(firing);
      return go_on;
    };
    first(step);
    while (go_on && next != inner_.size()) {
      source_ = next++;
      generator_.load(inner_[source_]);
      if (follow_[source_] == kAll) {
        generator_.successors(step);
      } else {
        generator_.successors_of(follow_[source_], step);
      }
    }
    source_ = InnerStates::kOutside;
  }
  // From the candidate, if it is transient: a process, or whoever can (kAll).
  std::optional<uint32_t> who_goes_on() {
    if (generator_.is_transient()) return kAll;
    return reduction_ != nullptr ? reduction_->process_to_pass(generator_) : std::nullopt;
  }

  DiscreteGenerator& generator_;
  Reduction* reduction_;
  InnerStates inner_;
  std::vector<uint32_t> follow_;             // who goes on from the inner states
  uint32_t source_ = InnerStates::kOutside;  // the state whose successors are being generated
  uint64_t passed_ = 0;
};

}  // namespace harrier::step
