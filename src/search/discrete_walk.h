// A state of a model without clocks that moves along one transition at a time, and remembers only its way
// (walk_point.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/random_order.h"
#include "base/rng.h"
#include "model/path.h"
#include "model/system.h"
#include "search/walk_record.h"
#include "step/discrete_generator.h"
#include "zone/dbm.h"

namespace harrier::search {

class DiscreteWalk {
 public:
  // With `hashed`, hash() can be asked for.
  DiscreteWalk(const step::Semantics& semantics, Budget& budget, bool hashed);

  bool start(Rng& rng);

  void list();
  void begin_listing();
  bool list_more(Rng& rng);

  size_t moves() const { return moves_.size(); }
  std::span<const uint32_t> edges(size_t i) const { return moves_.firing(i).edges; }
  void drop(size_t i) { moves_.drop(i); }
  bool make(size_t i, Rng& rng);
  void take_back() { generator_.take_back(); }
  void keep(size_t i);

  const int32_t* values() const { return generator_.values(); }
  zone::ZoneView zone() const { return {}; }
  uint64_t hash();
  std::optional<size_t> goal(bool stuck) { return generator_.goal(stuck); }
  bool accepting() { return generator_.accepting(0); }

  uint64_t length() const { return record_.steps(); }
  bool is_only_start() const { return length() == 0 && !generator_.semantics().system().beginning.valid(); }
  void return_to(uint64_t length);
  model::Path path(size_t goal_clause);

 private:
  // From now on what all processes together can do is shared out.
  void share_out();
  // Lists those moves of all_ that a process starts.
  bool list_from_all(uint32_t process);

  // Of all variables, from scratch.
  void hash_anew();

  step::DiscreteGenerator generator_;
  const step::Network& network_;
  MoveList moves_;
  MoveList all_;  // of all processes
  WalkRecord record_;
  std::vector<int32_t> beginning_;  // what was chosen there
  // Listing process by process.
  RandomOrder processes_;  // without the claim, which comes last
  bool committed_ = false;
  bool something_ = false;  // some process had a move
  bool whole_ = false;      // `all_` is to be shared out among the processes
  bool listed_all_ = false;
  // Hashing.
  bool hashed_;
  uint64_t hash_ = 0;  // of the state without the move just made
  std::vector<uint64_t> seen_;
  uint64_t round_ = 0;
};

}  // namespace harrier::search
