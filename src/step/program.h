// Expressions and statements of a model, compiled once into a flat instruction list: immutable after compilation,
// shared by threads. `step/machine.h` runs it.
//
//     Program program(system);
//     Code guard = program.condition(edge.guard);
//     Code effect = program.effect(edge.effect);
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "model/system.h"
#include "step/instruction.h"

namespace harrier::step {

// A compiled piece. The empty piece is the true condition and the effect that does nothing.
struct Code {
  static constexpr uint32_t kEmpty = UINT32_MAX;
  uint32_t start = kEmpty;
  bool empty() const { return start == kEmpty; }
};

struct NativeCode;

class Program {
 public:
  explicit Program(const model::System& system);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Code condition(std::span<const model::ExprId> conjunction);
  Code value(model::ExprId expr);
  Code effect(std::span<const model::StmtId> statements);

  const model::System& system() const { return system_; }
  std::span<const Instruction> instructions() const { return code_; }
  // Of all that was compiled, in this order.
  std::span<const Code> pieces() const { return pieces_; }
  Code function(uint32_t number) const { return {function_entry_[number]}; }

  // Domains of the variables.
  std::span<const int32_t> lows() const { return lo_; }
  std::span<const int32_t> highs() const { return hi_; }

  // What stands for some of it, if there is that. Any thread may use it as soon as it is there.
  const NativeCode* native() const { return native_.load(std::memory_order_acquire); }
  // It may come while others evaluate, and go when nobody does; what it is must be the same (step/native_code.h).
  void use(const NativeCode* native) const { native_.store(native, std::memory_order_release); }

 private:
  friend class Machine;
  class Compiler;
  Code begin_piece();

  const model::System& system_;
  std::vector<Instruction> code_;
  std::vector<SourceRef> places_;  // of each instruction
  std::vector<Code> pieces_;
  std::vector<uint32_t> function_entry_;
  std::vector<int32_t> lo_, hi_;   // domains of the variables
  uint32_t function_stack_ = 0;    // stack that all functions together need
  uint32_t expression_stack_ = 0;  // and the deepest piece outside them
  uint32_t frame_size_ = 0;        // all frames that can be live at once
  bool has_choices_ = false;       // of the system, which is looked through for them once
  mutable std::atomic<const NativeCode*> native_ = nullptr;
};

}  // namespace harrier::step
