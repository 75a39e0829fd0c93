#include "heur/sibling_path.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/error.h"
#include "model/analysis.h"

namespace harrier::heur {

namespace {

constexpr int32_t kUnknown = INT32_MIN;

// Variables into which processes of one template write different constants: their own numbers.
std::set<uint32_t> identities(const model::System& system) {
  using Written = std::map<uint32_t, std::set<int32_t>>;  // by variable
  std::map<std::string, Written> known;                   // by template, of its first process
  std::set<uint32_t> out;
  for (const model::Process& process : system.processes) {
    Written written;
    for (const model::EdgeId e : process.edges) {
      for (const model::StmtId s : system.edge(e).effect) {
        if (system.stmt(s).kind != model::StmtKind::Expr) continue;
        const model::Expr& store = system.expr(system.stmt(s).expr);
        if (store.op != model::Op::Store || store.a.valid()) continue;
        if (const auto value = system.constant(store.b)) written[store.base].insert(*value);
      }
    }
    const auto [first, is_first] = known.try_emplace(process.type, written);
    if (is_first) continue;
    for (const auto& [variable, values] : written) {
      const auto same = first->second.find(variable);
      if (same == first->second.end() || same->second != values) out.insert(variable);
    }
  }
  return out;
}

// By location: the steps that remain of the way of the role that has the shortest way to go.
std::vector<uint32_t> rest_of_the_way(const Team& team, const GoalPath& sibling) {
  std::vector<uint32_t> out(team.steps.size(), UINT32_MAX);
  for (const size_t role : team.roles) {
    uint32_t left = 0;
    const auto visit = [&](const GoalPath::State& at) {
      const uint32_t place = team.ours[at.locations[role]];
      if (place == Team::kNowhere) return;
      for (size_t l = 0; l < out.size(); ++l) out[l] = std::min(out[l], team.steps[l][place] + left);
    };
    for (size_t s = sibling.steps.size(); s-- > 0;) {
      const GoalPath::Step& step = sibling.steps[s];
      visit(step.after);
      left += std::any_of(step.firings.begin(), step.firings.end(), [&](const auto& f) { return f.process == role; });
    }
    visit(sibling.start);
  }
  for (uint32_t& o : out) o = std::min(o, static_cast<uint32_t>(team.steps.size() + sibling.steps.size()));
  return out;
}

}  // namespace

SiblingPath::SiblingPath(const model::System& system, const GoalPath* sibling) {
  if (sibling == nullptr) throw Error(ErrorKind::Usage, "h1 needs the path of a smaller sibling (--guide-from FILE)");
  length_ = static_cast<uint32_t>(sibling->steps.size());
  for (Team& team : make_teams(system, *sibling)) groups_.push_back({std::move(team), {}, {}, {}, {}});
  follow_edges(system, *sibling);
  add_strays(system);
  size_t most = 0;
  for (Group& g : groups_) {
    const size_t rows = g.team.steps.size();
    g.spare = g.team.whole ? rest_of_the_way(g.team, *sibling) : std::vector<uint32_t>(rows, 0);
    g.present.resize(rows);
    most = std::max(most, rows);
  }
  left_.resize(most);

  const std::set<uint32_t> own_numbers = identities(system);
  std::vector<size_t> compared;  // scalars of the sibling
  for (size_t s = 0; s < sibling->scalars.size(); ++s) {
    const auto same = std::find_if(system.variables.begin(), system.variables.end(), [&](const model::Variable& v) {
      return v.name == sibling->scalars[s] && v.kind == model::VarKind::Data && !v.internal;
    });
    const auto changes = [&](const GoalPath::Step& step) { return step.after.scalars[s] != sibling->start.scalars[s]; };
    if (same == system.variables.end() || std::none_of(sibling->steps.begin(), sibling->steps.end(), changes)) continue;
    const auto variable = static_cast<uint32_t>(same - system.variables.begin());
    if (own_numbers.contains(variable)) continue;
    scalars_.push_back(variable);
    compared.push_back(s);
  }

  // Later points first, so that of equal ones the last stays.
  std::set<std::pair<std::vector<uint32_t>, std::vector<int32_t>>> seen;
  std::vector<std::map<std::vector<uint32_t>, uint32_t>> numbers(groups_.size());
  for (uint32_t steps = length_ + 1; steps-- > 0;) {
    const GoalPath::State& state = steps == 0 ? sibling->start : sibling->steps[steps - 1].after;
    Point point;
    point.steps = steps;
    point.least = static_cast<int32_t>(length_ - steps);
    for (size_t g = 0; g < groups_.size(); ++g) {
      Group& group = groups_[g];
      const std::vector<uint32_t> places = group.team.places(state);
      const auto number = static_cast<uint32_t>(group.placements.size());
      const auto [known, fresh] = numbers[g].emplace(places, number);
      if (fresh) group.placements.emplace_back(group.team, places, group.spare);
      point.placements.push_back(known->second);
      point.least += group.placements[known->second].least();
    }
    for (const size_t s : compared) point.values.push_back(state.scalars[s]);
    if (seen.emplace(point.placements, point.values).second) points_.push_back(std::move(point));
  }
  for (Group& g : groups_) g.costs.resize(g.placements.size());
  std::stable_sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) { return a.least < b.least; });
}

