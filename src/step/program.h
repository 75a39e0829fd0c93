// The fast evaluator: expressions and statements of a model, compiled once into a flat instruction list.
//
// `Program` is the code (immutable after compilation, shared by threads); `Machine` runs it and owns the little memory
// that needs: a stack, frames, a journal of written variables and the list of clock resets. Nothing is allocated while
// running.
//
//     Program program(system);
//     Code guard = program.condition(edge.guard);
//     Code effect = program.effect(edge.effect);
//     Machine machine(program);
//     if (machine.holds(guard, values)) {
//       if (machine.execute(effect, values)) …      // values changed in place, machine.journal() tells where
//       machine.undo(values);                       // back to where they were
//     }
//
// What a range violation means depends on where it happens: guards, invariants and effects ask with `holds`,
// `value_in_range` and `execute`, which tell; queries ask with `holds_or_fails` and `value`, for which it is a run-time
// error. Run-time errors of the model are thrown as model::EvalFailure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/interpreter.h"
#include "model/system.h"

namespace harrier::step {

// A compiled piece. The empty piece is the true condition and the effect that does nothing.
struct Code {
  static constexpr uint32_t kEmpty = UINT32_MAX;
  uint32_t start = kEmpty;
  bool empty() const { return start == kEmpty; }
};

struct Instruction {
  uint16_t op = 0;
  uint16_t test = 0;  // comparison of a fused test
  uint32_t a = 0;
  int32_t b = 0;
  int32_t c = 0;
};

class Program {
 public:
  explicit Program(const model::System& system);

  Code condition(std::span<const model::ExprId> conjunction);
  Code value(model::ExprId expr);
  Code effect(std::span<const model::StmtId> statements);

  const model::System& system() const { return system_; }

 private:
  friend class Machine;
  class Compiler;

  const model::System& system_;
  std::vector<Instruction> code_;
  std::vector<SourceRef> places_;  // of each instruction
  std::vector<uint32_t> function_entry_;
  std::vector<int32_t> lo_, hi_;   // domains of the variables
  uint32_t function_stack_ = 0;    // stack that all functions together need
  uint32_t expression_stack_ = 0;  // and the deepest piece outside them
  uint32_t frame_size_ = 0;        // all frames that can be live at once
};

struct JournalEntry {
  uint32_t variable = 0;
  int32_t old_value = 0;
};

class Machine {
 public:
  explicit Machine(const Program& program);

  bool holds(Code condition, const int32_t* values) {
    return condition.empty() || (run(condition.start, const_cast<int32_t*>(values)) && result_ != 0);
  }
  // The same for a query: false is an answer, a range violation is not.
  bool holds_or_fails(Code condition, const int32_t* values) {
    return condition.empty() || value(condition, values) != 0;
  }
  // The value of an expression; a range violation counts as a run-time error here.
  int32_t value(Code code, const int32_t* values);
  // Nothing after a range violation.
  std::optional<int32_t> value_in_range(Code code, const int32_t* values) {
    return run(code.start, const_cast<int32_t*>(values)) ? std::optional(result_) : std::nullopt;
  }

  // Runs an effect. Writes are appended to the journal, resets to the reset list. False: range violation.
  bool execute(Code effect, int32_t* values) { return effect.empty() || run(effect.start, values); }
  // Writes a variable that no code writes (locations), with the journal.
  void write(int32_t* values, uint32_t variable, int32_t value) {
    journal_.push_back({variable, values[variable]});
    values[variable] = value;
  }
  // Takes back all writes of the journal and empties journal and resets.
  void undo(int32_t* values);
  // Lets them stand, and empties journal and resets.
  void keep() {
    journal_.clear();
    resets_.clear();
  }

  std::span<const JournalEntry> journal() const { return journal_; }
  std::span<const model::ClockReset> resets() const { return resets_; }

  // Edges whose effects have left a range, the first few, each once.
  struct Violation {
    uint32_t edge = 0;
    uint32_t variable = 0;  // UINT32_MAX: a range that is not that of a variable
  };
  const std::vector<Violation>& violations() const { return violations_; }
  // The effect that was just executed in vain is that of this edge.
  void blame(uint32_t edge);

 private:
  bool run(uint32_t start, int32_t* values);

  const Program& program_;
  std::vector<int32_t> stack_;
  std::vector<int32_t> frames_;
  std::vector<uint32_t> returns_;
  std::vector<JournalEntry> journal_;
  std::vector<model::ClockReset> resets_;
  int32_t result_ = 0;
  uint32_t left_range_ = 0;  // the variable whose range was left last
  SourceRef left_at_;        // and where
  std::vector<Violation> violations_;
};

}  // namespace harrier::step
