// The zone graph of a formula that must hold without a break: the states of maximal paths on which it always holds.
//
// A path is maximal if it has infinitely many transitions, or if it rests: it ends where time can pass for ever, or
// where nothing more can happen (no transition now or after any delay, and time is bounded or stands still). The
// formula f, a goal in disjunctive form, has to hold at all moments, those inside delays included.
//
// A symbolic state is a discrete state and a zone whose valuations were all reached with f true since the start. To
// stay inside f while time passes, the complement of f within the invariants is written as convex parts N_j, and N_j
// with all that comes before it in time as N_j'. On arrival, a valuation outside N_j' never meets N_j; one inside N_j'
// but not in N_j has N_j ahead of it, and may wait as long as that stays so. The sets depend on the discrete state
// alone (Facts).
//
// Why cycles of this graph are real. The bounds of the extrapolation are `exact` and include the constants of f, so
// that a zone is only widened by valuations that are equivalent to one of it: clocks are equal or both beyond their
// bound (with diagonals: on the same sides). The equivalence is a bisimulation that respects f, time and deadlocks, and
// has finitely many classes of regions in a zone. So every valuation of a successor is equivalent to one that a
// valuation of the state itself leads to. Going backwards along a cycle (s, Z) -> … -> (s, Z') with Z a subset of Z'
// never gets stuck, hence meets some region twice, and between the two lies a cycle of regions, which can be repeated
// for ever (Tripakis 2009 and Li 2009 for abstractions of this kind). Inclusion the other way round proves nothing of
// the kind; it is used only against states all of whose successors have been searched without finding a cycle or a
// rest.
//
// Zeno cycles, whose rounds take ever less time or none, count: so they do in UPPAAL.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "step/zone_generator.h"
#include "store/labels.h"
#include "store/origin.h"
#include "store/state_store.h"
#include "store/zone_store.h"

namespace harrier::search {

using namespace step;
using namespace store;
using namespace zone;

class LiveZones : private ZoneGenerator {
 public:
  // The formula is the goal of the property. For p --> q it has to hold from a state with the premise on; before it the
  // states are `Free`.
  enum class Phase : uint8_t { Free, Kept };
  enum class Colour : uint8_t { White, Grey, Black };  // not entered yet, on the path of the search, done with

  LiveZones(const Semantics& semantics, Budget& budget);
  ~LiveZones();

  // Visits candidates: visit() while the candidate is there to be admitted; false stops.
  template <class Visit>
  void for_each_initial(Phase phase, Visit&& visit);
  // visit(firing)
  template <class Visit>
  void for_each_successor(uint64_t id, Visit&& visit);
  // From a free state: those in which the premise holds, and the formula from then on.
  template <class Visit>
  void for_each_commitment(uint64_t id, Visit&& visit);

  // What a candidate is.
  struct Standing {
    enum class Kind : uint8_t {
      Fresh,   // a new state, White
      Known,   // an equal one that is White
      Closes,  // its zone includes that of a Grey state, of the same discrete state: a cycle
      Covered  // nothing that has not been searched
    };
    Kind kind = Kind::Fresh;
    uint64_t id = 0;
  };
  Standing admit(uint64_t parent);
  // How the candidate is reached from a state.
  Origin origin(uint64_t parent) { return edges_.empty() ? Origin(parent, 0) : Origin(parent, labels_.of(edges_)); }
  // The state that the candidate equals, if it is known.
  std::optional<uint64_t> equal();

  Colour colour(uint64_t id) const { return nodes_[id]->colour; }
  void paint(uint64_t id, Colour colour) { nodes_[id]->colour = colour; }
  // A maximal path may end in some valuation of a kept state.
  bool may_rest(uint64_t id);
  uint64_t stored() const { return zones_.size(); }
  std::vector<int32_t> values_of(uint64_t id) const;
  // Some commitment has been found, whether the formula holds from there on or not.
  bool premise_seen() const { return premise_seen_; }
  const std::vector<Machine::Violation>& violations() const { return work_.violations(); }

  // The transitions that lead to a state, and after how many of them the formula has to hold.
  struct Way {
    std::vector<std::vector<model::EdgeId>> steps;
    size_t bound_from = 0;
  };
  Way way_to(uint64_t id) const;
  // The edges that an origin stands for.
  std::vector<model::EdgeId> edges_of(const Origin& origin) const;
  // How many transitions lead to it.
  size_t depth(uint64_t id) const;

  // A path of exactly these transitions, with all that a concrete run of it has to obey; none if there is no such run.
  // It ends in a rest if `to_rest`. `beyond` must hold of the clocks right after `beyond_at` transitions.
  std::optional<model::Path> realise(const Way& way, bool to_rest, size_t beyond_at,
                                     std::span<const model::ClockAtom> beyond);

