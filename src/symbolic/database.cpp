#include "symbolic/database.h"

#include <algorithm>
#include <chrono>

#include "model/participation.h"

namespace harrier::symbolic {

namespace {

// The first pattern, and each that is larger, may take this many seconds in any case; and so many times what was spent
// before.
constexpr double kFirstTry = 3;
constexpr double kGrowth = 1;

// The steps of the abstraction, backwards.
class AbstractSteps {
 public:
  AbstractSteps(const Space& space, std::span<const model::VarId> pattern, const std::vector<int>& dropped) {
    for (const Relation* relation : space.transitions().relations()) {
      const auto is_written = [&](model::VarId v) {
        return std::binary_search(relation->written().begin(), relation->written().end(), v);
      };
      // Other steps lead from an abstract state to itself.
      if (std::any_of(pattern.begin(), pattern.end(), is_written)) relations_.emplace_back(*relation, dropped);
    }
  }

  Bdd preimage(const Bdd& states) const {
    Bdd out;
    for (const Relation::Projected& r : relations_) out |= r.preimage(states);
    return out;
  }

 private:
  std::vector<Relation::Projected> relations_;
};

}  // namespace

Database::Database(Space& space, std::span<const model::VarId> pattern, const Limits& limits)
    : pattern_(pattern.begin(), pattern.end()) {
  std::sort(pattern_.begin(), pattern_.end());
  std::vector<int> dropped;
  const Encoding& encoding = space.encoding();
  for (size_t v = 0; v < encoding.system().variables.size(); ++v) {
    if (std::binary_search(pattern_.begin(), pattern_.end(), model::VarId(v))) continue;
    const auto& bits = encoding.bits(model::VarId(v), Moment::Now);
    dropped.insert(dropped.end(), bits.begin(), bits.end());
  }
  const BddManager::Bound bound(limits.seconds);
  try {
    const AbstractSteps steps(space, pattern_, dropped);
    Bdd fresh = exists(space.targets(), space.manager().cube(dropped));
    Bdd reached = fresh;
    while (!fresh.is_false()) {
      nodes_ += node_count(fresh);
      layers_.push_back(fresh);
      if (nodes_ > limits.nodes) return;
      fresh = steps.preimage(fresh) - reached;
      reached |= fresh;
      space.manager().collect();
    }
    complete_ = true;
  } catch (const BddManager::BoundReached&) {
    // What there is by now is what there will be.
  }
}

std::vector<Database::Part> Database::split(Bdd states) const {
  std::vector<Part> out;
  for (size_t i = 0; i < layers_.size() && !states.is_false(); ++i) {
    Bdd here = states & layers_[i];
    if (here.is_false()) continue;
    states -= here;
    out.push_back({std::move(here), i});
  }
  if (!complete_ && !states.is_false()) out.push_back({std::move(states), layers_.size()});
  return out;
}

std::optional<uint64_t> Database::distance(const Bdd& states) const {
  for (size_t i = 0; i < layers_.size(); ++i) {
    if (intersects(states, layers_[i])) return i;
  }
  return complete_ ? std::nullopt : std::optional<uint64_t>(layers_.size());
}

Database layered_database(Space& space, const model::Property& property, const Database::Limits& limits) {
  const auto start = std::chrono::steady_clock::now();
  // What has been spent so far is worth another try at so many times the price.
  const auto allowed = [&] {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
    return std::clamp(limits.seconds - used.count(), 0.0, std::max(kFirstTry, kGrowth * used.count()));
  };
  const auto estimate = [&](const Database& d) { return d.distance(space.initial()).value_or(UINT64_MAX); };
  std::vector<model::VarId> pattern;
  std::optional<Database> best;
  const model::System& system = space.encoding().system();
  for (const model::Layer& layer : model::dependency_layers(system, property, space.manager().budget().watch())) {
    pattern.insert(pattern.end(), layer.variables.begin(), layer.variables.end());
    if (layer.variables.empty() && best) continue;
    Database next(space, pattern, {allowed(), limits.nodes});
    const bool unfinished = !next.complete();
    if (!best || estimate(next) > estimate(*best)) best = std::move(next);
    if (unfinished || estimate(*best) == UINT64_MAX) break;
  }
  if (!best) best.emplace(space, pattern, Database::Limits{allowed(), limits.nodes});
  return *std::move(best);
}

}  // namespace harrier::symbolic
