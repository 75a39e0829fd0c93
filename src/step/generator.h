// What an engine asks of a generator of successors, whatever it works on: packed states alone, or with zones.
//
// A generator compiles nothing: it moves what a Semantics describes, and has all memory that this needs to itself, one
// a thread. It has a state that is being left and, while a sink looks at it, a candidate that this leads to; all
// questions are about the candidate. How a state is loaded is its own business, since that depends on how states are
// kept.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "step/discrete_generator.h"
#include "step/semantics.h"
#include "step/zone_generator.h"

namespace harrier::step {

template <class G>
concept Generator = requires(G& generator, const G& known, bool (&state)(), bool (&successor)(const Firing&)) {
  // What it moves.
  { known.semantics() } -> std::same_as<const Semantics&>;
  // Give every initial state, or every successor of the state being left, to the sink until it returns false.
  { generator.initial(state) } -> std::same_as<void>;
  { generator.successors(successor) } -> std::same_as<void>;
  // The candidate is left next.
  { generator.keep() } -> std::same_as<void>;
  // The candidate: values by variable, packed, and with the zone of its clocks, if there are any.
  { known.values() } -> std::same_as<const int32_t*>;
  { generator.words() } -> std::same_as<const uint64_t*>;
  { known.zone() } -> std::same_as<ZoneView>;
  // The first clause of the goal that it satisfies.
  { generator.goal() } -> std::same_as<std::optional<size_t>>;
  // Edges that a range violation kept from firing so far.
  { known.violations() } -> std::same_as<const std::vector<Machine::Violation>&>;
};

static_assert(Generator<DiscreteGenerator> && Generator<ZoneGenerator>);

}  // namespace harrier::step
