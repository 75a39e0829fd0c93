// The zone graph of a model with clocks: symbolic states are a discrete state and a zone, closed under the passing of
// time.
//
// Successors of (s, Z): for every firing, Z and the guards, the resets, the invariants of the target, then time passes
// (unless something is urgent) within the invariants, then the zone is extrapolated (Extra+_LU with bounds by location;
// clocks that no longer matter are dropped from the matrix). The abstraction is a simulation, so that it is sound for
// reachability and keeps shortest paths.
//
// Three things need more than one convex zone, and bounds that make the abstraction a bisimulation (ClockBounds,
// exact): priorities (the part of the zone where nothing more important is enabled), broadcast receivers with clock
// guards (the part where those that do not take part cannot), and deadlock tests. Models with diagonal constraints are
// split along each of them before extrapolation and cut back afterwards (Bengtsson and Yi 2003).
//
// One symbolic state is being left (values_, source_), one is a candidate that it leads to (target_). ZoneSpace keeps
// the states that a search has found; ZoneWalk follows a single way.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/path.h"
#include "step/clock_bounds.h"
#include "step/goal.h"
#include "step/network.h"
#include "zone/federation.h"

namespace harrier::step {

using namespace zone;

class ZoneGraph {
 protected:
  // `exact` demands a bisimulation whatever the property; `watched` are clocks with bounds that hold everywhere.
  ZoneGraph(const model::System& system, const model::Property& property, const Watch& watch, bool exact = false,
            std::span<const ClockBounds::Entry> watched = {});

  // The clocks that matter in a discrete state, with their bounds: local index k (from 1) stands for clock clocks[k].
  struct ActiveClocks {
    std::vector<uint32_t> clocks;  // [0] is the reference clock
    std::vector<int32_t> lower;    // by local index
    std::vector<int32_t> upper;
    std::vector<uint32_t> local;  // by clock; 0: not active (or the reference clock)
    uint32_t dim() const { return static_cast<uint32_t>(clocks.size()); }
    Atom localised(const Atom& a) const { return {local[a.left], local[a.right], a.bound}; }
  };

  // A transition that is enabled as far as variables go, for the slow paths: where in the zone it is enabled.
  struct Enabled {
    int64_t priority = 0;
    std::vector<Piece> parts;  // the atoms of each part describe it completely
  };

  // Leaves out the combinations of a broadcast whose clock guards no valuation of a zone satisfies, or refuses.
  class ZoneFilter : public ReceiverFilter {
   public:
    ZoneFilter(ZoneGraph& graph, const Bound* zone, const ActiveClocks& active, const int32_t* values)
        : graph_(graph), zone_(zone), active_(active), values_(values) {}
    bool begin(uint32_t sender) override;
    bool take(uint32_t edge) override;
    bool refuse(std::span<const uint32_t> edges) override;
    void back() override { parts_.pop_back(); }

   private:
    ZoneGraph& graph_;
    const Bound* zone_;
    const ActiveClocks& active_;
    const int32_t* values_;
    std::vector<std::vector<Piece>> parts_;  // of the zone, after each decision
  };
  // The same for the state that is left. It must not be moved on from meanwhile.
  struct SourceFilter : ZoneFilter {
    explicit SourceFilter(ZoneGraph& graph)
        : ZoneFilter(graph, graph.source_zone_.data(), graph.source_, graph.values_.data()) {}
  };

