// What a walker asks of the state that it moves: one transition at a time, and only the way is remembered.
//
//     point.start(rng);
//     point.list();                              // or: point.begin_listing(), then list_more(rng), process by process
//     for (size_t i = 0; i < point.moves(); ++i) {
//       if (!point.make(i, rng)) continue;       // the state is now the successor's
//       … point.values() …
//       point.take_back();                       // or: point.keep(i)
//     }
//
// Nothing is allocated per step, once the way's memory has grown.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>

#include "base/rng.h"
#include "model/path.h"
#include "zone/dbm.h"

namespace harrier::search {

template <class P>
concept WalkPoint = requires(P& point, const P& known, Rng& rng, size_t i, uint64_t length, bool stuck) {
  // To an initial state, with an empty way. False if an invariant rules it out.
  { point.start(rng) } -> std::same_as<bool>;

  // Lists all moves of the state.
  { point.list() } -> std::same_as<void>;
  // Lists the moves of one more process, picked at random among those that were not asked yet; the ones before are
  // forgotten. False if there is nobody left. What can happen only if nothing else can comes last.
  { point.begin_listing() } -> std::same_as<void>;
  { point.list_more(rng) } -> std::same_as<bool>;

  { known.moves() } -> std::same_as<size_t>;
  { known.edges(i) } -> std::same_as<std::span<const uint32_t>>;
  { point.drop(i) } -> std::same_as<void>;
  // Makes a listed move, for the time being. False: an invariant or a range does not let it.
  { point.make(i, rng) } -> std::same_as<bool>;
  { point.take_back() } -> std::same_as<void>;
  // Lets the move just made stand, and adds it to the way.
  { point.keep(i) } -> std::same_as<void>;

  // The state with the move just made, if there is one. Equal states have equal hashes.
  { known.values() } -> std::same_as<const int32_t*>;
  { known.zone() } -> std::same_as<zone::ZoneView>;
  { point.hash() } -> std::same_as<uint64_t>;
  // The clause of the goal that the state satisfies. `stuck`: there is no move from here, which is known.
  { point.goal(stuck) } -> std::same_as<std::optional<size_t>>;
  // Whether it is in the one accepting set of the property.
  { point.accepting() } -> std::same_as<bool>;

  // Steps made so far.
  { known.length() } -> std::same_as<uint64_t>;
  // The way is empty, and every way starts here.
  { known.is_only_start() } -> std::same_as<bool>;
  // Back to where the way was after so many steps.
  { point.return_to(length) } -> std::same_as<void>;
  { point.path(i) } -> std::same_as<model::Path>;
};

}  // namespace harrier::search
