// Distances in the zone graph of a projected model, looked up by state and zone.
//
// The zone graph of the projection (transform/model_projection.h) is explored forwards, breadth first, and remembered:
// its nodes are discrete states with zones, closed under delay and extrapolated. A successor that lies in a_LU(W) of a
// node W of the same discrete state is that node (in W itself if the model compares differences of clocks; read W for
// a_LU(W) then). Goal nodes are found, also by what the goal says of clocks, and distances to them are counted
// backwards. If the graph is too large, exploration ends at a *border* of nodes that were not expanded, and these count
// as goals.
//
// A state (s, Z) of a search meets nodes W of the same projected discrete state, each with its distance d(W):
//   - if a_LU(W) includes the projection of Z, for some W, then the estimate is the largest d(W) of those;
//   - otherwise, if the graph is complete, the smallest d(W) of all W where Z and a_LU(W) meet; none: a dead end;
//   - otherwise 0.
// Without Z, all W are met and none includes it.
//
// Why this is admissible, and dead ends are real. Let D(v) be the number of transitions that a valuation v of a
// discrete state needs to the goal in the projection, which is not more than in the model. v is in a_LU(W) if some w in
// W is like v as far as the bounds L and U can tell: w simulates v, so D(w) <= D(v). "Like" is transitive, and still
// true after the same delays and the same transition.
//  1. d(W) <= D(v) for every v in a_LU(W). W is the extrapolation, inside a_LU, of a zone that is closed under delay;
//  so
//     some w of that zone is like v. A shortest way from w stays in the zone for a while and takes a transition to a
//     valuation in a successor of W, and in a_LU of the node that this was merged with, which by induction over D is no
//     farther than D(w) - 1. At the border d is 0.
//  2. If the graph is complete, every valuation that a run of the projection leads to lies in a_LU of some W: if u does
//     and a transition leads on from it, the same one leads from the w like u to a valuation in a successor of W.
//  3. D(Z), the least distance of a valuation in Z, is that of one in Z that a run of the model really leads to. Zones
//     of a search are extrapolated, but each valuation in them is simulated by one that the same transitions lead to
//     without extrapolation, and which is in Z as well.
// So with v as in 3: if a_LU(W) includes Z then d(W) <= D(v) by 1. Else some a_LU(W) has v in it by 2, and Z meets it.
// By the same argument the exact zone of a path, projected, is included in a_LU of the node that the projected path
// leads to: the first case is the usual one.
//
// a_LU(W) is not convex. It has no valuation of Z if all of them lie outside for the same two clocks x and y:
// x <= U(x), so that x must be as it is; y - x above W's bound c; and x + c <= L(y), so that y must not be lowered
// to it (after Herbreteau, Srivathsan and Walukiewicz 2012, theorem 27). Otherwise the two count as meeting, which is
// on the safe side, and takes quadratic time. Clocks that no longer matter in the model but do in the projection may
// have any value.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "abstraction/distance.h"
#include "base/archive.h"
#include "base/watch.h"
#include "harrier/abstraction.h"
#include "model/system.h"
#include "step/layout.h"
#include "transform/model_projection.h"
#include "zone/dbm.h"

namespace harrier::abstraction {

class ZoneDatabase {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    uint64_t zones = 0;
    Clock::time_point deadline = Clock::time_point::max();
  };
  // Memory of one who looks up.
  class Scratch {
    friend class ZoneDatabase;
    std::vector<uint64_t> words_;
    std::vector<zone::Bound> zone_;
    std::vector<zone::Bound> thresholds_;
  };

  // Explores within the limits. The watch is polled.
  ZoneDatabase(const transform::ModelProjection& projection, const Limits& limits, const Watch& watch);

  Scratch make_scratch() const;
  // A lower bound on the distance of a state of the model; kInfinity: the goal cannot be reached. A zone without a
  // matrix is not known.
  uint32_t look_up(const int32_t* values, const zone::ZoneView& zone, Scratch& scratch) const;

  void save(ArchiveWriter& out) const;
  // What was saved for a system. Throws Error(Input) if it does not fit.
  static ZoneDatabase load(ArchiveReader& in, const model::System& system, const transform::ModelProjector& projector);

  // Of the initial state; kInfinity: the goal cannot be reached.
  uint32_t initial_distance() const { return initial_distance_; }
  bool complete() const { return complete_; }
  uint64_t states() const { return first_zone_.size() - 1; }  // discrete ones
  uint64_t zones() const { return distance_.size(); }
  uint64_t bytes() const;
  const transform::Kept& kept() const { return kept_; }

 private:
  class Explorer;

  explicit ZoneDatabase(const transform::ModelProjection& projection)
      : kept_(projection.kept), layout_(projection.system) {}
  bool fits_together(size_t clocks) const;

  uint64_t find(const uint64_t* words) const;
  // The zone over the clocks of a discrete state.
  void project(const zone::ZoneView& zone, uint64_t state, zone::Bound* out) const;
  bool may_meet(const zone::Bound* zone, const zone::Bound* stored, uint64_t state) const;
  void make_table();

  static constexpr uint64_t kNone = UINT64_MAX;

  transform::Kept kept_;
  step::Layout layout_;
  bool complete_ = false;
  bool plain_ = false;  // differences of clocks are compared: zones stand for themselves
  uint32_t initial_distance_ = 0;
  uint32_t largest_dim_ = 1;
  // By discrete state.
  std::vector<uint64_t> words_;        // as many as the layout has, each
  std::vector<uint64_t> first_zone_;   // and one more
  std::vector<uint64_t> first_clock_;  // and one more
  std::vector<uint64_t> first_bound_;  // of its first zone
  std::vector<uint32_t> clocks_;       // that its zones speak of, the reference clock first
  std::vector<int32_t> lower_;         // and their bounds L
  std::vector<int32_t> upper_;         // and U
  // By zone, nearest first in each discrete state.
  std::vector<uint32_t> distance_;
  std::vector<zone::Bound> bounds_;  // matrices
  // Hash table of discrete states: number + 1; 0: free.
  std::vector<uint32_t> slots_;
};

}  // namespace harrier::abstraction
