// The one search engine: a space, a frontier, and possibly a guide. All searches of the tool are configurations of it.
//
// It can be run in slices (`advance`), so that several searches can take turns.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "model/interpreter.h"
#include "model/path.h"
#include "search/frontier.h"
#include "search/guide.h"
#include "search/space.h"
#include "step/goal.h"
#include "step/network.h"
#include "store/origin.h"
#include "store/per_state.h"

namespace harrier::search {

struct ExplorerOptions {
  std::optional<uint64_t> depth_limit;
  std::optional<uint64_t> cost_limit;         // a path that costs more is not followed
  std::span<const uint32_t> step_costs = {};  // by the edge that starts a step; none: each costs 1
  bool tracks_cost = false;  // the space compares costs; states are admitted again when reached at lower cost
  // A goal state counts when its turn comes, or when nothing that waits can be cheaper: so that it is a cheapest one,
  // if the order of expansions (A*) or the costs themselves (context bounding: ranks are costs) see to that.
  bool goal_at_expansion = false;
  bool ranks_are_costs = false;
  bool by_depth = false;  // states are expanded in the order of their costs, and each step costs 1
  // With a guide: a state waits by the estimates of the state that it was reached from, and is estimated when it is its
  // turn (Richter and Helmert 2009). It waits once more where it is reached from a nearer state meanwhile.
  bool lazy = false;
};

// Costs of paths that can be added to an estimate.
inline constexpr uint64_t kMostPathCost = INT32_MAX;

enum class Status : uint8_t { Running, Found, Exhausted, Cut };

// The model fails at run time: in the last state of the path, or in a step from there.
struct ModelFailure : model::EvalFailure {
  ModelFailure(const model::EvalFailure& failure, model::Path way) : model::EvalFailure(failure), path(std::move(way)) {
    path.failure = {failure};
  }
  model::Path path;
};

template <Space S>
class Explorer {
 public:
  Explorer(S& space, Frontier& frontier, Guide* guide, Budget& budget, const ExplorerOptions& options)
      : space_(space),
        frontier_(frontier),
        guide_(guide),
        options_(options),
        closed_(budget),
        waiting_(budget, UINT32_MAX) {}

  // Expands up to `expansions` states. Those that the space passes through count, but an expansion is not cut short.
  Status advance(uint64_t expansions) {
    try {
      return advance_at_most(expansions);
    } catch (const model::EvalFailure& failure) {
      throw ModelFailure(failure, current_ ? path_to_failure(*current_) : model::Path());
    }
  }

  Status status() const { return status_; }
  // With Found.
  model::Path path() { return space_.path_to(goal_id_, goal_clause_); }

  uint64_t expanded() const { return expanded_; }
  uint64_t generated() const { return generated_ + space_.passed(); }
  uint64_t deferred_expanded() const { return deferred_expanded_; }  // states of a rank above 0
  uint64_t cost() const { return cost_; }                            // of the state that was expanded last

 private:
  static constexpr uint32_t kFarthest = UINT32_MAX / 2 - 1;

  model::Path path_to_failure(uint64_t id) {
    if constexpr (requires { space_.path_to_failure(id); }) return space_.path_to_failure(id);
    return space_.path_to(id, step::kNoClause);
  }

  Status advance_at_most(uint64_t expansions) {
    if (!started_) start();
    const uint64_t passed = space_.passed();
    for (uint64_t i = 0; status_ == Status::Running && i + space_.passed() - passed < expansions; ++i) {
      const std::optional<Next> next = frontier_.next();
      if (!next) {
        status_ = cut_ ? Status::Cut : Status::Exhausted;
        break;
      }
      expand(*next);
    }
    return status_;
  }

  void start() {
    started_ = true;
    space_.for_each_initial([&] { return visit(store::Origin::kNoParent, {}, 0); });
    frontier_.end_of_expansion();
  }

  void expand(const Next& next) {
    if (space_.dropped(next.id)) return;
    current_ = next.id;
    // An entry is stale if the state has been reached at lower cost since, or was expanded from another queue.
    if (options_.tracks_cost && next.cost > space_.cost(next.id)) return;
    if (guide_ != nullptr) {
      if (closed_[next.id]) return;
      closed_[next.id] = true;
    }
    if (options_.goal_at_expansion) {
      if (const auto goal = goals_.find(next.id); goal != goals_.end()) {
        found(next.id, goal->second);
        return;
      }
    }
    if (options_.depth_limit && next.cost >= *options_.depth_limit) {
      cut_ = true;
      return;
    }
    if (const auto end = frontier_.layer_end()) space_.keep_below(*end);
    if (guide_ != nullptr && !prepare(next.id)) {
      space_.release(next.id);
      return;
    }
    ++expanded_;
    rank_ = next.rank;
    cost_ = next.cost;
    if (next.rank > 0) ++deferred_expanded_;
    space_.for_each_successor(next.id, [&](const step::Firing& firing) {
      ++generated_;
      if (guide_ != nullptr && guide_->prunes(firing.edges)) return true;
      const uint32_t cost = cost_after(next.cost, firing.edges);
      if (too_far(cost)) {
        cut_ = true;
        return true;
      }
      return visit(next.id, firing.edges, cost);
    });
    space_.release(next.id);
    frontier_.end_of_expansion();
  }

  // A successor that is several steps away can be beyond the limit of the depth.
  bool too_far(uint32_t cost) const {
    return (options_.cost_limit && cost > *options_.cost_limit) ||
           (options_.by_depth && options_.depth_limit && cost > *options_.depth_limit);
  }

