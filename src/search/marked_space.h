// The state space as a search for infinite paths sees it: states and transitions carry marks, and a cycle counts that
// has all of them.
#pragma once

#include <cstdint>
#include <string>

#include "base/budget.h"
#include "base/error.h"
#include "model/system.h"
#include "search/discrete_space.h"

namespace harrier::search {

// What an infinite path needs, a bit each: a state of every accepting set, and something fair of every process.
using Marks = uint64_t;

class MarkedSpace {
 public:
  // Throws Error(Unsupported) for too many marks.
  MarkedSpace(const step::Semantics& semantics, Budget& budget)
      : system_(semantics.system()), space_(semantics, budget, false), sets_(semantics.property().accepting.size()) {
    const bool fair = semantics.property().fair;
    if (sets_ + (fair ? system_.processes.size() : 0) > kMost) {
      throw Error(ErrorKind::Unsupported, "unsupported: more than " + std::to_string(kMost) +
                                              " conditions of fairness, or processes to be fair to");
    }
    for (size_t set = 0; set < sets_; ++set) accepting_ |= Marks{1} << set;
    if (!fair) return;
    for (uint32_t p = 0; p < system_.processes.size(); ++p) {
      if (p != system_.claim.value) fairness_ |= mark_of(p);
    }
  }

  DiscreteSpace& states() { return space_; }
  const DiscreteSpace& states() const { return space_; }
  // All marks: those of the accepting sets, and of the processes that paths have to be fair to. A process has its mark
  // where it moves, and where it cannot start a transition.
  Marks wanted() const { return accepting_ | fairness_; }
  // A cycle that counts passes through a state with these marks.
  bool may_start_cycle(Marks marks) const { return accepting_ == 0 || (marks & 1) != 0; }

  // Calls visit(target, marks of the transition) for every successor until it returns false; returns the marks of the
  // state, which are complete if all were visited.
  template <class Visit>
  Marks expand(uint64_t id, Visit&& visit) {
    space_.recall(id);
    Marks marks = 0;
    for (size_t set = 0; set < sets_; ++set) marks |= Marks{space_.accepting(set) ? 1U : 0U} << set;
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
  static constexpr size_t kMost = 64;
  Marks mark_of(uint32_t process) const { return sets_ + process < kMost ? Marks{1} << (sets_ + process) : 0; }

  const model::System& system_;
  DiscreteSpace space_;
  size_t sets_;
  Marks accepting_ = 0;
  Marks fairness_ = 0;
};

}  // namespace harrier::search
