// The one search engine: a space, a frontier, and possibly a guide. All searches of the tool are configurations of it.
//
// It can be run in slices (`advance`), so that several searches can take turns.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/budget.h"
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
  bool tracks_cost = false;  // the space compares costs; states are admitted again when reached at lower cost
  // A goal state counts when its turn comes, or when nothing that waits can be cheaper: so that it is a cheapest one,
  // if the order of expansions (A*) or the costs themselves (context bounding: ranks are costs) see to that.
  bool goal_at_expansion = false;
  bool ranks_are_costs = false;
};

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
      : space_(space), frontier_(frontier), guide_(guide), options_(options), closed_(budget) {}

  // Expands up to `expansions` states. Those that the space passes through count, but an expansion is not cut short.
  Status advance(uint64_t expansions) {
    try {
      return advance_at_most(expansions);
    } catch (const model::EvalFailure& failure) {
      throw ModelFailure(failure, current_ ? space_.path_to(*current_, step::kNoClause) : model::Path());
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
    ++expanded_;
    rank_ = next.rank;
    cost_ = next.cost;
    if (next.rank > 0) ++deferred_expanded_;
    if (guide_ != nullptr) {
      heur::StateView source = nullptr;
      if (guide_->needs_source()) {
        source_.resize(space_.variable_count());
        space_.read(next.id, source_.data());
        source.values = source_.data();
        if (guide_->needs_zones()) source.zone = space_.read_zone(next.id, source_.data());
      }
      guide_->begin(next.id, source);
    }
    space_.for_each_successor(next.id, [&](const step::Firing& firing) {
      ++generated_;
      if (guide_ != nullptr && guide_->prunes(firing.edges)) return true;
      const uint32_t cost =
          guide_ != nullptr ? guide_->cost(next.cost, space_.steps(), firing.edges) : next.cost + space_.steps();
      return visit(next.id, firing.edges, cost);
    });
    space_.release(next.id);
    frontier_.end_of_expansion();
  }

  // Takes a candidate in; false if the search is over.
  bool visit(uint64_t parent, std::span<const uint32_t> edges, uint32_t cost) {
    const uint32_t context = guide_ != nullptr ? guide_->context(edges) : 0;
    const store::Admission admission = space_.admit(parent, cost, context);
    if (!admission.fresh && (guide_ == nullptr || !guide_->reconsider(admission.id, edges))) return true;
    if (const auto clause = goal_of(admission.id)) {
      if (!options_.goal_at_expansion || (options_.ranks_are_costs && cost == rank_)) {
        found(admission.id, *clause);
        return false;
      }
      goals_[admission.id] = *clause;
    }
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
  store::PerState<uint8_t> closed_;  // with a guide only: expanded
  std::unordered_map<uint64_t, size_t> goals_;
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
