// How a model with clocks moves: symbolic states are a discrete state and a zone, closed under the passing of time.
//
// Successors of (s, Z): for every firing, Z and the guards, the resets, the invariants of the target, then time passes
// (unless something is urgent) within the invariants, then the zone is extrapolated (Extra+_LU with bounds by location;
// clocks that no longer matter are dropped from the matrix). The abstraction is a simulation, so that it is sound for
// reachability and keeps shortest paths.
//
// Three things need more than one convex zone, and bounds that make the abstraction a bisimulation (ClockBounds,
// exact): priorities (the part of the zone where nothing more important is enabled), broadcast receivers with clock
// guards (the part where those that do not take part cannot), and deadlock tests. Models with diagonal constraints are
// split along each of them before extrapolation and cut back afterwards (Bengtsson and Yi 2003). So one firing can lead
// to several symbolic states, which are numbered: its *parts*.
//
// One symbolic state is being left (values_, source_, source_zone_), one is the candidate that it leads to (values_
// again, target_, target_zone_). The candidate is not extrapolated until somebody asks for it: stores compare first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/rng.h"
#include "base/watch.h"
#include "model/path.h"
#include "step/arrangement.h"
#include "step/packed_candidate.h"
#include "step/semantics.h"
#include "step/workspace.h"
#include "zone/federation.h"

namespace harrier::step {

using namespace zone;

class ZoneGenerator {
 public:
  // Both must outlive it.
  ZoneGenerator(const Semantics& semantics, const Watch& watch);

  const Semantics& semantics() const { return semantics_; }
  // From now on successors are arranged; not with diagonal constraints. Paths that are followed are those of the model
  // all the same.
  void arrange_by(std::shared_ptr<const model::Symmetry> symmetry) {
    arrangement_.emplace(std::move(symmetry), system_);
  }

  // The state to leave. Its zone is written by `read_zone(Bound*)`, over the clocks that matter there.
  template <class ReadZone>
  void load(const uint64_t* words, ReadZone&& read_zone) {
    packed_.load(words, values_.data(), network_.program().native());
    find_active(values_.data(), source_);
    read_zone(source_zone_.data());
  }

  // Calls sink() for every initial state, until it returns false.
  template <class Sink>
  void initial(Sink&& sink);
  // Calls sink(firing) for every successor until it returns false.
  template <class Sink>
  void successors(Sink&& sink);

  // The candidate is left next, extrapolated. Its values must stand.
  void keep();
  // Leaves to a part of where these edges lead, through the abstract zones as a search does. `extra` gets the
  // constraints on the clocks at the moment of firing that do not follow from the guards.
  bool fire(std::span<const uint32_t> edges, uint32_t part, std::vector<model::ClockAtom>* extra = nullptr);

  // The candidate.
  const int32_t* values() const { return values_.data(); }
  size_t variable_count() const { return values_.size(); }
  const uint64_t* words() { return packed_.words(values_.data(), work_.journal()); }
  ZoneView zone() const { return {target_zone_.data(), target_.local.data(), target_.dim()}; }
  uint32_t dim() const { return target_.dim(); }
  // By row of its zone: the clock, and the constants that it is still compared with (ClockBounds).
  std::span<const uint32_t> clocks() const { return target_.clocks; }
  std::span<const int32_t> lower() const { return target_.lower; }
  std::span<const int32_t> upper() const { return target_.upper; }
  Bound* bounds_of_zone() { return target_zone_.data(); }
  void extrapolate();
  // What a zone must not be below anywhere to subsume the candidate: abstraction a_LU, or inclusion with diagonals.
  // Extrapolated or not, that is the same, unless there are diagonals.
  const Bound* thresholds();
  std::optional<size_t> goal() { return goal_in(target_zone_.data(), target_, values_.data(), nullptr); }
  // The same of the state to leave.
  std::optional<size_t> goal_of_source() { return goal_in(source_zone_.data(), source_, values_.data(), nullptr); }
  // To be called when an evaluation failed, before anything else. Then a state has to be loaded.
  void recover() {
    work_.keep();
    probe_.keep();
  }
  // The parts of its zone that satisfy the goal.
  std::vector<Zone> goal_parts();
  const std::vector<Machine::Violation>& violations() const { return work_.violations(); }