void SiblingPath::follow_edges(const model::System& system, const GoalPath& sibling) {
  costs_.worst = length_ + 1;
  // Edges by template, source, target and rank.
  using Key = std::tuple<std::string, uint32_t, uint32_t, uint32_t>;
  std::map<Key, uint32_t> uses;
  std::map<Key, uint32_t> first_uses;
  for (uint32_t s = 0; s < length_; ++s) {
    const GoalPath::State& before = s == 0 ? sibling.start : sibling.steps[s - 1].after;
    for (const GoalPath::Firing& f : sibling.steps[s].firings) {
      for (const Group& g : groups_) {
        if (std::find(g.team.roles.begin(), g.team.roles.end(), f.process) == g.team.roles.end()) continue;
        const uint32_t source = g.team.ours[before.locations[f.process]];
        const uint32_t target = g.team.ours[sibling.steps[s].after.locations[f.process]];
        const Key key{g.team.name, source, target, f.rank};
        uses[key] = g.team.whole ? length_ + 1 : s + 1;
        first_uses.emplace(key, s);
      }
    }
  }
  const std::vector<uint32_t> ranks = model::edge_ranks(system);
  for (size_t e = 0; e < system.edges.size(); ++e) {
    const model::Edge& edge = system.edges[e];
    const Key key{system.process(edge.process).type, edge.source, edge.target, ranks[e]};
    const auto use = uses.find(key);
    last_use_.push_back(use == uses.end() ? 0 : use->second);
    costs_.by_edge.push_back(use == uses.end() ? length_ + 1 : length_ - first_uses.at(key));
  }
}

void SiblingPath::add_strays(const model::System& system) {
  std::vector<bool> taken;
  for (const uint32_t use : last_use_) taken.push_back(use != 0);
  strays_ = std::make_unique<Strays>(system, taken);
  for (Group& g : groups_) {
    auto& steps = g.team.steps;
    const size_t count = steps.size();
    // Behind the rows of the locations: those of having strayed there.
    steps.resize(2 * count, std::vector<uint32_t>(count, static_cast<uint32_t>(2 * count)));
    for (const uint32_t p : g.team.processes) {
      for (const model::EdgeId e : system.processes[p].edges) {
        if (taken[e.value]) continue;
        const model::Edge& edge = system.edge(e);
        for (size_t to = 0; to < count; ++to) {
          uint32_t& way = steps[count + edge.source][to];
          way = std::min(way, 1 + steps[edge.target][to]);
        }
      }
    }
  }
}

uint32_t SiblingPath::evaluate(const StateView& state) {
  int64_t spare = 0;
  for (Group& g : groups_) {
    std::fill(g.present.begin(), g.present.end(), 0);
    for (size_t m = 0; m < g.team.members.size(); ++m) {
      const auto location = static_cast<uint32_t>(state.values[g.team.members[m]]);
      const bool strayed = strays_->strayed(g.team.processes[m], location, state.values);
      ++g.present[strayed ? g.present.size() / 2 + location : location];
    }
    std::fill(g.costs.begin(), g.costs.end(), kUnknown);
    if (!g.team.whole) continue;
    for (size_t l = 0; l < g.spare.size(); ++l) spare += int64_t{g.present[l]} * g.spare[l];
  }
  int32_t best = INT32_MAX;
  for (const Point& point : points_) {
    if (point.least >= best) break;
    auto cost = static_cast<int32_t>(length_ - point.steps);
    for (size_t s = 0; s < scalars_.size(); ++s) cost += state.values[scalars_[s]] != point.values[s];
    for (size_t g = 0; g < groups_.size(); ++g) {
      Group& group = groups_[g];
      int32_t& known = group.costs[point.placements[g]];
      if (known == kUnknown) known = group.placements[point.placements[g]].cost(group.present.data(), left_.data());
      cost += known;
    }
    if (cost >= best) continue;
    best = cost;
    nearest_ = point.steps;
  }
  return static_cast<uint32_t>(std::max<int64_t>(0, spare + best));
}

bool SiblingPath::prefers(std::span<const uint32_t> edges) const {
  return std::any_of(edges.begin(), edges.end(), [&](uint32_t e) { return last_use_[e] > nearest_; });
}

}  // namespace harrier::heur