  void find_active(const int32_t* values, ActiveClocks& active) const;
  bool collect_guard(std::span<const uint32_t> edges, const int32_t* values);
  // Cuts `target_zone_` (on entry, over the clocks of `target_`) down to the invariants. False if empty.
  bool meet_invariants(Machine& machine, const int32_t* values);
  // Then turns it into the zone after delay.
  void pass_time(Machine& machine, const int32_t* values);
  // The zone on entering the target: resets applied, clocks of `target_` only.
  void enter_target(const Bound* zone, const ActiveClocks& source);
  // Offers `target_zone_` as a candidate, or its parts along the diagonals. False: the visitor wants to stop.
  template <class Visit>
  bool offer(Visit&& visit);
  // Makes the initial state the candidate, before any delay. False if there is none.
  bool enter_initial();
  // Visits the initial states.
  template <class Visit>
  void for_each_initial(Visit&& visit);
  // Visits the successors of the state in values_, source_, source_zone_: visit(firing, extra atoms over clocks).
  template <class Visit>
  void expand(Visit&& visit);
  // The same for one firing whose integer guards hold. `all` is what has_priorities_ needs (all_enabled).
  template <class Visit>
  bool expand(const Firing& firing, const std::vector<Enabled>& all, Visit&& visit);
  // Visits the candidates before any delay: arrive(extra atoms over clocks).
  template <class Arrive>
  bool enter(const Firing& firing, const std::vector<Enabled>& all, Arrive&& arrive);
  std::vector<Enabled> all_enabled() {
    return has_priorities_ ? enabled_transitions(source_zone_.data(), source_, values_.data()) : std::vector<Enabled>();
  }
  // The candidate becomes the state that is left; its values are there already. Its zone is extrapolated.
  void move_on();
  // The path of these steps: `initial` numbers the initial state, wanted(k, number, firing) tells the k-th step among
  // the successors of a state.
  template <class Wanted>
  model::Path follow(uint32_t initial, uint64_t steps, size_t goal_clause, Wanted&& wanted);
  std::vector<Enabled> enabled_transitions(const Bound* zone, const ActiveClocks& active, int32_t* values);
  // Atoms of the clock guards of edges, over the local clocks of a state.
  std::vector<Atom> guard_atoms(std::span<const uint32_t> edges, const ActiveClocks& active, const int32_t* values);
  // The parts of a zone where no transition of higher priority than `priority` is enabled.
  std::vector<Piece> unblocked(std::vector<Piece> pieces, const std::vector<Enabled>& all, int64_t priority) const;
  std::vector<Piece> deadlocked(const Bound* zone, const ActiveClocks& active, int32_t* values);
  // The parts of a zone in which the constraints of a clause hold. `whole` is closed under delay; if it has all
  // valuations of the discrete state, the atoms of the parts cut zones that are not extrapolated as well.
  std::vector<Piece> parts_of(const CompiledClause& clause, const Zone& zone, const Zone& whole,
                              const ActiveClocks& active, int32_t* values);
  std::optional<size_t> goal_in(const Bound* zone, const ActiveClocks& active, int32_t* values,
                                std::vector<Atom>* deadlock_part);
  std::vector<model::ClockAtom> global(std::span<const Atom> atoms, const ActiveClocks& active) const;
  // Follows a step without extrapolation, from the candidate to the next one. False if it is not possible.
  bool take(const model::PathStep& step);
  // Follows a path in the same way; the candidate is then its last state, where `goal_extra` holds.
  void go(const model::Path& path);
  // Which part of the final zone of a path is the deadlock can only be told without extrapolation.
  void find_deadlock(model::Path& path);

  const model::System& system_;
  const Watch& watch_;
  Network network_;
  std::vector<CompiledClause> goal_;
  std::vector<CompiledClause> premise_;
  Machine machine_;
  Machine probe_;  // for evaluations that must not touch the journal of the candidate
  bool has_priorities_;
  ClockBounds bounds_;

  // The state being left.
  std::vector<int32_t> values_;
  ActiveClocks source_;
  std::vector<Bound> source_zone_;
  // The firing in progress.
  std::vector<Atom> guard_;
  std::vector<Bound> guard_zone_;
  // The candidate.
  ActiveClocks target_;
  std::vector<Bound> target_zone_;
  std::vector<model::ClockReset> taken_resets_;  // by the last step that was followed with `take`
  std::vector<Atom> sides_;                      // of the diagonals on which the candidate lies, over its clocks

