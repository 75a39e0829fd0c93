// The zone graph of a model with clocks: states are a discrete state and a zone, closed under the passing of time.
//
// Successors of (s, Z): for every firing, Z and the guards, the resets, the invariants of the target, then time passes
// (unless something is urgent) within the invariants, then the zone is extrapolated (Extra+_LU with bounds by location;
// clocks that no longer matter are dropped from the matrix). A candidate is subsumed if it lies in a_LU of a stored
// zone of the same discrete state; stored zones that it includes are dropped. Both are sound for reachability and keep
// shortest paths: the abstraction is a simulation, and `keep_below` protects unexpanded states of an earlier layer.
//
// Three things need more than one convex zone, and bounds that make the abstraction a bisimulation (ClockBounds,
// exact): priorities (the part of the zone where nothing more important is enabled), broadcast receivers with clock
// guards (the part where those that do not take part cannot), and deadlock tests. Models with diagonal constraints are
// split along each of them before extrapolation and cut back afterwards (Bengtsson and Yi 2003), without a_LU.
//
// The interface is that of DiscreteSpace.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "space/clock_bounds.h"
#include "space/federation.h"
#include "space/goal.h"
#include "space/layout.h"
#include "space/network.h"
#include "space/node.h"
#include "space/state_store.h"
#include "space/zone_store.h"
#include "trace/path.h"

namespace harrier::space {

class ZoneSpace {
 public:
  ZoneSpace(const model::System& system, const model::Property& property, Budget& budget, bool track_cost);

  template <class Visit>
  void for_each_initial(Visit&& visit);
  template <class Visit>
  void for_each_successor(uint64_t id, Visit&& visit);

  Admission admit(uint64_t parent, uint32_t ordinal, uint32_t cost);
  std::optional<size_t> goal();

  // The state was subsumed by a later one before it was expanded: skip it.
  bool dropped(uint64_t id) const { return nodes_[id]->block == nullptr; }
  // The state has been expanded; it stays known, but need not be protected any more.
  void release(uint64_t id);
  // States below this number may not be dropped before they are released.
  void keep_below(uint64_t id) { keep_below_ = id; }
  uint64_t transient() const { return 0; }
  uint32_t steps() const { return 1; }
  uint64_t passed() const { return 0; }
  uint64_t stored() const { return zones_.size(); }
  uint32_t cost(uint64_t id) const { return nodes_[id]->cost; }

  size_t variable_count() const { return system_.variables.size(); }
  const int32_t* candidate() const { return values_.data(); }
  void read(uint64_t id, int32_t* values) const { layout_.unpack(store_[nodes_[id]->discrete], values); }
  // Of a candidate that was just admitted as fresh, as it is stored; and of a stored state with these values, until the
  // next one is read.
  ZoneView candidate_zone() const { return {target_zone_.data(), target_.local.data(), target_.dim()}; }
  ZoneView read_zone(uint64_t id, const int32_t* values);
  uint64_t discrete_of(uint64_t id) const { return nodes_[id]->discrete; }

  trace::Path path_to(uint64_t id, size_t goal_clause);

 private:
  // The clocks that matter in a discrete state, with their bounds: local index k (from 1) stands for clock clocks[k].
  struct ActiveClocks {
    std::vector<uint32_t> clocks;  // [0] is the reference clock
    std::vector<int32_t> lower;    // by local index
    std::vector<int32_t> upper;
    std::vector<uint32_t> local;  // by clock; 0: not active (or the reference clock)
    uint32_t dim() const { return static_cast<uint32_t>(clocks.size()); }
  };

  struct Node {
    Origin origin;
    uint64_t discrete = 0;
    ZoneBlock* block = nullptr;  // null: dropped
    uint32_t cost = 0;
    bool released = false;
    bool listed = true;  // in the list of its discrete state
  };

  // A transition that is enabled as far as variables go, for the slow paths: where in the zone it is enabled.
  struct Enabled {
    int64_t priority = 0;
    std::vector<Piece> parts;  // the atoms of each part describe it completely
  };

  void find_active(const int32_t* values, ActiveClocks& active) const;
  // Evaluates a constraint; false if its condition does not hold and it says nothing.
  bool evaluate(Machine& machine, const CompiledConstraint& c, const int32_t* values, Bound& bound) const;
  bool collect_guard(std::span<const uint32_t> edges, const int32_t* values);
  // Turns `target_zone_` (on entry, over the clocks of `target_`) into the zone after delay. False if empty.
  bool settle(Machine& machine, const int32_t* values);
  // The zone on entering the target: resets applied, clocks of `target_` only.
  void enter_target(const Bound* zone, const ActiveClocks& source);
  // Offers `target_zone_` as a candidate, or its parts along the diagonals. False: the visitor wants to stop.
  template <class Visit>
  bool offer(Visit&& visit);
  // Visits the successors of the state in values_, source_, source_zone_: visit(firing, extra atoms over clocks).
  template <class Visit>
  void expand(Visit&& visit);
  bool load(uint64_t id);

