// The fast evaluator beside the reference interpreter, on the guards and effects of edges that leave current locations.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "bench/subject.h"
#include "model/interpreter.h"
#include "step/machine.h"

namespace harrier::bench {
namespace {

// An edge in a state where it can be tried.
struct Trial {
  const std::vector<int32_t>* values;
  uint32_t edge;
};

class Trials {
 public:
  explicit Trials(const std::string& family, uint32_t n, bool enabled_only)
      : subject_(Subject::of_family(family, n)), states_(subject_.reachable(500, 20000)) {
    model::Interpreter interpreter(system());
    for (const auto& values : states_) {
      for (uint32_t e = 0; e < system().edges.size(); ++e) {
        const model::Edge& edge = system().edges[e];
        const auto here = static_cast<uint32_t>(values[system().process(edge.process).location.value]);
        if (edge.source != here || (enabled_only ? edge.effect.empty() : edge.guard.empty())) continue;
        if (enabled_only && !runs(interpreter, edge, values)) continue;
        trials_.push_back({&values, e});
      }
    }
    if (trials_.empty()) throw std::runtime_error("nothing to evaluate in " + family);
  }
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  const model::System& system() const { return subject_.system(); }
  const Trial& operator[](size_t i) const { return trials_[i % trials_.size()]; }

 private:
  // Enabled, and its effect does not fail when it runs alone, without that of its partner.
  static bool runs(model::Interpreter& interpreter, const model::Edge& edge, std::vector<int32_t> values) {
    std::vector<model::ClockReset> resets;
    try {
      if (!interpreter.holds(edge.guard, values)) return false;
      interpreter.execute(edge.effect, values, resets);
      return true;
    } catch (const model::EvalFailure&) {
      return false;
    }
  }

  Subject subject_;
  std::vector<std::vector<int32_t>> states_;
  std::vector<Trial> trials_;
};

void guards_fast(benchmark::State& state, const std::string& family, uint32_t n) {
  const Trials trials(family, n, false);
  step::Program program(trials.system());
  std::vector<step::Code> guards;
  for (const model::Edge& edge : trials.system().edges) guards.push_back(program.condition(edge.guard));
  step::Machine machine(program);
  size_t i = 0;
  for (auto _ : state) {
    const Trial& trial = trials[i++];
    benchmark::DoNotOptimize(machine.holds(guards[trial.edge], trial.values->data()));
  }
  state.SetItemsProcessed(state.iterations());
}

void guards_reference(benchmark::State& state, const std::string& family, uint32_t n) {
  const Trials trials(family, n, false);
  model::Interpreter interpreter(trials.system());
  size_t i = 0;
  for (auto _ : state) {
    const Trial& trial = trials[i++];
    benchmark::DoNotOptimize(interpreter.holds(trials.system().edges[trial.edge].guard, *trial.values));
  }
  state.SetItemsProcessed(state.iterations());
}

void effects_fast(benchmark::State& state, const std::string& family, uint32_t n) {
  const Trials trials(family, n, true);
  step::Program program(trials.system());
  std::vector<step::Code> effects;
  for (const model::Edge& edge : trials.system().edges) effects.push_back(program.effect(edge.effect));
  step::Machine machine(program);
  std::vector<int32_t> values;
  size_t i = 0;
  for (auto _ : state) {
    const Trial& trial = trials[i++];
    values = *trial.values;
    benchmark::DoNotOptimize(machine.execute(effects[trial.edge], values.data()));
    machine.undo(values.data());
  }
  state.SetItemsProcessed(state.iterations());
}

void effects_reference(benchmark::State& state, const std::string& family, uint32_t n) {
  const Trials trials(family, n, true);
  model::Interpreter interpreter(trials.system());
  std::vector<int32_t> values;
  std::vector<model::ClockReset> resets;
  size_t i = 0;
  for (auto _ : state) {
    const Trial& trial = trials[i++];
    values = *trial.values;
    resets.clear();
    interpreter.execute(trials.system().edges[trial.edge].effect, values, resets);
    benchmark::DoNotOptimize(values.data());
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(guards_fast, fischer_6, "fischer", 6);
BENCHMARK_CAPTURE(guards_reference, fischer_6, "fischer", 6);
BENCHMARK_CAPTURE(guards_fast, train_gate_5, "train-gate", 5);
BENCHMARK_CAPTURE(guards_reference, train_gate_5, "train-gate", 5);
BENCHMARK_CAPTURE(effects_fast, fischer_6, "fischer", 6);
BENCHMARK_CAPTURE(effects_reference, fischer_6, "fischer", 6);
BENCHMARK_CAPTURE(effects_fast, train_gate_5, "train-gate", 5);
BENCHMARK_CAPTURE(effects_reference, train_gate_5, "train-gate", 5);

}  // namespace
}  // namespace harrier::bench
