#include "search/task.h"

#include <algorithm>

#include "base/error.h"
#include "model/cost.h"
#include "search/aim.h"
#include "search/discrete_space.h"
#include "search/liveness.h"
#include "search/means.h"
#include "search/parallel_search.h"
#include "search/search.h"
#include "search/zone_liveness.h"
#include "search/zone_space.h"

namespace harrier::search {

namespace {

bool tracks_cost(const Config& config, const Traits& traits) {
  return traits.tracks_cost || (config.depth_limit.has_value() && !traits.least_depth) || config.cost_limit.has_value();
}

// What steps count, by the edge that starts them; nothing: each counts 1.
std::vector<uint32_t> step_costs(const model::System& system, CostType costs) {
  std::vector<uint32_t> out;
  if (costs == CostType::Unit) return out;
  for (const model::Edge& edge : system.edges) {
    out.push_back(static_cast<uint32_t>(std::min<uint64_t>(model::cost_of(edge, costs), UINT32_MAX)));
  }
  return out;
}

// Whether the search goes by depth and successors can be several steps away.
bool by_depth(const step::Semantics& semantics, const Traits& traits) {
  return traits.by_depth && step::Passing::applies_to(semantics);
}

// Whether the space may pass through transient states: where nobody compares lengths of paths, or states are expanded
// in the order of their depth anyway; and no preference looks at single transitions.
bool passes_through(const step::Semantics& semantics, const Config& config, const Traits& traits, CostType costs) {
  const bool compares = tracks_cost(config, traits) || costs != CostType::Unit;
  return by_depth(semantics, traits) || (traits.any_path && !compares && config.prefer().names.empty());
}

// The interchangeable processes that the space may sort; null: none. Contexts are those of processes, and what a
// heuristic remembers of a path is about processes, too.
std::shared_ptr<const model::Symmetry> symmetry_for(Aims& aims, const Config& config, const Guide* guide) {
  const bool diagonals = aims.semantics().timed() && !aims.semantics().bounds().diagonals().empty();
  if (!config.symmetry || config.traits().switches || config.prefer().has("contexts") || diagonals ||
      (guide != nullptr && guide->remembers_paths())) {
    return nullptr;
  }
  const auto symmetry = aims.symmetry(config.watching());
  return symmetry->groups.empty() ? nullptr : symmetry;
}

template <Space S>
class SpaceTask : public Task {
 public:
  template <class... Extra>
  SpaceTask(const step::Semantics& semantics, const Config& config, CostType costs, Means means, Budget& budget,
            const model::Symmetry* symmetry, Extra... extra)
      : traits_(config.traits()),
        step_costs_(step_costs(semantics.system(), costs)),
        by_depth_(by_depth(semantics, traits_)),
        space_(semantics, budget, tracks_cost(config, traits_) || by_depth_, extra...),
        means_(std::move(means)),
        explorer_(space_, *means_.frontier, means_.guide.get(), budget,
                  {.depth_limit = config.depth_limit,
                   .cost_limit = config.cost_limit,
                   .step_costs = step_costs_,
                   .tracks_cost = tracks_cost(config, traits_) || by_depth_,
                   .goal_at_expansion = traits_.optimal || by_depth_,
                   .ranks_are_costs = traits_.switches,
                   .by_depth = by_depth_,
                   .lazy = traits_.lazy}),
        interchangeable_(symmetry != nullptr ? symmetry->processes() : 0),
        complete_(!config.reduces(semantics.system(), semantics.property()) && symmetry == nullptr &&
                  !(semantics.system().control.valid() && passes_through(semantics, config, traits_, costs)) &&
                  !config.prefer().has("contexts")) {}

  Status advance(uint64_t expansions) override { return explorer_.advance(expansions); }
  uint64_t work() const override {
    const uint64_t estimates = means_.guide ? means_.guide->evaluated() : 0;
    return explorer_.generated() + kWorkOfEstimate * estimates;
  }
  model::Path path() override { return explorer_.path(); }
  std::string cut_reason() const override { return step_costs_.empty() ? "depth limit" : "cost limit"; }

