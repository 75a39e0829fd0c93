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
// with `track_cost` a known state that is reached at lower cost is admitted again under its new parent. `context` is
// what the cost of going on depends on besides the state, by at most one: with `by_context` a state has a number for
// every context in which it was reached at its lowest cost.
//
// A state is *transient* if a process has exclusive control there, as inside Promela's atomic sequences. With
// `pass_through` such states are not given to the visitor, but passed through: the successors of a state at rest are
// all states at rest that can be reached by transient ones alone, and the transient ones that are goals. A successor
// can be several steps away then. Where that would be too many states at once (InnerStates::kMost), those that there
// is no room for are visited as others are; from a transient state, successors are one step away.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "model/path.h"
#include "step/goal.h"
#include "step/inner_states.h"
#include "step/layout.h"
#include "step/network.h"
#include "step/reduction.h"
#include "store/origin.h"
#include "store/state_store.h"
#include "zone/dbm.h"

namespace harrier::search {

using namespace step;
using namespace store;
using namespace zone;

struct DiscreteOptions {
  bool reduce = false;        // partial-order reduction, where it is possible (reduction.h)
  bool pass_through = false;  // transient states are not stored; lengths of paths and costs are not the least ones
  bool by_context = false;    // tell states that are reached in different contexts apart; costs must be tracked
};

class DiscreteSpace {
 public:
  DiscreteSpace(const model::System& system, const model::Property& property, Budget& budget, bool track_cost,
                const DiscreteOptions& options = {});

  template <class Visit>
  void for_each_initial(Visit&& visit);
  template <class Visit>
  void for_each_successor(uint64_t id, Visit&& visit) {
    std::copy_n(store_[discrete_of(id)], source_words_.size(), source_words_.data());
    layout_.unpack(source_words_.data(), values_.data());
    const uint32_t alone = reduction_ ? process_to_follow() : kNobody;
    if (alone != kNobody) {
      follow(alone, visit);
    } else if (pass_through_ && !is_transient()) {
      expand_through(visit);
    } else {
      expand(visit);
    }
  }
  // The number of steps from the state that is being expanded to the candidate.
  uint32_t steps() const { return inner_.depth(inner_source_) + 1; }
  // Successors that were passed through so far and not given to a visitor.
  uint64_t passed() const { return passed_; }

  // Takes the candidate in. Not fresh: it was known, at no greater cost if costs are tracked.
  Admission admit(uint64_t parent, uint32_t ordinal, uint32_t cost, uint32_t context = 0);
  // The clause of the goal that the candidate satisfies.
  std::optional<size_t> goal();
  // Whether the candidate is one of the accepting states of the property.
  bool accepting();
  // Makes a stored state the candidate.
  void recall(uint64_t id) { layout_.unpack(store_[discrete_of(id)], values_.data()); }

  // The state has been reached at lower cost in another context.
  bool dropped(uint64_t id) const { return by_context_ && *cost_[id] > *cost_[*newest_[discrete_of(id)]]; }
  void release(uint64_t) {}
  void keep_below(uint64_t) {}
  uint64_t stored() const { return origins_.size(); }
  uint64_t transient() const { return transient_; }
  uint32_t cost(uint64_t id) const { return *cost_[id]; }

  size_t variable_count() const { return system_.variables.size(); }
  // The values of the candidate, and of a stored state.
  const int32_t* candidate() const { return values_.data(); }
  void read(uint64_t id, int32_t* values) const { read_discrete(discrete_of(id), values); }
  // The same by the number of a discrete state.
  uint64_t discrete_states() const { return store_.size(); }
  void read_discrete(uint64_t discrete, int32_t* values) const { layout_.unpack(store_[discrete], values); }
  const std::vector<Machine::Violation>& violations() const { return machine_.violations(); }
  // Their zones: there are none.
  ZoneView candidate_zone() const { return {}; }
  ZoneView read_zone(uint64_t, const int32_t*) const { return {}; }
  // The number of the values of a stored state: states that differ only in their contexts share it.
  uint64_t discrete_of(uint64_t id) const { return by_context_ ? places_[id]->discrete : id; }

