#include "search/task.h"

#include "base/error.h"
#include "heur/table.h"
#include "search/frontier.h"
#include "search/guide.h"
#include "search/liveness.h"
#include "space/discrete_space.h"
#include "space/zone_space.h"

namespace harrier::search {

namespace {

// What a search order is made of.
struct Configuration {
  std::unique_ptr<Frontier> frontier;
  std::unique_ptr<Guide> guide;
  const BestFirst* queues = nullptr;  // the frontier, if it has queues to report
};

bool tracks_cost(const CheckOptions& options) {
  switch (options.search) {
    case Search::AStar:
    case Search::WeightedAStar:
    case Search::ContextBoundProcess:
    case Search::ContextBoundInterference: return true;
    case Search::BreadthFirst: return false;
    default: return options.depth_limit.has_value();
  }
}

// Deadlocks are near everywhere, as far as distance heuristics know. Among other goals they are left out, if only the
// direction matters; then what looks like a dead end need not be one. Tells whether nothing was left out.
bool drop_deadlocks(std::vector<model::Clause>& goal) {
  const auto is_deadlock = [](const model::Clause& c) { return c.deadlock == model::DeadlockTest::IsDeadlock; };
  if (std::all_of(goal.begin(), goal.end(), is_deadlock)) return true;
  return std::erase_if(goal, is_deadlock) == 0;
}

Configuration configure(const model::System& system, const model::Property& property, const CheckOptions& options,
                        Budget& budget) {
  Configuration c;
  if (options.search == Search::BreadthFirst && options.prefer_contexts) {
    // Breadth-first within each queue; there are no estimates.
    GuideOptions contexts;
    contexts.contexts = true;
    c.guide = std::make_unique<Guide>(system, property.goal, nullptr, contexts, budget);
    auto queues = std::make_unique<BestFirst>(budget, 1, 0, false);
    c.queues = queues.get();
    c.frontier = std::move(queues);
    return c;
  }
  switch (options.search) {
    case Search::BreadthFirst: c.frontier = std::make_unique<BreadthFirst>(); return c;
    case Search::DepthFirst: c.frontier = std::make_unique<DepthFirst>(budget, std::nullopt); return c;
    case Search::RandomDepthFirst: c.frontier = std::make_unique<DepthFirst>(budget, options.seed); return c;
    default: break;
  }
  const heur::Entry* entry = heur::find(options.heuristic);
  if (entry == nullptr) {
    throw Error(ErrorKind::Usage, "unknown heuristic '" + options.heuristic + "' ('harrier list' names them)");
  }
  GuideOptions guide;
  guide.useless = options.prefer_useless;
  guide.contexts = options.prefer_contexts;
  guide.preferred = options.prefer_preferred;
  guide.clocks = options.heuristic_clocks && entry->clocks && system.clocks.size() > 1;
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
  std::vector<model::Clause> aim = property.goal;
  if (options.search == Search::Greedy && !drop_deadlocks(aim)) guide.safe = false;
  auto heuristic =
      entry->make(system, aim, guide.clocks ? heur::Clocks::Use : heur::Clocks::Ignore, options.guide.get());
  c.guide = std::make_unique<Guide>(system, property.goal, std::move(heuristic), guide, budget);
  auto queues = std::make_unique<BestFirst>(budget, cost_weight, estimate_weight, options.prefer_preferred);
  c.queues = queues.get();
  c.frontier = std::move(queues);
  return c;
}

template <class Space>
class SpaceTask : public Task {
 public:
  template <class... Extra>
  SpaceTask(const model::System& system, const model::Property& property, const CheckOptions& options, Budget& budget,
            Extra... extra)
      : space_(system, property, budget, tracks_cost(options), extra...),
        configuration_(configure(system, property, options, budget)),
        explorer_(space_, *configuration_.frontier, configuration_.guide.get(), budget,
                  {options.depth_limit, tracks_cost(options), options.search == Search::AStar}) {}

  Status advance(uint64_t expansions) override { return explorer_.advance(expansions); }
  uint64_t work() const override {
    const uint64_t estimates = configuration_.guide ? configuration_.guide->evaluated() : 0;
    return explorer_.generated() + kWorkOfEstimate * estimates;
  }
  trace::Path path() override { return explorer_.path(); }

  Statistics statistics() const override {
    Statistics s;
    s.expanded = explorer_.expanded();
    s.generated = explorer_.generated();
    s.deferred_expanded = explorer_.deferred_expanded();
    s.stored = space_.stored();
    s.transient = space_.transient();
    if (configuration_.guide) {
      s.evaluated = configuration_.guide->evaluated();
      s.dead_ends = configuration_.guide->dead_ends();
    }
    if (configuration_.queues != nullptr) {
      for (const QueueCounts& q : configuration_.queues->counts()) s.queues.push_back({q.pushed, q.popped});
    }
    return s;
  }

 private:
  Space space_;
  Configuration configuration_;
  Explorer<Space> explorer_;
};

}  // namespace

std::unique_ptr<Task> make_task(const model::System& system, const model::Property& property,
                                const CheckOptions& options, Budget& budget) {
  if (property.kind == model::PropertyKind::Liveness) return make_liveness_task(system, property, options, budget);
  if (system.clocks.size() > 1) return std::make_unique<SpaceTask<space::ZoneSpace>>(system, property, options, budget);
  return std::make_unique<SpaceTask<space::DiscreteSpace>>(system, property, options, budget, options.reduction);
}

}  // namespace harrier::search
