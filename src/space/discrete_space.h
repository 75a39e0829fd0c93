// The state space of a model without clocks.
//
// A space keeps the states that a search has admitted, by number, and generates successors. While a successor is being
// visited it is the *candidate*; the search asks whether it is a goal and admits it or not:
//
//     space.for_each_initial([&] { … });
//     space.for_each_successor(id, [&](uint32_t ordinal, const Firing& firing) {   // return false to stop
//       Admission a = space.admit(id, ordinal, cost);
//       if (a.fresh && space.goal()) …
//       return true;
//     });
//
// `ordinal` numbers the successors of a state. A state remembers only its parent and its ordinal, from which
// `path_to` regenerates the transitions. `cost` is whatever the search wants to be small (depth, context switches);
// with `track_cost` a known state that is reached at lower cost is admitted again under its new parent.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "space/dbm.h"
#include "space/goal.h"
#include "space/layout.h"
#include "space/network.h"
#include "space/node.h"
#include "space/reduction.h"
#include "space/state_store.h"
#include "trace/path.h"

namespace harrier::space {

class DiscreteSpace {
 public:
  // With `reduce`, partial-order reduction is used where it is possible (reduction.h).
  DiscreteSpace(const model::System& system, const model::Property& property, Budget& budget, bool track_cost,
                bool reduce = false);

  template <class Visit>
  void for_each_initial(Visit&& visit);
  template <class Visit>
  void for_each_successor(uint64_t id, Visit&& visit) {
    std::copy_n(store_[id], source_words_.size(), source_words_.data());
    layout_.unpack(source_words_.data(), values_.data());
    const uint32_t alone = reduction_ ? process_to_follow() : kNobody;
    if (alone == kNobody) {
      expand(visit);
    } else {
      follow(alone, visit);
    }
  }

  // Takes the candidate in. Not fresh: it was known, at no greater cost if costs are tracked.
  Admission admit(uint64_t parent, uint32_t ordinal, uint32_t cost);
  // The clause of the goal that the candidate satisfies.
  std::optional<size_t> goal();
  // Whether the candidate is one of the accepting states of the property.
  bool accepting();
  // Makes a stored state the candidate.
  void recall(uint64_t id) { layout_.unpack(store_[id], values_.data()); }

  bool dropped(uint64_t) const { return false; }
  void release(uint64_t) {}
  void keep_below(uint64_t) {}
  uint64_t stored() const { return store_.size(); }
  uint64_t transient() const { return transient_; }
  uint32_t cost(uint64_t id) const { return *cost_[id]; }

  size_t variable_count() const { return system_.variables.size(); }
  // The values of the candidate, and of a stored state.
  const int32_t* candidate() const { return values_.data(); }
  void read(uint64_t id, int32_t* values) const { layout_.unpack(store_[id], values); }
  // Their zones: there are none.
  ZoneView candidate_zone() const { return {}; }
  ZoneView read_zone(uint64_t, const int32_t*) const { return {}; }
  // The number of the discrete part of a stored state: states that differ only in their zones share it.
  uint64_t discrete_of(uint64_t id) const { return id; }

  trace::Path path_to(uint64_t id, size_t goal_clause);

 private:
  // Visits the successors of the state in `values_`, which is restored afterwards.
  template <class Visit>
  void expand(Visit&& visit);
  // The same for what one process can do, with ordinals that say so.
  template <class Visit>
  void follow(uint32_t process, Visit&& visit);
  // A process at a safe location that leads to new states only.
  uint32_t process_to_follow();
  void pack_candidate();
  std::optional<int64_t> highest_priority();
  bool is_deadlock();

  static constexpr uint32_t kNobody = UINT32_MAX;
  // Ordinals of the successors of a process that is followed alone: this bit, the process, and a number.
  static constexpr uint32_t kAlone = 1u << 23;
  static constexpr uint32_t kAloneBits = 11;

  const model::System& system_;
  Network network_;
  std::vector<CompiledClause> goal_;
  std::vector<CompiledClause> accepting_;
  std::optional<Reduction> reduction_;
  Machine machine_;
  Machine probe_;  // for looking ahead from the candidate without touching its journal
  Layout layout_;
  StateStore store_;
  ChunkedArray<Origin> origins_;
  ChunkedArray<uint32_t> cost_;
  bool track_cost_;
  bool has_priorities_;
  std::vector<int32_t> values_;
  std::vector<uint64_t> source_words_;
  std::vector<uint64_t> words_;
  uint64_t transient_ = 0;
  bool incremental_ = false;  // words_ follow from source_words_ and the journal
};

template <class Visit>
void DiscreteSpace::for_each_initial(Visit&& visit) {
  values_ = system_.initial_values();
  incremental_ = false;
  if (network_.invariants_hold(machine_, values_.data())) visit();
}

template <class Visit>
void DiscreteSpace::expand(Visit&& visit) {
  const std::optional<int64_t> highest = has_priorities_ ? highest_priority() : std::nullopt;
  uint32_t ordinal = 0;
  network_.for_each_firing(machine_, values_.data(), [&](const Firing& firing) {
    bool go_on = true;
    if ((!highest || network_.priority(firing.edges) == *highest) &&
        network_.fire(machine_, values_.data(), firing.edges)) {
      incremental_ = true;
      go_on = visit(next_ordinal(ordinal), firing);
    }
    machine_.undo(values_.data());
    return go_on;
  });
}

template <class Visit>
void DiscreteSpace::follow(uint32_t process, Visit&& visit) {
  uint32_t ordinal = kAlone | process << kAloneBits;
  network_.for_each_firing_of(machine_, values_.data(), process, false, [&](const Firing& firing) {
    bool go_on = true;
    if (network_.fire(machine_, values_.data(), firing.edges)) {
      incremental_ = true;
      go_on = visit(ordinal++, firing);
    }
    machine_.undo(values_.data());
    return go_on;
  });
}

}  // namespace harrier::space
