// Whole searches, without reading the model and preparing: states a second that are given their estimate, with all that
// a search does around that. bench/run.py compares greedy searches with their goals.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "base/budget.h"
#include "bench/subject.h"
#include "tests/support/options.h"

namespace harrier::bench {
namespace {

// Every iteration is one search, from the initial state to the error.
void search_for_error(benchmark::State& state, const Source& source, Search search, const char* heuristic) {
  const std::optional<Subject> subject = source();
  if (!subject) {
    state.SkipWithError("the model is not there");
    return;
  }
  CheckOptions options;
  options.search = search;
  options.heuristic = heuristic;
  Statistics statistics;
  size_t length = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Budget budget;
    const step::Semantics semantics(subject->system(), subject->property());
    std::unique_ptr<search::Task> task = search::make_task(semantics, options, budget);
    state.ResumeTiming();
    while (task->advance(UINT64_MAX) == search::Status::Running) {
    }
    state.PauseTiming();
    statistics = task->statistics();
    length = task->path().steps.size();
    task.reset();
    state.ResumeTiming();
  }
  // An estimate is computed once for a discrete state and then shared by all its zones.
  uint64_t estimated = statistics.dead_ends;
  for (const Statistics::Queue& queue : statistics.queues) estimated += queue.pushed;
  const auto rate = benchmark::Counter::kIsIterationInvariantRate;
  state.counters["length"] = static_cast<double>(length);
  state.counters["expanded"] = static_cast<double>(statistics.expanded);
  state.counters["estimated"] = static_cast<double>(estimated);
  state.counters["computed"] = static_cast<double>(statistics.evaluated);
  state.counters["computed_per_second"] = benchmark::Counter(static_cast<double>(statistics.evaluated), rate);
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(estimated));
}

const bool registered = [] {
  const auto add = [](const std::string& search_name, Search search, const std::vector<Named>& subjects) {
    for (const Named& subject : subjects) {
      for (const char* heuristic : {"hU", "hL"}) {
        benchmark::RegisterBenchmark((search_name + "/" + heuristic + "/" + subject.name).c_str(),
                                     [=, source = subject.source](benchmark::State& state) {
                                       search_for_error(state, source, search, heuristic);
                                     })
            ->Unit(benchmark::kMillisecond);
      }
    }
  };
  const Named s1 = shared("S1", "dmc/stls/S1.xml");
  const Named m4 = shared("M4", "dmc/mutex/M4.xml");
  add("greedy", Search::Greedy, {s1, m4, family("hanoi", 8), family("fischer-a", 30)});
  add("astar", Search::AStar, {s1, m4});  // longer
  return true;
}();

}  // namespace
}  // namespace harrier::bench
