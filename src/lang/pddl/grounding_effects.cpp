#include "lang/pddl/grounding_effects.h"

#include <algorithm>

namespace harrier::pddl {

namespace {

bool has(std::span<const LiteralWord> sorted, LiteralWord literal) {
  return std::binary_search(sorted.begin(), sorted.end(), literal);
}

}  // namespace

void keep_strongest(std::vector<LooseEffect>& effects) {
  std::sort(effects.begin(), effects.end());
  effects.erase(std::unique(effects.begin(), effects.end()), effects.end());
  // Of each atom those that add come first, and of these the one without condition.
  uint32_t settled = UINT32_MAX;
  bool added = false;
  size_t kept = 0;
  for (size_t i = 0; i < effects.size(); ++i) {
    LooseEffect& effect = effects[i];
    const uint32_t atom = atom_of(effect.literal);
    if (atom == settled && (added || !is_positive(effect.literal))) continue;
    if (effect.conditions.empty()) {
      settled = atom;
      added = is_positive(effect.literal);
    }
    if (kept != i) effects[kept] = std::move(effect);
    ++kept;
  }
  effects.resize(kept);
}

void keep_working(std::vector<LooseEffect>& effects, std::span<const LiteralWord> preconditions) {
  std::erase_if(effects, [&](LooseEffect& effect) {
    std::erase_if(effect.conditions, [&](LiteralWord literal) { return has(preconditions, literal); });
    const auto never = [&](LiteralWord literal) { return has(preconditions, complement(literal)); };
    if (std::any_of(effect.conditions.begin(), effect.conditions.end(), never)) return true;
    return !is_positive(effect.literal) &&
           (has(preconditions, effect.literal) || has(effect.conditions, effect.literal));
  });
  keep_strongest(effects);
  // An atom that an effect deletes may have to be added again.
  const auto deleted = [&](uint32_t atom) {
    return std::any_of(effects.begin(), effects.end(),
                       [&](const LooseEffect& effect) { return effect.literal == literal_word(atom, false); });
  };
  std::erase_if(effects, [&](const LooseEffect& effect) {
    return is_positive(effect.literal) &&
           (has(preconditions, effect.literal) || has(effect.conditions, effect.literal)) &&
           !deleted(atom_of(effect.literal));
  });
}

}  // namespace harrier::pddl