 private:
  struct Node {
    Origin origin;
    uint64_t discrete = 0;
    ZoneBlock* block = nullptr;
    Phase phase = Phase::Kept;
    Colour colour = Colour::White;
  };
  // What is known of a discrete state: conjunctions of atoms over its clocks.
  struct Facts {
    std::vector<Atom> invariant;
    bool may_delay = false;
    bool possible = false;                 // the formula holds for some valuations
    std::vector<std::vector<Atom>> bad;    // the parts in which it does not
    std::vector<std::vector<Atom>> ahead;  // each with what comes before it
    bool endless = false;                  // time can pass without bound
  };
  // A way to be in a state: constraints on arrival, and from there on until it is left.
  struct Stay {
    std::vector<Atom> arrival;
    std::vector<Atom> leaving;
    Zone zone;
  };

  void load(uint64_t id);
  // The state is the first in which the formula has to hold, after free ones.
  bool commits(uint64_t id) const;
  uint64_t intern();
  const Facts& facts_of(uint64_t discrete);
  Facts make_facts();
  std::vector<Atom> invariant_atoms(const ActiveClocks& active);
  static Zone everything(std::span<const Atom> invariant, uint32_t dim);
  // The parts of a zone in which a maximal path may end. The state is that of values_ and source_.
  std::vector<Piece> rests(const Facts& facts, const Zone& zone);
  // All stays that begin in the zone.
  std::vector<Stay> stays(const Facts& facts, Zone arrival) const;
  // Offers the candidate's zone as that of a state.
  template <class Visit>
  bool arrive(Phase phase, Visit&& visit);

  // A moment of a path that is being realised.
  struct Moment {
    std::vector<int32_t> values;
    uint64_t discrete = 0;
    std::vector<model::ClockAtom> extra;    // at the transition to it
    std::vector<model::ClockAtom> arrival;  // right after
    std::vector<model::ClockAtom> leaving;  // when it is left
    Zone zone;
  };
  std::vector<Moment> first_moments(bool bound, std::span<const model::ClockAtom> beyond);
  std::vector<Moment> committed_moments(const Moment& from);
  std::vector<Moment> next_moments(const Moment& from, const std::vector<model::EdgeId>& edges, bool bound,
                                   std::span<const model::ClockAtom> beyond);
  void add_moments(std::vector<Moment>& out, std::vector<model::ClockAtom> extra, bool bound,
                   std::span<const model::ClockAtom> beyond);
  void recall(const Moment& moment);

  Budget& budget_;
  StateStore store_;
  Labels labels_;
  ChunkedArray<ZoneBlock*> lists_;  // by discrete state, two each: free and kept
  ZoneStore zones_;
  ChunkedArray<Node> nodes_;
  std::unordered_map<uint64_t, Facts> facts_;
  uint64_t facts_bytes_ = 0;
  bool premise_seen_ = false;
  // The candidate.
  std::span<const uint32_t> edges_;  // that lead to it; none: it is initial, or a commitment
  Phase phase_ = Phase::Kept;
  uint64_t discrete_ = 0;
  // Extrapolates the candidate and makes it the pattern that stored zones are compared with.
  void prepare();
  ZoneBlock** list() { return lists_[discrete_] + (phase_ == Phase::Free ? 0 : 1); }

  ZonePattern pattern_;  // scratch
};

template <class Visit>
bool LiveZones::arrive(Phase phase, Visit&& visit) {
  phase_ = phase;
  discrete_ = intern();
  if (phase == Phase::Free) {
    pass_time(probe_, values_.data());
    return offer([&] { return visit(); });
  }
  const Facts& facts = facts_of(discrete_);
  for (Stay& stay : stays(facts, Zone(target_.dim(), target_zone_.data()))) {
    target_zone_.assign(stay.zone.data(), stay.zone.data() + size_t{target_.dim()} * target_.dim());
    if (!offer([&] { return visit(); })) return false;
  }
  return true;
}

template <class Visit>
void LiveZones::for_each_initial(Phase phase, Visit&& visit) {
  edges_ = {};
  if (enter_initial()) arrive(phase, visit);
}

template <class Visit>
void LiveZones::for_each_successor(uint64_t id, Visit&& visit) {
  const Phase phase = nodes_[id]->phase;
  load(id);
  const std::vector<Enabled> all = all_enabled();
  SourceFilter filter(*this);
  const auto fire = [&](const Firing& firing) {
    edges_ = firing.edges;
    return enter(firing, all, [&](std::span<const Atom>) { return arrive(phase, [&] { return visit(firing); }); });
  };
  network_.for_each_firing(work_, values_.data(), fire, &filter);
}

template <class Visit>
void LiveZones::for_each_commitment(uint64_t id, Visit&& visit) {
  load(id);
  edges_ = {};
  const Zone zone(source_.dim(), source_zone_.data());
  const Zone whole = everything(invariant_atoms(source_), source_.dim());
  target_ = source_;
  for (const CompiledClause& clause : semantics_.premise()) {
    if (!conditions_hold(probe_, clause, values_.data())) continue;
    for (const Piece& part : parts_of(clause, zone, whole, source_, values_.data())) {
      premise_seen_ = true;
      target_zone_.assign(part.zone.data(), part.zone.data() + size_t{part.zone.dim()} * part.zone.dim());
      if (!arrive(Phase::Kept, visit)) return;
    }
  }
}

}  // namespace harrier::search
