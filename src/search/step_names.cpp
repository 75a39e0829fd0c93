#include "search/step_names.h"

namespace harrier::search {

namespace {

// A label of its own kind: a sequence of choices, which is no edge, even if there is just one.
constexpr uint32_t kManyChoices = 1;

}  // namespace

uint32_t StepNames::choice_number(std::span<const int32_t> choices) {
  if (choices.empty()) return 0;
  return 1 + choices_.of({reinterpret_cast<const uint32_t*>(choices.data()), choices.size()}, kManyChoices);
}

std::vector<int32_t> StepNames::choices_of(uint32_t number) const {
  std::vector<int32_t> out;
  if (number == 0) return out;
  choices_.for_each_step(number - 1, [&](std::span<const uint32_t> values, uint32_t) {
    for (const uint32_t v : values) out.push_back(static_cast<int32_t>(v));
  });
  return out;
}

uint32_t StepNames::of_step(std::span<const uint32_t> edges, std::span<const int32_t> choices, step::Passing* passing) {
  const std::optional<uint32_t> before = passing != nullptr ? of_way(*passing) : std::nullopt;
  return before ? labels_.then(*before, labels_.of(edges)) : labels_.of(edges, choice_number(choices));
}

std::optional<uint32_t> StepNames::of_way(step::Passing& passing) {
  const uint32_t label = passing.label_before([&](std::span<const uint32_t> edges) { return labels_.of(edges); },
                                              [&](uint32_t a, uint32_t b) { return labels_.then(a, b); });
  return label == step::InnerStates::kNoLabel ? std::nullopt : std::optional(label);
}

std::vector<model::PathStep> StepNames::steps_of(uint32_t name) const {
  std::vector<model::PathStep> steps;
  labels_.for_each_step(name, [&](std::span<const uint32_t> edges, uint32_t choices) {
    model::PathStep& step = steps.emplace_back();
    step.choices = choices_of(choices);
    for (const uint32_t e : edges) step.edges.push_back(model::EdgeId(e));
  });
  return steps;
}

}  // namespace harrier::search
