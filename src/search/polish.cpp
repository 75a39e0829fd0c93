#include "search/polish.h"

#include <algorithm>
#include <new>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "model/interpreter.h"
#include "search/driver.h"
#include "search/lasso.h"
#include "search/limits.h"
#include "search/neighbourhood.h"
#include "search/task.h"
#include "step/replay.h"

namespace harrier::search {

namespace {

using Steps = std::vector<model::PathStep>;

constexpr uint64_t kSlice = 16;
// A long path is replayed so many times, but not for more than so many steps.
constexpr uint64_t kLeastReplays = 100;
constexpr uint64_t kMostSteps = 200'000;
// Successors that are generated in its neighbourhood: so many for each step, but not more than so many.
constexpr uint64_t kNearby = 100;
constexpr uint64_t kMostNearby = 1'000'000;

bool share_process(const model::System& system, const model::PathStep& a, const model::PathStep& b) {
  return std::any_of(a.edges.begin(), a.edges.end(), [&](model::EdgeId x) {
    return std::any_of(b.edges.begin(), b.edges.end(),
                       [&](model::EdgeId y) { return system.edge(x).process == system.edge(y).process; });
  });
}

size_t switches(const model::System& system, const Steps& steps) {
  size_t count = 0;
  for (size_t i = 1; i < steps.size(); ++i) count += share_process(system, steps[i - 1], steps[i]) ? 0 : 1;
  return count;
}

// Leaving out and reordering steps by replaying what is left. When a limit is reached, there is no effort left.
class Rearranger {
 public:
  Rearranger(const step::Semantics& semantics, uint64_t effort, const Watch& watch)
      : system_(semantics.system()), watch_(watch), replay_(semantics, watch), effort_(effort) {}

  // Leaves out what processes do until they are back at a location: all of them, or else by halves of them.
  void uncycle(Steps& steps) { uncycle(steps, 0, system_.processes.size()); }

  // Leaves out blocks of steps, large ones first, each with whatever cannot fire then.
  void eliminate(Steps& steps) {
    for (size_t block = std::max<size_t>(steps.size() / 2, 1); effort_ > 0; block /= 2) {
      eliminate(steps, block);
      if (block == 1) break;
    }
  }

  // Makes a path of steps that work. Edges alone describe the steps of such a model, and the replay shows that they can
  // be followed.
  void settle(model::Path& path) {
    for (model::PathStep& step : path.steps) step.extra.clear();
    path.goal_extra.clear();
    works(path.steps);
    path.goal_clause = replay_.goal_clause().value_or(0);
  }

  void gather(Steps& steps) {
    for (size_t i = 1; i < steps.size() && effort_ > 0; ++i) {
      if (share_process(system_, steps[i - 1], steps[i])) continue;
      for (size_t j = i + 1; j < steps.size() && effort_ > 0; ++j) {
        if (watch_.over()) effort_ = 0;
        if (!share_process(system_, steps[i - 1], steps[j])) continue;
        if (saves_switches(steps, i, j)) {
          const auto first = steps.begin() + static_cast<ptrdiff_t>(i);
          const auto last = steps.begin() + static_cast<ptrdiff_t>(j);
          std::rotate(first, last, last + 1);
          if (!works(steps)) std::rotate(first, first + 1, last + 1);
        }
        break;  // a later step of the same process cannot come before this one
      }
    }
  }

 private:
  // Whether there are fewer context switches if step j comes before step i.
  bool saves_switches(const Steps& steps, size_t i, size_t j) const {
    const auto apart = [&](size_t a, size_t b) { return share_process(system_, steps[a], steps[b]) ? 0 : 1; };
    const bool last = j + 1 == steps.size();
    const int before = apart(i - 1, i) + apart(j - 1, j) + (last ? 0 : apart(j, j + 1));
    const int after = apart(i - 1, j) + apart(j, i) + (last ? 0 : apart(j - 1, j + 1));
    return after < before;
  }

  void uncycle(Steps& steps, size_t first, size_t last) {
    if (effort_ == 0) return;
    std::vector<bool> dropped(steps.size(), false);
    if (!mark_cycles(steps, first, last, dropped)) return;
    if (!replay_.start()) return;
    Steps kept;
    bool reached = replay_.goal_clause().has_value();
    for (size_t k = 0; k < steps.size() && effort_ > 0 && !reached; ++k) {
      if (dropped[k] || !step(steps[k])) continue;
      kept.push_back(steps[k]);
      reached = replay_.goal_clause().has_value();
    }
    if (reached) {
      steps = std::move(kept);
    } else if (last - first > 1) {
      const size_t middle = first + (last - first) / 2;
      uncycle(steps, first, middle);
      uncycle(steps, middle, last);
    }
  }

