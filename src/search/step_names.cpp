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
  if (passing == nullptr || passing->steps() == 1) return labels_.of(edges, choice_number(choices));
  const uint32_t before = passing->label_before([&](std::span<const uint32_t> e) { return labels_.of(e); },
                                                [&](uint32_t a, uint32_t b) { return labels_.then(a, b); });
  return labels_.then(before, labels_.of(edges));
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