  // Of any state: the zone of given values, read as above.
  template <class ReadZone>
  ZoneView read(const int32_t* values, ReadZone&& read_zone) {
    find_active(values, read_);
    read_zone_.resize(largest_zone());
    read_zone(read_zone_.data());
    return {read_zone_.data(), read_.local.data(), read_.dim()};
  }

  // The path of these steps from an initial state, by its number: next_step(k, edges) tells the k-th and returns its
  // part.
  template <class NextStep>
  model::Path follow(uint32_t initial, uint64_t steps, size_t goal_clause, NextStep&& next_step);
  // Makes the last state of a path the candidate, without extrapolation on the way.
  void follow_exactly(const model::Path& path);

 protected:
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
    ZoneFilter(ZoneGenerator& generator, const Bound* zone, const ActiveClocks& active, const int32_t* values)
        : generator_(generator), zone_(zone), active_(active), values_(values) {}
    bool begin(uint32_t sender) override;
    bool take(uint32_t edge) override;
    bool refuse(std::span<const uint32_t> edges) override;
    void back() override { parts_.pop_back(); }

   private:
    // The parts before any decision about receivers, made when the first one is asked for. False: there are none.
    bool open();
    std::vector<Piece> inside(const std::vector<Piece>& parts, uint32_t edge) const;

    ZoneGenerator& generator_;
    const Bound* zone_;
    const ActiveClocks& active_;
    const int32_t* values_;
    uint32_t sender_ = 0;
    std::vector<std::vector<Piece>> parts_;  // of the zone, after each decision
  };
  // The same for the state that is left. It must not be moved on from meanwhile.
  struct SourceFilter : ZoneFilter {
    explicit SourceFilter(ZoneGenerator& generator)
        : ZoneFilter(generator, generator.source_zone_.data(), generator.source_, generator.values_.data()) {}
  };

  // The state to leave, without its zone.
  void load_values(const std::vector<int32_t>& values) {
    values_ = values;
    packed_.forget();
  }
  size_t largest_zone() const { return source_.local.size() * source_.local.size(); }
  void find_active(const int32_t* values, ActiveClocks& active) const;
  bool collect_guard(std::span<const uint32_t> edges, const int32_t* values);
  // Cuts `target_zone_` (on entry, over the clocks of `target_`) down to the invariants. False if empty.
  bool meet_invariants(Workspace& work, const int32_t* values);
  // Then turns it into the zone after delay.
  void pass_time(Workspace& work, const int32_t* values);
  // The zone on entering the target: resets applied, clocks of `target_` only.
  void enter_target(const Bound* zone, const ActiveClocks& source);
  // Offers `target_zone_` as a candidate, or its parts along the diagonals. False: the visitor wants to stop.
  template <class Visit>
  bool offer(Visit&& visit);
  // Makes the initial state the candidate, before any delay. False if there is none.
  bool enter_initial();
  // Visits where a firing whose integer guards hold leads to: visit(part, extra atoms over clocks). `all` is what
  // priorities need (all_enabled).
  template <class Visit>
  bool expand(const Firing& firing, const std::vector<Enabled>& all, Visit&& visit);
  // Visits the candidates before any delay: arrive(extra atoms over clocks).
  template <class Arrive>
  bool enter(const Firing& firing, const std::vector<Enabled>& all, Arrive&& arrive);
  // Puts the candidate into order, for as long as the sink looks at it.
  template <class Sink>
  bool arranged(Sink&& sink) {
    const size_t written = work_.journal().size();
    if (!arrangement_ || !arrange()) return sink();
    const bool go_on = sink();
    work_.undo_to(values_.data(), written);
    std::swap(target_, arranged_);
    std::swap(target_zone_, arranged_zone_);
    return go_on;
  }
  // For good. False: it is in order.
  bool arrange();
  std::vector<Enabled> all_enabled() {
    return has_priorities_ ? enabled_transitions(source_zone_.data(), source_, values_.data()) : std::vector<Enabled>();
  }
  // A firing of these edges in the state that is left. It refers to both arguments.
  Firing firing_of(std::span<const uint32_t> edges, std::vector<uint32_t>& refused);
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
  // Which part of the final zone of a path is the deadlock can only be told without extrapolation.
  void find_deadlock(model::Path& path);

