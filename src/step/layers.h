// What a search puts over a generator of discrete states: partial-order reduction (reduction.h), and passing through
// transient states (passing.h), each where it is wanted and possible.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/budget.h"
#include "step/discrete_generator.h"
#include "step/independence.h"
#include "step/passing.h"
#include "step/reduction.h"

namespace harrier::step {

struct LayerOptions {
  bool reduce = false;
  bool pass_through = false;
};

// What the reductions of all threads share; null: there is none.
std::shared_ptr<const Independence> independence_for(const Semantics& semantics, const LayerOptions& options,
                                                     const Watch& watch);

class Layers {
 public:
  // The generator must outlive it. `independence` as made by the above with the same options.
  Layers(DiscreteGenerator& generator, std::shared_ptr<const Independence> independence, const LayerOptions& options,
         Budget& budget);

  bool reduces() const { return reduction_.has_value(); }
  // Null: no states are passed through.
  Passing* passing() { return passing_ ? &*passing_ : nullptr; }
  // The number of steps from the state that is left to the candidate.
  uint32_t steps() const { return passing_ ? passing_->steps() : 1; }
  // Successors that were passed through so far and not given to a sink.
  uint64_t passed() const { return passing_ ? passing_->passed() : 0; }

  // Of the state that the generator leaves. `again()` makes that state the one that it leaves; `leads_on()` tells
  // whether the successors that were given to the sink so far are enough for the reduction. True if that has left
  // processes out.
  template <class Again, class LeadsOn, class Sink>
  bool successors(Again&& again, LeadsOn&& leads_on, Sink&& sink) {
    if (reduction_ && !generator_.is_transient()) return reduced_successors(again, leads_on, sink);
    all_successors(sink);
    return false;
  }

  // To be called when an evaluation failed, before anything else.
  void recover() {
    generator_.recover();
    if (passing_) passing_->recover();
  }

 private:
  template <class Sink>
  void all_successors(Sink& sink) {
    passing_ ? passing_->successors(sink) : generator_.successors(sink);
  }

  // Of a state in which nobody has control.
  template <class Again, class LeadsOn, class Sink>
  bool reduced_successors(Again& again, LeadsOn& leads_on, Sink& sink) {
    bool any = false;
    bool stopped = false;
    const auto follow = [&](uint32_t process) {
      bool go_on = true;
      const auto take = [&](const Firing& firing) {
        any = true;
        return go_on = sink(firing);
      };
      if (!passing_) {
        generator_.successors_of(process, take);
      } else if (passing_->successors_of(process, take)) {
        again();
      }
      return go_on;
    };
    const bool enough = reduction_->for_each_process(generator_.values(), follow, leads_on, stopped);
    // Where nothing else can happen, something that waits for that may.
    if (!enough && !stopped && !any) all_successors(sink);
    return enough;
  }

  DiscreteGenerator& generator_;
  std::shared_ptr<const Independence> independence_;
  std::optional<Reduction> reduction_;
  std::optional<Passing> passing_;
};

}  // namespace harrier::step