  // Marks the steps with which a process of the range starts on a way that leads it back to the same location.
  bool mark_cycles(const Steps& steps, size_t first, size_t last, std::vector<bool>& dropped) const {
    struct Visit {
      uint32_t location;
      size_t step;  // that leaves it, as it turns out
    };
    std::vector<std::vector<Visit>> ways(last - first);
    bool any = false;
    for (size_t k = 0; k < steps.size(); ++k) {
      for (const model::EdgeId e : steps[k].edges) {
        const model::Edge& edge = system_.edge(e);
        if (edge.process.value < first || edge.process.value >= last) continue;
        auto& way = ways[edge.process.value - first];
        way.push_back({edge.source, k});
        const auto before =
            std::find_if(way.begin(), way.end(), [&](const Visit& v) { return v.location == edge.target; });
        for (auto v = before; v != way.end(); ++v) any = dropped[v->step] = true;
        way.erase(before, way.end());
      }
    }
    return any;
  }

  void eliminate(Steps& steps, size_t block) {
    if (!replay_.start()) return;
    for (size_t i = 0; i < steps.size() && effort_ > 0;) {
      const step::Replay::Position here = replay_.position();
      const size_t end = std::min(i + block, steps.size());
      Steps kept(steps.begin(), steps.begin() + static_cast<ptrdiff_t>(i));
      bool reached = replay_.goal_clause().has_value();
      for (size_t k = end; k < steps.size() && effort_ > 0 && !reached; ++k) {
        if (!step(steps[k])) continue;
        kept.push_back(steps[k]);
        reached = replay_.goal_clause().has_value();
      }
      replay_.set_position(here);
      if (reached) {
        steps = std::move(kept);
        continue;
      }
      for (; i < end; ++i) {
        if (!step(steps[i])) return;
      }
    }
  }

  bool step(const model::PathStep& s) {
    effort_ -= std::min<uint64_t>(effort_, 1);
    if (watch_.over()) effort_ = 0;
    edges_.clear();
    for (const model::EdgeId e : s.edges) edges_.push_back(e.value);
    return replay_.step(edges_);
  }

  bool works(const Steps& steps) {
    if (!replay_.start()) return false;
    return std::all_of(steps.begin(), steps.end(), [&](const auto& s) { return step(s); }) &&
           replay_.goal_clause().has_value();
  }

  const model::System& system_;
  const Watch& watch_;
  step::Replay replay_;
  uint64_t effort_;
  std::vector<uint32_t> edges_;
};

uint64_t least_effort(const model::Path& path) { return std::min(kLeastReplays * path.steps.size(), kMostSteps); }

model::Path leave_out(const step::Semantics& semantics, const model::Path& path, const Config& config,
                      uint64_t effort) {
  model::Path out = path;
  if (!step::Replay::supports(semantics.system(), semantics.property().goal)) return out;
  const Watch& watch = config.watching();
  {
    Rearranger rearranger(semantics, effort, watch);
    rearranger.uncycle(out.steps);
    rearranger.settle(out);
  }
  if (!semantics.timed()) {
    Budget budget = budget_of(config);
    try {
      const uint64_t nearby = std::min(kNearby * out.steps.size(), kMostNearby);
      if (auto shorter = shorter_nearby(semantics, out, nearby, budget)) out = *std::move(shorter);
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::Limit) throw;
    } catch (const std::bad_alloc&) {
    } catch (const model::EvalFailure&) {  // the model fails somewhere, but not on the path
    }
  }
  Rearranger rearranger(semantics, effort, watch);
  rearranger.eliminate(out.steps);
  rearranger.settle(out);
  return out;
}

}  // namespace

model::Path shorten(const step::Semantics& semantics, const model::Path& path, const Config& config) {
  return leave_out(semantics, path, config, least_effort(path));
}

size_t context_switches(const model::System& system, const model::Path& path) { return switches(system, path.steps); }

Polished polish(const step::Semantics& semantics, const model::Path& path, const Config& config, uint64_t work) {
  if (semantics.property().kind == model::PropertyKind::Liveness) {
    return {shorten_lasso(semantics, path, config, work), false};
  }
  const uint64_t effort = std::max(work / kWorkOfState, least_effort(path));
  Polished result{leave_out(semantics, path, config, effort), path.steps.empty()};

  Config own = config;
  own.method = BestFirstSearch{.estimate = {.heuristic = "hL"}, .cost_weight = 1};
  own.cost = CostType::Unit;
  own.reduction = false;
  const Watch& watch = config.watching();
  Budget budget = budget_of(config);
  if (!result.shortest && work != 0) {
    own.depth_limit = result.path.steps.size() - 1;
    std::unique_ptr<Task> task;
    const auto make = [&]() -> Task& {
      task = make_task(semantics, own, budget);
      return *task;
    };
    try {
      Outcome outcome = drive(
          kSlice, make, [&] { watch.poll(); }, [](const Task&) {}, [&](const Task& t) { return t.work() < work; });
      if (outcome.status == Status::Found) result.path = *std::move(outcome.path);
      result.shortest = outcome.end == Outcome::End::Itself;
    } catch (const model::EvalFailure&) {  // the model fails somewhere, but not on the path
    }
  }
  if (step::Replay::supports(semantics.system(), semantics.property().goal)) {
    Rearranger rearranger(semantics, effort, watch);
    rearranger.gather(result.path.steps);
    rearranger.settle(result.path);
  }
  return result;
}

}  // namespace harrier::search