  const Semantics& semantics_;
  const model::System& system_;
  const Watch& watch_;
  const Network& network_;
  const ClockBounds& bounds_;
  Workspace work_;
  Workspace probe_;  // for evaluations that must not touch the journal of the candidate
  bool has_priorities_;

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
  std::vector<Atom> sides_;  // of the diagonals on which the candidate lies, over its clocks

 private:
  PackedCandidate packed_;
  // What puts candidates into order, and the candidate as it was before.
  std::optional<Arrangement> arrangement_;
  ActiveClocks arranged_;
  std::vector<Bound> arranged_zone_;
  // The state whose zone was read.
  ActiveClocks read_;
  std::vector<Bound> read_zone_;
  // Scratch.
  std::vector<Bound> thresholds_;
  std::vector<Bound> upper_;  // of the invariants that the candidate met
  std::vector<Atom> other_;
  bool bounded_ = false;
  std::vector<int32_t> reset_value_;  // by clock; -1: not reset
};

template <class Visit>
bool ZoneGenerator::offer(Visit&& visit) {
  if (bounds_.diagonals().empty()) return visit();
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

template <class Sink>
void ZoneGenerator::initial(Sink&& sink) {
  if (!enter_initial()) return;
  pass_time(probe_, values_.data());
  offer([&] { return sink(); });
}

template <class Sink>
void ZoneGenerator::successors(Sink&& sink) {
  const std::vector<Enabled> all = all_enabled();
  SourceFilter filter(*this);
  const auto fire = [&](const Firing& firing) {
    return expand(firing, all, [&](uint32_t part, std::span<const Atom>) {
      return arranged([&] { return sink(Firing{firing.edges, firing.refused, part}); });
    });
  };
  network_.for_each_firing(work_, values_.data(), fire, &filter);
}

template <class Visit>
bool ZoneGenerator::expand(const Firing& firing, const std::vector<Enabled>& all, Visit&& visit) {
  uint32_t part = 0;
  return enter(firing, all, [&](std::span<const Atom> extra) {
    pass_time(probe_, values_.data());
    return offer([&] { return visit(part++, extra); });
  });
}

template <class Arrive>
bool ZoneGenerator::enter(const Firing& firing, const std::vector<Enabled>& all, Arrive&& arrive) {
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
  if (network_.fire(work_, values_.data(), firing.edges)) {
    find_active(values_.data(), target_);
    const size_t count = whole ? 1 : pieces.size();
    for (size_t i = 0; i < count && go_on; ++i) {
      enter_target(whole ? guard_zone_.data() : pieces[i].zone.data(), source_);
      if (!meet_invariants(probe_, values_.data())) continue;
      go_on = arrive(whole ? std::span<const Atom>() : std::span<const Atom>(pieces[i].atoms));
    }
  }
  work_.undo(values_.data());
  return go_on;
}

template <class NextStep>
model::Path ZoneGenerator::follow(uint32_t initial_number, uint64_t steps, size_t goal_clause, NextStep&& next_step) {
  model::Path path;
  path.goal_clause = goal_clause;
  // An evaluation may have failed half-way.
  work_.keep();
  probe_.keep();
  // A concrete run must stay in the parts that the search took. Delays do not change differences, so that it is enough
  // to demand the sides of a part when it is left.
  std::vector<model::ClockAtom> sides;
  Renaming renaming(system_, semantics_.property());
  uint32_t seen = 0;
  initial([&] {
    if (seen++ != initial_number) return true;
    sides = global(sides_, target_);
    keep();
    return false;
  });
  for (uint64_t k = 0; k < steps; ++k) {
    std::vector<uint32_t> edges;
    const uint32_t part = next_step(k, edges);
    model::PathStep& step = path.steps.emplace_back();
    for (const uint32_t e : edges) step.edges.push_back(model::EdgeId(e));
    fire(edges, part, &step.extra);
    step.extra.insert(step.extra.end(), sides.begin(), sides.end());
    sides = global(sides_, source_);
    if (arrangement_) {
      renaming.rename(step);
      renaming.then(arrangement_->applied());
    }
  }
  path.goal_extra = sides;
  if (goal_clause != kNoClause) path.goal_clause = renaming.clause(goal_clause);
  if (goal_clause != kNoClause && semantics_.goal()[goal_clause].deadlock != model::DeadlockTest::Ignore) {
    find_deadlock(path);
  }
  return path;
}

}  // namespace harrier::step
