#include "task/progression.h"

#include <algorithm>

namespace harrier::task {

bool Progression::hold(std::span<const uint32_t> conditions, const Value* state) {
  return std::all_of(conditions.begin(), conditions.end(), [&](uint32_t id) {
    const Condition& condition = task_.condition(id);
    return !evaluator_.knows(condition) || evaluator_.holds(condition, state);
  });
}

bool Progression::hold(std::span<const Move> moves, std::span<const uint32_t> conditions, const Value* state) {
  return std::all_of(moves.begin(), moves.end(),
                     [&](const Move& move) {
                       const Domain& domain = task_.domain(move.variable);
                       return domain.is_wide() || domain.find(move.from) == state[move.variable];
                     }) &&
         hold(conditions, state);
}

bool Progression::is_applicable(const Label& label, const Value* state) {
  return hold(task_.moves(label), task_.conditions(label), state);
}

bool Progression::is_goal(const Value* state) {
  for (size_t c = 0; c < task_.goal().size(); ++c) {
    if (hold(task_.goal_conditions(c), state)) return true;
  }
  return false;
}

bool Progression::apply(const Label& label, const Value* state, Value* out) {
  if (!is_applicable(label, state)) return false;
  std::copy_n(state, task_.variable_count(), out);
  const bool disturbed = !task_.arbitrary(label).empty();
  for (const uint32_t id : task_.effects(label)) {
    if (execute(task_.effect(id), state, out)) continue;
    if (!disturbed) return false;
    for (const model::VarId v : task_.effect(id).writes) open(v.value, out);  // with other receivers it may not fail
  }
  for (const model::VarId v : task_.arbitrary(label)) open(v.value, out);
  for (const Move& move : task_.moves(label)) {
    out[move.variable] = task_.domain(move.variable).find(move.to).value_or(0);
  }
  open_other_receivers(label, state, out);
  for (const model::VarId v : task_.derived()) open(v.value, out);
  if (const model::VarId control = task_.system().control; control.valid()) open(control.value, out);
  return true;
}

bool Progression::execute(const Effect& effect, const Value* state, Value* out) {
  if (!evaluator_.knows(effect)) {
    for (const model::VarId v : effect.writes) open(v.value, out);
    return true;
  }
  const auto writes = evaluator_.outcome(effect, state);
  if (!writes) return false;
  written_.clear();
  for (const Write& write : *writes) {
    const Domain& domain = task_.domain(write.variable);
    if (domain.is_wide()) continue;
    const auto value = domain.find(write.value);
    if (!write.any && !value) return false;
    const bool again = std::find(written_.begin(), written_.end(), write.variable) != written_.end();
    if (write.any || (again && out[write.variable] != *value)) {
      out[write.variable] = kAnyValue;  // there are several that it may get
    } else {
      out[write.variable] = *value;
    }
    written_.push_back(write.variable);
  }
  return true;
}

void Progression::open(uint32_t variable, Value* out) const {
  if (!task_.domain(variable).is_wide()) out[variable] = kAnyValue;
}

// Other receivers of the broadcast that are ready come along as well.
void Progression::open_other_receivers(const Label& label, const Value* state, Value* out) {
  const model::System& system = task_.system();
  const auto process_of = [&](const Label& l) {
    return l.receiver.valid() ? system.edge(l.receiver).process : model::ProcessId();
  };
  for (const Label& other : task_.labels_of(label.transition)) {
    if (!other.receiver.valid() || process_of(other) == process_of(label)) continue;
    if (!hold(task_.own_moves(other), task_.own_conditions(other), state)) continue;
    for (const Move& move : task_.own_moves(other)) open(move.variable, out);
    for (const uint32_t id : task_.own_effects(other)) {
      for (const model::VarId v : task_.effect(id).writes) open(v.value, out);
    }
  }
}

}  // namespace harrier::task
