#include "search/task.h"

#include "search/aim.h"
#include "search/discrete_space.h"
#include "search/frontier.h"
#include "search/guide.h"
#include "search/liveness.h"
#include "search/walk.h"
#include "search/zone_liveness.h"
#include "search/zone_space.h"

namespace harrier::search {

namespace {

Bounding bounding(const CheckOptions& options) {
  switch (options.search) {
    case Search::ContextBoundProcess: return Bounding::Process;
    case Search::ContextBoundInterference: return Bounding::Interference;
    default: return Bounding::None;
  }
}

// In which order states of the same rank are expanded.
Order order_of(const CheckOptions& options) {
  switch (options.search) {
    case Search::BreadthFirst: return Order::BreadthFirst;
    case Search::DepthFirst:
    case Search::RandomDepthFirst: return Order::DepthFirst;
    case Search::ContextBoundProcess:
    case Search::ContextBoundInterference: return options.within;
    default: return Order::BestFirst;
  }
}

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

// Whether the space may pass through transient states: where nobody compares lengths of paths, and no preference looks
// at single transitions.
bool passes_through(const CheckOptions& options) {
  switch (options.search) {
    case Search::DepthFirst:
    case Search::RandomDepthFirst: return !tracks_cost(options) && !options.prefer_contexts;
    case Search::Greedy:
      return !tracks_cost(options) && !options.prefer_useless && !options.prefer_contexts && !options.prefer_preferred;
    default: return false;
  }
}

Configuration configure(const step::Semantics& semantics, const CheckOptions& options, Budget& budget) {
  const model::System& system = semantics.system();
  const model::Property& property = semantics.property();
  Configuration c;
  const Order order = order_of(options);
  GuideOptions guide;
  guide.useless = options.prefer_useless;
  guide.contexts = options.prefer_contexts;
  guide.preferred = options.prefer_preferred;
  guide.context_clocks = options.context_clocks;
  guide.bounding = bounding(options);
  guide.breadth_first = order == Order::BreadthFirst;
  guide.cache_size = options.cache_entries;
  const bool ranked = guide.contexts || guide.bounding != Bounding::None;
  Guidance guidance;
  if (order == Order::BestFirst) {
    guidance = make_guidance(system, property, options);
    guide.clocks = guidance.clocks;
    guide.safe = guidance.safe;
  }
  if (order == Order::BestFirst || ranked) {
    c.guide = std::make_unique<Guide>(system, property.goal, std::move(guidance.heuristic), guide, budget);
  }
  if (order == Order::BreadthFirst && !ranked) {
    c.frontier = std::make_unique<BreadthFirst>();
    return c;
  }
  if (order == Order::DepthFirst) {
    const bool random = options.search == Search::RandomDepthFirst;
    c.frontier = std::make_unique<DepthFirst>(budget, random ? std::optional(options.seed) : std::nullopt);
    return c;
  }
  uint32_t cost_weight = 0;
  uint32_t estimate_weight = 1;
  if (options.search == Search::AStar) cost_weight = 1;
  if (options.search == Search::WeightedAStar) {
    cost_weight = 1;
    estimate_weight = options.weight;
  }
  const Turns turns = !options.prefer_preferred               ? Turns::None
                      : options.queues == Queues::Alternating ? Turns::Alternating
                                                              : Turns::Boosted;
  auto queues = std::make_unique<BestFirst>(budget, cost_weight, estimate_weight, turns);
  c.queues = queues.get();
  c.frontier = std::move(queues);
  return c;
}

template <class Space>
class SpaceTask : public Task {
 public:
  template <class... Extra>
  SpaceTask(const step::Semantics& semantics, const CheckOptions& options, Budget& budget, Extra... extra)
      : space_(semantics, budget, tracks_cost(options), extra...),
        configuration_(configure(semantics, options, budget)),
        explorer_(space_, *configuration_.frontier, configuration_.guide.get(), budget,
                  {options.depth_limit, tracks_cost(options),
                   options.search == Search::AStar || bounding(options) != Bounding::None,
                   bounding(options) != Bounding::None}),
        complete_(!options.reduction && !(semantics.system().control.valid() && passes_through(options)) &&
                  !(configuration_.guide && options.prefer_contexts)) {}

  Status advance(uint64_t expansions) override { return explorer_.advance(expansions); }
  uint64_t work() const override {
    const uint64_t estimates = configuration_.guide ? configuration_.guide->evaluated() : 0;
    return explorer_.generated() + kWorkOfEstimate * estimates;
  }
  model::Path path() override { return explorer_.path(); }

  bool for_each_state(const std::function<bool(const int32_t*)>& visit) const override {
    const Guide* guide = configuration_.guide.get();
    if (!complete_ || (guide != nullptr && guide->dead_ends() != 0)) return false;
    std::vector<int32_t> values(space_.variable_count());
    for (uint64_t i = 0; i < space_.discrete_states(); ++i) {
      space_.read_discrete(i, values.data());
      if (!visit(values.data())) break;
    }
    return true;
  }
  std::vector<step::Machine::Violation> violations() const override { return space_.violations(); }

  Statistics statistics() const override {
    Statistics s;
    s.expanded = explorer_.expanded();
    s.generated = explorer_.generated();
    s.deferred_expanded = explorer_.deferred_expanded();
    s.stored = space_.stored();
    s.transient = space_.transient();
    s.open = configuration_.frontier->size();
    s.depth = explorer_.cost();
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
  bool complete_;  // every state that can be reached is stored in the end, dead ends aside
};

}  // namespace

bool Task::for_each_state(const std::function<bool(const int32_t*)>&) const { return false; }

std::unique_ptr<Task> make_task(const step::Semantics& semantics, const CheckOptions& options, Budget& budget) {
  if (options.search == Search::Walk) return make_walk_task(semantics, options, budget);
  if (semantics.property().kind == model::PropertyKind::Liveness) {
    return make_liveness_task(semantics, options, budget);
  }
  if (is_about_paths(semantics.property())) return make_zone_liveness_task(semantics, options, budget);
  if (semantics.timed()) return std::make_unique<SpaceTask<ZoneSpace>>(semantics, options, budget);
  const DiscreteOptions discrete{.reduce = options.reduction,
                                 .pass_through = passes_through(options),
                                 .by_context = bounding(options) != Bounding::None};
  return std::make_unique<SpaceTask<DiscreteSpace>>(semantics, options, budget, discrete);
}

}  // namespace harrier::search
