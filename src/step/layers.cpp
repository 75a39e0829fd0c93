#include "step/layers.h"

#include <utility>

namespace harrier::step {

std::shared_ptr<const Independence> independence_for(const Semantics& semantics, const LayerOptions& options,
                                                     const Watch& watch) {
  if (!options.reduce) return nullptr;
  auto out = std::make_shared<Independence>(semantics.system(), semantics.property().goal, options.pass_through, watch);
  return out->applies() ? out : nullptr;
}

Layers::Layers(DiscreteGenerator& generator, std::shared_ptr<const Independence> independence,
               const LayerOptions& options, Budget& budget)
    : generator_(generator), independence_(std::move(independence)) {
  const Semantics& semantics = generator.semantics();
  if (independence_ != nullptr) reduction_.emplace(*independence_, budget.watch());
  const bool passes = Passing::applies_to(semantics) || (reduction_ && !semantics.system().has_choices());
  if (options.pass_through && passes) passing_.emplace(generator, budget, reduction_ ? &*reduction_ : nullptr);
}

}  // namespace harrier::step
