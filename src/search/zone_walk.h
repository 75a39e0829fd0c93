// A symbolic state of a model with clocks that moves along one transition at a time (walk_point.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/random_order.h"
#include "base/rng.h"
#include "search/walk_record.h"
#include "step/zone_generator.h"

namespace harrier::search {

class ZoneWalk : private step::ZoneGenerator {
 public:
  ZoneWalk(const step::Semantics& semantics, Budget& budget);

  bool start(Rng& rng);

  void list();
  void begin_listing();
  bool list_more(Rng& rng);
  size_t moves() const { return moves_.size(); }
  std::span<const uint32_t> edges(size_t i) const { return moves_.firing(i).edges; }
  void drop(size_t i) { moves_.drop(i); }
  // If the firing leads to several zones, one of them is picked at random; the same one when the move is made again.
  bool make(size_t i, Rng& rng);
  void take_back() { values_ = before_; }
  void keep(size_t i);

  const int32_t* values() const { return values_.data(); }
  zone::ZoneView zone() const { return {made_zone_.data(), made_.local.data(), made_.dim()}; }
  uint64_t hash();
  std::optional<size_t> goal(bool stuck);
  bool accepting() { return false; }  // of infinite paths there are none in models with clocks

  uint64_t length() const { return record_.steps(); }
  bool is_only_start() const { return length() == 0 && starts_ == 1; }
  void return_to(uint64_t length);
  model::Path path(size_t goal_clause);

 private:
  // Fires, and takes the wanted part of what it leads to (Move::kAnyPart: a random one, and tells which).
  bool go(const step::Firing& firing, uint32_t& part, Rng* rng);
  // The candidate of the graph is the move to be made; then its zone is extrapolated, and its values stand.
  void note_candidate();
  void finish_candidate();
  // The state with the move just made is left next.
  void stand();

  MoveList moves_;
  WalkRecord record_;
  RandomOrder processes_;
  bool committed_ = false;
  std::vector<Enabled> enabled_;  // of the state, if priorities matter
  uint32_t starts_ = 0;           // initial states
  uint32_t initial_ = 0;          // the number of that of the way
  std::vector<int32_t> before_;   // the values without the move just made
  // The state with the move just made; without one, the state itself. `values_` are its values.
  std::vector<int32_t> made_values_;
  ActiveClocks made_;
  std::vector<zone::Bound> made_zone_;
};

}  // namespace harrier::search