  model::Path path_to(uint64_t id, size_t goal_clause);
  // To be called when an evaluation failed, before anything else.
  void recover() {
    machine_.keep();
    probe_.keep();
    inner_source_ = InnerStates::kOutside;
  }

 private:
  // Visits the successors of the state in `values_`, which is restored afterwards.
  template <class Visit>
  void expand(Visit&& visit);
  // The same through transient states; `values_` is not restored.
  template <class Visit>
  void expand_through(Visit&& visit);
  // As expand, for what one process can do at a safe location, with ordinals that name the edges.
  template <class Visit>
  void follow(uint32_t process, Visit&& visit);
  // A process at a safe location that leads to new states only.
  uint32_t process_to_follow();
  bool is_transient() const {
    return system_.control.valid() && values_[system_.control.value] != system_.control_at_rest();
  }
  void pack_candidate();
  Admission admit_in_context(uint64_t discrete, bool fresh, Origin origin, uint32_t cost, uint32_t context);
  std::optional<int64_t> highest_priority();
  bool is_deadlock();

  static constexpr uint32_t kNobody = UINT32_MAX;
  // Ordinals of the successors of a process that is followed alone: this bit, and the edge, which fires alone.
  static constexpr uint32_t kAlone = 1u << 23;
  uint32_t most_successors() const { return reduction_ ? kAlone : Origin::kMostSuccessors; }

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
  bool by_context_;
  // With contexts: where a numbered state belongs, and the newest one of each discrete state, which is a cheapest one.
  static constexpr uint64_t kNone = UINT64_MAX;
  struct Place {
    uint64_t discrete = 0;
    uint64_t older = kNone;  // of the same discrete state
    uint32_t context = 0;
  };
  ChunkedArray<Place> places_;
  ChunkedArray<uint64_t> newest_;
  bool has_priorities_;
  std::vector<int32_t> values_;
  std::vector<uint64_t> source_words_;
  std::vector<uint64_t> words_;
  uint64_t transient_ = 0;
  bool pass_through_;
  InnerStates inner_;
  uint32_t inner_source_ = InnerStates::kOutside;  // the state whose successors are being generated
  uint64_t passed_ = 0;
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
      go_on = visit(next_ordinal(ordinal, most_successors()), firing);
    }
    machine_.undo(values_.data());
    return go_on;
  });
}

template <class Visit>
void DiscreteSpace::expand_through(Visit&& visit) {
  inner_.clear();
  uint32_t ordinal = 0;
  uint32_t next = 0;
  bool go_on = true;
  const auto step = [&](uint32_t, const Firing& firing) {
    if (is_transient()) {
      pack_candidate();
      const InnerStates::Inserted inserted = inner_.insert(words_.data(), inner_source_, firing.edges);
      if (inserted == InnerStates::Inserted::Known || (inserted == InnerStates::Inserted::Fresh && !goal())) {
        ++passed_;
        return true;
      }
    }
    go_on = visit(next_ordinal(ordinal, most_successors()), firing);
    return go_on;
  };
  for (;;) {
    expand(step);
    if (!go_on || next == inner_.size()) break;
    inner_source_ = next++;
    std::copy_n(inner_[inner_source_], source_words_.size(), source_words_.data());
    layout_.unpack(source_words_.data(), values_.data());
  }
  inner_source_ = InnerStates::kOutside;
}

template <class Visit>
void DiscreteSpace::follow(uint32_t process, Visit&& visit) {
  network_.for_each_firing_of(machine_, values_.data(), process, false, [&](const Firing& firing) {
    bool go_on = true;
    if (network_.fire(machine_, values_.data(), firing.edges)) {
      incremental_ = true;
      go_on = visit(kAlone | firing.edges[0], firing);
    }
    machine_.undo(values_.data());
    return go_on;
  });
}

}  // namespace harrier::search
