// What a compiled program consists of; `step/program.h` makes it, `step/machine.h` runs it.
//
// The machine works on a stack; `top` is the last value pushed. The instructions that test or set variables directly
// cover what guards and effects of real models consist of almost entirely.
#pragma once

#include <cstdint>

#include "model/operators.h"

namespace harrier::step {

enum class Opcode : uint16_t {
  PushConst,         // b
  PushVar,           // variable a
  PushVarPlus,       // variable a + b
  PushElement,       // pop index i; push variable a + i, 0 <= i < b
  PushElementAt,     // push variable a + i, where i is variable c, 0 <= i < b
  PushLocal,         // slot a
  PushLocalElement,  // pop i; push slot a + i, 0 <= i < b
  CheckIndex,        // 0 <= top < b, or run-time error
  CheckRange,        // b <= top <= c, or range violation
  Unary,             // model::Op in a
  Binary,            // model::Op in a (the operators that are not listed below)
  Add,
  AddConst,  // top + b
  AddVar,    // top + variable a
  Sub,
  Mask,          // top & b
  Compare,       // comparison in `test`
  CompareConst,  // top with b
  Jump,          // to a
  JumpBack,      // to a, counted against the step limit
  JumpIfZero,    // pop
  JumpIfNonZero,
  JumpIf,          // pop two values; to a if they pass the test
  JumpIfConst,     // pop; to a if it passes the test with b
  JumpIfVarConst,  // to a if variable c passes the test with b
  Call,            // function a, b arguments on the stack
  Return,          // top is the value
  StoreVar,        // a := top (kept)
  StoreElement,    // pop value v, pop index i; a + i := v; push v
  StoreLocal,
  StoreLocalElement,
  Pop,
  Reset,            // pop value; clock a := value
  ResetConst,       // clock a := b
  ResetElement,     // pop value, pop index; clock a + index := value, 0 <= index < b
  Require,          // pop; if zero: stop with result 0
  RequireTest,      // pop two values that pass the test, else stop with result 0
  RequireConst,     // pop a value that passes the test with b
  RequireVarConst,  // variable a passes the test with b
  RequireVarVar,    // variable a with variable b
  Refuse,           // result 0
  Stop,             // result 1
  StopValue,        // result = top
  SetConst,         // variable a := b; in the domain, checked at compile time
  SetVar,           // variable a := variable b
  SetTop,           // pop value; variable a := value
  SetElement,       // pop value v, pop index i; a + i := v, 0 <= i < b
  Increase,         // variable a := variable a + b
  ClearFrame,       // all slots := 0
  Choose,           // slot a := one of the c values from b on
  Fail,             // the fault a
};
inline constexpr int kOpcodes = static_cast<int>(Opcode::Fail) + 1;

struct Instruction {
  Opcode op = Opcode::Stop;
  uint16_t test = 0;  // a comparison, as its outcomes
  uint32_t a = 0;
  int32_t b = 0;
  int32_t c = 0;
};

// A comparison as the set of outcomes that pass: bit 0 for less, 1 for equal, 2 for greater. So one instruction serves
// all six, without a branch.
constexpr uint16_t outcomes_of(model::Op comparison) {
  return static_cast<uint16_t>(model::compare(comparison, 0, 1) | model::compare(comparison, 0, 0) << 1 |
                               model::compare(comparison, 1, 0) << 2);
}
inline bool passes(uint16_t outcomes, int32_t left, int32_t right) {
  return (outcomes >> (static_cast<int>(left >= right) + static_cast<int>(left > right)) & 1) != 0;
}

}  // namespace harrier::step
