// The states of a model without clocks that a search has found.
//
// A space keeps the states that a search has admitted, by number, and generates successors. While a successor is being
// visited it is the *candidate*; the search asks whether it is a goal and admits it or not:
//
//     space.for_each_initial([&] { … });
//     space.for_each_successor(id, [&](const step::Firing& firing) {   // return false to stop
//       store::Admission a = space.admit(id, cost);
//       if (a.fresh && space.goal()) …
//       return true;
//     });
//
// `cost` is whatever the search wants to be small (depth, context switches); with `track_cost` a known state that is
// reached at lower cost is admitted again under its new parent. `context` is what the cost of going on depends on
// besides the state, by at most one: with `by_context` a state has a number for every context in which it was reached
// at its lowest cost.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "model/path.h"
#include "search/step_names.h"
#include "step/arrangement.h"
#include "step/discrete_generator.h"
#include "step/layers.h"
#include "store/origin.h"
#include "store/state_store.h"
#include "zone/dbm.h"

namespace harrier::search {

struct DiscreteOptions {
  // Where transient states are passed through, successors can be several steps away: costs are the least only if they
  // are tracked and the search goes by depth.
  step::LayerOptions layers;
  bool last_first = false;  // states are expanded last in, first out, and each once
  bool compress = false;    // states are kept in a tree (store/state_tree.h)
  bool by_context = false;  // tell states that are reached in different contexts apart; costs must be tracked
  std::shared_ptr<const model::Symmetry> symmetry = nullptr;  // successors are arranged (step/arrangement.h)
};

class DiscreteSpace {
 public:
  DiscreteSpace(const step::Semantics& semantics, Budget& budget, bool track_cost, const DiscreteOptions& options = {});

  template <class Visit>
  void for_each_initial(Visit&& visit) {
    edges_ = {};
    const auto note = [&] {
      choices_ = generator_.choices();
      return visit();
    };
    generator_.initial(note);
  }
  template <class Visit>
  void for_each_successor(uint64_t id, Visit&& visit) {
    const auto note = [&](const step::Firing& firing) {
      edges_ = firing.edges;
      choices_ = firing.choices;
      arrange();
      return visit(firing);
    };
    recall(id);
    if (layers_.reduces()) begin_expansion(id);
    if (layers_.successors([&] { recall(id); }, [&] { return leads_on_; }, note)) ++reduced_;
  }
  // The number of steps from the state that is being expanded to the candidate.
  uint32_t steps() const { return layers_.steps(); }
  // Successors that were passed through so far and not given to a visitor.
  uint64_t passed() const { return layers_.passed(); }

  // Takes the candidate in. Not fresh: it was known, at no greater cost if costs are tracked.
  store::Admission admit(uint64_t parent, uint32_t cost, uint32_t context = 0);
  // How the candidate is reached from a state.
  store::Origin origin(uint64_t parent);
  // The clause of the goal that the candidate satisfies.
  std::optional<size_t> goal() { return generator_.goal(); }
  // Whether the candidate is in an accepting set of the property.
  bool accepting(size_t set) { return generator_.accepting(set); }
  // Makes a stored state the candidate.
  void recall(uint64_t id) { generator_.load(store_[discrete_of(id)]); }

  // The state has been reached at lower cost in another context.
  bool dropped(uint64_t id) const { return by_context_ && *cost_[id] > *cost_[*newest_[discrete_of(id)]]; }
  void release(uint64_t) {}
  void keep_below(uint64_t) {}
  uint64_t stored() const { return origins_.size(); }
  uint64_t transient() const { return transient_; }
  // States of which the reduction has left out processes.
  uint64_t reduced() const { return reduced_; }
  uint32_t cost(uint64_t id) const { return *cost_[id]; }
  store::Origin origin_of(uint64_t id) const { return *origins_[id]; }

  size_t variable_count() const { return generator_.all_values().size(); }
  // The values of the candidate, and of a stored state.
  const int32_t* candidate() const { return generator_.values(); }
  void read(uint64_t id, int32_t* values) const { read_discrete(discrete_of(id), values); }
  // The same by the number of a discrete state.
  uint64_t discrete_states() const { return store_.size(); }
  void read_discrete(uint64_t discrete, int32_t* values) const {
    generator_.semantics().layout().unpack(store_[discrete], values);
  }
  const std::vector<step::Machine::Violation>& violations() const { return generator_.violations(); }
  // Their zones: there are none.
  zone::ZoneView candidate_zone() const { return {}; }
  zone::ZoneView read_zone(uint64_t, const int32_t*) const { return {}; }
  // The number of the values of a stored state: states that differ only in their contexts share it.
  uint64_t discrete_of(uint64_t id) const { return by_context_ ? places_[id]->discrete : id; }

  // The steps that an origin stands for, and the path to a state.
  std::vector<model::PathStep> steps_of(const store::Origin& origin) const { return names_.steps_of(origin.label()); }
  model::Path path_to(uint64_t id, size_t goal_clause) const;
  // The same for a state that is being expanded when something goes wrong, up to where it does.
  model::Path path_to_failure(uint64_t id);
  // To be called when an evaluation failed, before anything else.
  void recover() { layers_.recover(); }

 private:
  // Keeps account of what is expanded and finished.
  void begin_expansion(uint64_t id);
  // A successor is admitted.
  void note_successor(const store::Admission& admission);
  // Puts the candidate into order. False: it is.
  bool arrange() {
    return arrangement_ && arrangement_->arrange(generator_.values(), {}, [&](uint32_t variable, int32_t value) {
      generator_.rewrite(variable, value);
    });
  }
  // The same with these steps at the end.
  model::Path path_to(uint64_t id, size_t goal_clause, std::vector<model::PathStep> more) const;
  store::Admission admit_in_context(const store::Admission& discrete, uint64_t parent, uint32_t cost, uint32_t context);

  step::DiscreteGenerator generator_;
  step::Layers layers_;
  std::shared_ptr<const model::Symmetry> symmetry_;
  std::optional<step::Arrangement> arrangement_;
  std::span<const uint32_t> edges_;   // that lead to the candidate
  std::span<const int32_t> choices_;  // and what their effects have chosen
  store::StateStore store_;
  StepNames names_;
  ChunkedArray<store::Origin> origins_;
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
  uint64_t transient_ = 0;
  // For the reduction: whether the state that is being expanded has a successor that is not expanded yet, or that is
  // new or finished if the last come first (step/reduction.h); and which states are expanded, or finished.
  bool last_first_;
  bool leads_on_ = false;
  uint64_t reduced_ = 0;
  ChunkedArray<uint64_t> settled_;  // a bit a state
  ChunkedArray<uint64_t> way_;      // the expanded states that are not finished
  uint64_t expanding_ = kNone;
};

}  // namespace harrier::search
