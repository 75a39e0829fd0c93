// A ground task carried out state by state, for comparisons: by what its header says, and nothing of how it was made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lang/pddl/grounding.h"

namespace harrier::testing {

class GroundStates {
 public:
  using State = std::vector<bool>;  // by atom; derived ones are computed

  explicit GroundStates(const pddl::GroundTask& task) : task_(task) {}

  State initial() const {
    State out;
    for (const pddl::GroundAtom& atom : task_.atoms) out.push_back(atom.initial);
    return derived(std::move(out));
  }

  static bool holds(const std::vector<pddl::Literal>& condition, const State& state) {
    return std::all_of(condition.begin(), condition.end(),
                       [&](const pddl::Literal& l) { return state[l.atom] == l.positive; });
  }

  std::optional<State> apply(const pddl::GroundOperator& op, const State& state) const {
    if (!holds(op.preconditions, state)) return std::nullopt;
    State out = state;
    for (const bool adds : {false, true}) {
      for (const pddl::GroundEffect& effect : op.effects) {
        if (effect.adds == adds && holds(effect.conditions, state)) out[effect.atom] = adds;
      }
    }
    return derived(std::move(out));
  }

  // Of the nearest goal state; nothing: there is none.
  std::optional<uint64_t> distance(bool by_cost) const {
    if (!task_.solvable) return std::nullopt;
    using Entry = std::pair<uint64_t, State>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    std::set<State> closed;
    open.emplace(0, initial());
    while (!open.empty()) {
      const auto [cost, state] = open.top();
      open.pop();
      if (!closed.insert(state).second) continue;
      if (holds(task_.goal, state)) return cost;
      for (const pddl::GroundOperator& op : task_.operators) {
        if (std::optional<State> next = apply(op, state))
          open.emplace(cost + (by_cost ? op.cost : 1), std::move(*next));
      }
    }
    return std::nullopt;
  }

 private:
  // What is surely derived and what is possibly derived come nearer to each other until they are the same, as they are
  // in the end where there are layers.
  State derived(State state) const {
    for (size_t a = 0; a < state.size(); ++a) {
      if (task_.atoms[a].derived) state[a] = false;
    }
    State surely = state;
    for (;;) {
      const State possibly = least(state, surely);
      const State next = least(state, possibly);
      if (next == surely) return next;
      surely = next;
    }
  }
  // The least model, where derived atoms that are negated are looked up in another one.
  State least(State state, const State& negated) const {
    bool again = true;
    while (again) {
      again = false;
      for (const pddl::GroundAxiom& axiom : task_.axioms) {
        if (state[axiom.head]) continue;
        const auto holds_here = [&](const pddl::Literal& l) {
          return l.positive ? state[l.atom] : !(task_.atoms[l.atom].derived ? negated : state)[l.atom];
        };
        if (!std::all_of(axiom.body.begin(), axiom.body.end(), holds_here)) continue;
        state[axiom.head] = true;
        again = true;
      }
    }
    return state;
  }

  const pddl::GroundTask& task_;
};

}  // namespace harrier::testing