  std::vector<Enabled> enabled_transitions(const Bound* zone, const ActiveClocks& active, int32_t* values);
  // Atoms of the clock guards of edges, over the local clocks of a state.
  std::vector<Atom> guard_atoms(std::span<const uint32_t> edges, const ActiveClocks& active, const int32_t* values);
  // The parts of a zone where no transition of higher priority than `priority` is enabled.
  std::vector<Piece> unblocked(std::vector<Piece> pieces, const std::vector<Enabled>& all, int64_t priority) const;
  std::vector<Piece> deadlocked(const Bound* zone, const ActiveClocks& active, int32_t* values);
  std::optional<size_t> goal_in(const Bound* zone, const ActiveClocks& active, int32_t* values,
                                std::vector<Atom>* deadlock_part);
  std::vector<trace::ClockAtom> global(std::span<const Atom> atoms, const ActiveClocks& active) const;

  const model::System& system_;
  Network network_;
  std::vector<CompiledClause> goal_;
  Machine machine_;
  Machine probe_;  // for evaluations that must not touch the journal of the candidate
  bool has_priorities_;
  ClockBounds bounds_;
  Layout layout_;
  StateStore store_;
  ChunkedArray<ZoneBlock*> lists_;  // by discrete state
  ZoneStore zones_;
  ChunkedArray<Node> nodes_;
  bool track_cost_;
  uint64_t keep_below_ = 0;

  // The state being expanded.
  std::vector<int32_t> values_;
  std::vector<uint64_t> source_words_;
  ActiveClocks source_;
  std::vector<Bound> source_zone_;
  // The firing in progress.
  std::vector<Atom> guard_;
  std::vector<Bound> guard_zone_;
  // The candidate.
  ActiveClocks target_;
  std::vector<Bound> target_zone_;
  std::vector<uint64_t> words_;
  bool incremental_ = false;
  bool known_discrete_ = false;  // the discrete state of the candidate had been admitted before
  uint64_t candidate_discrete_ = 0;
  bool discrete_goal_;                                // the goal says nothing about clocks
  std::unordered_map<uint64_t, size_t> goal_states_;  // then: the discrete states that satisfy a clause
  std::vector<Atom> sides_;                           // of the diagonals on which the candidate lies, over its clocks
  // The state whose zone was read.
  ActiveClocks read_;
  std::vector<Bound> read_zone_;
  // Scratch.
  std::vector<Bound> upper_;
  std::vector<Atom> other_;
  std::vector<Bound> thresholds_;
  std::vector<int32_t> reset_value_;  // by clock; -1: not reset
  ZonePattern pattern_;
};

template <class Visit>
bool ZoneSpace::offer(Visit&& visit) {
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
void ZoneSpace::for_each_initial(Visit&& visit) {
  values_ = system_.initial_values();
  incremental_ = false;
  if (!network_.invariants_hold(machine_, values_.data())) return;
  find_active(values_.data(), target_);
  target_zone_.assign(size_t{target_.dim()} * target_.dim(), kZeroLe);
  if (settle(probe_, values_.data())) offer([&] { return visit(); });
}

template <class Visit>
void ZoneSpace::for_each_successor(uint64_t id, Visit&& visit) {
  if (!load(id)) return;
  uint32_t ordinal = 0;
  expand([&](const Firing& firing, std::span<const Atom>) { return visit(next_ordinal(ordinal), firing); });
}

template <class Visit>
void ZoneSpace::expand(Visit&& visit) {
  const uint32_t dim = source_.dim();
  const std::vector<Enabled> all =
      has_priorities_ ? enabled_transitions(source_zone_.data(), source_, values_.data()) : std::vector<Enabled>();
  network_.for_each_firing(machine_, values_.data(), [&](const Firing& firing) {
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
        if (collect_guard({&e, 1}, values_.data())) pieces = subtract(std::move(pieces), guard_);
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
        if (!settle(probe_, values_.data())) continue;
        incremental_ = true;
        go_on = offer(
            [&] { return visit(firing, whole ? std::span<const Atom>() : std::span<const Atom>(pieces[i].atoms)); });
      }
    }
    machine_.undo(values_.data());
    return go_on;
  });
}

}  // namespace harrier::space
