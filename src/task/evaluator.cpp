#include "task/evaluator.h"

#include "task/enumeration.h"

namespace harrier::task {

Evaluator::Evaluator(const Task& task)
    : task_(task), interpreter_(task.system()), values_(task.system().initial_values()) {
  knowledge_.known.resize(values_.size(), true);
}

void Evaluator::load(std::span<const model::VarId> variables, const Value* state) {
  for (const model::VarId v : variables) values_[v.value] = task_.domain(v.value).values[state[v.value]];
}

bool Evaluator::holds(const Condition& condition, const Value* state) {
  if (condition.decision != Decisions::kNone) return task_.decisions().at(condition.decision, state) != 0;
  load(condition.reads, state);
  interpreter_.use(nullptr);
  try {
    return interpreter_.value(condition.expr, values_) != 0;
  } catch (const model::EvalFailure&) {
    return false;
  }
}

std::optional<std::span<const Write>> Evaluator::outcome(const Effect& effect, const Value* state) {
  if (effect.decision != Decisions::kNone) {
    const uint32_t result = task_.decisions().at(effect.decision, state);
    if (result == Task::kImpossible) return std::nullopt;
    return task_.outcome(result);
  }
  interpreter_.use(&knowledge_);  // it tells what is written
  writes_.clear();
  choices_.clear();
  bool possible = false;
  size_t runs = 0;
  do {
    if (++runs > Enumeration::kMostCombinations) {
      writes_.clear();
      for (const model::VarId v : effect.writes) writes_.push_back({v.value, 0, true});
      return writes_;
    }
    load(effect.reads, state);
    knowledge_.written.clear();
    resets_.clear();
    choices_.rewind();
    try {
      if (!interpreter_.execute(effect.statements, values_, resets_, choices_)) continue;
    } catch (const model::EvalFailure&) {
      continue;
    }
    possible = true;
    for (const auto& write : knowledge_.written) {
      writes_.push_back({write.variable.value, values_[write.variable.value]});
    }
  } while (choices_.next());
  if (!possible) return std::nullopt;
  return writes_;
}

}  // namespace harrier::task
