// The worked example of Andisha et al. (2015, listing 1.1), through the Promela front end.
#include "lang/promela/promela.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "harrier/harrier.h"
#include "heur/relaxed_task.h"
#include "heur/table.h"
#include "model/system.h"

namespace harrier {
namespace {

constexpr const char* kListing = R"(
int a=0, b=0; chan c=[1] of {int};
active proctype S() { again: c!a; a++; goto again; }
active proctype R() { again: c?b; goto again; }
)";

// h^+ by brute force: the fewest transitions, one after the other, whose effects together reach the goal if nothing is
// ever deleted.
uint32_t h_plus(const heur::RelaxedTask& task, const int32_t* values) {
  using State = std::set<uint32_t>;
  const auto holds = [&](const heur::RelaxedTask::Rule& rule, const State& state) {
    const auto preconditions = task.preconditions(rule);
    return std::all_of(preconditions.begin(), preconditions.end(), [&](uint32_t f) { return state.contains(f); });
  };
  const auto apply = [&](State state, uint32_t transition) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const heur::RelaxedTask::Rule& rule : task.rules()) {
        if (rule.transition != heur::RelaxedTask::kFree) continue;
        if (!holds(rule, state)) continue;
        for (const uint32_t f : task.effects(rule)) changed = state.insert(f).second || changed;
      }
    }
    State after = state;
    for (const heur::RelaxedTask::Rule& rule : task.rules()) {
      if (rule.transition == transition && holds(rule, state)) {
        after.insert(task.effects(rule).begin(), task.effects(rule).end());
      }
    }
    return after;
  };
  std::vector<uint32_t> facts(task.fact_count());
  facts.resize(task.facts_of(values, facts.data()));
  std::set<State> layer{apply(State(facts.begin(), facts.end()), heur::RelaxedTask::kFree - 1)};
  for (uint32_t steps = 0;; ++steps) {
    std::set<State> next;
    for (const State& state : layer) {
      const State settled = apply(state, heur::RelaxedTask::kFree - 1);
      if (settled.contains(task.goal_fact())) return steps;
      for (uint32_t t = 0; t < task.task().transitions().size(); ++t) next.insert(apply(settled, t));
    }
    layer = std::move(next);
  }
}

TEST(Promela, Listing11OfSeed003) {
  const std::string goal = "a == 2 && b == 1";
  const LoadOptions options{.options = {{"--goal", goal}}};
  const Model model = Model::load_text(kListing, "listing.pml", options);
  CheckOptions search;
  search.search = Search::BreadthFirst;
  EXPECT_EQ(model.check(0, search).witness_length, 6u);

  Diagnostics diagnostics;
  promela::Options source_options;
  source_options.goals = {goal};
  promela::Source source(kListing, "listing.pml", source_options, diagnostics);
  source.lower(diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  const model::System& system = *source.system();
  const auto heuristic = heur::find("hL")->make(system, source.properties()[0].goal);
  EXPECT_EQ(heuristic->evaluate(system.initial_values().data()), 4u);
  const heur::RelaxedTask task(std::make_shared<const task::Task>(system, source.properties()[0].goal));
  EXPECT_EQ(h_plus(task, system.initial_values().data()), 5u);
}

// A process that does not run yet is as far away as the statement that starts it, not out of reach.
TEST(Promela, GraphDistanceKnowsThatProcessesStart) {
  constexpr const char* kText = "byte x; proctype P() { x = 1; x = 2; there: x = 3 } init { x = 7; run P() }";
  Diagnostics diagnostics;
  promela::Options options;
  options.goals = {"P@there"};
  promela::Source source(kText, "start.pml", options, diagnostics);
  source.lower(diagnostics);
  ASSERT_TRUE(source.may_lack_room());  // for P as process 1
  source.make_room_for({"P(1)"});
  source.lower(diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  const model::System& system = *source.system();
  const std::vector<model::Clause> label(source.properties()[0].goal.end() - 1, source.properties()[0].goal.end());
  for (const char* name : {"dL", "dU"}) {
    EXPECT_EQ(heur::find(name)->make(system, label)->evaluate(system.initial_values().data()), 3u) << name;
  }
}

}  // namespace
}  // namespace harrier
