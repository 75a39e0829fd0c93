// The state space as a search for infinite paths sees it: states and transitions carry marks, and a cycle counts that
// has all of them.
#pragma once

#include <cstdint>

#include "base/budget.h"
#include "base/error.h"
#include "model/system.h"
#include "search/discrete_space.h"

namespace harrier::search {

// What an infinite path needs, a bit each: an accepting state, and something fair of every process.
using Marks = uint64_t;
inline constexpr Marks kAccepting = 1;

class MarkedSpace {
 public:
  // Throws Error(Unsupported) for fairness among too many processes.
  MarkedSpace(const step::Semantics& semantics, Budget& budget)
      : system_(semantics.system()), space_(semantics, budget, false) {
    if (!semantics.property().fair) return;
    if (system_.processes.size() > kMostProcesses) {
      throw Error(ErrorKind::Unsupported, "unsupported: fairness among more than 63 processes");
    }
    for (uint32_t p = 0; p < system_.processes.size(); ++p) {
      if (p != system_.claim.value) fairness_ |= mark_of(p);
    }
  }

  DiscreteSpace& states() { return space_; }
  const DiscreteSpace& states() const { return space_; }
  // A process has its mark where it moves, and where it cannot start a transition.
  Marks fairness() const { return fairness_; }

  // Calls visit(target, marks of the transition) for every successor until it returns false; returns the marks of the
  // state, which are complete if all were visited.
  template <class Visit>
  Marks expand(uint64_t id, Visit&& visit) {
    space_.recall(id);
    Marks marks = space_.accepting() ? kAccepting : 0;
    // In a state inside a step the others wait, but not because they are disabled.
    const bool open = !system_.control.valid() || space_.candidate()[system_.control.value] == 0;
    Marks started = 0;
    space_.for_each_successor(id, [&](const step::Firing& firing) {
      Marks moved = 0;
      for (const uint32_t e : firing.edges) moved |= mark_of(system_.edges[e].process.value);
      started |= mark_of(system_.edges[firing.edges[0]].process.value);
      return visit(space_.admit(id, 0).id, moved & fairness_);
    });
    if (open) marks |= fairness_ & ~started;
    return marks;
  }

  // The step that an origin stands for; states().origin() is that of the successor which is being visited.
  struct Step {
    model::PathStep step;
    Marks marks = 0;
  };
  Step step_of(const store::Origin& origin) const {
    Step out{space_.steps_of(origin).front(), 0};
    for (const model::EdgeId e : out.step.edges) out.marks |= mark_of(system_.edge(e).process.value) & fairness_;
    return out;
  }

 private:
  static constexpr uint32_t kMostProcesses = 63;
  static constexpr Marks mark_of(uint32_t process) { return Marks{2} << process; }

  const model::System& system_;
  DiscreteSpace space_;
  Marks fairness_ = 0;
};

}  // namespace harrier::search
