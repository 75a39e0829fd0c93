// Discrete states: packing, unpacking, and the store that keeps each of them once.
#include <benchmark/benchmark.h>

#include <vector>

#include "base/rng.h"
#include "bench/subject.h"
#include "step/layout.h"
#include "store/state_store.h"

namespace harrier::bench {
namespace {

void pack(benchmark::State& state) {
  const Subject subject = Subject::of_family("arbiter", 3);
  const auto states = subject.reachable(1000);
  const step::Layout layout(subject.system());
  std::vector<uint64_t> words(layout.words());
  size_t next = 0;
  for (auto _ : state) {
    layout.pack(states[next].data(), words.data());
    benchmark::DoNotOptimize(words.data());
    benchmark::ClobberMemory();
    next = (next + 1) % states.size();
  }
  state.SetItemsProcessed(state.iterations());
}

void unpack(benchmark::State& state) {
  const Subject subject = Subject::of_family("arbiter", 3);
  const auto states = subject.reachable(1000);
  const step::Layout layout(subject.system());
  std::vector<std::vector<uint64_t>> packed;
  for (const auto& values : states) {
    packed.emplace_back(layout.words());
    layout.pack(values.data(), packed.back().data());
  }
  std::vector<int32_t> values(states[0].size());
  size_t next = 0;
  for (auto _ : state) {
    layout.unpack(packed[next].data(), values.data());
    benchmark::DoNotOptimize(values.data());
    benchmark::ClobberMemory();
    next = (next + 1) % packed.size();
  }
  state.SetItemsProcessed(state.iterations());
}

// Fills a store with as many distinct states as the argument says.
void insert_fresh(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  uint64_t bytes = 0;
  for (auto _ : state) {
    Budget budget;
    store::StateStore store(budget, 2);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t words[2] = {i, i >> 3};
      benchmark::DoNotOptimize(store.insert(words).id);
    }
    bytes = store.bytes();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["bytes_per_state"] = static_cast<double>(bytes) / static_cast<double>(count);
}

// Looks up states that are known, in random order.
void insert_known(benchmark::State& state) {
  const auto count = static_cast<uint64_t>(state.range(0));
  Budget budget;
  store::StateStore store(budget, 2);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t words[2] = {i, i >> 3};
    store.insert(words);
  }
  Rng rng(1);
  for (auto _ : state) {
    const uint64_t i = rng.below(count);
    const uint64_t words[2] = {i, i >> 3};
    benchmark::DoNotOptimize(store.insert(words).fresh);
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(pack);
BENCHMARK(unpack);
BENCHMARK(insert_fresh)->Arg(1000)->Arg(1000000);
BENCHMARK(insert_known)->Arg(1000)->Arg(1000000);

}  // namespace
}  // namespace harrier::bench
