// The fast evaluator: runs a Program, and owns the little memory that this needs: a stack, frames, a journal of written
// variables and the list of clock resets. Nothing is allocated while running.
//
//     Machine machine(program);
//     if (machine.holds(guard, values)) {
//       if (machine.execute(effect, values)) …      // values changed in place, machine.journal() tells where
//       machine.undo(values);                       // back to where they were
//     }
//
// What a range violation means depends on where it happens: guards, invariants and effects ask with `holds`,
// `value_in_range` and `execute`, which tell; queries ask with `holds_or_fails` and `value`, for which it is a run-time
// error. Run-time errors of the model are thrown as model::EvalFailure.
//
// Where the program has native code (step/native_code.h), that is tried first.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/choices.h"
#include "model/interpreter.h"
#include "step/journal.h"
#include "step/native_code.h"
#include "step/program.h"

namespace harrier::step {

class Machine {
 public:
  explicit Machine(const Program& program);

  // Tests of single variables, of which most guards consist, are made here.
  bool holds(Code condition, const int32_t* values) {
    if (condition.empty()) return true;
    const Instruction* at = &program_.code_[condition.start];
    for (; at->op == Opcode::RequireVarConst; ++at) {
      if (!passes(at->test, values[at->a], at->b)) return false;
    }
    return at->op == Opcode::Stop || (evaluate(condition, values) && result_ != 0);
  }
  // The same for a query: false is an answer, a range violation is not.
  bool holds_or_fails(Code condition, const int32_t* values) {
    return condition.empty() || value(condition, values) != 0;
  }
  // The value of an expression; a range violation counts as a run-time error here.
  int32_t value(Code code, const int32_t* values);
  // Nothing after a range violation.
  std::optional<int32_t> value_in_range(Code code, const int32_t* values) {
    return evaluate(code, values) ? std::optional(result_) : std::nullopt;
  }

  // Runs an effect. Writes are appended to the journal, resets to the reset list. False: range violation, or a violated
  // Assume.
  bool execute(Code effect, int32_t* values) {
    if (effect.empty()) return true;
    if (const NativeCode* native = program_.native()) {
      if (const NativeCode::Effect function = native->effects[effect.start]; function != nullptr) {
        if (execute(function, values)) return true;
      }
    }
    return run(&program_.code_[effect.start], values) && result_ != 0;
  }
  // The same with native code. False: nothing has happened, and the program has to say what does.
  bool execute(NativeCode::Effect function, int32_t* values) {
    JournalEntry* const room = journal_.room(NativeCode::kMostWrites);
    uint32_t written = 0;
    if (function(values, room, &written) != 0) {
      journal_.append_in_room(written);
      return true;
    }
    while (written-- > 0) values[room[written].variable] = room[written].old_value;
    return false;
  }
  // What effects choose next.
  model::Choices& choices() { return choices_; }
  const model::Choices& choices() const { return choices_; }
  // Writes a variable that no code writes (locations), with the journal.
  void write(int32_t* values, uint32_t variable, int32_t value) {
    journal_.push_back({variable, values[variable]});
    values[variable] = value;
  }
  // Takes back all writes of the journal and empties journal and resets.
  void undo(int32_t* values) {
    journal_.undo_to(values, 0);
    resets_.clear();
  }
  // Takes back all but the first `kept` of them.
  void undo_to(int32_t* values, size_t kept) { journal_.undo_to(values, kept); }
  // Lets them stand, and empties journal and resets.
  void keep() {
    journal_.clear();
    resets_.clear();
  }

  std::span<const JournalEntry> journal() const { return journal_.entries(); }
  std::span<const model::ClockReset> resets() const { return resets_; }

  // Edges whose effects have left a range, the first few, each once.
  static constexpr size_t kMostViolations = 16;
  struct Violation {
    uint32_t edge = 0;
    uint32_t variable = 0;  // UINT32_MAX: a range that is not that of a variable
  };
  const std::vector<Violation>& violations() const { return violations_; }
  // The effect that was just executed in vain is that of this edge. A violated Assume is no violation.
  void blame(uint32_t edge);

 private:
  // Leaves the value of a condition or an expression in result_. False: a range was left.
  bool evaluate(Code code, const int32_t* values) {
    if (const NativeCode* native = program_.native()) {
      const NativeCode::Value function = native->values[code.start];
      if (function != nullptr && function(values, &result_) != 0) return true;
    }
    return run(&program_.code_[code.start], const_cast<int32_t*>(values));
  }
  bool run(const Instruction* at, int32_t* values);
  [[noreturn]] void fail(model::Fault fault, const Instruction* at) const;
  // The range of a variable, or one of no variable, is left here.
  void leave_range(uint32_t variable, const Instruction* at);

  const Program& program_;
  std::vector<int32_t> stack_;
  std::vector<int32_t> frames_;
  std::vector<uint32_t> returns_;
  Journal journal_;
  std::vector<model::ClockReset> resets_;
  model::Choices choices_;
  int32_t result_ = 0;
  uint32_t left_range_ = 0;  // the variable whose range was left last
  SourceRef left_at_;        // and where
  std::vector<Violation> violations_;
};

}  // namespace harrier::step
