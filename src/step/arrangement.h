// One state for all that a permutation of interchangeable processes makes of it (model/symmetry.h).
//
// An arrangement sorts the processes of every group: two neighbours are exchanged, by an exchange that is proved to be
// an automorphism, as long as that makes the state smaller, variable by variable; a name that points to the later one
// of two processes that are equal otherwise exchanges them, too. What is left is decided by the clocks: the process
// whose clock is smaller comes first, by the bounds of the zone on their difference, then by those on each (Hendriks,
// Behrmann, Larsen, Niebert and Vaandrager 2003 sort by the order of resets). That is no canonical form where clocks or
// names depend on each other in a ring. It need not be one: whatever comes out is the image of the state under an
// automorphism, and stands for it; two states that could have one stand for themselves at worst.
//
//     Arrangement arrangement(symmetry, system);
//     if (arrangement.arrange(values, zone, [&](uint32_t variable, int32_t value) { … })) …   // something has changed
//
// On a path, each state is the image of what really follows from the one before; Renaming says what edges are called
// really.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/path.h"
#include "model/symmetry.h"
#include "model/system.h"
#include "zone/dbm.h"

namespace harrier::step {

class Arrangement {
 public:
  Arrangement(std::shared_ptr<const model::Symmetry> symmetry, const model::System& system);

  // Exchanges until the processes are in order. Calls write(variable, value) for what changes, which has to write
  // `values`. Of the zone, `clock_from` tells what has to be done. False: nothing has changed.
  template <class Write>
  bool arrange(const int32_t* values, const zone::ZoneView& zone, Write&& write) {
    if (!applied_.empty()) reset();
    for (const Group& group : groups_) {
      for (size_t end = 0; end < group.size(); ++end) {
        for (size_t i = end + 1; i-- > 0 && improves(group[i], values, zone);) apply(group[i], values, write);
      }
    }
    return !applied_.empty();
  }
  // After that: the exchanges, one after the other; and which clock had the value that a clock has now.
  std::span<const model::Exchange* const> applied() const { return applied_; }
  uint32_t clock_from(uint32_t clock) const { return clock_from_[clock]; }

 private:
  struct Place {
    uint32_t variable = 0;
    uint32_t from = 0;                              // whose value it gets
    const model::Exchange::Names* names = nullptr;  // that are exchanged in it; null: none
  };
  struct Swap {
    const model::Exchange* exchange = nullptr;
    std::vector<Place> places;  // those whose values decide come first: `deciding` of them
    size_t deciding = 0;
    std::vector<std::pair<uint32_t, uint32_t>> clocks;
  };
  using Group = std::vector<Swap>;

  static int32_t after(const Place& place, const int32_t* values) {
    const int32_t value = values[place.from];
    if (place.names == nullptr) return value;
    for (const auto& [a, b] : *place.names) {
      if (value == a) return b;
      if (value == b) return a;
    }
    return value;
  }
  void reset();
  // Whether the exchange makes the state smaller.
  bool improves(const Swap& swap, const int32_t* values, const zone::ZoneView& zone) const;
  bool improves_clocks(const Swap& swap, const zone::ZoneView& zone) const;
  template <class Write>
  void apply(const Swap& swap, const int32_t* values, Write&& write) {
    new_values_.clear();
    for (const Place& place : swap.places) new_values_.push_back(after(place, values));
    for (size_t i = 0; i < swap.places.size(); ++i) {
      const uint32_t variable = swap.places[i].variable;
      if (values[variable] != new_values_[i]) write(variable, new_values_[i]);
    }
    for (const auto& [a, b] : swap.clocks) std::swap(clock_from_[a], clock_from_[b]);
    applied_.push_back(swap.exchange);
  }

  std::shared_ptr<const model::Symmetry> symmetry_;
  std::vector<Group> groups_;
  std::vector<uint32_t> clock_from_;
  std::vector<const model::Exchange*> applied_;
  std::vector<int32_t> new_values_;
};

// What the edges, clocks and clauses of the state that stands for another one are called in that one.
class Renaming {
 public:
  Renaming(const model::System& system, const model::Property& property);

  // The state is exchanged further.
  void then(std::span<const model::Exchange* const> exchanges);
  void rename(model::PathStep& step) const;
  void rename(std::vector<model::ClockAtom>& atoms) const;
  size_t clause(size_t number) const { return clauses_[number]; }

 private:
  const model::System& system_;
  std::vector<uint32_t> edges_;
  std::vector<uint32_t> clocks_;
  std::vector<uint32_t> clauses_;
};

}  // namespace harrier::step
