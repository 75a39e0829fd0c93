#include "search/anytime.h"

#include <algorithm>
#include <memory>
#include <new>

#include "base/budget.h"
#include "base/error.h"
#include "model/interpreter.h"
#include "search/limits.h"
#include "search/task.h"
#include "search/vacuity.h"

namespace harrier::search {

namespace {

constexpr uint64_t kSlice = 64;

struct Stage {
  Search search;
  const char* heuristic;
  uint32_t weight;
};

constexpr Stage kStages[kStagesOfAnytime] = {{Search::Greedy, "hU", 1},
                                             {Search::WeightedAStar, "hL", 5},
                                             {Search::WeightedAStar, "hL", 2},
                                             {Search::AStar, "hL", 1}};

}  // namespace

CheckOptions stage_of_anytime(const CheckOptions& options, size_t stage, std::optional<uint64_t> depth_limit) {
  CheckOptions own = options;
  own.search = kStages[stage].search;
  own.heuristic = kStages[stage].heuristic;
  own.weight = kStages[stage].weight;
  own.prefer_useless = own.search == Search::Greedy;
  own.prefer_contexts = own.prefer_preferred = false;
  own.cache_entries = 0;  // a table that forgets would not be admissible
  own.guide = nullptr;
  own.depth_limit = depth_limit;
  return own;
}

Result run_anytime(const step::Semantics& semantics, const CheckOptions& options) {
  Limits limits(options);
  Result best;
  Statistics total;
  for (size_t stage = 0; stage < kStagesOfAnytime; ++stage) {
    if (best.path && best.path->steps.empty()) {
      best.shortest = true;
      break;
    }
    const std::optional<uint64_t> bound =
        best.path ? std::optional<uint64_t>(best.path->steps.size() - 1) : options.depth_limit;
    const CheckOptions own = stage_of_anytime(options, stage, bound);
    Budget budget = budget_of(options);
    const Statistics before = total;
    std::string reason;
    Status status = Status::Running;
    std::unique_ptr<Task> task;
    const auto add_up = [&] {
      const Statistics s = task ? task->statistics() : Statistics();
      total = before;
      total.expanded += s.expanded;
      total.generated += s.generated;
      total.evaluated += s.evaluated;
      total.dead_ends += s.dead_ends;
      total.deferred_expanded += s.deferred_expanded;
      total.stored = s.stored;
      total.memory_bytes = std::max(before.memory_bytes, budget.used());
      total.time_s = limits.seconds();
      return total;
    };
    try {
      task = make_task(semantics, own, budget);
      while ((status = task->advance(kSlice)) == Status::Running) {
        limits.poll();
        limits.show_progress(add_up);
      }
      add_up();
      if (status == Status::Found) {
        best.path = task->path();
        best.verdict = Verdict::Reachable;
        best.shortest = own.search == Search::AStar;
        best.reason.clear();
        continue;
      }
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::Limit) throw;
      reason = e.what();
      add_up();
    } catch (const std::bad_alloc&) {
      reason = "out of memory";
      add_up();
    } catch (const model::EvalFailure&) {
      if (!best.path) throw;
      add_up();
      break;
    }
    if (!reason.empty()) {
      if (!best.path) best.reason = reason;
      break;
    }
    // Nothing within the bound: without a path that is the answer, with one it is the proof.
    if (best.path) {
      best.shortest = true;
    } else if (status == Status::Exhausted) {
      best.verdict = Verdict::Unreachable;
      best.warnings = vacuity(semantics, *task, Watch::or_none(options.watch));
    } else {
      best.reason = "depth limit";
    }
    break;
  }
  total.time_s = limits.seconds();
  best.statistics = total;
  return best;
}

}  // namespace harrier::search
