// The heuristics alone: evaluations a second on a sample of reachable states. bench/run.py compares hU and hL with
// their goals.
#include <benchmark/benchmark.h>

#include <functional>
#include <optional>
#include <string>

#include "bench/subject.h"
#include "heur/table.h"

namespace harrier::bench {
namespace {

using Source = std::function<std::optional<Subject>()>;

void evaluate(benchmark::State& state, const Source& source, const char* heuristic) {
  const std::optional<Subject> subject = source();
  if (!subject) {
    state.SkipWithError("the model is not there");
    return;
  }
  const auto states = subject->reachable(1000);
  const auto h = heur::find(heuristic)->make(subject->system(), subject->property().goal);
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(h->evaluate(states[next].data()));
    next = (next + 1) % states.size();
  }
  state.SetItemsProcessed(state.iterations());
}

// Registered by name, so that the list of heuristics can follow their table.
const bool registered = [] {
  struct Named {
    const char* name;
    Source source;
  };
  const auto family = [](const char* name, uint32_t n) {
    return [name, n]() -> std::optional<Subject> { return Subject::of_family(name, n); };
  };
  const auto shared = [](const char* path) { return [path] { return Subject::of_shared(path); }; };
  const Named subjects[] = {{"S1", shared("dmc/stls/S1.xml")},       {"M4", shared("dmc/mutex/M4.xml")},
                            {"hanoi-8", family("hanoi", 8)},         {"arbiter-4", family("arbiter", 4)},
                            {"fischer-a-8", family("fischer-a", 8)}, {"csma-8", family("csma", 8)}};
  for (const heur::Entry& entry : heur::table()) {
    for (const Named& subject : subjects) {
      benchmark::RegisterBenchmark(
          (std::string(entry.name) + "/" + subject.name).c_str(),
          [source = subject.source, name = entry.name](benchmark::State& state) { evaluate(state, source, name); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace harrier::bench
