// Merge-and-shrink against the true distances, for every strategy.
#include "abstraction/merging/merge_and_shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "abstraction/factors.h"
#include "abstraction/merging/factored_system.h"
#include "abstraction/merging/label_reduction.h"
#include "abstraction/merging/merging.h"
#include "abstraction/merging/shrinking.h"
#include "base/error.h"
#include "families/families.h"
#include "heur/heur_support.h"
#include "model/interpreter.h"
#include "random/generator.h"

namespace harrier::abstraction {
namespace {

using testing_support::Example;
using testing_support::Profile;
using testing_support::StateGraph;

std::shared_ptr<const Factors> factors_of(const Example& example) {
  auto task = std::make_shared<const task::Task>(example.system(), example.property().goal);
  return std::make_shared<const Factors>(std::make_shared<const task::VariableDomains>(std::move(task)));
}

AbstractionOptions unlimited() {
  AbstractionOptions options;
  options.states = options.merge_states = 50'000'000;
  options.seconds = 1e9;
  return options;
}

// All combinations of strategies.
std::vector<AbstractionOptions> combinations(const AbstractionOptions& options) {
  std::vector<AbstractionOptions> out;
  for (const MergeOrder& order : merge_orders()) {
    for (const ShrinkStrategy& strategy : shrink_strategies()) {
      out.push_back(options);
      out.back().merge = order.name;
      out.back().shrink = strategy.name;
    }
  }
  return out;
}

std::string described(const AbstractionOptions& options) {
  return options.merge + ", " + options.shrink + ", " + std::to_string(options.merge_states);
}

void expect_admissible(const MergeAndShrink& distances, const StateGraph& graph, const std::string& what) {
  for (size_t id = 0; id < graph.states.size(); ++id) {
    const uint32_t h = distances.look_up(graph.states[id].data());
    ASSERT_LE(h, graph.distance[id]) << what << ", state " << id;  // infinity only where there is no way
  }
}

void expect_exact(const Example& example, size_t most_states) {
  const auto graph = StateGraph::explore(example.system(), example.property(), most_states);
  ASSERT_TRUE(graph.has_value());
  const auto factors = factors_of(example);
  for (const AbstractionOptions& options : combinations(unlimited())) {
    const MergeAndShrink distances(factors, options);
    for (size_t id = 0; id < graph->states.size(); ++id) {
      const uint32_t h = distances.look_up(graph->states[id].data());
      if (graph->distance[id] == kInfinity && h == 0) continue;  // it was reached through dead ends
      ASSERT_EQ(h, graph->distance[id]) << described(options) << ", state " << id;
    }
    EXPECT_EQ(distances.report().proved, graph->distance[0] == kInfinity);
  }
}

TEST(MergeAndShrink, IsExactWithoutABound) {
  expect_exact(Example("int[0,5] x; int[0,5] y = 5;\n"
                       "process P() { state A, B; init A; trans A -> A { guard x < 5; assign x = x + 1; },\n"
                       "  A -> B { guard x == y; }, B -> A { assign x = 0; }; }\n"
                       "process Q() { state A; init A; trans A -> A { guard y > 0; assign y = y - 1; }; }\n"
                       "system P, Q;\n",
                       "E<> P.B and y == 2"),
               1000);
  // Of two clauses, each is about other variables.
  expect_exact(Example("int[0,3] x; int[0,3] y; chan c;\n"
                       "process P() { state A, B; init A; trans A -> A { guard x < 3; assign x = x + 1; },\n"
                       "  A -> B { sync c!; }; }\n"
                       "process Q() { state A, B, C; init A; trans A -> A { guard y < 3; assign y = y + 1; },\n"
                       "  A -> B { sync c?; }, A -> C { guard x > 1; }; }\n"
                       "system P, Q;\n",
                       "E<> (P.B and y == 2) or (Q.C and x == 2)"),
               1000);
  // No clause can be satisfied from everywhere.
  expect_exact(Example("int[0,3] x;\n"
                       "process P() { state A, B, C; init A; trans A -> A { guard x < 3; assign x = x + 1; },\n"
                       "  A -> B { guard x == 1; }, A -> C { guard x == 3; }; }\n"
                       "system P;\n",
                       "E<> P.B or P.C and x == 2"),
               1000);
}

TEST(MergeAndShrink, ProvesThatThereIsNoWay) {
  const Example example(
      "int[0,3] x; int[0,3] y;\n"
      "process P() { state A; init A; trans A -> A { guard x < 3; assign x = x + 1, y = y + 1; }; }\nsystem P;\n",
      "E<> x == 2 and y == 3");
  expect_exact(example, 100);
}

TEST(MergeAndShrink, IsExactOnTowersOfHanoi) {
  for (const uint32_t n : {3, 4}) {
    const families::Generated generated = families::find_family("hanoi")->generate(n);
    expect_exact(Example(generated.model, generated.query), 20'000);
  }
}

// The whole graph of the factors, by what the header of Factors says it is.
class FactorGraph {
 public:
  // None if there are more than `most` states.
  static std::optional<FactorGraph> explore(const Factors& factors, size_t most) {
    FactorGraph graph;
    const std::vector<int32_t> initial = factors.system().initial_values();
    State first;
    for (uint32_t v = 0; v < factors.size(); ++v) first.push_back(factors.read(v, initial.data()));
    graph.number(first);
    for (size_t id = 0; id < graph.states.size(); ++id) {
      for (const Factors::Label& label : factors.labels()) {
        std::vector<State> targets{graph.states[id]};
        for (const Factors::Part& part : factors.parts(label)) {
          std::vector<State> next;
          for (const State& s : targets) {
            for (const Value to : factors.relation(part.relation).from(s[part.variable])) {
              next.push_back(s);
              next.back()[part.variable] = to;
            }
          }
          targets = std::move(next);
        }
        for (const State& target : targets) graph.arcs.emplace_back(id, graph.number(target));
        if (graph.states.size() > most) return std::nullopt;
      }
    }
    graph.measure(factors);
    return graph;
  }

  // With the values of the variables that the factors do not know as in the initial state.
  std::vector<int32_t> values(const Factors& factors, size_t id) const {
    std::vector<int32_t> out = factors.system().initial_values();
    for (uint32_t v = 0; v < factors.size(); ++v) {
      out[factors.variable(v)] = factors.domains().task().domain(factors.variable(v)).values[states[id][v]];
    }
    return out;
  }

  using State = std::vector<Value>;
  std::vector<State> states;
  std::vector<std::pair<size_t, size_t>> arcs;
  std::vector<uint32_t> distance;

 private:
  size_t number(const State& state) {
    const auto [at, fresh] = numbers_.try_emplace(state, states.size());
    if (fresh) states.push_back(state);
    return at->second;
  }
  void measure(const Factors& factors) {
    for (const State& s : states) {
      const bool goal = std::any_of(factors.goals().begin(), factors.goals().end(), [&](const Factors::Label& clause) {
        const auto parts = factors.parts(clause);
        return std::all_of(parts.begin(), parts.end(), [&](const Factors::Part& part) {
          return !factors.relation(part.relation).from(s[part.variable]).empty();
        });
      });
      distance.push_back(goal ? 0 : kInfinity);
    }
    for (bool again = true; again;) {
      again = false;
      for (const auto& [from, to] : arcs) {
        if (distance[to] == kInfinity || distance[from] <= distance[to] + 1) continue;
        distance[from] = distance[to] + 1;
        again = true;
      }
    }
  }

  std::map<State, size_t> numbers_;
};

// Calls check(Example&, name) for every query of random models without clocks.
template <class Check>
void for_random_models(uint64_t seeds, Check&& check) {
  size_t checked = 0;
  for (const Profile& profile : testing_support::profiles()) {
    if (profile.max_clocks != 0) continue;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      const testing_support::TaModel model = testing_support::generate(profile, seed);
      for (size_t q = 0; q < model.queries.size(); ++q) {
        const std::string name = profile.name + " " + std::to_string(seed) + " query " + std::to_string(q);
        Example example(testing_support::to_xta(model), testing_support::to_query(model, model.queries[q]));
        checked += check(example, name) ? 1 : 0;
        if (::testing::Test::HasFailure()) {
          ADD_FAILURE() << name << "\n" << testing_support::to_xta(model) << example.property().text;
          return;
        }
      }
    }
  }
  EXPECT_GT(checked, seeds / 2);
}

TEST(MergeAndShrink, IsTheDistanceInTheFactorsOfRandomModels) {
  for_random_models(30, [](const Example& example, const std::string& name) {
    const auto factors = factors_of(example);
    const auto graph = FactorGraph::explore(*factors, 1500);
    if (!graph) return false;
    for (const AbstractionOptions& options : combinations(unlimited())) {
      const MergeAndShrink distances(factors, options);
      for (size_t id = 0; id < graph->states.size(); ++id) {
        const uint32_t h = distances.look_up(graph->values(*factors, id).data());
        if (graph->distance[id] == kInfinity && h == 0) continue;  // it was reached through dead ends
        EXPECT_EQ(h, graph->distance[id]) << name << ", " << described(options) << ", state " << id;
        if (::testing::Test::HasFailure()) return true;
      }
    }
    return true;
  });
}

TEST(MergeAndShrink, IsAdmissibleAndSafeOnRandomModels) {
  for_random_models(40, [](const Example& example, const std::string& name) {
    std::optional<StateGraph> graph;
    try {
      graph = StateGraph::explore(example.system(), example.property(), 1000);
    } catch (const model::EvalFailure&) {
      return false;  // the model fails at run time
    } catch (const Error&) {
      return false;
    }
    if (!graph || graph->states.empty()) return false;
    const auto factors = factors_of(example);
    for (const uint64_t bound : {1, 4, 20}) {
      AbstractionOptions small;
      small.merge_states = bound;
      for (const AbstractionOptions& options : combinations(small)) {
        const MergeAndShrink distances(factors, options);
        for (size_t id = 0; id < graph->states.size(); ++id) {
          // Infinity only where there is no way.
          EXPECT_LE(distances.look_up(graph->states[id].data()), graph->distance[id])
              << name << ", " << described(options) << ", state " << id;
        }
        if (::testing::Test::HasFailure()) return true;
      }
    }
    return true;
  });
}

// The state of a factor that a state of the model is.
uint32_t state_of(const FactoredSystem& system, const Factors& factors, uint32_t node, const int32_t* values) {
  const FactoredSystem::Node& n = system.nodes()[node];
  if (n.stride == 0) return n.states[factors.read(n.variable, values)];
  const uint32_t left = state_of(system, factors, n.left, values);
  const uint32_t right = state_of(system, factors, n.right, values);
  if (!is_state(left) || !is_state(right)) return std::max(left, right);
  return n.states[left * n.stride + right];
}

TEST(LabelReduction, ChangesNoDistance) {
  uint64_t reduced = 0;
  for_random_models(30, [&](const Example& example, const std::string& name) {
    const auto factors = factors_of(example);
    const auto graph = FactorGraph::explore(*factors, 500);
    uint64_t product = 1;
    for (uint32_t v = 0; v < factors->size(); ++v) product = std::min<uint64_t>(product * factors->values(v), 1 << 20);
    if (!graph || graph->distance[0] == kInfinity || factors->size() == 0 || product > 20'000) return false;
    Allowance allowance(UINT64_MAX, 1e9, Watch::none());
    std::vector<uint32_t> variables(factors->size());
    std::iota(variables.begin(), variables.end(), 0U);
    const auto merged = [&](bool reduce) {
      FactoredSystem system(*factors, variables, Watch::none());
      system.settle();
      for (;;) {
        const uint32_t before = system.labels_left();
        if (reduce) reduce_labels(system, allowance);
        reduced += before - system.labels_left();
        if (system.active().size() == 1) return system;
        system.merge(system.active()[0], system.active()[1], allowance);
        system.settle();
      }
    };
    const FactoredSystem plain = merged(false);
    const FactoredSystem less = merged(true);
    const auto distance = [&](const FactoredSystem& system, const std::vector<int32_t>& values) {
      const uint32_t factor = system.active()[0];
      const uint32_t s = state_of(system, *factors, system.node(factor), values.data());
      return is_state(s) ? system.system(factor).to_goal()[s] : s;
    };
    EXPECT_LE(less.labels_left(), plain.labels_left());
    for (size_t id = 0; id < graph->states.size(); ++id) {
      const std::vector<int32_t> values = graph->values(*factors, id);
      EXPECT_EQ(distance(plain, values), distance(less, values)) << name << ", state " << id;
      if (::testing::Test::HasFailure()) break;
    }
    return true;
  });
  EXPECT_GT(reduced, 0U);
}

Example hanoi() {
  const families::Generated generated = families::find_family("hanoi")->generate(4);
  return Example(generated.model, generated.query);
}

TEST(MergeAndShrink, BudgetsMakeItCoarser) {
  const Example example = hanoi();
  const auto factors = factors_of(example);
  const auto graph = StateGraph::explore(example.system(), example.property(), 20'000);
  for (const auto& [states, seconds, bound] : {std::tuple(0ULL, 10.0, 1000ULL),
                                               {1, 10, 1000},
                                               {30, 10, 1000},
                                               {500, 10, 1000},
                                               {1000, 10, 0},
                                               {1000, 0, 50}}) {
    AbstractionOptions some;
    some.states = states;
    some.seconds = seconds;
    some.merge_states = bound;
    for (const AbstractionOptions& options : combinations(some)) {
      const MergeAndShrink distances(factors, options);
      expect_admissible(distances, *graph, described(options));
      EXPECT_LE(distances.report().states, states);
    }
  }
}

TEST(MergeAndShrink, KeepsTheBound) {
  const Example example = hanoi();
  const auto factors = factors_of(example);
  for (const uint64_t bound : {5, 50}) {
    AbstractionOptions some;
    some.merge_states = bound;
    for (const AbstractionOptions& options : combinations(some)) {
      const AbstractionReport report = MergeAndShrink(factors, options).report();
      for (const auto& [name, text] : report.details) {
        if (name != "states of the factors") continue;
        EXPECT_LE(std::stoul(text), bound) << described(options);
      }
    }
  }
}

TEST(MergeAndShrink, ReportsWhatWasBuilt) {
  AbstractionOptions options;
  options.merge = "dfp";
  const AbstractionReport report = MergeAndShrink(factors_of(hanoi()), options).report();
  EXPECT_EQ(report.heuristic, "ms");
  EXPECT_GT(report.states, 0U);
  EXPECT_GE(report.bytes, 4 * report.states);
  EXPECT_FALSE(report.proved);
  ASSERT_GE(report.details.size(), 2U);
  EXPECT_EQ(report.details[0], std::pair(std::string("merge order"), std::string("dfp")));
  EXPECT_EQ(report.details[1], std::pair(std::string("shrinking"), std::string("bisimulation")));
}

TEST(MergeAndShrink, IsTheSameAfterLoading) {
  const Example example = hanoi();
  const auto factors = factors_of(example);
  const auto graph = StateGraph::explore(example.system(), example.property(), 20'000);
  AbstractionOptions some;
  some.merge_states = 50;
  for (const AbstractionOptions& options : combinations(some)) {
    const MergeAndShrink distances(factors, options);
    ArchiveWriter out;
    distances.save(out);
    ArchiveReader in(out.bytes(), "file");
    const MergeAndShrink loaded = MergeAndShrink::load(in, factors);
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(loaded.report().details, distances.report().details);
    EXPECT_EQ(loaded.report().states, distances.report().states);
    for (const auto& state : graph->states) EXPECT_EQ(loaded.look_up(state.data()), distances.look_up(state.data()));
  }
}

TEST(MergeAndShrink, DamagedFilesAreRefusedOrHarmless) {
  const Example example = hanoi();
  const auto factors = factors_of(example);
  AbstractionOptions options;
  options.merge_states = 20;
  ArchiveWriter out;
  MergeAndShrink(factors, options).save(out);
  const std::vector<int32_t> initial = example.initial();
  for (size_t i = 0; i < out.bytes().size(); i += 7) {
    ArchiveReader cut(std::string_view(out.bytes()).substr(0, i), "file");
    EXPECT_THROW(MergeAndShrink::load(cut, factors), Error) << i;
    for (const int bit : {0, 5, 7}) {
      std::string changed = out.bytes();
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      ArchiveReader in(changed, "file");
      try {
        MergeAndShrink::load(in, factors).look_up(initial.data());  // stays inside its tables
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Input);
      }
    }
  }
}

TEST(MergeAndShrink, UnknownStrategiesAreRefused) {
  const auto factors = factors_of(hanoi());
  AbstractionOptions options;
  options.merge = "levels";
  EXPECT_THROW(MergeAndShrink(factors, options), Error);
  options = {};
  options.shrink = "bisim";
  EXPECT_THROW(MergeAndShrink(factors, options), Error);
}

TEST(MergeAndShrink, HelpNamesEveryStrategy) {
  const std::string help = heur::get("ms").help;
  for (const MergeOrder& order : merge_orders()) EXPECT_NE(help.find(order.name), std::string::npos) << order.name;
  for (const ShrinkStrategy& way : shrink_strategies()) EXPECT_NE(help.find(way.name), std::string::npos) << way.name;
}

TEST(MergeAndShrink, EndsWithTheRun) {
  const Example example = hanoi();
  const auto factors = factors_of(example);
  for (const uint64_t polls : {0, 10, 100, 1000}) {
    const Watch watch({.polls = polls});
    EXPECT_THROW(MergeAndShrink(factors, {}, watch), Error) << polls;
  }
}

}  // namespace
}  // namespace harrier::abstraction
