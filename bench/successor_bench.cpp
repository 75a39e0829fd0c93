// Successor generation, without keeping the successors: discrete states and zones.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/subject.h"

namespace harrier::bench {
namespace {

constexpr uint64_t kStates = 20000;

// Every iteration generates the successors of one state; items are successors.
template <class Space>
void successors(benchmark::State& state, const std::string& family, uint32_t n) {
  const Subject subject = Subject::of_family(family, n);
  Budget budget;
  const step::Semantics semantics(subject.system(), subject.property());
  Space space(semantics, budget, false);
  explore(space, kStates);
  std::vector<uint64_t> ids;
  for (uint64_t id = 0; id < space.stored(); ++id) {
    if (!space.dropped(id)) ids.push_back(id);
  }
  size_t next = 0;
  int64_t count = 0;
  for (auto _ : state) {
    space.for_each_successor(ids[next], [&](const step::Firing&) {
      ++count;
      return true;
    });
    next = (next + 1) % ids.size();
  }
  state.SetItemsProcessed(count);
}

constexpr auto discrete_successors = successors<search::DiscreteSpace>;
constexpr auto zone_successors = successors<search::ZoneSpace>;

BENCHMARK_CAPTURE(discrete_successors, arbiter_3, "arbiter", 3);
BENCHMARK_CAPTURE(discrete_successors, hanoi_8, "hanoi", 8);
BENCHMARK_CAPTURE(zone_successors, fischer_6, "fischer", 6);
BENCHMARK_CAPTURE(zone_successors, fischer_10, "fischer", 10);
BENCHMARK_CAPTURE(zone_successors, csma_8, "csma", 8);

}  // namespace
}  // namespace harrier::bench
