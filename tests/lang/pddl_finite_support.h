// Helpers of the tests of PDDL: what ground tasks and finite-domain tasks mean, by enumeration, and random ones.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "lang/pddl/finite_domain.h"
#include "lang/pddl/ground_task.h"

namespace harrier::testing {

using GroundState = std::vector<bool>;  // by atom, derived ones too
using FiniteState = std::vector<uint32_t>;

inline bool holds(const std::vector<pddl::Literal>& literals, const GroundState& state) {
  return std::all_of(literals.begin(), literals.end(), [&](pddl::Literal l) { return state[l.atom] == l.positive; });
}

inline bool holds(const std::vector<pddl::Fact>& facts, const FiniteState& state) {
  return std::all_of(facts.begin(), facts.end(), [&](pddl::Fact f) { return state[f.variable] == f.value; });
}

// The atoms that axioms derive, those with small numbers first: such is the order of layers in the tests.
inline void derive(const pddl::GroundTask& task, GroundState& state) {
  constexpr uint32_t kBlock = 2;  // atoms of a layer
  uint32_t first = 0;
  while (first < task.atoms.size() && !task.atoms[first].derived) ++first;
  for (size_t a = first; a < task.atoms.size(); ++a) state[a] = false;
  for (; first < task.atoms.size(); first += kBlock) {
    for (bool again = true; again;) {
      again = false;
      for (const pddl::GroundAxiom& axiom : task.axioms) {
        if (axiom.head < first || axiom.head >= first + kBlock || state[axiom.head]) continue;
        if (!holds(axiom.body, state)) continue;
        state[axiom.head] = again = true;
      }
    }
  }
}

inline GroundState initial_state(const pddl::GroundTask& task) {
  GroundState out;
  for (const pddl::GroundAtom& atom : task.atoms) out.push_back(atom.initial);
  derive(task, out);
  return out;
}

// None where the operator cannot be applied.
inline std::optional<GroundState> successor(const pddl::GroundTask& task, const pddl::GroundOperator& op,
                                            const GroundState& state) {
  if (!holds(op.preconditions, state)) return std::nullopt;
  GroundState out = state;
  for (const bool adds : {false, true}) {
    for (const pddl::GroundEffect& effect : op.effects) {
      if (effect.adds == adds && holds(effect.conditions, state)) out[effect.atom] = adds;
    }
  }
  derive(task, out);
  return out;
}

inline void derive(const pddl::FiniteTask& task, FiniteState& state) {
  int32_t last = -1;
  for (size_t v = 0; v < task.variables.size(); ++v) {
    if (task.variables[v].layer >= 0) state[v] = task.initial[v];
    last = std::max(last, task.variables[v].layer);
  }
  for (int32_t layer = 0; layer <= last; ++layer) {
    for (bool again = true; again;) {
      again = false;
      for (const pddl::FiniteAxiom& axiom : task.axioms) {
        if (task.variables[axiom.head.variable].layer != layer || !holds(axiom.body, state)) continue;
        again = again || state[axiom.head.variable] != axiom.head.value;
        state[axiom.head.variable] = axiom.head.value;
      }
    }
  }
}

inline FiniteState initial_state(const pddl::FiniteTask& task) {
  FiniteState out = task.initial;
  derive(task, out);
  return out;
}

inline std::optional<FiniteState> successor(const pddl::FiniteTask& task, const pddl::Operator& op,
                                            const FiniteState& state) {
  if (!holds(op.preconditions, state)) return std::nullopt;
  FiniteState out = state;
  for (const pddl::FiniteEffect& effect : op.effects) {
    if (holds(effect.conditions, state)) out[effect.fact.variable] = effect.fact.value;
  }
  derive(task, out);
  return out;
}

// All states with the cost of the cheapest way to each.
template <class State, class Task>
std::map<State, uint64_t> reach(const Task& task) {
  std::map<State, uint64_t> out{{initial_state(task), 0}};
  std::map<std::pair<uint64_t, State>, bool> open{{{0, initial_state(task)}, true}};
  while (!open.empty()) {
    const auto [cost, state] = open.begin()->first;
    open.erase(open.begin());
    for (const auto& op : task.operators) {
      const auto next = successor(task, op, state);
      if (!next) continue;
      const auto [at, fresh] = out.try_emplace(*next, cost + op.cost);
      if (!fresh && at->second <= cost + op.cost) continue;
      if (!fresh) open.erase({at->second, *next});
      at->second = cost + op.cost;
      open[{cost + op.cost, *next}] = true;
    }
  }
  return out;
}

template <class State, class Task>
std::optional<uint64_t> cheapest_plan(const Task& task) {
  std::optional<uint64_t> best;
  for (const auto& [state, cost] : reach<State>(task)) {
    if (holds(task.goal, state) && (!best || cost < *best)) best = cost;
  }
  return best;
}

// A few things that move between places, and flags; moves are mostly what keeps a thing in one place, but not always.
class RandomGroundTask {
 public:
  explicit RandomGroundTask(uint64_t seed) : rng_(seed) { make(); }

