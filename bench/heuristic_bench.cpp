// The heuristics alone, on a sample of reachable states, and the test for useless transitions, on a sample of
// transitions: evaluations a second, and how often memory is allocated by 10,000 of them. bench/run.py compares both
// with their goals.
#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <utility>

#include "base/budget.h"
#include "bench/subject.h"
#include "heur/table.h"
#include "search/guide.h"
#include "search/useless.h"
#include "tests/support/count_allocations.h"

namespace harrier::bench {
namespace {

constexpr uint64_t kStates = 1000;
constexpr uint64_t kCounted = 10000;  // evaluations whose allocations are counted

// Measures `evaluate(i)` for all i below `count` in turn, all of which have been evaluated once.
template <class Evaluate>
void measure(benchmark::State& state, size_t count, Evaluate&& evaluate) {
  const uint64_t before = allocations;
  for (uint64_t i = 0; i < kCounted; ++i) evaluate(i % count);
  state.counters["allocations"] = static_cast<double>(allocations - before);
  size_t next = 0;
  for (auto _ : state) {
    evaluate(next);
    next = (next + 1) % count;
  }
  state.SetItemsProcessed(state.iterations());
}

void estimates(benchmark::State& state, const Subject& subject, std::unique_ptr<heur::Heuristic> heuristic,
               uint64_t depth = 50000) {
  const auto states = subject.reachable(kStates, depth);
  const auto evaluate = [&](size_t i) { benchmark::DoNotOptimize(heuristic->evaluate(states[i].data())); };
  for (size_t i = 0; i < states.size(); ++i) evaluate(i);
  measure(state, states.size(), evaluate);
}

// As a search does it: the estimate of the target is known, the source is looked at without some of the edges.
void useless_tests(benchmark::State& state, const Subject& subject, std::unique_ptr<heur::Heuristic> heuristic) {
  Budget budget;
  const step::Semantics semantics(subject.system(), subject.property());
  const search::Preferences options;
  std::vector<std::unique_ptr<search::Estimator>> estimators;
  estimators.push_back(std::make_unique<search::HeuristicEstimator>(search::Guidance{std::move(heuristic)}, 0, budget));
  std::vector<std::unique_ptr<search::Preference>> preferences;
  preferences.push_back(std::make_unique<search::Useless>(
      search::PreferenceTask{semantics, options, budget, estimators[0]->heuristic()}));
  search::Guide guide(std::move(estimators), std::move(preferences));
  const auto transitions = subject.transitions(kStates);
  const auto test = [&](size_t i) {
    const Transition& t = transitions[i];
    guide.begin(i, t.source.data());
    return guide.assess(i, i, 0, t.target.data(), t.edges);
  };
  // Dead ends are not tested.
  std::vector<size_t> tested;
  for (size_t i = 0; i < transitions.size(); ++i) {
    if (!test(i).dead_end) tested.push_back(i);
  }
  measure(state, tested.size(), [&](size_t i) { benchmark::DoNotOptimize(test(tested[i])); });
}

// With the path of three philosophers as a guide.
void guided_estimates(benchmark::State& state, const heur::Entry& entry, uint32_t philosophers) {
  const families::Generated small = families::find_family("philosophers")->generate(3);
  Model sibling = Model::load_text(small.model, "small.xta");
  sibling.add_query(small.query);
  const GoalPath path = sibling.goal_path(0, {});
  const Subject subject = Subject::of_family("philosophers", philosophers);
  estimates(state, subject, entry.make(subject.system(), subject.property().goal, heur::Clocks::Ignore, &path),
            2000);  // zones over so many clocks are large
}

// Registered by name, so that the list of heuristics can follow their table.
const bool registered = [] {
  const auto add = [](const std::string& name, const Source& source, const heur::Entry& entry, auto run) {
    benchmark::RegisterBenchmark(name.c_str(), [=, &entry](benchmark::State& state) {
      const std::optional<Subject> subject = source();
      if (!subject) {
        state.SkipWithError("the model is not there");
        return;
      }
      run(state, *subject, entry.make(subject->system(), subject->property().goal));
    });
  };
  for (const heur::Entry& entry : heur::table()) {
    if (entry.sibling) {
      benchmark::RegisterBenchmark((std::string(entry.name) + "/philosophers-100").c_str(),
                                   [&](benchmark::State& state) { guided_estimates(state, entry, 100); });
      continue;
    }
    for (const Named& subject : {shared("S1", "dmc/stls/S1.xml"), shared("M4", "dmc/mutex/M4.xml"), family("hanoi", 8),
                                 family("arbiter", 4), family("fischer-a", 8), family("csma", 8)}) {
      const std::string name = std::string(entry.name) + "/" + subject.name;
      add(name, subject.source, entry,
          [](auto& state, const Subject& s, auto heuristic) { estimates(state, s, std::move(heuristic)); });
      add("useless/" + name, subject.source, entry, useless_tests);
    }
  }
  return true;
}();

}  // namespace
}  // namespace harrier::bench
