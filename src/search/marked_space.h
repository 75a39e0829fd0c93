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
  MarkedSpace(const model::System& system, const model::Property& property, Budget& budget)
      : system_(system), space_(system, property, budget, false) {
    if (!property.fair) return;
    if (system.processes.size() > kMostProcesses) {
      throw Error(ErrorKind::Unsupported, "unsupported: fairness among more than 63 processes");
    }
    for (uint32_t p = 0; p < system.processes.size(); ++p) {
      if (p != system.claim.value) fairness_ |= mark_of(p);
    }
  }

  DiscreteSpace& states() { return space_; }
  const DiscreteSpace& states() const { return space_; }
  // A process has its mark where it moves, and where it cannot start a transition.
  Marks fairness() const { return fairness_; }

  // Calls visit(target, ordinal, firing, marks of the transition) for every successor until it returns false; returns
  // the marks of the state, which are complete if all were visited.
  template <class Visit>
  Marks expand(uint64_t id, Visit&& visit) {
    space_.recall(id);
    Marks marks = space_.accepting() ? kAccepting : 0;
    // In a state inside a step the others wait, but not because they are disabled.
    const bool open = !system_.control.valid() || space_.candidate()[system_.control.value] == 0;
    Marks started = 0;
    space_.for_each_successor(id, [&](uint32_t ordinal, const step::Firing& firing) {
      Marks moved = 0;
      for (const uint32_t e : firing.edges) moved |= mark_of(system_.edges[e].process.value);
      started |= mark_of(system_.edges[firing.edges[0]].process.value);
      return visit(space_.admit(id, ordinal, 0).id, ordinal, firing, moved & fairness_);
    });
    if (open) marks |= fairness_ & ~started;
    return marks;
  }

  // The step with which a state was reached.
  struct Step {
    model::PathStep step;
    Marks marks = 0;
  };
  Step step_of(const store::Origin& origin) {
    Step out;
    expand(origin.parent(), [&](uint64_t, uint32_t ordinal, const step::Firing& firing, Marks moved) {
      if (ordinal != origin.ordinal()) return true;
      for (const uint32_t e : firing.edges) out.step.edges.push_back(model::EdgeId(e));
      out.marks = moved;
      return false;
    });
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
