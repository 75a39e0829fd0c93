#include "heur/teams.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "heur/heuristic.h"
#include "heur/process_graph.h"
#include "model/analysis.h"

namespace harrier::heur {

namespace {

std::vector<uint32_t> counterparts(const std::vector<std::string>& theirs, const std::vector<model::Location>& ours) {
  std::vector<uint32_t> out;
  for (uint32_t l = 0; l < theirs.size(); ++l) {
    const auto same = std::find_if(ours.begin(), ours.end(), [&](const auto& o) { return o.name == theirs[l]; });
    const uint32_t by_number = theirs.size() == ours.size() ? l : Team::kNowhere;
    out.push_back(same == ours.end() ? by_number : static_cast<uint32_t>(same - ours.begin()));
  }
  return out;
}

}  // namespace

std::vector<uint32_t> Team::places(const GoalPath::State& at) const {
  std::vector<uint32_t> out;
  for (const size_t r : roles) {
    if (const uint32_t place = ours[at.locations[r]]; place != kNowhere) out.push_back(place);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Team> make_teams(const model::System& system, const GoalPath& sibling) {
  std::vector<bool> active(sibling.processes.size(), false);
  for (const GoalPath::Step& step : sibling.steps) {
    for (const GoalPath::Firing& f : step.firings) active[f.process] = true;
  }
  model::Accesses accesses(system);
  const std::vector<std::vector<bool>> all_entries = entries(system, accesses);
  std::vector<Team> out;
  for (size_t t = 0; t < sibling.templates.size(); ++t) {
    Team team;
    team.name = sibling.templates[t].name;
    team.whole = true;
    for (size_t p = 0; p < sibling.processes.size(); ++p) {
      const GoalPath::Process& process = sibling.processes[p];
      if (process.of != t || !process.runs) continue;
      if (active[p] || process.named) {
        team.roles.push_back(p);
      } else {
        team.whole = false;
      }
    }
    if (team.roles.empty()) continue;
    team.whole = team.whole && std::all_of(team.roles.begin(), team.roles.end(), [&](size_t r) {
                   return sibling.end().locations[r] == sibling.end().locations[team.roles[0]];
                 });
    // The graph of a template has what any process of it has: constants may have cut off edges of some.
    std::set<std::pair<uint32_t, uint32_t>> arcs;
    std::vector<bool> entered;
    for (size_t p = 0; p < system.processes.size(); ++p) {
      const model::Process& process = system.processes[p];
      if (process.type != team.name) continue;
      if (team.members.empty()) {
        team.ours = counterparts(sibling.templates[t].locations, process.locations);
        entered.resize(process.locations.size(), false);
      }
      team.processes.push_back(static_cast<uint32_t>(p));
      team.members.push_back(process.location.value);
      for (const model::EdgeId e : process.edges) arcs.emplace(system.edge(e).source, system.edge(e).target);
      for (size_t l = 0; l < entered.size(); ++l) entered[l] = entered[l] || all_entries[p][l];
    }
    if (team.members.empty()) continue;
    std::vector<Arc> list;
    for (const auto& [source, target] : arcs) list.push_back({source, target});
    const size_t count = entered.size();
    team.steps.assign(count, std::vector<uint32_t>(count));
    for (size_t to = 0; to < count; ++to) {
      std::vector<bool> wanted(count, false);
      wanted[to] = true;
      const std::vector<uint32_t> distance = distances(list, entered, wanted);
      for (size_t from = 0; from < count; ++from) {
        team.steps[from][to] = std::min(distance[from], static_cast<uint32_t>(count));
      }
    }
    out.push_back(std::move(team));
  }
  if (out.empty()) {
    throw Error(ErrorKind::Usage, "nothing of '" + sibling.model +
                                      "' guides here: none of the processes on its path to the goal is of a "
                                      "template or proctype of this model");
  }
  return out;
}

Placement::Placement(const Team& team, std::span<const uint32_t> places, std::span<const uint32_t> spare)
    : rows_(static_cast<uint32_t>(team.steps.size())) {
  std::map<uint32_t, uint32_t> wanted;
  for (const uint32_t p : places) ++wanted[p];
  for (const auto& [place, count] : wanted) {
    int32_t cheapest = INT32_MAX;
    for (uint32_t l = 0; l < rows_; ++l) {
      const int32_t cost = static_cast<int32_t>(team.steps[l][place]) - static_cast<int32_t>(spare[l]);
      options_.push_back({cost, l, static_cast<uint32_t>(wanted_.size())});
      cheapest = std::min(cheapest, cost);
    }
    wanted_.push_back(count);
    all_ += count;
    least_ += static_cast<int32_t>(count) * std::min(0, cheapest);
  }
  all_ = std::min(all_, static_cast<uint32_t>(team.members.size()));
  open_.resize(wanted_.size());
  std::stable_sort(options_.begin(), options_.end(), [](const Option& a, const Option& b) { return a.cost < b.cost; });
}

int32_t Placement::cost(const uint32_t* present, uint32_t* left) {
  std::copy(present, present + rows_, left);
  std::copy(wanted_.begin(), wanted_.end(), open_.begin());
  int32_t total = 0;
  uint32_t missing = all_;
  for (const Option& o : options_) {
    const uint32_t taken = std::min(left[o.row], open_[o.place]);
    if (taken == 0) continue;
    left[o.row] -= taken;
    open_[o.place] -= taken;
    total += static_cast<int32_t>(taken) * o.cost;
    missing -= taken;
    if (missing == 0) break;
  }
  return total;
}

}  // namespace harrier::heur
