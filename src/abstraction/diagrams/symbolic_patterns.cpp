#include "abstraction/diagrams/symbolic_patterns.h"

#include <algorithm>
#include <chrono>

#include "abstraction/diagrams/layer_merger.h"
#include "abstraction/diagrams/symbolic_choice.h"
#include "abstraction/distance.h"
#include "base/budget.h"
#include "symbolic/space.h"

namespace harrier::abstraction {

namespace {

constexpr double kShareOfLayers = 0.8;               // of the time, so that some is left to make one table of them
constexpr uint64_t kMostStates = uint64_t{1} << 53;  // that are counted: more would not be exact for all readers

}  // namespace

SymbolicPatterns SymbolicPatterns::build(const model::System& system, const std::vector<model::Clause>& goal,
                                         const AbstractionOptions& options, const Watch& watch) {
  const auto start = std::chrono::steady_clock::now();
  const auto left = [&] {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start;
    return std::max(0.0, options.seconds - used.count());
  };
  Budget budget(watch.bounds().bytes, watch);
  model::Property property;
  property.goal = goal;
  SymbolicPatterns out;
  try {
    symbolic::Space space(system, property, budget, left());
    const symbolic::Database database =
        choose_database(space, property, options.pattern, {kShareOfLayers * left(), options.states});
    std::vector<int> bits;
    for (const model::VarId v : database.pattern()) {
      const std::vector<int>& own = space.encoding().bits(v, symbolic::Moment::Now);
      bits.insert(bits.end(), own.begin(), own.end());
    }
    LayerMerger merger(budget, options.states);
    long double states = 0;
    for (const symbolic::Bdd& layer : database.layers()) {
      if (left() == 0 || !merger.add(layer)) break;
      states += symbolic::count(layer, bits);
    }
    out.states_ = static_cast<uint64_t>(std::min(states, static_cast<long double>(kMostStates)));
    const bool all = database.complete() && merger.layers() == database.layers().size();
    out.layers_ = merger.layers();
    out.diagram_ = merger.diagram(space.encoding(), all ? kInfinity : merger.layers());
    out.pattern_ = database.pattern();
    out.layer_nodes_ = database.nodes();
    // A beginning that fails is found without a step.
    const bool begins =
        std::all_of(space.transitions().beginning_failures().begin(), space.transitions().beginning_failures().end(),
                    [](const symbolic::FailingStates& f) { return f.states.is_false(); });
    const uint64_t nearest = begins ? database.distance(space.initial()).value_or(kInfinity) : 0;
    out.initial_ = static_cast<uint32_t>(std::min<uint64_t>(nearest, out.diagram_.far()));
  } catch (const symbolic::BddManager::BoundReached&) {
    // Nothing is known.
  }
  out.describe(system);
  return out;
}

void SymbolicPatterns::describe(const model::System& system) {
  const bool complete = diagram_.far() == kInfinity;
  report_.states = states_;
  report_.bytes = sizeof(*this) + diagram_.bytes() + pattern_.size() * sizeof(model::VarId);
  report_.proved = initial_ == kInfinity;
  report_.details = {{"pattern", pattern_text(system, pattern_)},
                     {"states", states_ < kMostStates ? std::to_string(states_) : "2^53 or more"},
                     {"distances", std::to_string(layers_) + (complete ? "" : ", and more")},
                     {"nodes", std::to_string(diagram_.size()) + "; " + std::to_string(layer_nodes_) +
                                   " with a diagram for each distance"},
                     {"distance", report_.proved ? "no way" : std::to_string(initial_)}};
}

void SymbolicPatterns::save(ArchiveWriter& out) const {
  std::vector<uint32_t> variables;
  for (const model::VarId v : pattern_) variables.push_back(v.value);
  out.list(variables);
  out.number(states_);
  out.number(layers_);
  out.number(layer_nodes_);
  out.number(initial_);
  diagram_.save(out);
}

SymbolicPatterns SymbolicPatterns::load(ArchiveReader& in, const model::System& system) {
  SymbolicPatterns out;
  for (const uint32_t v : in.list<uint32_t>()) {
    if (v >= system.variables.size()) in.fail("a number is out of range");
    out.pattern_.emplace_back(v);
  }
  out.states_ = in.number();
  out.layers_ = static_cast<uint32_t>(in.number(kInfinity));
  out.layer_nodes_ = in.number();
  out.initial_ = static_cast<uint32_t>(in.number(kInfinity));
  out.diagram_ = DistanceDiagram::load(in, system.variables.size());
  if (out.initial_ != kInfinity && out.initial_ > out.diagram_.far()) in.fail("its distances do not fit together");
  out.describe(system);
  return out;
}

}  // namespace harrier::abstraction
