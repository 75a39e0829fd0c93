#include "search/anytime.h"

#include <algorithm>
#include <memory>

#include "base/budget.h"
#include "base/error.h"
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

BestFirstSearch method_of(size_t stage, bool clocks) {
  switch (stage) {
    case 0: return {.estimate = {.heuristic = "hU", .clocks = clocks}, .prefer = {.names = {"useless"}}};
    case 1: return {.estimate = {.heuristic = "hL", .clocks = clocks}, .cost_weight = 1, .estimate_weight = 5};
    case 2: return {.estimate = {.heuristic = "hL", .clocks = clocks}, .cost_weight = 1, .estimate_weight = 2};
    default: return {.estimate = {.heuristic = "hL", .clocks = clocks}, .cost_weight = 1, .estimate_weight = 1};
  }
}

bool looks_at_clocks(const Config& config) {
  if (const auto* anytime = config.as<AnytimeSearch>()) return anytime->heuristic_clocks;
  return config.estimate() != nullptr && config.estimate()->clocks;
}

}  // namespace

Config stage_of_anytime(const Config& config, size_t stage, std::optional<uint64_t> depth_limit) {
  Config own = config;
  own.method = method_of(stage, looks_at_clocks(config));
  own.depth_limit = depth_limit;
  return own;
}

Result AnytimeSearch::run(const step::Semantics& semantics, const Config& config) const {
  Limits limits(config);
  Result best;
  Statistics total;  // of the stages that are over
  uint64_t most_bytes = 0;
  for (size_t stage = 0; stage < kStagesOfAnytime; ++stage) {
    if (best.path && best.path->steps.empty()) {
      best.shortest = true;
      break;
    }
    const std::optional<uint64_t> bound =
        best.path ? std::optional<uint64_t>(best.path->steps.size() - 1) : config.depth_limit;
    const Config own = stage_of_anytime(config, stage, bound);
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
      best.shortest = stage + 1 == kStagesOfAnytime;
      continue;
    }
    // Nothing within the bound: without a path that is the answer, with one it is the proof.
    if (best.path) {
      best.shortest = outcome.end == Outcome::End::Itself;
    } else if (outcome.status == Status::Exhausted) {
      best.verdict = Verdict::Unreachable;
      best.warnings = vacuity(semantics, *task, config.watching());
    } else {
      best.reason = outcome.status == Status::Cut ? "depth limit" : outcome.reason;
    }
    break;
  }
  total.time_s = limits.seconds();
  total.search.clear();
  best.statistics = total;
  return best;
}

}  // namespace harrier::search
