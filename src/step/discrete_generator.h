// How a model without clocks moves, one state at a time.
//
// One state is being left; a successor of it is the *candidate* while a sink looks at it:
//
//     generator.load(words);
//     generator.successors([&](const Firing& firing) {   // return false to stop
//       … generator.values(), generator.words(), generator.goal() …
//       return true;
//     });
//
// Or one way is followed: `make` a transition, look at the candidate, and `take_back` it or `keep` it. The values are
// changed in place and back, so that a successor costs what its transition writes.
//
// It shares the Semantics with others and has all scratch memory to itself: one a thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/rng.h"
#include "base/watch.h"
#include "step/packed_candidate.h"
#include "step/semantics.h"
#include "step/workspace.h"
#include "zone/dbm.h"

namespace harrier::step {

class DiscreteGenerator {
 public:
  // Both must outlive it.
  DiscreteGenerator(const Semantics& semantics, const Watch& watch);

  const Semantics& semantics() const { return semantics_; }

  // The state to leave.
  void load(const uint64_t* words) { packed_.load(words, values_.data(), network_.program().native()); }
  void load(std::span<const int32_t> values);

  // Calls sink() for every initial state, until it returns false.
  template <class Sink>
  void initial(Sink&& sink) {
    const model::EdgeId beginning = semantics_.system().beginning;
    if (!beginning.valid()) {
      if (load_initial()) sink();
      return;
    }
    load(semantics_.initial());
    if (!may_begin()) return;
    network_.for_each_outcome(work_, values_.data(), std::array{beginning.value}, sink);
  }
  // Calls sink(firing) for every successor until it returns false.
  template <class Sink>
  void successors(Sink&& sink) {
    const std::optional<int64_t> highest = semantics_.has_priorities() ? highest_priority() : std::nullopt;
    network_.for_each_firing(work_, values_.data(), [&](const Firing& firing) {
      return (highest && network_.priority(firing.edges) != *highest) || offer(firing, sink);
    });
  }
  // The same for what one process can start by itself, if nobody has exclusive control and there are no priorities.
  template <class Sink>
  void successors_of(uint32_t process, Sink&& sink) {
    network_.for_each_firing_of(work_, values_.data(), process, false,
                                [&](const Firing& firing) { return offer(firing, sink); });
  }

  // Makes an initial state the one to leave, the one with these choices; false if an invariant rules it out.
  bool load_initial(std::span<const int32_t> choices = {});
  // The same with one that is drawn at random; with the first one, if that fails too often.
  bool load_random_initial(Rng& rng);
  // Makes a transition whose guards hold, for the time being, with these choices. False: an invariant, a range or an
  // assumption does not let it.
  bool make(std::span<const uint32_t> edges, std::span<const int32_t> choices = {}) {
    if (!choices.empty()) work_.choices().set(choices);
    if (network_.fire(work_, values_.data(), edges)) return true;
    take_back();
    return false;
  }
  void take_back() { work_.undo(values_.data()); }
  // Changes the candidate, as if its transition had done so.
  void rewrite(uint32_t variable, int32_t value) { work_.write(values_.data(), variable, value); }
  // The candidate is left next.
  void keep() {
    work_.keep();
    packed_.forget();
  }
  // The edges can fire together here, as far as guards, control and priorities decide.
  bool permits(std::span<const uint32_t> edges);

  // The candidate; without one, the state itself.
  const int32_t* values() const { return values_.data(); }
  const std::vector<int32_t>& all_values() const { return values_; }
  ZoneView zone() const { return {}; }
  const uint64_t* words() { return packed_.words(values_.data(), work_.journal()); }
  // A process has exclusive control there.
  bool is_transient() const {
    const model::System& system = semantics_.system();
    return system.control.valid() && values_[system.control.value] != system.control_at_rest();
  }
  // The clause of the goal that it satisfies, the first one. Deadlocks need not be looked for where there is none.
  std::optional<size_t> goal(bool may_be_deadlock = true);
  // It is in an accepting set of the property.
  bool accepting(size_t set);
  bool can_move();
  // What one process can start by itself, if nobody has exclusive control and there are no priorities.
  bool can_move(uint32_t process);

  // What the effects that led to the candidate have chosen.
  std::span<const int32_t> choices() const { return work_.choices().made(); }
  // What the candidate changed.
  std::span<const JournalEntry> journal() const { return work_.journal(); }
  std::span<const model::ClockReset> resets() const { return work_.resets(); }
  const std::vector<Machine::Violation>& violations() const { return work_.violations(); }
  // To be called when an evaluation failed, before anything else. What looking ahead has written is taken back.
  void recover() {
    probe_.undo(values_.data());
    work_.keep();
  }

  // Calls visit(firing) for all transitions whose guards hold, or for those that a process starts, also for such as an
  // invariant or a range does not let happen; of priorities only what is of the highest. Edges that choose are one for
  // each of their outcomes.
  template <class Visit>
  void firings(Visit&& visit) {
    const std::optional<int64_t> highest = semantics_.has_priorities() ? highest_priority() : std::nullopt;
    network_.for_each_firing(work_, values_.data(), [&](const Firing& firing) {
      return (highest && network_.priority(firing.edges) != *highest) || list(firing, visit);
    });
  }
  template <class Visit>
  void firings_of(uint32_t process, bool committed, Visit&& visit) {
    network_.for_each_firing_of(work_, values_.data(), process, committed,
                                [&](const Firing& firing) { return list(firing, visit); });
  }

 private:
  template <class Sink>
  bool offer(const Firing& firing, Sink& sink) {
    Firing chosen;
    const Firing* offered = &firing;
    return network_.for_each_outcome(work_, values_.data(), firing.edges, [&] {
      if (network_.has_choices()) {
        chosen = {firing.edges, firing.refused, 0, choices()};
        offered = &chosen;
      }
      return sink(*offered);
    });
  }
  template <class Visit>
  bool list(const Firing& firing, Visit& visit) {
    return network_.chooses(firing.edges) ? offer(firing, visit) : visit(firing);
  }
  // The guard of the beginning holds.
  bool may_begin() { return work_.holds(network_.edge(semantics_.system().beginning.value).guard, values_.data()); }
  // Fires the beginning.
  bool begin();
  // Of what can happen, if there are priorities.
  std::optional<int64_t> highest_priority();
  const Semantics& semantics_;
  const Network& network_;
  Workspace work_;
  Workspace probe_;  // for looking ahead from the candidate without touching its journal
  std::vector<int32_t> values_;
  PackedCandidate packed_;
};

}  // namespace harrier::step
