#include "search/task.h"

#include "search/aim.h"
#include "search/bounding.h"
#include "search/discrete_space.h"
#include "search/estimator.h"
#include "search/frontier.h"
#include "search/guide.h"
#include "search/liveness.h"
#include "search/preference.h"
#include "search/walk.h"
#include "search/zone_liveness.h"
#include "search/zone_space.h"

namespace harrier::search {

namespace {

using Within = ContextBoundSearch::Order;

// What a search order is made of.
struct Means {
  std::unique_ptr<Frontier> frontier;
  std::unique_ptr<Guide> guide;
  const BestFirst* queues = nullptr;  // the frontier, if it has queues to report
};

bool is_bounding(const Config& config) { return config.as<ContextBoundSearch>() != nullptr; }

bool is_optimal(const Config& config) {
  const auto* best = config.as<BestFirstSearch>();
  return best != nullptr && best->optimal();
}

bool tracks_cost(const Config& config) {
  const auto* best = config.as<BestFirstSearch>();
  if ((best != nullptr && !best->greedy()) || is_bounding(config)) return true;
  return config.as<BreadthFirstSearch>() == nullptr && config.depth_limit.has_value();
}

// Whether the space may pass through transient states: where nobody compares lengths of paths, and no preference looks
// at single transitions.
bool passes_through(const Config& config) {
  const auto* best = config.as<BestFirstSearch>();
  const bool suits = config.as<DepthFirstSearch>() != nullptr || (best != nullptr && best->greedy());
  return suits && !tracks_cost(config) && config.prefer().names.empty();
}

// The order in which states of the same rank are expanded, and what gives them their ranks.
class Maker {
 public:
  Maker(Aims& aims, Budget& budget) : aims_(aims), budget_(budget) {}

  Means operator()(const BreadthFirstSearch& s) {
    if (s.prefer.names.empty()) return {std::make_unique<BreadthFirst>(), nullptr};
    return queues(by_depth(), preferences(s.prefer), 0, 1, Turns::None);
  }
  Means operator()(const DepthFirstSearch& s) {
    Means means{std::make_unique<DepthFirst>(budget_, s.seed), nullptr};
    if (!s.prefer.names.empty()) means.guide = std::make_unique<Guide>(Estimators(), preferences(s.prefer));
    return means;
  }
  Means operator()(const BestFirstSearch& s) {
    Estimators estimators = by_heuristics(s.estimate, s.greedy());
    const Turns turns = !s.prefer.has("preferred")               ? Turns::None
                        : s.prefer.queues == Queues::Alternating ? Turns::Alternating
                                                                 : Turns::Boosted;
    auto preferred = preferences(s.prefer, &s.estimate, s.greedy(), estimators[0]->heuristic());
    return queues(std::move(estimators), std::move(preferred), s.cost_weight, s.estimate_weight, turns);
  }
  Means operator()(const ContextBoundSearch& s) {
    const Preferences options{.context_clocks = s.context_clocks};
    std::vector<std::unique_ptr<Preference>> bounding;
    bounding.push_back(std::make_unique<Bounding>(PreferenceTask{aims_.semantics(), options, budget_}, s.by));
    switch (s.within) {
      case Within::BestFirst: return queues(by_heuristics(s.estimate, false), std::move(bounding), 0, 1, Turns::None);
      case Within::BreadthFirst: return queues(by_depth(), std::move(bounding), 0, 1, Turns::None);
      case Within::DepthFirst:
        return {std::make_unique<DepthFirst>(budget_, std::nullopt),
                std::make_unique<Guide>(Estimators(), std::move(bounding))};
    }
    return {};
  }
  // These are no single searches of a space.
  Means operator()(const AutoSearch&) { return {}; }
  Means operator()(const AnytimeSearch&) { return {}; }
  Means operator()(const RandomWalks&) { return {}; }

 private:
  using Estimators = std::vector<std::unique_ptr<Estimator>>;

