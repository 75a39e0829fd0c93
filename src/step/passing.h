// A layer over a generator that passes through transient states, those in which a process has exclusive control, as
// inside Promela's atomic sequences.
//
// The successors of a state at rest are then all states at rest that can be reached by transient ones alone, and the
// transient ones that are goals. A successor can be several steps away. Where that would be too many states at once
// (InnerStates::kMost), those that there is no room for are given out as others are; from a transient state, successors
// are one step away. What is inside is gone through breadth-first: the first way to each successor is a shortest one of
// those that nobody interrupts, and a search by depth (search/frontier.h) that adds these up finds shortest paths.
#pragma once

#include <cstdint>
#include <span>

#include "base/budget.h"
#include "step/discrete_generator.h"
#include "step/inner_states.h"

namespace harrier::step {

class Passing {
 public:
  Passing(DiscreteGenerator& generator, Budget& budget)
      : generator_(generator), inner_(budget, generator.semantics().layout().words()) {}

  // There is something to pass through, and no choices are to be told of the steps on the way.
  static bool applies_to(const Semantics& semantics) {
    return !semantics.timed() && semantics.system().control.valid() && !semantics.system().has_choices();
  }

  // As of the generator. The state that is left is another one afterwards.
  template <class Sink>
  void successors(Sink&& sink) {
    if (generator_.is_transient()) {
      generator_.successors(sink);
      return;
    }
    inner_.clear();
    uint32_t next = 0;
    bool go_on = true;
    const auto step = [&](const Firing& firing) {
      if (generator_.is_transient()) {
        const InnerStates::Inserted inserted = inner_.insert(generator_.words(), source_, firing.edges);
        if (inserted == InnerStates::Inserted::Known ||
            (inserted == InnerStates::Inserted::Fresh && !generator_.goal())) {
          ++passed_;
          return true;
        }
      }
      go_on = sink(firing);
      return go_on;
    };
    for (;;) {
      generator_.successors(step);
      if (!go_on || next == inner_.size()) break;
      source_ = next++;
      generator_.load(inner_[source_]);
    }
    source_ = InnerStates::kOutside;
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
  DiscreteGenerator& generator_;
  InnerStates inner_;
  uint32_t source_ = InnerStates::kOutside;  // the state whose successors are being generated
  uint64_t passed_ = 0;
};

}  // namespace harrier::step
