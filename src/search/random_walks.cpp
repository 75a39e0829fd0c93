#include "search/random_walks.h"

#include "search/swarm.h"
#include "search/walk.h"

namespace harrier::search {

namespace {

bool is_probability(double p) { return p > 0 && p < 1; }

}  // namespace

std::string RandomWalks::describe() const { return estimate ? "walk " + estimate->heuristic : std::string("walk"); }

void RandomWalks::check(const Config& config, const model::Property& property) const {
  constexpr uint32_t kMostThreads = 1024;
  if (config.depth_limit) refuse("random walks have no common depth: their own limits them");
  if (estimate) estimate->check(Estimate::Number::One);
  if (threads == 0 || threads > kMostThreads) {
    refuse("from 1 to " + std::to_string(kMostThreads) + " threads can walk");
  }
  if (delta.has_value() != epsilon.has_value()) refuse("delta and epsilon together tell the number of walks");
  if (delta && (!is_probability(*delta) || !is_probability(*epsilon))) {
    refuse("delta and epsilon are probabilities between 0 and 1");
  }
  if (restart == Restart::Best && !estimate) refuse("only guided walks know the best state: give a heuristic");
  if (bias == Bias::Steps && !estimate) refuse("walks by the costs of steps need a heuristic that has them: h0 or h1");
  if (bias == Bias::Steps && restart == Restart::Best) refuse("the costs of steps do not tell which state is best");
  // Also if they are no numbers.
  if (!(temperature > 0)) refuse("the temperature must be positive");
  if (saturation && !(*saturation >= 0 && *saturation <= 1)) refuse("the saturation is a share between 0 and 1");
  if (estimate && estimate->cache_entries != 0) refuse("random walks have no cache of estimates");
  if (property.kind == model::PropertyKind::Liveness && property.fair) {
    refuse_unsupported("fairness with random walks");
  }
  if (property.kind == model::PropertyKind::Liveness && property.accepting.size() != 1) {
    refuse_unsupported("several conditions of fairness with random walks");
  }
}

bool RandomWalks::answers(Question question) const {
  return question == Question::States || question == Question::Cycles;
}

std::unique_ptr<Task> RandomWalks::task(Aims& aims, Budget& budget) const {
  return make_walk_task(aims, *this, budget);
}

Result RandomWalks::run(const step::Semantics& semantics, const Config& config) const {
  return run_swarm(semantics, config);
}

}  // namespace harrier::search