  Estimators by_depth() {
    Estimators out;
    out.push_back(std::make_unique<DepthEstimator>(budget_));
    return out;
  }
  Estimators by_heuristics(const Estimate& estimate, bool direction_only) {
    Estimators out;
    for (const heur::Recipe& recipe : heur::recipes(estimate.heuristic)) {
      out.push_back(std::make_unique<HeuristicEstimator>(
          aims_.guidance(recipe, estimate, direction_only, budget_.watch()), estimate.cache_entries, budget_));
    }
    return out;
  }
  std::vector<std::unique_ptr<Preference>> preferences(const Preferences& wanted, const Estimate* estimate = nullptr,
                                                       bool direction_only = false,
                                                       heur::Heuristic* heuristic = nullptr) {
    const auto with_paths = [&] {
      std::vector<std::unique_ptr<heur::Heuristic>> parts;
      for (const heur::Recipe& recipe : heur::recipes(estimate->heuristic)) {
        if (!recipe.preferred()) continue;
        parts.push_back(aims_.guidance(recipe, *estimate, direction_only, budget_.watch()).heuristic);
      }
      return std::make_unique<heur::Combination>(heur::Composition::Max, std::move(parts));
    };
    std::vector<std::unique_ptr<Preference>> out;
    for (const PreferenceEntry& entry : preference_table()) {
      if (wanted.has(entry.name)) {
        out.push_back(entry.make({aims_.semantics(), wanted, budget_, heuristic, with_paths}));
      }
    }
    return out;
  }
  Means queues(Estimators estimators, std::vector<std::unique_ptr<Preference>> preferences, uint32_t cost_weight,
               uint32_t estimate_weight, Turns turns) {
    auto frontier = std::make_unique<BestFirst>(budget_, cost_weight, estimate_weight, turns, estimators.size());
    const BestFirst* queues = frontier.get();
    return {std::move(frontier), std::make_unique<Guide>(std::move(estimators), std::move(preferences)), queues};
  }

  Aims& aims_;
  Budget& budget_;
};

template <Space S>
class SpaceTask : public Task {
 public:
  template <class... Extra>
  SpaceTask(Aims& aims, const Config& config, Budget& budget, Extra... extra)
      : space_(aims.semantics(), budget, tracks_cost(config), extra...),
        means_(std::visit(Maker(aims, budget), config.method)),
        explorer_(
            space_, *means_.frontier, means_.guide.get(), budget,
            {config.depth_limit, tracks_cost(config), is_optimal(config) || is_bounding(config), is_bounding(config)}),
        complete_(!config.reduction && !(aims.semantics().system().control.valid() && passes_through(config)) &&
                  !config.prefer().has("contexts")) {}

  Status advance(uint64_t expansions) override { return explorer_.advance(expansions); }
  uint64_t work() const override {
    const uint64_t estimates = means_.guide ? means_.guide->evaluated() : 0;
    return explorer_.generated() + kWorkOfEstimate * estimates;
  }
  model::Path path() override { return explorer_.path(); }

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
  std::vector<step::Machine::Violation> violations() const override { return space_.violations(); }

  Statistics statistics() const override {
    Statistics s;
    s.expanded = explorer_.expanded();
    s.generated = explorer_.generated();
    s.deferred_expanded = explorer_.deferred_expanded();
    s.stored = space_.stored();
    s.transient = space_.transient();
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
  S space_;
  Means means_;
  Explorer<S> explorer_;
  bool complete_;  // every state that can be reached is stored in the end, dead ends aside
};

}  // namespace

bool Task::for_each_state(const std::function<bool(const int32_t*)>&) const { return false; }

std::unique_ptr<Task> make_task(Aims& aims, const Config& config, Budget& budget) {
  const step::Semantics& semantics = aims.semantics();
  if (const auto* walks = config.as<RandomWalks>()) return make_walk_task(aims, *walks, budget);
  if (semantics.property().kind == model::PropertyKind::Liveness) {
    return make_liveness_task(semantics, config.depth_limit, budget);
  }
  if (is_about_paths(semantics.property())) return make_zone_liveness_task(semantics, config.depth_limit, budget);
  if (semantics.timed()) return std::make_unique<SpaceTask<ZoneSpace>>(aims, config, budget);
  const DiscreteOptions discrete{
      .reduce = config.reduction, .pass_through = passes_through(config), .by_context = is_bounding(config)};
  return std::make_unique<SpaceTask<DiscreteSpace>>(aims, config, budget, discrete);
}

std::unique_ptr<Task> make_task(const step::Semantics& semantics, const Config& config, Budget& budget) {
  Aims aims(semantics, config.workshop);
  return make_task(aims, config, budget);
}

}  // namespace harrier::search