  // Of a state that is to be expanded: lets the guide look at it. False if it turns out to be a dead end.
  bool prepare(uint64_t id) {
    heur::StateView source = nullptr;
    if (guide_->needs_source() || options_.lazy) {
      source_.resize(space_.variable_count());
      space_.read(id, source_.data());
      source.values = source_.data();
      if (guide_->needs_zones()) source.zone = space_.read_zone(id, source_.data());
    }
    if (options_.lazy) {
      const store::Origin origin = space_.origin_of(id);
      if (!guide_->evaluate({id, space_.discrete_of(id), origin.parent(), origin.initial(), source})) return false;
    }
    guide_->begin(id, source);
    return true;
  }

  uint32_t cost_after(uint32_t cost, std::span<const uint32_t> edges) {
    if (!options_.step_costs.empty()) {
      const uint64_t sum = uint64_t{cost} + options_.step_costs[edges[0]];
      if (sum <= kMostPathCost) return static_cast<uint32_t>(sum);
      throw Error(ErrorKind::Unsupported, "unsupported: a path that costs more than " + std::to_string(kMostPathCost));
    }
    return guide_ != nullptr ? guide_->cost(cost, space_.steps(), edges) : cost + space_.steps();
  }

  // Takes a candidate in; false if the search is over.
  bool visit(uint64_t parent, std::span<const uint32_t> edges, uint32_t cost) {
    const uint32_t context = guide_ != nullptr ? guide_->context(edges) : 0;
    const store::Admission admission = space_.admit(parent, cost, context);
    if (options_.lazy) return visit_lazily(admission, edges, cost);
    if (!admission.fresh && (guide_ == nullptr || !guide_->reconsider(admission.id, edges))) return true;
    if (reaches_goal(admission.id, cost)) return false;
    Ticket ticket{admission.id, cost};
    if (guide_ != nullptr) {
      closed_[admission.id] = false;
      const Assessment a = guide_->assess(admission.id, space_.discrete_of(admission.id), cost,
                                          {space_.candidate(), space_.candidate_zone()}, edges);
      if (a.dead_end) return true;
      ticket.estimates = a.estimates;
      ticket.rank = a.rank;
      ticket.preferred = a.preferred;
    }
    frontier_.add(ticket);
    return true;
  }

  bool visit_lazily(const store::Admission& admission, std::span<const uint32_t> edges, uint32_t cost) {
    const uint64_t id = admission.id;
    if (admission.fresh) {
      if (reaches_goal(id, cost)) return false;
      closed_[id] = false;
      waiting_[id] = UINT32_MAX;
    } else if (closed_[id]) {
      return true;
    } else if (options_.tracks_cost) {
      cost = space_.cost(id);
    }
    const Assessment a = guide_->place(id, cost, edges);
    const uint32_t estimate = std::min(a.estimates[0], kFarthest);
    const uint32_t place = waiting_[id];
    const uint32_t nearest = place >> 1;
    const bool was_preferred = (place & 1) == 0;
    if (estimate >= nearest && (was_preferred || !a.preferred)) return true;
    waiting_[id] = std::min(estimate, nearest) << 1 | (was_preferred || a.preferred ? 0 : 1);
    frontier_.add({id, cost, a.rank, a.preferred, a.estimates});
    return true;
  }

  // Whether the search is over with the candidate. Otherwise, if it is in the goal, that is for its turn.
  bool reaches_goal(uint64_t candidate, uint32_t cost) {
    const auto clause = goal_of(candidate);
    if (!clause) return false;
    if (!options_.goal_at_expansion || (options_.ranks_are_costs && cost == rank_) ||
        (options_.by_depth && cost <= cost_ + 1 && cost <= nearest_goal_)) {
      found(candidate, *clause);
      return true;
    }
    goals_[candidate] = *clause;
    nearest_goal_ = std::min(nearest_goal_, cost);
    return false;
  }

  // The candidate's clause. If the goal fails there, the path leads to it.
  std::optional<size_t> goal_of(uint64_t candidate) {
    const std::optional<uint64_t> expanding = std::exchange(current_, candidate);
    const auto clause = space_.goal();
    current_ = expanding;
    return clause;
  }

  void found(uint64_t id, size_t clause) {
    goal_id_ = id;
    goal_clause_ = clause;
    status_ = Status::Found;
  }

  S& space_;
  Frontier& frontier_;
  Guide* guide_;
  ExplorerOptions options_;
  store::PerState<uint8_t> closed_;    // with a guide only: expanded
  store::PerState<uint32_t> waiting_;  // lazily: twice the least estimate at which it waits, and 1 if not preferred yet
  std::unordered_map<uint64_t, size_t> goals_;
  uint32_t nearest_goal_ = UINT32_MAX;  // the least cost at which one of these was reached
  std::vector<int32_t> source_;
  Status status_ = Status::Running;
  std::optional<uint64_t> current_;  // the state that is being expanded, or looked at
  bool started_ = false;
  bool cut_ = false;
  uint32_t rank_ = 0;  // of the state that is being expanded
  uint64_t goal_id_ = 0;
  size_t goal_clause_ = 0;
  uint64_t expanded_ = 0;
  uint64_t generated_ = 0;  // and visited
  uint64_t deferred_expanded_ = 0;
  uint64_t cost_ = 0;
};

}  // namespace harrier::search
