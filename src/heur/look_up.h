// Estimates that are looked up in an abstraction, which was built before the search: pattern databases,
// merge-and-shrink, predicate abstraction, zone databases. What they have in common:
//
//   look_up(values)                  a lower bound of the distance, or abstraction::kInfinity if there is no way;
//   look_up(values, zone, scratch)   instead, of those that look at clocks or need memory (Scratch, make_scratch()).
//
// A transition is never useless by such an estimate, and none is preferred: the tables do not know what is missing in
// the reduced system, whose distances are at least those of the whole.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "abstraction/distance.h"
#include "heur/heuristic.h"

namespace harrier::heur {

static_assert(kDeadEnd == abstraction::kInfinity);

template <class Database>
concept NeedsScratch = requires {
  typename Database::Scratch;
};

namespace detail {

template <class Database>
struct ScratchOf {
  struct Nothing {};
  using Type = Nothing;
  static Type make(const Database&) { return {}; }
};
template <NeedsScratch Database>
struct ScratchOf<Database> {
  using Type = typename Database::Scratch;
  static Type make(const Database& database) { return database.make_scratch(); }
};

}  // namespace detail

template <class Database>
class LookUp : public Heuristic {
 public:
  explicit LookUp(std::shared_ptr<const Database> database, Clocks clocks = Clocks::Ignore)
      : database_(std::move(database)), clocks_(clocks), scratch_(detail::ScratchOf<Database>::make(*database_)) {}

  uint32_t evaluate(const StateView& state) override {
    if constexpr (NeedsScratch<Database>) {
      return database_->look_up(state.values, clocks_ == Clocks::Use ? state.zone : zone::ZoneView{}, scratch_);
    } else {
      return database_->look_up(state.values);
    }
  }
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t>, uint32_t) override {
    return evaluate(state);
  }
  bool prefers(std::span<const uint32_t>) const override { return false; }
  uint64_t bytes() const override { return database_->report().bytes; }

 private:
  std::shared_ptr<const Database> database_;
  Clocks clocks_;
  [[no_unique_address]] typename detail::ScratchOf<Database>::Type scratch_;
};

}  // namespace harrier::heur