 private:
  // Scratch.
  std::vector<Bound> upper_;  // of the invariants that the candidate met
  std::vector<Atom> other_;
  bool bounded_ = false;
  std::vector<int32_t> reset_value_;  // by clock; -1: not reset
};

template <class Visit>
bool ZoneGraph::offer(Visit&& visit) {
  if (bounds_.diagonals().empty()) return visit();  // extrapolated when it is admitted
  // Split along every diagonal; each part is extrapolated on its own and keeps its sides.
  std::vector<Piece> parts{{Zone(target_.dim(), target_zone_.data()), {}}};
  for (const Diagonal& d : bounds_.diagonals()) {
    const Atom inside{target_.local[d.left], target_.local[d.right], d.bound};
    std::vector<Piece> split;
    for (Piece& part : parts) {
      Piece outside = part;
      const Atom opposite{inside.right, inside.left, negate(inside.bound)};
      if (part.zone.constrain(inside.left, inside.right, inside.bound)) {
        part.atoms.push_back(inside);
        split.push_back(std::move(part));
      }
      if (outside.zone.constrain(opposite.left, opposite.right, opposite.bound)) {
        outside.atoms.push_back(opposite);
        split.push_back(std::move(outside));
      }
    }
    parts = std::move(split);
  }
  for (Piece& part : parts) {
    dbm::extrapolate_lu_plus(part.zone.data(), target_.dim(), target_.lower.data(), target_.upper.data());
    for (const Atom& side : part.atoms) part.zone.constrain(side.left, side.right, side.bound);
    target_zone_.assign(part.zone.data(), part.zone.data() + size_t{target_.dim()} * target_.dim());
    sides_ = std::move(part.atoms);
    if (!visit()) return false;
  }
  return true;
}

template <class Visit>
void ZoneGraph::for_each_initial(Visit&& visit) {
  if (!enter_initial()) return;
  pass_time(probe_, values_.data());
  offer([&] { return visit(); });
}

template <class Visit>
void ZoneGraph::expand(Visit&& visit) {
  const std::vector<Enabled> all = all_enabled();
  SourceFilter filter(*this);
  const auto fire = [&](const Firing& firing) { return expand(firing, all, visit); };
  network_.for_each_firing(machine_, values_.data(), fire, &filter);
}

template <class Visit>
bool ZoneGraph::expand(const Firing& firing, const std::vector<Enabled>& all, Visit&& visit) {
  return enter(firing, all, [&](std::span<const Atom> extra) {
    pass_time(probe_, values_.data());
    return offer([&] { return visit(firing, extra); });
  });
}

template <class Arrive>
bool ZoneGraph::enter(const Firing& firing, const std::vector<Enabled>& all, Arrive&& arrive) {
  const uint32_t dim = source_.dim();
  if (!collect_guard(firing.edges, values_.data())) return true;
  std::copy_n(source_zone_.data(), size_t{dim} * dim, guard_zone_.data());
  for (const Atom& a : guard_) {
    if (!dbm::constrain(guard_zone_.data(), dim, a.left, a.right, a.bound)) return true;
  }
  // One convex zone, unless something must not be enabled.
  std::vector<Piece> pieces;
  const bool whole = all.empty() && firing.refused.empty();
  if (!whole) {
    pieces.push_back({Zone(dim, guard_zone_.data()), {}});
    for (const uint32_t e : firing.refused) {
      if (collect_guard({&e, 1}, values_.data())) pieces = subtract(std::move(pieces), guard_, watch_);
    }
    pieces = unblocked(std::move(pieces), all, network_.priority(firing.edges));
    if (pieces.empty()) return true;
  }
  bool go_on = true;
  if (network_.fire(machine_, values_.data(), firing.edges)) {
    find_active(values_.data(), target_);
    const size_t count = whole ? 1 : pieces.size();
    for (size_t i = 0; i < count && go_on; ++i) {
      enter_target(whole ? guard_zone_.data() : pieces[i].zone.data(), source_);
      if (!meet_invariants(probe_, values_.data())) continue;
      go_on = arrive(whole ? std::span<const Atom>() : std::span<const Atom>(pieces[i].atoms));
    }
  }
  machine_.undo(values_.data());
  return go_on;
}

template <class Wanted>
model::Path ZoneGraph::follow(uint32_t initial, uint64_t steps, size_t goal_clause, Wanted&& wanted) {
  model::Path path;
  path.goal_clause = goal_clause;
  // An evaluation may have failed half-way.
  machine_.keep();
  probe_.keep();
  // A concrete run must stay in the parts that the search took. Delays do not change differences, so that it is enough
  // to demand the sides of a part when it is left.
  std::vector<model::ClockAtom> sides;
  uint32_t seen = 0;
  for_each_initial([&] {
    if (seen++ != initial) return true;
    sides = global(sides_, target_);
    move_on();
    return false;
  });
  for (uint64_t k = 0; k < steps; ++k) {
    std::vector<int32_t> next;
    uint32_t number = 0;
    expand([&](const Firing& firing, std::span<const Atom> extra) {
      if (!wanted(k, number++, firing)) return true;
      model::PathStep step;
      for (const uint32_t e : firing.edges) step.edges.push_back(model::EdgeId(e));
      step.extra = global(extra, source_);
      step.extra.insert(step.extra.end(), sides.begin(), sides.end());
      sides = global(sides_, target_);
      path.steps.push_back(std::move(step));
      next = values_;
      return false;
    });
    values_ = std::move(next);
    move_on();
  }
  path.goal_extra = sides;
  if (goal_clause != kNoClause && goal_[goal_clause].deadlock != model::DeadlockTest::Ignore) {
    find_deadlock(path);
  }
  return path;
}

}  // namespace harrier::step
