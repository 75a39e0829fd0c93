#include "search/search.h"

#include <chrono>
#include <memory>
#include <new>

#include "base/budget.h"
#include "base/error.h"
#include "heur/table.h"
#include "model/interpreter.h"
#include "search/explorer.h"
#include "search/frontier.h"
#include "search/guide.h"
#include "space/discrete_space.h"
#include "space/zone_space.h"

namespace harrier::search {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kSlice = 64;  // expansions between looks at the clock
constexpr double kProgressEvery = 0.25;

// What a search order is made of.
struct Configuration {
  std::unique_ptr<Frontier> frontier;
  std::unique_ptr<Guide> guide;
  const BestFirst* queues = nullptr;  // the frontier, if it has queues to report
};

bool tracks_cost(const Options& options) {
  switch (options.search) {
    case Search::AStar:
    case Search::WeightedAStar:
    case Search::ContextBoundProcess:
    case Search::ContextBoundInterference: return true;
    case Search::BreadthFirst: return false;
    case Search::DepthFirst:
    case Search::RandomDepthFirst:
    case Search::Greedy: break;
  }
  return options.depth_limit.has_value();
}

Configuration configure(const model::System& system, const model::Property& property, const Options& options,
                        Budget& budget) {
  Configuration c;
  switch (options.search) {
    case Search::BreadthFirst: c.frontier = std::make_unique<BreadthFirst>(); return c;
    case Search::DepthFirst: c.frontier = std::make_unique<DepthFirst>(budget, std::nullopt); return c;
    case Search::RandomDepthFirst: c.frontier = std::make_unique<DepthFirst>(budget, options.seed); return c;
    default: break;
  }
  const heur::Entry* entry = heur::find(options.heuristic);
  if (entry == nullptr) throw Error(ErrorKind::Usage, "unknown heuristic '" + options.heuristic + "'");
  GuideOptions guide;
  guide.useless = options.prefer_useless;
  guide.contexts = options.prefer_contexts;
  guide.preferred = options.prefer_preferred;
  guide.safe = entry->safe;
  guide.cache_size = options.cache_entries;
  uint32_t cost_weight = 0;
  uint32_t estimate_weight = 1;
  if (options.search == Search::AStar) cost_weight = 1;
  if (options.search == Search::WeightedAStar) {
    cost_weight = 1;
    estimate_weight = options.weight;
  }
  if (options.search == Search::ContextBoundProcess) guide.bounding = Bounding::Process;
  if (options.search == Search::ContextBoundInterference) guide.bounding = Bounding::Interference;
  c.guide = std::make_unique<Guide>(system, property.goal, entry->make(system, property.goal), guide, budget);
  auto queues = std::make_unique<BestFirst>(budget, cost_weight, estimate_weight, options.prefer_preferred);
  c.queues = queues.get();
  c.frontier = std::move(queues);
  return c;
}

template <class Space>
class Run {
 public:
  Run(const model::System& system, const model::Property& property, const Options& options)
      : start_(Clock::now()),
        options_(options),
        budget_(options.memory_limit_bytes ? Budget(*options.memory_limit_bytes) : Budget()),
        space_(system, property, budget_, tracks_cost(options)),
        configuration_(configure(system, property, options, budget_)),
        explorer_(space_, *configuration_.frontier, configuration_.guide.get(), budget_,
                  {options.depth_limit, tracks_cost(options), options.search == Search::AStar}) {}

  Result result() {
    Result result;
    try {
      while (explorer_.advance(kSlice) == Status::Running && !stopped(result)) continue;
      if (explorer_.status() == Status::Exhausted) result.verdict = Verdict::Unreachable;
      if (explorer_.status() == Status::Cut) result.reason = "depth limit";
    } catch (const MemoryLimitReached&) {
      result.reason = "memory limit";
    } catch (const std::bad_alloc&) {
      result.reason = "out of memory";
    }
    result.statistics = statistics();
    if (explorer_.status() == Status::Found) {
      result.verdict = Verdict::Reachable;
      result.path = explorer_.path();
    }
    return result;
  }

 private:
  bool stopped(Result& result) {
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
      result.reason = "interrupted";
      return true;
    }
    const double now = seconds();
    if (options_.time_limit_s && now >= *options_.time_limit_s) {
      result.reason = "time limit";
      return true;
    }
    if (options_.progress && now >= next_progress_) {
      next_progress_ = now + kProgressEvery;
      options_.progress(statistics());
    }
    return false;
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  Statistics statistics() const {
    Statistics s;
    s.expanded = explorer_.expanded();
    s.generated = explorer_.generated();
    s.deferred_expanded = explorer_.deferred_expanded();
    s.stored = space_.stored();
    s.memory_bytes = budget_.used();
    s.time_s = seconds();
    if (configuration_.guide) {
      s.evaluated = configuration_.guide->evaluated();
      s.dead_ends = configuration_.guide->dead_ends();
    }
    if (configuration_.queues != nullptr) {
      for (const QueueCounts& q : configuration_.queues->counts()) s.queues.push_back({q.pushed, q.popped});
    }
    return s;
  }

  Clock::time_point start_;
  const Options& options_;
  Budget budget_;
  Space space_;
  Configuration configuration_;
  Explorer<Space> explorer_;
  double next_progress_ = kProgressEvery;
};

}  // namespace

Result run(const model::System& system, const model::Property& property, const Options& options) {
  if (property.kind != model::PropertyKind::Reachable && property.kind != model::PropertyKind::Invariant) {
    throw Error(ErrorKind::Unsupported, "unsupported: this kind of query at " + system.sources.describe(property.at));
  }
  try {
    return system.clocks.size() > 1 ? Run<space::ZoneSpace>(system, property, options).result()
                                    : Run<space::DiscreteSpace>(system, property, options).result();
  } catch (const model::EvalFailure& failure) {
    throw model::to_error(system, failure);
  } catch (const MemoryLimitReached&) {
    Result result;
    result.reason = "memory limit";
    return result;
  }
}

}  // namespace harrier::search
