// Theorem 5.3.4 of Bui (2009), by enumeration: the maximal random trails of a system cover its states, and their
// probabilities sum up to 1. And the trails that are walked have these probabilities.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/rng.h"
#include "support/frequency.h"
#include "support/options.h"
#include "support/system_builder.h"
#include "support/watch.h"

namespace harrier::search {
namespace {

using testing_support::SystemBuilder;
using testing_support::walk_options;
using Selection = WalkOptions::Selection;

// Locations of all processes.
using State = std::vector<uint32_t>;
using Trail = std::vector<State>;

// Two processes with random edges between their locations, at most two from each: up to twelve states. No two edges of
// a process lead from one location to the same other one, so that transitions are successors.
struct RandomSystem {
  SystemBuilder b;
  std::vector<std::vector<std::vector<uint32_t>>> edges;  // targets by process and location

  explicit RandomSystem(uint64_t seed) {
    Rng rng(seed);
    for (const uint32_t size : {2 + static_cast<uint32_t>(rng.below(3)), 3U}) {
      std::vector<std::string> names;
      for (uint32_t l = 0; l < size; ++l) names.push_back("l" + std::to_string(l));
      const model::ProcessId p = b.process("P" + std::to_string(edges.size()), names);
      edges.emplace_back(size);
      for (uint32_t l = 0; l < size; ++l) {
        std::set<uint32_t> targets;
        for (uint64_t i = rng.below(6) == 0 ? 0 : 1 + rng.below(2); i > 0; --i) {
          targets.insert(static_cast<uint32_t>(rng.below(size)));  // perhaps itself
        }
        for (const uint32_t target : targets) b.edge(p, l, target);
        edges.back()[l].assign(targets.begin(), targets.end());
      }
    }
  }

  State initial() const { return State(edges.size(), 0); }
  // By process.
  std::vector<std::vector<State>> successors(const State& state) const {
    std::vector<std::vector<State>> out(edges.size());
    for (size_t p = 0; p < edges.size(); ++p) {
      for (const uint32_t target : edges[p][state[p]]) {
        out[p].push_back(state);
        out[p].back()[p] = target;
      }
    }
    return out;
  }
};

std::set<State> reachable(const RandomSystem& system) {
  std::set<State> seen{system.initial()};
  std::vector<State> open{system.initial()};
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    for (const auto& process : system.successors(state)) {
      for (const State& next : process) {
        if (seen.insert(next).second) open.push_back(next);
      }
    }
  }
  return seen;
}

// A state has at most four successors and a trail at most eleven steps: every probability is a multiple of 12^-11, and
// exact in these units.
constexpr uint64_t kUnits = 743'008'370'688;  // 12^11

// All maximal trails that start with this one, whose probability is `units`.
void enumerate(const RandomSystem& system, Selection selection, Trail& trail, uint64_t units,
               std::map<Trail, uint64_t>& out) {
  auto successors = system.successors(trail.back());
  uint64_t all = 0;
  uint64_t processes = 0;
  for (auto& process : successors) {
    std::erase_if(process, [&](const State& s) { return std::find(trail.begin(), trail.end(), s) != trail.end(); });
    all += process.size();
    processes += !process.empty();
  }
  if (all == 0) {
    out[trail] += units;
    return;
  }
  for (const auto& process : successors) {
    const uint64_t parts = selection == Selection::All ? all : processes * process.size();
    for (const State& next : process) {
      EXPECT_EQ(units % parts, 0U);
      trail.push_back(next);
      enumerate(system, selection, trail, units / parts, out);
      trail.pop_back();
    }
  }
}

void expect_theorem(uint64_t seed, Selection selection) {
  SCOPED_TRACE(seed);
  constexpr uint64_t kTrials = 10'000;
  RandomSystem system(seed);
  const std::set<State> states = reachable(system);
  ASSERT_LE(states.size(), 12U);
  std::map<Trail, uint64_t> trails;
  Trail trail{system.initial()};
  enumerate(system, selection, trail, kUnits, trails);

  uint64_t sum = 0;
  std::set<State> covered;
  std::map<State, double> visits;
  for (const auto& [t, units] : trails) {
    sum += units;
    covered.insert(t.begin(), t.end());
    for (const State& s : t) visits[s] += static_cast<double>(units) / kUnits;
  }
  EXPECT_EQ(sum, kUnits);
  EXPECT_EQ(covered, states);
  if (states.size() == 1) return;  // no step to make: the walker says so after its first walk

  std::map<Trail, uint64_t> counts;
  std::map<State, uint64_t> visited;
  CheckOptions options = walk_options(seed);
  options.walk.trails = true;
  options.walk.selection = selection;
  options.walk.walks = kTrials;
  const model::Property nowhere = SystemBuilder::reachable({system.b.num(0)});
  testing_support::watch(system.b.system, nowhere, options, [&](const testing_support::Walk& walk) {
    Trail t{system.initial()};
    for (const model::PathStep& step : walk.path.steps) {
      const model::Edge& edge = system.b.edge(step.edges.at(0));
      t.push_back(t.back());
      t.back()[edge.process.value] = edge.target;
    }
    ++counts[t];
    for (const State& s : t) ++visited[s];
    return true;
  });
  uint64_t walked = 0;
  for (const auto& [t, count] : counts) {
    EXPECT_TRUE(trails.contains(t)) << "not a maximal trail";
    walked += count;
  }
  EXPECT_EQ(walked, kTrials);
  const double most = testing_support::deviation(kTrials);
  for (const auto& [s, p] : visits) EXPECT_NEAR(static_cast<double>(visited[s]) / kTrials, p, most);
  // Only likely trails can be told from others by their frequencies.
  for (const auto& [t, units] : trails) {
    const double p = static_cast<double>(units) / kUnits;
    if (p >= most) {
      EXPECT_NEAR(static_cast<double>(counts[t]) / kTrials, p, most);
    }
  }
}

TEST(Trails, CoverStatesAndProbability) {
  for (uint64_t seed = 1; seed <= 20; ++seed) expect_theorem(seed, Selection::All);
}

TEST(Trails, CoverStatesAndProbabilityProcessByProcess) {
  for (uint64_t seed = 101; seed <= 110; ++seed) expect_theorem(seed, Selection::One);
}

}  // namespace
}  // namespace harrier::search
