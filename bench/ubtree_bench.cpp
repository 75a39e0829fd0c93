// Look-ups in UBTrees of 10,000 sets of the kind that predicate abstraction makes: the locations of some processes, and
// of each of some predicates that it holds, that it does not, or nothing. And how often memory is allocated by 10,000.
#include <benchmark/benchmark.h>

#include <vector>

#include "abstraction/predicates/ubtree.h"
#include "base/rng.h"
#include "tests/support/count_allocations.h"

namespace harrier::bench {
namespace {

constexpr uint32_t kSets = 10'000;
constexpr uint32_t kProcesses = 4;
constexpr uint32_t kLocations = 6;
constexpr uint64_t kQueries = 1024;
constexpr uint64_t kCounted = 10'000;

// A state satisfies a predicate or its negation; a zone may satisfy both of some.
std::vector<uint8_t> query(Rng& rng, uint32_t predicates, bool zone) {
  std::vector<uint8_t> out(kProcesses * kLocations + 2 * predicates, 0);
  for (uint32_t p = 0; p < kProcesses; ++p) out[p * kLocations + rng.below(kLocations)] = 1;
  for (uint32_t p = 0; p < predicates; ++p) {
    const uint32_t first = kProcesses * kLocations + 2 * p;
    out[first + rng.below(2)] = 1;
    if (zone && rng.below(4) == 0) out[first] = out[first + 1] = 1;
  }
  return out;
}

void look_up(benchmark::State& state) {
  const auto predicates = static_cast<uint32_t>(state.range(0));
  const bool zone = state.range(1) != 0;
  Rng rng(1);
  abstraction::UBTree tree;
  while (tree.sets() < kSets) {
    std::vector<uint32_t> set;
    for (uint32_t p = 0; p < kProcesses; ++p) {
      if (rng.below(8) != 0) set.push_back(p * kLocations + static_cast<uint32_t>(rng.below(kLocations)));
    }
    for (uint32_t p = 0; p < predicates; ++p) {
      const uint64_t value = rng.below(3);
      if (value != 2) set.push_back(kProcesses * kLocations + 2 * p + static_cast<uint32_t>(value));
    }
    tree.insert(set, 1 + static_cast<uint32_t>(rng.below(60)));
  }
  tree.freeze();
  std::vector<std::vector<uint8_t>> queries;
  for (uint64_t i = 0; i < kQueries; ++i) queries.push_back(query(rng, predicates, zone));
  const uint64_t before = allocations;
  for (uint64_t i = 0; i < kCounted; ++i) {
    benchmark::DoNotOptimize(tree.smallest_subset(queries[i % kQueries].data(), UINT32_MAX));
  }
  state.counters["allocations"] = static_cast<double>(allocations - before);
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(tree.smallest_subset(queries[next].data(), UINT32_MAX));
    next = (next + 1) % kQueries;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(look_up)->ArgNames({"predicates", "zone"})->ArgsProduct({{10, 20, 40}, {0, 1}});

}  // namespace
}  // namespace harrier::bench
