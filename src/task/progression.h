// Forwards: what a label makes of a state of a task.
//
//     Progression progression(task);
//     task.read(system.initial_values().data(), state);
//     if (progression.apply(label, state, successor)) …
//
// A successor has a number for every variable, or kAnyValue where the task does not tell which; those of wide variables
// are 0. It covers all states that the model can be in after the transition.
#pragma once

#include <span>
#include <vector>

#include "task/evaluator.h"
#include "task/task.h"

namespace harrier::task {

// Has scratch memory of its own: not thread-safe.
class Progression {
 public:
  explicit Progression(const Task& task) : task_(task), evaluator_(task) {}

  // Whether the processes are where they start and the conditions hold, as far as they are known.
  bool is_applicable(const Label& label, const Value* state);
  // `out` has room for all variables and is not `state`. False if the label is not applicable, or an effect fails or
  // gives a variable a value that it never has.
  bool apply(const Label& label, const Value* state, Value* out);
  // Whether a clause of the goal can hold, as far as it speaks of variables.
  bool is_goal(const Value* state);

 private:
  bool hold(std::span<const Move> moves, std::span<const uint32_t> conditions, const Value* state);
  bool hold(std::span<const uint32_t> conditions, const Value* state);
  bool execute(const Effect& effect, const Value* state, Value* out);
  void open(uint32_t variable, Value* out) const;
  void open_other_receivers(const Label& label, const Value* state, Value* out);

  const Task& task_;
  Evaluator evaluator_;
  std::vector<uint32_t> written_;  // by the effect at hand
};

}  // namespace harrier::task
