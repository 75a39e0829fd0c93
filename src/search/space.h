// What the explorer asks of a state space: a generator with stores. States that were taken in have numbers, in the
// order in which they came; while a visitor looks at it, a candidate can be asked about.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/path.h"
#include "step/network.h"
#include "store/origin.h"
#include "zone/dbm.h"

namespace harrier::search {

template <class S>
concept Space = requires(S& space, const S& known, uint64_t id, uint32_t cost, size_t clause, int32_t* values,
                         bool (&state)(), bool (&successor)(const step::Firing&)) {
  // Make every initial state, or every successor of a state, the candidate until the visitor returns false.
  { space.for_each_initial(state) } -> std::same_as<void>;
  { space.for_each_successor(id, successor) } -> std::same_as<void>;

  // The candidate: takes it in; its clause of the goal; its values and zone; how many steps away it is.
  { space.admit(id, cost, cost) } -> std::same_as<store::Admission>;
  { space.goal() } -> std::same_as<std::optional<size_t>>;
  { known.candidate() } -> std::same_as<const int32_t*>;
  { known.candidate_zone() } -> std::same_as<zone::ZoneView>;
  { known.steps() } -> std::same_as<uint32_t>;

  // A state: whether it need not be expanded any more; that it has been; its cost, if costs are tracked; its values,
  // their number, its zone, and how it was reached.
  { known.dropped(id) } -> std::same_as<bool>;
  { space.release(id) } -> std::same_as<void>;
  { known.cost(id) } -> std::same_as<uint32_t>;
  { known.read(id, values) } -> std::same_as<void>;
  { known.discrete_of(id) } -> std::same_as<uint64_t>;
  { known.origin_of(id) } -> std::same_as<store::Origin>;
  { space.read_zone(id, values) } -> std::same_as<zone::ZoneView>;
  { space.path_to(id, clause) } -> std::same_as<model::Path>;
  // States below this number may not be dropped before they are released.
  { space.keep_below(id) } -> std::same_as<void>;

  // All of them.
  { known.variable_count() } -> std::convertible_to<size_t>;
  { known.discrete_states() } -> std::same_as<uint64_t>;
  { known.read_discrete(id, values) } -> std::same_as<void>;
  { known.stored() } -> std::same_as<uint64_t>;
  { known.transient() } -> std::same_as<uint64_t>;
  { known.passed() } -> std::same_as<uint64_t>;  // successors that no visitor has seen
  { known.violations() } -> std::same_as<const std::vector<step::Machine::Violation>&>;
};

}  // namespace harrier::search
