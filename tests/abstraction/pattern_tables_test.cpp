#include "abstraction/patterns/pattern_tables.h"

#include <gtest/gtest.h>

#include <string>

#include "abstraction/abstraction_support.h"

namespace harrier::abstraction {
namespace {

using testing_support::Example;
using testing_support::factors_of;
using testing_support::for_small_random_models;
using testing_support::StateGraph;

AbstractionOptions options_of(const std::string& strategy, const std::string& combination, uint64_t states = 100'000) {
  AbstractionOptions options;
  options.patterns = strategy;
  options.combine = combination;
  options.states = states;
  options.seconds = 1000;
  return options;
}

AbstractionOptions given(const std::string& pattern, uint64_t states = 100'000) {
  AbstractionOptions options = options_of("cegar", "max", states);
  options.pattern = pattern;
  return options;
}

std::string error_of(const Example& example, const AbstractionOptions& options) {
  try {
    PatternTables::build(factors_of(example), options);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Usage);
    return e.what();
  }
  return "";
}

// Two processes hand a token to and fro, which a third one counts.
constexpr const char* kToken =
    "int[0,4] handed; int[0,1] m; int wide; chan c, d;\n"
    "process P() { state a, b; init a; trans a -> b { sync c!; assign handed = handed + 1; }, b -> a { sync d?; }; }\n"
    "process Q() { state a, b; init a; trans a -> b { sync c?; }, b -> a { sync d!; assign m = 1 - m; }; }\n"
    "process R() { state a, b, c; init a; trans a -> b { guard handed == 2 && m == 1; }, b -> c { guard handed >= 3; "
    "},\n"
    "  a -> a { assign wide = wide + 1; }; }\n"
    "system P, Q, R;\n";

TEST(PatternTables, APatternOfAllVariablesIsExact) {
  const Example example(
      "int[0,4] n; int[0,1] m; chan c, d;\n"
      "process P() { state a, b; init a; trans a -> b { sync c!; assign n = n + 1; }, b -> a { sync d?; }; }\n"
      "process Q() { state a, b; init a; trans a -> b { sync c?; }, b -> a { sync d!; assign m = 1 - m; }; }\n"
      "process R() { state a, b, c; init a; trans a -> b { guard n == 2 && m == 1; }, b -> c { guard n >= 3; }; }\n"
      "process S() { state a, b; commit b; init a; trans a -> b { guard n == 1; }, b -> a { assign n = 0; }; }\n"
      "system P, Q, R, S;\n",
      "E<> R.c");
  const auto graph = StateGraph::explore(example.system(), example.property(), 10'000);
  ASSERT_TRUE(graph);
  // All keys, or only those that can be reached.
  for (const uint64_t states : {100'000, 200}) {
    const PatternTables tables = PatternTables::build(factors_of(example), given("n, m, P, Q, R, S", states));
    ASSERT_EQ(tables.pattern_count(), 1u);
    for (size_t s = 0; s < graph->states.size(); ++s) {
      EXPECT_EQ(tables.look_up(graph->states[s].data()), graph->distance[s]) << s;
    }
  }
}

TEST(PatternTables, PatternsAreGivenByNames) {
  const Example example(kToken, "E<> R.c");
  const PatternTables tables = PatternTables::build(factors_of(example), given(" R , handed;  P,Q "));
  ASSERT_EQ(tables.pattern_count(), 2u);
  EXPECT_EQ(tables.pattern(0).size(), 2u);
  EXPECT_GE(tables.look_up(example.initial().data()), 4u);  // handed over twice, R twice
  EXPECT_EQ(tables.report().details.at(0).second, "given");
}

TEST(PatternTables, BadPatternsAreRefused) {
  const Example example(kToken, "E<> R.c");
  EXPECT_EQ(error_of(example, given("R, handled")),
            "the pattern names 'handled', which the model does not have; did you mean 'handed'?");
  EXPECT_EQ(error_of(example, given("R,,handed")), "a name is missing in the pattern 'R,,handed'");
  EXPECT_EQ(error_of(example, given("R;")), "a name is missing in the pattern ''");
  EXPECT_EQ(error_of(example, given("R, wide")), "the variable 'wide' cannot be in a pattern: it has too many values");
  EXPECT_NE(error_of(example, given("R, handed, m", 10)).find("has more than 10 states"), std::string::npos);
  EXPECT_NE(error_of(example, given("R, handed; R, m", 17)).find("has more than 2 states"), std::string::npos);
  EXPECT_NE(error_of(example, given("R", 0)).find("has more than 0 states"), std::string::npos);
  EXPECT_EQ(error_of(example, options_of("cegars", "max")).substr(0, 24), "'cegars' is not one of c");
  EXPECT_EQ(error_of(example, options_of("cegar", "maxi")).substr(0, 22), "'maxi' is not one of a");
}

// Two counters, each with a process of its own: their distances add up.
TEST(PatternTables, IndependentPatternsAddUp) {
  const Example example(
      "int[0,3] x; int[0,3] y;\n"
      "process P() { state a; init a; trans a -> a { assign x = x + 1; }; }\n"
      "process Q() { state a; init a; trans a -> a { assign y = y + 1; }; }\n"
      "system P, Q;\n",
      "E<> x == 3 && y == 2");
  AbstractionOptions options = given("x; y");
  EXPECT_EQ(PatternTables::build(factors_of(example), options).look_up(example.initial().data()), 3u);
  for (const char* sum : {"canonical", "saturated", "auto"}) {
    options.combine = sum;
    EXPECT_EQ(PatternTables::build(factors_of(example), options).look_up(example.initial().data()), 5u) << sum;
  }
  // A step that counts for both is counted once.
  const Example together(
      "int[0,3] x; int[0,3] y;\n"
      "process P() { state a; init a; trans a -> a { assign x = x + 1, y = y + 1; }, a -> a { assign y = y + 1; }; }\n"
      "system P;\n",
      "E<> x == 2 && y == 3");
  for (const char* sum : {"max", "canonical", "saturated", "auto"}) {
    options.combine = sum;
    EXPECT_EQ(PatternTables::build(factors_of(together), options).look_up(together.initial().data()), 3u) << sum;
  }
}

TEST(PatternTables, AreSavedAndLoaded) {
  const Example example(kToken, "E<> R.c");
  const auto factors = factors_of(example);
  for (const uint64_t states : {100'000, 40}) {
    AbstractionOptions options = given("R, handed, m; P, Q", states);
    options.combine = "saturated";
    const PatternTables built = PatternTables::build(factors, options);
    ArchiveWriter out;
    built.save(out);
    ArchiveReader in(out.bytes(), "file");
    const PatternTables loaded = PatternTables::load(in, factors);
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(loaded.report().states, built.report().states);
    EXPECT_EQ(loaded.report().details, built.report().details);
    for (int32_t n = 0; n <= 4; ++n) {
      for (int32_t r = 0; r <= 2; ++r) {
        const auto state = example.state({{"handed", n}, {"R", r}});
        EXPECT_EQ(loaded.look_up(state.data()), built.look_up(state.data()));
      }
    }
    // Cut off anywhere, or with a byte changed, it is refused or harmless.
    for (size_t size = 0; size < out.bytes().size(); ++size) {
      ArchiveReader cut(std::string_view(out.bytes()).substr(0, size), "file");
      EXPECT_THROW(PatternTables::load(cut, factors), Error) << size;
      std::string damaged = out.bytes();
      damaged[size] = static_cast<char>(damaged[size] ^ 0x41);
      ArchiveReader changed(damaged, "file");
      try {
        PatternTables::load(changed, factors).look_up(example.initial().data());
      } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::Input);
      }
    }
  }
}

TEST(PatternTables, LargeDistancesTakeTwoBytes) {
  const Example example(
      "int[0,999] x;\n"
      "process P() { state a; init a; trans a -> a { assign x = x + 1; }; }\n"
      "system P;\n",
      "E<> x == 999");
  const PatternTables tables = PatternTables::build(factors_of(example), given("x"));
  EXPECT_EQ(tables.report().bytes, 2000u);
  EXPECT_EQ(tables.look_up(example.initial().data()), 999u);
}

TEST(PatternTables, WithoutABudgetGoalStatesAreToldFromOthers) {
  const Example example(kToken, "E<> R.c && handed == 4");
  for (const PatternStrategy& strategy : pattern_strategies()) {
    AbstractionOptions options = options_of(strategy.name, "auto", 0);
    for (int i = 0; i < 2; ++i) {
      const PatternTables tables = PatternTables::build(factors_of(example), options);
      EXPECT_EQ(tables.pattern_count(), 0u) << strategy.name;
      EXPECT_EQ(tables.look_up(example.initial().data()), 1u);
      EXPECT_EQ(tables.look_up(example.state({{"R", 2}, {"handed", 4}}).data()), 0u);
      options.states = 1;  // too few for any pattern
    }
    // No time at all: whatever comes out is a lower bound.
    options.states = 100'000;
    options.seconds = 0;
    const PatternTables hasty = PatternTables::build(factors_of(example), options);
    EXPECT_LE(hasty.look_up(example.initial().data()), 12u);
  }
}

TEST(PatternTables, ProvesWhatTheProjectionCannotReach) {
  const Example example(
      "int[0,3] x;\n"
      "process P() { state a; init a; trans a -> a { guard x < 2; assign x = x + 1; }, a -> a { assign x = 0; }; }\n"
      "process Q() { state a, b; init a; trans a -> b { guard x == 3; }; }\n"
      "system P, Q;\n",
      "E<> Q.b");
  for (const PatternStrategy& strategy : pattern_strategies()) {
    const PatternTables tables = PatternTables::build(factors_of(example), options_of(strategy.name, "auto"));
    EXPECT_EQ(tables.look_up(example.initial().data()), kInfinity) << strategy.name;
    EXPECT_TRUE(tables.report().proved);
  }
}

// No estimate exceeds the true distance, and dead ends are real; whatever the strategy, the combination and the room.
TEST(PatternTables, EstimatesOfRandomModelsAreLowerBounds) {
  size_t positive = 0;
  size_t dead_ends = 0;
  for_small_random_models(60, 600, [&](Example& example, const StateGraph& graph, const std::string& name) {
    const auto factors = factors_of(example);
    for (const PatternStrategy& strategy : pattern_strategies()) {
      for (const PatternCombination& combination : pattern_combinations()) {
        for (const uint64_t states : {5'000, 60}) {
          const PatternTables tables =
              PatternTables::build(factors, options_of(strategy.name, combination.name, states));
          ASSERT_LE(tables.report().states, states) << name;
          for (size_t s = 0; s < graph.states.size(); s += 1 + graph.states.size() / 50) {
            const uint32_t h = tables.look_up(graph.states[s].data());
            const std::string where = std::string(strategy.name) + " " + combination.name + " " + name;
            ASSERT_TRUE(h != kInfinity || graph.distance[s] == kInfinity) << where;
            ASSERT_TRUE(h == kInfinity || h <= graph.distance[s]) << where << ": " << h;
            ASSERT_TRUE(!graph.goal[s] || h == 0) << where;
            positive += h > 1 && h != kInfinity;
            dead_ends += h == kInfinity;
          }
        }
      }
    }
  });
  EXPECT_GT(positive, 1000u);
  EXPECT_GT(dead_ends, 1000u);
}

// Patterns at random, several at a time.
TEST(PatternTables, GivenPatternsOfRandomModelsAreLowerBounds) {
  uint64_t turn = 0;
  for_small_random_models(60, 600, [&](Example& example, const StateGraph& graph, const std::string& name) {
    const auto factors = factors_of(example, ++turn % 2 == 0 ? task::Task::Limits() : task::Task::Limits{3, 3});
    if (factors->size() < 3) return;
    std::vector<std::string> names;
    for (uint32_t v = 0; v < factors->size(); ++v) names.push_back(factors->name(v));
    for (const model::Process& process : example.system().processes) {
      for (uint32_t v = 0; v < factors->size(); ++v) {
        if (factors->variable(v) == process.location.value) names[v] = process.name;
      }
    }
    std::string text;
    for (size_t i = 0; i < 4; ++i) {
      text += (i == 0 ? "" : "; ") + names[(turn + i) % names.size()] + ", " + names[(turn + 3 * i + 1) % names.size()];
    }
    uint32_t largest = 0;
    for (const char* combination : {"max", "canonical", "saturated"}) {
      AbstractionOptions options = given(text);
      options.combine = combination;
      const PatternTables tables = PatternTables::build(factors, options);
      const uint32_t initial = tables.look_up(graph.states[0].data());
      ASSERT_GE(initial, largest) << combination << " " << name;
      if (combination == std::string("max")) largest = initial;
      for (size_t s = 0; s < graph.states.size(); s += 1 + graph.states.size() / 50) {
        const uint32_t h = tables.look_up(graph.states[s].data());
        ASSERT_TRUE(h != kInfinity || graph.distance[s] == kInfinity) << combination << " " << name;
        ASSERT_TRUE(h == kInfinity || h <= graph.distance[s]) << combination << " " << name << ": " << h;
      }
    }
  });
}

}  // namespace
}  // namespace harrier::abstraction
