// The conditions and effects of a task, evaluated in its states: from their decisions or, where these would be too
// large, by the reference interpreter.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/choices.h"
#include "model/interpreter.h"
#include "task/task.h"

namespace harrier::task {

// Has scratch memory of its own: not thread-safe.
class Evaluator {
 public:
  explicit Evaluator(const Task& task);

  // Whether the value can be told: there is a decision, or all that it may depend on has exact values.
  template <class ConditionOrEffect>
  bool knows(const ConditionOrEffect& x) const {
    return x.decision != Decisions::kNone || task_.is_exact(x.reads);
  }
  // Of what is known, in a state with the numbers of values, by variable.
  bool holds(const Condition& condition, const Value* state);
  // What an effect writes; none if it fails. Valid until the next call.
  std::optional<std::span<const Write>> outcome(const Effect& effect, const Value* state);

 private:
  void load(std::span<const model::VarId> variables, const Value* state);

  const Task& task_;
  model::Interpreter interpreter_;
  std::vector<int32_t> values_;
  model::Interpreter::Knowledge knowledge_;
  std::vector<model::ClockReset> resets_;
  model::Choices choices_;
  std::vector<Write> writes_;
};

}  // namespace harrier::task
