#include "step/discrete_generator.h"

#include <algorithm>

namespace harrier::step {

DiscreteGenerator::DiscreteGenerator(const Semantics& semantics, const Watch& watch)
    : semantics_(semantics),
      network_(semantics.network()),
      work_(network_.program(), watch),
      probe_(network_.program(), watch),
      values_(semantics.initial()),
      packed_(semantics.layout()) {}

void DiscreteGenerator::load(std::span<const int32_t> values) {
  values_.assign(values.begin(), values.end());
  packed_.forget();
}

bool DiscreteGenerator::load_initial(std::span<const int32_t> choices) {
  load(semantics_.initial());
  const model::EdgeId beginning = semantics_.system().beginning;
  if (!beginning.valid()) return network_.invariants_hold(work_, values_.data());
  work_.choices().set(choices);
  return begin();
}

bool DiscreteGenerator::begin() {
  const bool possible =
      may_begin() && network_.fire(work_, values_.data(), std::array{semantics_.system().beginning.value});
  keep();
  return possible;
}

bool DiscreteGenerator::load_random_initial(Rng& rng) {
  const model::EdgeId beginning = semantics_.system().beginning;
  if (!beginning.valid()) return load_initial();
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts; ++i) {
    load(semantics_.initial());
    work_.choices().draw(rng);
    if (begin()) return true;
  }
  load(semantics_.initial());
  std::vector<int32_t> first;
  const bool none = !may_begin() || network_.for_each_outcome(work_, values_.data(), std::array{beginning.value}, [&] {
    first.assign(choices().begin(), choices().end());
    return false;
  });
  return !none && load_initial(first);
}

std::optional<int64_t> DiscreteGenerator::highest_priority() {
  std::optional<int64_t> highest;
  if (!semantics_.has_priorities()) return highest;
  network_.for_each_firing(work_, values_.data(), [&](const Firing& firing) {
    // Also if something more important is known: an error in a transition that is blocked ends the run, too.
    if (network_.can_fire(work_, values_.data(), firing.edges)) {
      highest = std::max(network_.priority(firing.edges), highest.value_or(INT64_MIN));
    }
    return true;
  });
  return highest;
}

bool DiscreteGenerator::permits(std::span<const uint32_t> edges) {
  const int32_t* values = values_.data();
  bool found = false;
  const auto look = [&](const Firing& firing) {
    found = std::equal(edges.begin(), edges.end(), firing.edges.begin(), firing.edges.end());
    return !found;
  };
  // What a process can start does not depend on the others, unless control, the claim or idleness is involved.
  const uint32_t process = network_.edge(edges[0]).process;
  if (network_.controlled(values) || network_.is_claim(process) || semantics_.system().edges[edges[0]].when_idle) {
    network_.for_each_firing(work_, values, look);
  } else {
    network_.for_each_firing_of(work_, values, process, network_.committed(values), look);
  }
  return found && network_.priority(edges) >= highest_priority().value_or(INT64_MIN);
}

bool DiscreteGenerator::can_move() {
  bool can = false;
  network_.for_each_firing(probe_, values_.data(), [&](const Firing& firing) {
    can = network_.can_fire(probe_, values_.data(), firing.edges);
    return !can;
  });
  return can;
}

bool DiscreteGenerator::can_move(uint32_t process) {
  bool can = false;
  network_.for_each_firing_of(probe_, values_.data(), process, false, [&](const Firing& firing) {
    can = network_.can_fire(probe_, values_.data(), firing.edges);
    return !can;
  });
  return can;
}

std::optional<size_t> DiscreteGenerator::goal(bool may_be_deadlock) {
  return first_clause(semantics_.goal(), [&](const CompiledClause& clause) {
    if (clause.deadlock == model::DeadlockTest::IsDeadlock && !may_be_deadlock) return false;
    if (!conditions_hold(probe_, clause, values_.data())) return false;
    return clause.deadlock == model::DeadlockTest::Ignore ||
           can_move() == (clause.deadlock == model::DeadlockTest::NotDeadlock);
  });
}

bool DiscreteGenerator::accepting(size_t set) {
  return first_clause(semantics_.accepting()[set],
                      [&](const CompiledClause& clause) { return conditions_hold(probe_, clause, values_.data()); })
      .has_value();
}

}  // namespace harrier::step
