// Zone databases: look-ups worked out by hand, and what they promise on the zone graphs of random models that are
// projected at random.
#include "abstraction/zones/zone_database.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "abstraction/zones/zone_choice.h"
#include "base/error.h"
#include "heur/heur_support.h"
#include "model/interpreter.h"
#include "random/generator.h"
#include "random/rng.h"
#include "search/zone_space.h"
#include "support/options.h"

namespace harrier::abstraction {
namespace {

using testing_support::Example;
using testing_support::Profile;
using testing_support::Rng;
using transform::Kept;
using transform::ModelProjector;

constexpr uint32_t kDeadEnd = kInfinity;
constexpr uint64_t kNoParent = store::Origin::kNoParent;
constexpr uint64_t kEnough = 100'000;

// The zone graph of a model, breadth first, with a number of estimates of each state.
struct ZoneGraph {
  struct State {
    uint64_t parent = kNoParent;
    std::vector<uint32_t> estimates;
    bool goal = false;
  };
  std::vector<State> states;
  bool complete = true;

  template <class Estimate>
  ZoneGraph(const model::System& system, const model::Property& property, size_t most, Estimate&& estimate) {
    Budget budget;
    const step::Semantics semantics(system, property);
    search::ZoneSpace space(semantics, budget, false);
    const auto visit = [&](uint64_t parent) {
      if (!space.admit(parent, 0).fresh) return;
      states.push_back({parent, estimate(space.candidate(), space.candidate_zone()), space.goal().has_value()});
    };
    space.for_each_initial([&] {
      visit(kNoParent);
      return true;
    });
    for (uint64_t id = 0; id < states.size() && complete; ++id) {
      space.for_each_successor(id, [&](const step::Firing&) {
        visit(id);
        return true;
      });
      complete = states.size() < most;
    }
  }