  pddl::Task task;
  pddl::GroundTask ground;

 private:
  static constexpr uint32_t kDerived = 6;

  uint32_t below(uint64_t n) { return static_cast<uint32_t>(rng_.below(n)); }
  bool rarely(uint32_t percent) { return below(100) < percent; }
  uint32_t at(uint32_t thing, uint32_t place) const { return thing * places_ + place; }

  void make() {
    things_ = 1 + below(2);
    places_ = 2 + below(3);
    for (const char* name : {"at", "flag", "derived"}) task.predicates.push_back({.name = name});
    for (uint32_t i = 0; i < 12; ++i) task.objects.push_back({.name = "o" + std::to_string(i)});
    atoms();
    flags_ = 1 + below(3);
    for (uint32_t i = 0; i < flags_; ++i) ground.atoms.push_back({1, {i}, false, rarely(50)});
    plain_ = static_cast<uint32_t>(ground.atoms.size());
    if (rarely(50)) axioms();
    ground.costs = rarely(50);
    const uint32_t operators = 6 + below(8);
    for (uint32_t o = 0; o < operators; ++o) add_operator(o);
    goal();
  }

  // Mostly something that a few steps lead to.
  void goal() {
    ground.goal = literals(1 + below(2));
    if (rarely(10)) return;
    GroundState state = initial_state(ground);
    for (int step = 0; step < 12; ++step) {
      const auto next = successor(ground, ground.operators[below(ground.operators.size())], state);
      if (next) state = *next;
    }
    for (pddl::Literal& literal : ground.goal) literal.positive = state[literal.atom];
  }

  void atoms() {
    for (uint32_t t = 0; t < things_; ++t) {
      const uint32_t here = rarely(90) ? below(places_) : places_;
      for (uint32_t p = 0; p < places_; ++p) ground.atoms.push_back({0, {t, p}, false, p == here || rarely(1)});
    }
  }

  // Two derived atoms are a layer: they may be each other's reasons, but negated only those before are.
  void axioms() {
    for (uint32_t i = 0; i < kDerived; ++i) ground.atoms.push_back({2, {i}, true, false});
    for (uint32_t i = 0; i < kDerived + 2; ++i) {
      const uint32_t head = plain_ + below(kDerived);
      const uint32_t block = plain_ + (head - plain_) / 2 * 2;
      pddl::GroundAxiom axiom{literals(1 + below(2), block), head};
      if (rarely(40)) axiom.body.push_back({block + below(2), true});
      normalise(axiom.body);
      ground.axioms.push_back(std::move(axiom));
    }
  }

  static void normalise(std::vector<pddl::Literal>& literals) {
    std::sort(literals.begin(), literals.end());
    const auto same = [](pddl::Literal a, pddl::Literal b) { return a.atom == b.atom; };
    literals.erase(std::unique(literals.begin(), literals.end(), same), literals.end());
  }
  std::vector<pddl::Literal> literals(uint32_t count, uint32_t of) {
    std::vector<pddl::Literal> out;
    for (uint32_t i = 0; i < count; ++i) out.push_back({below(of), rarely(50)});
    normalise(out);
    return out;
  }
  std::vector<pddl::Literal> literals(uint32_t count) {
    return literals(count, static_cast<uint32_t>(ground.atoms.size()));
  }

  void add_operator(uint32_t number) {
    task.actions.push_back({.name = "a" + std::to_string(number)});
    pddl::GroundOperator op{.action = number, .cost = ground.costs ? below(4) : 1};
    if (rarely(40)) op.preconditions = literals(1);
    if (rarely(80)) move(op);
    if (rarely(30)) move(op);
    for (uint32_t i = 0; i < below(3); ++i) {
      op.effects.push_back({literals(below(2)), plain_ - 1 - below(flags_), rarely(50)});
    }
    if (rarely(8)) op.effects.push_back({literals(below(2)), below(plain_), rarely(20)});
    normalise(op.preconditions);
    ground.operators.push_back(std::move(op));
  }

  void move(pddl::GroundOperator& op) {
    const uint32_t thing = below(things_);
    const uint32_t from = at(thing, below(places_));
    const uint32_t to = at(thing, below(places_));
    std::vector<pddl::Literal> conditions;
    if (rarely(30)) conditions = literals(1 + below(2));
    if (rarely(98)) (rarely(70) ? op.preconditions : conditions).push_back({from, true});
    normalise(conditions);
    if (rarely(98)) op.effects.push_back({conditions, from, false});
    op.effects.push_back({conditions, to, true});
  }

  Rng rng_;
  uint32_t things_ = 0;
  uint32_t places_ = 0;
  uint32_t flags_ = 0;
  uint32_t plain_ = 0;  // atoms that are not derived
};

}  // namespace harrier::testing