  bool for_each_state(const std::function<bool(const int32_t*)>& visit) const override {
    const Guide* guide = means_.guide.get();
    if (!complete_ || (guide != nullptr && guide->dead_ends() != 0)) return false;
    std::vector<int32_t> values(space_.variable_count());
    for (uint64_t i = 0; i < space_.discrete_states(); ++i) {
      space_.read_discrete(i, values.data());
      if (!visit(values.data())) break;
    }
    return true;
  }
  double reduced_part() const override {
    if constexpr (requires { space_.reduced(); }) {
      const auto passed = static_cast<double>(space_.passed());
      return (passed + static_cast<double>(space_.reduced())) / (passed + static_cast<double>(explorer_.expanded()));
    }
    return 0;
  }
  std::vector<step::Machine::Violation> violations() const override { return space_.violations(); }

  Statistics statistics() const override {
    Statistics s;
    s.expanded = explorer_.expanded();
    s.generated = explorer_.generated();
    s.deferred_expanded = explorer_.deferred_expanded();
    s.stored = space_.stored();
    s.transient = space_.transient();
    s.interchangeable = interchangeable_;
    s.open = means_.frontier->size();
    s.depth = explorer_.cost();
    if (means_.guide) {
      s.evaluated = means_.guide->evaluated();
      s.dead_ends = means_.guide->dead_ends();
    }
    if (means_.queues != nullptr) {
      for (const QueueCounts& q : means_.queues->counts()) s.queues.push_back({q.pushed, q.popped});
    }
    return s;
  }

 private:
  Traits traits_;
  std::vector<uint32_t> step_costs_;
  bool by_depth_;
  S space_;
  Means means_;
  Explorer<S> explorer_;
  uint64_t interchangeable_;
  bool complete_;  // every state that can be reached is stored in the end, dead ends aside
};

std::unique_ptr<Task> make_engine(Aims& aims, const Config& config, Means means, Budget& budget) {
  const step::Semantics& semantics = aims.semantics();
  const CostType costs = aims.costs();
  const auto symmetry = symmetry_for(aims, config, means.guide.get());
  if (semantics.timed()) {
    return std::make_unique<SpaceTask<ZoneSpace>>(semantics, config, costs, std::move(means), budget, symmetry.get(),
                                                  symmetry);
  }
  const Traits traits = config.traits();
  const DiscreteOptions discrete{.layers = {.reduce = config.reduces(semantics.system(), semantics.property()),
                                            .pass_through = passes_through(semantics, config, traits, costs)},
                                 .last_first = traits.last_first && config.prefer().names.empty(),
                                 .compress = config.compress,
                                 .by_context = traits.switches,
                                 .symmetry = symmetry};
  return std::make_unique<SpaceTask<DiscreteSpace>>(semantics, config, costs, std::move(means), budget, symmetry.get(),
                                                    discrete);
}

}  // namespace

bool Task::for_each_state(const std::function<bool(const int32_t*)>&) const { return false; }

std::unique_ptr<Task> make_task(Aims& aims, const Config& config, Budget& budget) {
  const step::Semantics& semantics = aims.semantics();
  const bool otherwise = config.as<RandomWalks>() != nullptr || config.as<SymbolicSearch>() != nullptr;
  if (semantics.property().kind == model::PropertyKind::Liveness && !otherwise) {
    return make_liveness_task(semantics, config.depth_limit, budget);
  }
  if (is_about_paths(semantics.property())) return make_zone_liveness_task(semantics, config.depth_limit, budget);
  const auto* breadth_first = config.as<BreadthFirstSearch>();
  if (breadth_first != nullptr && breadth_first->is_parallel(config, semantics)) {
    return make_parallel_task(semantics, config, symmetry_for(aims, config, nullptr), budget);
  }
  return std::visit(
      [&](const auto& search) -> std::unique_ptr<Task> {
        if constexpr (requires(Workbench & bench) { search.means(bench); }) {
          Workbench bench(aims, budget);
          return make_engine(aims, config, search.means(bench), budget);
        } else if constexpr (requires { search.task(aims, config, budget); }) {
          return search.task(aims, config, budget);
        } else if constexpr (requires { search.task(aims, budget); }) {
          return search.task(aims, budget);
        } else {
          static_assert(
              requires { search.run(semantics, config); }, "a search runs in one of three ways (method.h)");
          throw Error(ErrorKind::Internal, "'" + search.describe() + "' does not run in slices");
        }
      },
      config.method);
}

std::unique_ptr<Task> make_task(const step::Semantics& semantics, const Config& config, Budget& budget) {
  Aims aims(semantics, config.workshop, config.costs(semantics.system()));
  return make_task(aims, config, budget);
}

}  // namespace harrier::search
