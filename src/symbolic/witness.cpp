#include "symbolic/witness.h"

#include <algorithm>

#include "base/error.h"

namespace harrier::symbolic {

namespace {

// What the last state of a path is.
void finish(const Space& space, model::Path& path, const StateValues& last) {
  const Bdd state = space.encoding().states(last);
  for (size_t i = 0; i < space.goal().size(); ++i) {
    if (!intersects(state, space.goal()[i])) continue;
    path.goal_clause = i;
    return;
  }
  for (const FailingStates& f : space.failures()) {
    if (!intersects(state, f.states)) continue;
    path.failure = {f.what};
    return;
  }
  throw Error(ErrorKind::Internal, "the last state of a path is no goal");
}

}  // namespace

StateValues some_state(const Space& space, const Bdd& states) {
  if (states.is_false()) throw Error(ErrorKind::Internal, "a layer of states has no way to the next one");
  return space.encoding().values(any_assignment(states, space.manager().bits()));
}

Bdd rather_goal(const Space& space, const Bdd& states) {
  for (const Bdd& clause : space.goal()) {
    if (Bdd both = states & clause; !both.is_false()) return both;
  }
  return states;
}

std::vector<StateValues> way_through(const Space& space, const std::vector<Bdd>& layers, StateValues last) {
  std::vector<StateValues> out{std::move(last)};
  for (size_t layer = layers.size() - 1; layer-- > 0;) {
    const Bdd before = space.transitions().preimage(space.encoding().states(out.back()));
    out.push_back(some_state(space, before & layers[layer]));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

std::optional<std::vector<StateValues>> way_to(const Space& space, const StateValues& from, const Bdd& targets,
                                               const Bdd& inside, bool moves) {
  std::vector<Bdd> layers{space.encoding().states(from)};
  if (!moves && intersects(layers.front(), targets)) return std::vector<StateValues>{from};
  Bdd seen;
  while (true) {
    const Bdd fresh = (space.transitions().image(layers.back()) & (inside | targets)) - seen;
    if (fresh.is_false()) return std::nullopt;
    layers.push_back(fresh);
    if (const Bdd found = fresh & targets; !found.is_false()) {
      return way_through(space, layers, some_state(space, found));
    }
    seen |= fresh;
  }
}

model::Path steps_along(const Space& space, const std::vector<StateValues>& states) {
  model::Path out;
  out.beginning = space.transitions().beginning_of(states.front());
  for (size_t i = 0; i + 1 < states.size(); ++i) {
    auto step = space.transitions().step(states[i], states[i + 1]);
    if (!step) throw Error(ErrorKind::Internal, "there is no transition between two states of a path");
    out.steps.push_back(*std::move(step));
  }
  return out;
}

model::Path path_along(const Space& space, const std::vector<StateValues>& states) {
  model::Path out = steps_along(space, states);
  finish(space, out, states.back());
  return out;
}

std::optional<model::Path> failing_beginning(const Space& space) {
  const auto& failures = space.transitions().beginning_failures();
  if (failures.empty()) return std::nullopt;
  model::Path out;
  out.failure = {failures.front().what};
  return out;
}

}  // namespace harrier::symbolic
