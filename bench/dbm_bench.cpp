// Operations on zones, for 2, 5 and 10 clocks.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "base/rng.h"
#include "zone/dbm.h"

namespace harrier::zone {
namespace {

// Zones as they come up in a search: clocks reset at different times, some of them bounded.
std::vector<Zone> zones(uint32_t dim) {
  Rng rng(1);
  std::vector<Zone> out;
  for (int i = 0; i < 64; ++i) {
    Zone zone(dim);
    for (uint32_t round = 0; round < dim; ++round) {
      dbm::up(zone.data(), dim);
      const auto clock = static_cast<uint32_t>(1 + rng.below(dim - 1));
      Zone bounded = zone;
      if (bounded.constrain(clock, 0, bound_le(static_cast<int32_t>(5 + rng.below(50))))) zone = bounded;
      bounded = zone;
      if (bounded.constrain(0, clock, bound_le(-static_cast<int32_t>(rng.below(5))))) zone = bounded;
      dbm::reset(zone.data(), dim, static_cast<uint32_t>(1 + rng.below(dim - 1)), 0);
    }
    dbm::up(zone.data(), dim);
    out.push_back(zone);
  }
  return out;
}

// Runs an operation on a fresh copy of one zone after the other.
template <class Operation>
void on_copies(benchmark::State& state, Operation&& operation) {
  const auto dim = static_cast<uint32_t>(state.range(0));
  const std::vector<Zone> all = zones(dim);
  std::vector<Bound> scratch(size_t{dim} * dim);
  size_t next = 0;
  for (auto _ : state) {
    std::copy_n(all[next].data(), scratch.size(), scratch.data());
    benchmark::DoNotOptimize(operation(scratch.data(), dim));
    benchmark::ClobberMemory();
    next = (next + 1) % all.size();
  }
  state.SetItemsProcessed(state.iterations());
}

void copy(benchmark::State& state) {
  on_copies(state, [](Bound* d, uint32_t) { return d[0]; });
}
void close(benchmark::State& state) {
  on_copies(state, [](Bound* d, uint32_t dim) { return dbm::close(d, dim); });
}
void constrain(benchmark::State& state) {
  on_copies(state, [](Bound* d, uint32_t dim) { return dbm::constrain(d, dim, dim - 1, 0, bound_le(4)); });
}
void constrain_upper(benchmark::State& state) {
  std::vector<Bound> bounds(static_cast<size_t>(state.range(0)), kInfinity);
  bounds[1] = bounds.back() = bound_le(4);
  on_copies(state, [&](Bound* d, uint32_t dim) { return dbm::constrain_upper(d, dim, bounds.data()); });
}
void up(benchmark::State& state) {
  on_copies(state, [](Bound* d, uint32_t dim) {
    dbm::up(d, dim);
    return d[0];
  });
}
void reset(benchmark::State& state) {
  on_copies(state, [](Bound* d, uint32_t dim) {
    dbm::reset(d, dim, 1, 0);
    return d[0];
  });
}
void extrapolate(benchmark::State& state) {
  const std::vector<int32_t> lower(static_cast<size_t>(state.range(0)), 10);
  const std::vector<int32_t> upper(lower.size(), 20);
  on_copies(state,
            [&](Bound* d, uint32_t dim) { return dbm::extrapolate_lu_plus(d, dim, lower.data(), upper.data()); });
}
void included_in_alu(benchmark::State& state) {
  const auto dim = static_cast<uint32_t>(state.range(0));
  const std::vector<Zone> all = zones(dim);
  const std::vector<int32_t> lower(dim, 10);
  const std::vector<int32_t> upper(dim, 20);
  size_t next = 0;
  for (auto _ : state) {
    const size_t other = (next * 7 + 1) % all.size();
    benchmark::DoNotOptimize(
        dbm::included_in_alu(all[next].data(), all[other].data(), dim, lower.data(), upper.data()));
    next = (next + 1) % all.size();
  }
  state.SetItemsProcessed(state.iterations());
}

void dimensions(benchmark::internal::Benchmark* benchmark) { benchmark->Arg(3)->Arg(6)->Arg(11); }

BENCHMARK(copy)->Apply(dimensions);
BENCHMARK(close)->Apply(dimensions);
BENCHMARK(constrain)->Apply(dimensions);
BENCHMARK(constrain_upper)->Apply(dimensions);
BENCHMARK(up)->Apply(dimensions);
BENCHMARK(reset)->Apply(dimensions);
BENCHMARK(extrapolate)->Apply(dimensions);
BENCHMARK(included_in_alu)->Apply(dimensions);

}  // namespace
}  // namespace harrier::zone
