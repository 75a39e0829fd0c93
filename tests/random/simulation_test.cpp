// Simulations of random networks. With every delay fixed a simulation is at one point in time, where the concrete
// semantics says exactly what can happen; with open delays, its traces must pass validation.
#include "harrier/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "api/data.h"
#include "random/generator.h"
#include "random/rng.h"
#include "random/ta_printer.h"
#include "trace/concrete.h"

namespace harrier::testing_support {
namespace {

using trace::ConcreteSemantics;
using EdgeNumbers = std::vector<uint32_t>;

constexpr uint64_t kModels = 25;  // of each profile
constexpr int kSteps = 15;

std::optional<Model> random_model(const Profile& profile, uint64_t seed) {
  try {
    return Model::load_text(to_xta(generate(profile, seed)), "random.xta");
  } catch (const Error&) {  // some are wrong, or too large
    return std::nullopt;
  }
}

std::multiset<EdgeNumbers> listed(Simulation& simulation) {
  std::multiset<EdgeNumbers> out;
  for (const Simulation::Transition& t : simulation.transitions().all) {
    EdgeNumbers numbers;
    for (const TraceFiring& edge : t.edges) numbers.push_back(edge.edge);
    out.insert(std::move(numbers));
  }
  return out;
}

EdgeNumbers numbers_of(const ConcreteSemantics::Edges& edges) {
  EdgeNumbers out;
  for (const model::EdgeId edge : edges) out.push_back(edge.value);
  return out;
}

void expect_valid(const Model& model, Simulation& simulation, const std::string& name) {
  const Validation validation = model.validate(to_json(simulation.trace()), "trace");
  EXPECT_EQ(validation.problem, "") << name;
  EXPECT_TRUE(validation.run) << name;
}

// What happened on the way.
struct Counts {
  int steps = 0;
  int delays = 0;
  int refused_delays = 0;
  int failures = 0;
};

// Steps of both, side by side, as long as the model does not fail.
void compare(const Model& model, Rng& rng, const std::string& name, Counts& counts) {
  const model::System& system = api::Inside::first(model)->system();
  ConcreteSemantics semantics(system, 1);
  ConcreteSemantics::State state = semantics.initial();
  Simulation simulation(model);
  if (!simulation.begun()) return;
  for (int i = 0; i < kSteps; ++i) {
    std::vector<ConcreteSemantics::Move> moves;
    try {
      if (simulation.timed()) {
        const auto delay = static_cast<int32_t>(rng.below(4));
        if (semantics.delay_obstacle(state, delay)) {
          EXPECT_THROW(simulation.wait(delay), Error) << name << " step " << i;
          simulation.wait(0);
          ++counts.refused_delays;
        } else {
          simulation.wait(delay);
          state = ConcreteSemantics::delayed(state, delay);
          counts.delays += delay > 0 ? 1 : 0;
        }
      }
      moves = semantics.enabled(state);
    } catch (const model::RunTimeError&) {
      ++counts.failures;
      EXPECT_NE(simulation.transitions().failure, "") << name << " step " << i;
      return;
    }
    std::multiset<EdgeNumbers> expected;
    for (const auto& move : moves) expected.insert(numbers_of(move.edges));
    ASSERT_EQ(listed(simulation), expected) << name << " step " << i << "\n" << simulation.transitions().failure;
    if (moves.empty()) break;
    const auto& move = moves[rng.below(moves.size())];
    const auto& all = simulation.transitions().all;
    size_t number = 0;
    while (all[number].edges.front().edge != move.edges.front().value ||
           all[number].edges.size() != move.edges.size() ||
           !std::equal(move.edges.begin(), move.edges.end(), all[number].edges.begin(),
                       [](model::EdgeId a, const TraceFiring& b) { return a.value == b.edge; })) {
      ++number;
    }
    simulation.take(number);
    state = move.target;
    ++counts.steps;
  }
  const Trace trace = simulation.trace();
  ASSERT_EQ(trace.last().values, state.values) << name;
  std::vector<int64_t> clocks = trace.last().clocks;
  for (size_t c = 1; c < clocks.size(); ++c) clocks[c] += trace.final_delay;
  EXPECT_EQ(clocks, state.clocks) << name;
  EXPECT_EQ(trace.denominator, 1) << name;
  expect_valid(model, simulation, name);
}

TEST(Simulations, DoWhatTheConcreteSemanticsDoes) {
  Counts counts;
  for (const Profile& profile : profiles()) {
    for (uint64_t seed = 1; seed <= kModels; ++seed) {
      const auto model = random_model(profile, seed);
      if (!model) continue;
      Rng rng(seed);
      const std::string name = profile.name + " " + std::to_string(seed);
      compare(*model, rng, name, counts);
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(counts.steps, 300);
  EXPECT_GT(counts.delays, 50);
  EXPECT_GT(counts.refused_delays, 10);
}

TEST(Simulations, AreValidWithOpenTimes) {
  size_t steps = 0;
  for (const Profile& profile : profiles()) {
    for (uint64_t seed = 1; seed <= kModels; ++seed) {
      const auto model = random_model(profile, seed);
      if (!model) continue;
      const std::string name = profile.name + " " + std::to_string(seed);
      Simulation simulation(*model);
      if (!simulation.begun()) continue;
      simulation.seed(seed);
      simulation.random(40);
      steps += simulation.position();
      expect_valid(*model, simulation, name);
      // The same again from the trace.
      Simulation again(*model);
      again.load(to_json(simulation.trace()), "trace");
      EXPECT_EQ(again.position(), simulation.position()) << name;
      EXPECT_EQ(again.trace(), simulation.trace()) << name;
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(steps, 500u);
}

}  // namespace
}  // namespace harrier::testing_support
