#include "search/anytime.h"

#include <algorithm>
#include <memory>

#include "base/budget.h"
#include "base/error.h"
#include "model/cost.h"
#include "model/features.h"
#include "model/interpreter.h"
#include "search/driver.h"
#include "search/limits.h"
#include "search/search.h"
#include "search/statistics.h"
#include "search/task.h"
#include "search/vacuity.h"

namespace harrier::search {

namespace {

constexpr uint64_t kSlice = 64;

BestFirstSearch by_layers(size_t stage, bool clocks) {
  switch (stage) {
    case 0: return {.estimate = {.heuristic = "hU", .clocks = clocks}, .prefer = {.names = {"useless"}}};
    case 1: return {.estimate = {.heuristic = "hL", .clocks = clocks}, .cost_weight = 1, .estimate_weight = 5};
    case 2: return {.estimate = {.heuristic = "hL", .clocks = clocks}, .cost_weight = 1, .estimate_weight = 2};
    default: return {.estimate = {.heuristic = "hL", .clocks = clocks}, .cost_weight = 1, .estimate_weight = 1};
  }
}

BestFirstSearch by_plans(size_t stage, bool clocks) {
  const Estimate path{.heuristic = "hff", .clocks = clocks};
  switch (stage) {
    case 0: return {.estimate = path, .prefer = {.names = {"useless", "preferred"}}};
    case 1: return {.estimate = path, .cost_weight = 1, .estimate_weight = 5, .prefer = {.names = {"preferred"}}};
    case 2: return {.estimate = path, .cost_weight = 1, .estimate_weight = 2, .prefer = {.names = {"preferred"}}};
    default: return {.estimate = {.heuristic = "lmcut", .clocks = clocks}, .cost_weight = 1, .estimate_weight = 1};
  }
}

struct Told {
  bool clocks = false;
  bool lazy = false;
};

Told told(const Config& config) {
  if (const auto* anytime = config.as<AnytimeSearch>()) return {anytime->heuristic_clocks, anytime->lazy};
  return {config.estimate() != nullptr && config.estimate()->clocks, false};
}

}  // namespace

Config stage_of_anytime(const Config& config, CostType costs, bool planning, size_t stage,
                        std::optional<uint64_t> bound) {
  const bool unit = costs == CostType::Unit;
  const Told all = told(config);
  BestFirstSearch method = unit && !planning ? by_layers(stage, all.clocks) : by_plans(stage, all.clocks);
  if (all.lazy && !method.optimal()) {
    method.lazy = true;
    std::erase(method.prefer.names, "useless");
  }
  Config own = config;
  own.method = std::move(method);
  own.cost = costs;
  (unit ? own.depth_limit : own.cost_limit) = bound;
  return own;
}

Result AnytimeSearch::run(const step::Semantics& semantics, const Config& config) const {
  Limits limits(config);
  Result best;
  Statistics total;  // of the stages that are over
  uint64_t most_bytes = 0;
  const model::System& system = semantics.system();
  const CostType costs = config.costs(system);
  const bool in_steps = costs == CostType::Unit;
  const bool planning = model::is_planning(system, semantics.property());
  // The best path is proved to be one.
  const auto prove = [&](bool proved) { (in_steps ? best.shortest : best.cheapest) = proved; };
  for (size_t stage = 0; stage < kStagesOfAnytime; ++stage) {
    const uint64_t found = best.path ? model::cost_of(system, *best.path, costs) : 0;
    if (best.path && found == 0) {
      prove(true);
      break;
    }
    const std::optional<uint64_t> bound = best.path  ? std::optional<uint64_t>(found - 1)
                                          : in_steps ? config.depth_limit
                                                     : config.cost_limit;
    const Config own = stage_of_anytime(config, costs, planning, stage, bound);
    Budget budget = budget_of(config);
    std::unique_ptr<Task> task;  // draws on the budget, and goes before it
    const auto so_far = [&] {
      Statistics s = total;
      s.stored = 0;  // of the last stage only: the others are gone
      if (task) add_counts(s, task->statistics());
      s.memory_bytes = std::max(most_bytes, budget.used());
      s.time_s = limits.seconds();
      s.search = "anytime: " + search::describe(own);
      return s;
    };
    const auto make = [&]() -> Task& {
      task = make_task(semantics, own, budget);
      return *task;
    };
    Outcome outcome;
    try {
      outcome = drive(
          kSlice, make, [&] { limits.poll(); }, [&](const Task&) { limits.show_progress(so_far); },
          [](const Task&) { return true; });
    } catch (const model::EvalFailure&) {
      if (!best.path) throw;  // otherwise it fails somewhere, but not on the path
    }
    total = so_far();
    most_bytes = total.memory_bytes;
    if (outcome.status == Status::Found) {
      best.path = std::move(outcome.path);
      best.verdict = Verdict::Reachable;
      prove(stage + 1 == kStagesOfAnytime);
      continue;
    }
    // Nothing within the bound: without a path that is the answer, with one it is the proof.
    if (best.path) {
      prove(outcome.end == Outcome::End::Itself);
    } else if (outcome.status == Status::Exhausted) {
      best.verdict = Verdict::Unreachable;
      best.warnings = vacuity(semantics, *task, config.watching());
    } else {
      best.reason = outcome.status == Status::Cut ? task->cut_reason() : outcome.reason;
    }
    break;
  }
  total.time_s = limits.seconds();
  total.search.clear();
  best.statistics = total;
  return best;
}

}  // namespace harrier::search