  // Calls check(estimates, distance) for the states on the paths to all goals.
  template <class Check>
  void for_paths_to_goals(Check&& check) const {
    for (const State& goal : states) {
      if (!goal.goal) continue;
      uint32_t distance = 0;
      for (const State* s = &goal;; s = &states[s->parent]) {
        check(s->estimates, distance++);
        if (s->parent == kNoParent) break;
      }
    }
  }
};

Kept random_part(const model::System& system, Rng& rng) {
  Kept kept = Kept::everything(system);
  const int percent = static_cast<int>(rng.below(101));
  for (size_t v = 0; v < kept.variables.size(); ++v) kept.variables[v] = rng.chance(percent);
  for (size_t c = 1; c < kept.clocks.size(); ++c) kept.clocks[c] = rng.chance(percent);
  return kept;
}

// Calls check(example, rng) for the queries of random models of all profiles. Models that fail at run time are left
// out.
template <class Check>
void for_random_models(uint64_t seeds, Check&& check) {
  size_t checked = 0;
  for (const Profile& profile : testing_support::profiles()) {
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      const testing_support::TaModel model = testing_support::generate(profile, seed);
      for (const auto& query : model.queries) {
        const Example example(testing_support::to_xta(model), testing_support::to_query(model, query));
        Rng rng(seed);
        try {
          check(example, rng);
          ++checked;
        } catch (const model::EvalFailure&) {
          continue;
        } catch (const Error& e) {
          ASSERT_NE(e.kind(), ErrorKind::Internal) << e.what();
          continue;
        }
        ASSERT_FALSE(::testing::Test::HasFailure())
            << profile.name << " " << seed << ": " << example.property().text << "\n"
            << testing_support::to_xta(model);
      }
    }
  }
  EXPECT_GT(checked, seeds * 5);
}

// If every state is a goal, whatever a run of the projection leads to has distance 0, and all else is a dead end.
TEST(ZoneDatabase, RunsOfTheModelAreRunsOfTheProjection) {
  for_random_models(60, [](const Example& example, Rng& rng) {
    const std::vector<model::Clause> everywhere(1);
    const ModelProjector projector(example.system(), everywhere);
    const ZoneDatabase database(projector.project(random_part(example.system(), rng)), {kEnough}, Watch::none());
    ASSERT_LT(database.zones(), kEnough);
    auto scratch = database.make_scratch();
    const ZoneGraph graph(example.system(), example.property(), 300, [&](const int32_t* values, zone::ZoneView zone) {
      return std::vector{database.look_up(values, zone, scratch), database.look_up(values, {}, scratch)};
    });
    for (const ZoneGraph::State& s : graph.states) {
      ASSERT_EQ(s.estimates, std::vector({0u, 0u}));
    }
  });
}

TEST(ZoneDatabase, PromisesAreKeptOfAnyProjectionCutAnywhere) {
  size_t before_goals = 0;
  size_t informed = 0;
  size_t dead_ends = 0;
  for_random_models(60, [&](const Example& example, Rng& rng) {
    const ModelProjector projector(example.system(), example.property().goal);
    const auto projection = projector.project(random_part(example.system(), rng));
    std::vector<ZoneDatabase> databases;
    std::vector<ZoneDatabase::Scratch> scratch;
    for (const uint64_t zones : {kEnough, uint64_t{0}, uint64_t{1}, 2 + rng.below(8), 10 + rng.below(90)}) {
      databases.emplace_back(projection, ZoneDatabase::Limits{zones}, Watch::none());
      scratch.push_back(databases.back().make_scratch());
    }
    const ZoneGraph graph(example.system(), example.property(), 300, [&](const int32_t* values, zone::ZoneView zone) {
      std::vector<uint32_t> out;
      for (size_t i = 0; i < databases.size(); ++i) {
        out.push_back(databases[i].look_up(values, zone, scratch[i]));
        out.push_back(databases[i].look_up(values, {}, scratch[i]));
      }
      return out;
    });
    for (const ZoneGraph::State& s : graph.states) {
      ASSERT_GE(s.estimates[0], s.estimates[1]);  // knowing the clocks does no harm
      dead_ends += s.estimates[0] == kDeadEnd;
    }
    graph.for_paths_to_goals([&](const std::vector<uint32_t>& estimates, uint32_t distance) {
      ++before_goals;
      informed += estimates[0] > 0;
      for (const uint32_t h : estimates) ASSERT_LE(h, distance);
    });
  });
  EXPECT_GT(before_goals, 1000u);
  EXPECT_GT(informed, 100u);
  EXPECT_GT(dead_ends, 1000u);
}

TEST(ZoneDatabase, NothingDroppedIsTheDistanceOfTheModel) {
  size_t reached = 0;
  for_random_models(60, [&](const Example& example, Rng&) {
    const ModelProjector projector(example.system(), example.property().goal);
    const ZoneDatabase database(projector.project(Kept::everything(example.system())), {2000}, Watch::none());
    if (!database.complete()) return;
    CheckOptions options;
    options.search = Search::BreadthFirst;
    const search::Result result = search::run(example.system(), example.property(), options);
    if (result.verdict == Verdict::Reachable) {
      ASSERT_EQ(database.initial_distance(), result.path->steps.size());
      ++reached;
    } else {
      ASSERT_EQ(database.initial_distance(), kDeadEnd);
    }
  });
  EXPECT_GT(reached, 100u);
}

TEST(ZoneDatabase, ChosenPartsKeepTheirPromises) {
  for_random_models(25, [&](const Example& example, Rng& rng) {
    AbstractionOptions options;
    options.zones = rng.below(200);
    const ChosenZones chosen = choose_zones(example.system(), example.property().goal, options, Watch::none());
    ASSERT_LE(chosen.record.states, options.zones);
    auto scratch = chosen.database->make_scratch();
    const ZoneGraph graph(example.system(), example.property(), 300, [&](const int32_t* values, zone::ZoneView zone) {
      return std::vector{chosen.database->look_up(values, zone, scratch)};
    });
    graph.for_paths_to_goals(
        [&](const std::vector<uint32_t>& estimates, uint32_t distance) { ASSERT_LE(estimates[0], distance); });
    if (chosen.record.proved && graph.complete) {
      const auto& states = graph.states;
      ASSERT_TRUE(std::none_of(states.begin(), states.end(), [](const auto& s) { return s.goal; }));
    }
  });
}

// B is entered with x >= 5, from where the goal is two steps away, and by way of D with x >= 1, one step away.
const char* const kTwoZones =
    "clock x;\n"
    "process P() { state A, B, C, D, E; init A;\n"
    "  trans A -> B { guard x >= 5; }, A -> D { guard x >= 5; assign x = 1; }, D -> B { },\n"
    "    B -> C { guard x < 2; }, B -> E { }, E -> C { }; }\n";

TEST(ZoneDatabase, ZonesDecide) {
  const Example example(std::string(kTwoZones) + "system P;\n", "E<> P.C");
  const ModelProjector projector(example.system(), example.property().goal);
  for (const bool clocks : {true, false}) {
    Kept kept = Kept::everything(example.system());
    kept.clocks[1] = clocks;
    const ZoneDatabase database(projector.project(kept), {kEnough}, Watch::none());
    EXPECT_TRUE(database.complete());
    EXPECT_EQ(database.initial_distance(), clocks ? 3u : 2u);
    auto scratch = database.make_scratch();
    const auto in_b = [&](int32_t low, int32_t high) {
      zone::Zone z(2);
      zone::dbm::set_universal(z.data(), 2);
      z.constrain(0, 1, zone::bound_le(-low));
      z.constrain(1, 0, zone::bound_le(high));
      const uint32_t local[] = {0, 1};
      const std::vector<int32_t> values = example.state({{"P", 1}});
      return database.look_up(values.data(), {z.data(), local, 2}, scratch);
    };
    EXPECT_EQ(in_b(1, 1), 1u);
    EXPECT_EQ(in_b(1, 7), 1u);
    EXPECT_EQ(in_b(6, 7), clocks ? 2u : 1u);
    EXPECT_EQ(in_b(0, 0), clocks ? kDeadEnd : 1u);
    const std::vector<int32_t> values = example.state({{"P", 1}});
    EXPECT_EQ(database.look_up(values.data(), {}, scratch), 1u);
  }
}

TEST(ZoneDatabase, NoZonesTellNothing) {
  const Example example(std::string(kTwoZones) + "system P;\n", "E<> P.C");
  AbstractionOptions options;
  for (const double seconds : {0.0, 10.0}) {
    options.zones = 0;
    options.seconds = seconds;
    const ChosenZones chosen = choose_zones(example.system(), example.property().goal, options, Watch::none());
    auto scratch = chosen.database->make_scratch();
    EXPECT_EQ(chosen.database->look_up(example.initial().data(), {}, scratch), 0u);
    EXPECT_EQ(chosen.record.states, 0u);
    EXPECT_FALSE(chosen.record.proved);
  }
  options.zones = 1000;
  options.seconds = 0;
  const ChosenZones late = choose_zones(example.system(), example.property().goal, options, Watch::none());
  auto scratch = late.database->make_scratch();
  EXPECT_LE(late.database->look_up(example.initial().data(), {}, scratch), 3u);
}

TEST(ZoneDatabase, WatchesEnd) {
  const Example example(std::string(kTwoZones) + "system P;\n", "E<> P.C");
  const Watch watch(Watch::Bounds{.polls = 3});
  EXPECT_THROW(choose_zones(example.system(), example.property().goal, {}, watch), Error);
}

// The goal is about P; Q gives it the permission; R has nothing to do with them.
TEST(ZoneChoice, TakesWhatHasInfluence) {
  const Example example(
      "clock x, y, z; int[0,3] n, m;\n"
      "process P() { state A, B; init A; trans A -> B { guard n == 3; }; }\n"
      "process Q() { state A { y <= 9 }, B; init A; trans A -> A { guard y > 3 && n < 3; assign n = n + 1, y = 0; }; "
      "}\n"
      "process R() { state A; init A; trans A -> A { guard z > 3; assign m = 3 - m, z = 0; }; }\n"
      "system P, Q, R;\n",
      "E<> P.B");
  const auto details = [&](uint64_t zones, const std::string& pattern = "") {
    AbstractionOptions options;
    options.zones = zones;
    options.pattern = pattern;
    const ChosenZones chosen = choose_zones(example.system(), example.property().goal, options, Watch::none());
    std::map<std::string, std::string> out(chosen.record.details.begin(), chosen.record.details.end());
    return out;
  };
  auto all = details(1000);
  EXPECT_EQ(all["processes"], "P, Q");
  EXPECT_EQ(all["variables"], "n");
  EXPECT_EQ(all["clocks"], "y");
  EXPECT_EQ(all["distance"], "4");
  EXPECT_EQ(all["complete"], "yes");
  auto few = details(8);
  EXPECT_EQ(few["processes"], "P");
  EXPECT_EQ(few["variables"], "");
  EXPECT_EQ(few["distance"], "1");
  // What is asked for: clocks of a process come with it, others by name.
  auto given = details(1000, "Q, n; P");
  EXPECT_EQ(given["processes"], "P, Q");
  EXPECT_EQ(given["variables"], "n");
  EXPECT_EQ(given["clocks"], "y");
  EXPECT_EQ(given["distance"], "4");
  EXPECT_EQ(details(1000, "P, x")["clocks"], "x");
  EXPECT_EQ(details(1000, "P")["distance"], "1");
  EXPECT_THROW(details(1000, "P, nosuch"), Error);
}

}  // namespace
}  // namespace harrier::abstraction
