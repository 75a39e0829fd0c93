#include "heur/local_distance.h"

#include <algorithm>

#include "base/error.h"
#include "model/analysis.h"

namespace harrier::heur {

namespace {

// The clauses that name locations.
std::vector<model::Clause> naming(const model::System& system, const std::vector<model::Clause>& goal) {
  model::Accesses accesses(system);
  std::vector<model::Clause> out;
  std::copy_if(goal.begin(), goal.end(), std::back_inserter(out), [&](const model::Clause& clause) {
    return clause.deadlock == model::DeadlockTest::Ignore &&
           std::any_of(clause.conditions.begin(), clause.conditions.end(),
                       [&](auto c) { return model::process_located_by(system, accesses, c).has_value(); });
  });
  return out;
}

}  // namespace

LocalDistance::LocalDistance(const model::System& system, const std::vector<model::Clause>& goal,
                             const GoalPath* sibling) {
  const std::vector<model::Clause> clauses = naming(system, goal);
  if (!clauses.empty()) named_.emplace(system, clauses, true);
  for (const model::Process& p : system.processes) far_ += static_cast<uint32_t>(p.locations.size());
  if (sibling == nullptr) {
    rate_steps(system, sibling);
    if (named_) return;
    throw Error(ErrorKind::Usage,
                "h0 needs a property that names locations, or the path of a smaller sibling (--guide-from FILE)");
  }
  size_t most = 0;
  for (Team& team : make_teams(system, *sibling)) {
    const std::vector<uint32_t> places = team.places(sibling->end());
    if (places.empty()) continue;
    std::vector<uint32_t> spare(team.steps.size(), 0);
    if (team.whole) {
      for (size_t l = 0; l < spare.size(); ++l) {
        spare[l] = UINT32_MAX;
        for (const uint32_t p : places) spare[l] = std::min(spare[l], team.steps[l][p]);
      }
    }
    most = std::max(most, team.steps.size());
    Placement end(team, places, spare);
    std::optional<Placement> named;
    if (named_) {
      std::erase_if(team.roles, [&](size_t r) { return !sibling->processes[r].named; });
      const std::vector<uint32_t> nothing(team.steps.size(), 0);
      if (!team.roles.empty()) named.emplace(team, team.places(sibling->end()), nothing);
    }
    aims_.push_back({std::move(team), std::move(spare), std::move(end), std::move(named)});
  }
  present_.resize(most);
  left_.resize(most);
  rate_steps(system, sibling);
}

void LocalDistance::rate_steps(const model::System& system, const GoalPath* sibling) {
  for (const model::Edge& edge : system.edges) {
    uint32_t least = named_ ? named_->distance_of(edge.process.value, edge.target) : kDeadEnd;
    for (const Aim& aim : aims_) {
      const auto& members = aim.team.processes;
      if (std::find(members.begin(), members.end(), edge.process.value) == members.end()) continue;
      for (const uint32_t place : aim.team.places(sibling->end())) {
        least = std::min(least, aim.team.steps[edge.target][place]);
      }
    }
    costs_.by_edge.push_back(least);
    if (least != kDeadEnd) costs_.worst = std::max(costs_.worst, least);
  }
  for (uint32_t& cost : costs_.by_edge) cost = std::min(cost, costs_.worst);
}

uint32_t LocalDistance::evaluate(const StateView& state) {
  int64_t total = named_ ? std::min(named_->evaluate(state), far_) : 0;
  for (Aim& aim : aims_) {
    std::fill(present_.begin(), present_.end(), 0);
    for (const uint32_t m : aim.team.members) ++present_[static_cast<size_t>(state.values[m])];
    int64_t cost = aim.end.cost(present_.data(), left_.data());
    if (aim.team.whole) {
      for (size_t l = 0; l < aim.spare.size(); ++l) cost += int64_t{present_[l]} * aim.spare[l];
    }
    if (aim.named) cost = std::max<int64_t>(0, cost - aim.named->cost(present_.data(), left_.data()));
    total += cost;
  }
  return static_cast<uint32_t>(total);
}

}  // namespace harrier::heur
