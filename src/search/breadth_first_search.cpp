#include "search/breadth_first_search.h"

#include <algorithm>
#include <thread>

#include "search/config.h"
#include "search/means.h"
#include "step/independence.h"

namespace harrier::search {

namespace {

constexpr uint32_t kMostThreads = 256;

}  // namespace

std::string BreadthFirstSearch::describe() const { return "bfs" + prefer.words(); }

void BreadthFirstSearch::check(const Config& config, const model::Property& property) const {
  prefer.check(false);
  if (!threads || *threads == 1) return;
  if (*threads == 0 || *threads > kMostThreads) {
    refuse("from 1 to " + std::to_string(kMostThreads) + " threads can search");
  }
  if (!prefer.names.empty()) refuse("preferences are for a search by one thread");
  if (config.reduction == true && config.depth_limit) {
    refuse("partial-order reduction with a limit on the depth is for a search by one thread");
  }
  if (config.compress) refuse("compression of states is for a search by one thread");
  if (model::asks_for_values(property)) {
    refuse_unsupported("several threads with '" + property.text + "': sup, inf and bounds have a search of their own");
  }
}

bool BreadthFirstSearch::is_parallel(const Config& config, const step::Semantics& semantics) const {
  if (!prefer.names.empty() || config.compress) return false;
  const model::System& system = semantics.system();
  if (config.reduces(system, semantics.property()) &&
      !step::hindrance_to_reduction(system, semantics.property().goal)) {
    return !config.depth_limit;
  }
  return threads_for(config, system) > 1;
}

uint32_t BreadthFirstSearch::threads_for(const Config& config, const model::System& system) const {
  if (threads) return *threads;
  if (!prefer.names.empty() || config.compress) return 1;
  // One thread need not store the states in which somebody has exclusive control, which is worth more.
  if (system.control.valid() && config.reduction != true) return 1;
  return std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads);
}

bool BreadthFirstSearch::answers(Question question) const {
  return question == Question::States || question == Question::Values;
}

Traits BreadthFirstSearch::traits() const {
  return {.shortest = true, .least_depth = true, .by_depth = prefer.names.empty(), .reducible = true};
}

Means BreadthFirstSearch::means(Workbench& bench) const {
  if (prefer.names.empty() && bench.has_transient_states()) return {std::make_unique<ByDepth>(bench.budget()), nullptr};
  if (prefer.names.empty()) return {std::make_unique<BreadthFirst>(), nullptr};
  return bench.queues(bench.by_depth(), bench.preferences(prefer));
}

}  // namespace harrier::search
