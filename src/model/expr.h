// Expressions and statements of the intermediate model: one small typed language for the guards, effects,
// invariants and goals of every input language.
//
// All values are 32-bit integers; a boolean is 0 or 1. Expressions and statements live in the pools of a
// `System` and are named by ids; a node's children are ids. Three evaluators share this definition:
//   - `step::Program`      compiled, fast, used by the searches;
//   - `model::Interpreter`  a plain walk over the nodes, used by the trace validator and in differential tests;
//   - `model::range_of`     a sound interval of the values that an expression can have.
//
// Semantics (all evaluators agree on it):
//   - `+ - * / % << >> -` whose result does not fit 32 bits, division by zero, a shift distance outside [0, 31] and an
//     index outside its block are *run-time errors* of the model, reported with their place;
//   - a stored value outside the variable's domain, or an `InRange` that fails, is a *range violation*: the
//     transition is not taken;
//   - `And`, `Or`, `Ite` evaluate only what they need, from left to right; division truncates towards zero.
//
// An effect may *choose*: it runs once for every sequence of values that its `Choose` statements can have, and each run
// that meets no violated `Assume` is a transition of its own. Only effects of edges may, not functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/source.h"

namespace harrier::model {

using VarId = Id<struct VarTag>;
using ClockId = Id<struct ClockTag>;  // clock 0 is the reference clock, always 0
using ChannelId = Id<struct ChannelTag>;
using ProcessId = Id<struct ProcessTag>;
using EdgeId = Id<struct EdgeTag>;  // index into System::edges
using FunctionId = Id<struct FunctionTag>;
using ExprId = Id<struct ExprTag>;
using StmtId = Id<struct StmtTag>;

enum class Op : uint8_t {
  Const,      // value
  Var,        // the variable `base`
  Load,       // the variable base + a, where 0 <= a < count is checked (run-time error)
  Local,      // the frame slot `base`
  LoadLocal,  // the frame slot base + a, where 0 <= a < count is checked
  Index,      // a, where 0 <= a < count is checked (run-time error): one dimension of an array access
  InRange,    // a, where b <= a <= c is checked (range violation); b and c are constants
  Neg,
  Not,  // a == 0
  BitNot,
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Shl,
  Shr,
  BitAnd,
  BitOr,
  BitXor,
  Min,
  Max,
  Lt,
  Le,
  Eq,
  Ne,
  Ge,
  Gt,
  And,  // 1 if both are non-zero
  Or,
  Ite,         // a != 0 ? b : c
  Forall,      // for every value of slot `base` in [a, b] (constants): c != 0
  Exists,      // for some value of slot `base` in [a, b]: c != 0
  Sum,         // the sum of c over all values of slot `base` in [a, b]
  Call,        // function `base` with `count` arguments: System::arguments[value ...]
  Store,       // variable base (a invalid) or base + a (0 <= a < count checked) := b; the value is b
  StoreLocal,  // frame slot base (a invalid) or base + a (checked) := b; the value is b
  Comma,       // a, then b; the value is b
  Fail,        // has no value: raises the fault `value`, often one with a text of its own
};
inline constexpr uint8_t kOps = static_cast<uint8_t>(Op::Fail) + 1;  // how many there are: the last one stays the last

struct Expr {
  Op op = Op::Const;
  int32_t value = 0;
  uint32_t base = 0;
  uint32_t count = 0;
  ExprId a, b, c;
  SourceRef at;
};

enum class StmtKind : uint8_t {
  Expr,    // evaluate `expr` for its effect
  Block,   // the statements System::children[first .. first + count)
  If,      // if (expr) a; else b (b may be invalid)
  While,   // while (expr) a
  Return,  // leave the function with the value of expr (invalid: no value)
  Reset,   // clock `clock + offset` := expr (>= 0 checked, run-time error); offset may be invalid, 0 <= offset < count
           // checked
  Choose,  // frame slot `first` := one of the `count` values from `low` on; which is open (model/choices.h)
  Assume,  // where expr is 0, the choices made so far lead nowhere: no transition with them
};
inline constexpr uint8_t kStmtKinds = static_cast<uint8_t>(StmtKind::Assume) + 1;

struct Stmt {
  StmtKind kind = StmtKind::Expr;
  ExprId expr;
  StmtId a, b;
  uint32_t first = 0;
  uint32_t count = 0;
  ClockId clock;
  ExprId offset;
  int32_t low = 0;
  SourceRef at;
};

// Frame slots hold the parameters (first), local variables and bound variables of quantifiers.
// A body that ends without Return yields 0.
struct Function {
  std::string name;
  uint32_t parameters = 0;
  uint32_t slots = 0;  // size of the frame, parameters included; slots beyond the parameters start as 0
  StmtId body;
  SourceRef at;
};

// Why an evaluation could not go on.
enum class Fault : uint16_t {
  None,
  RangeViolation,  // the transition is not taken
  DivisionByZero,  // from here on: run-time errors
  IndexOutOfBounds,
  Overflow,
  BadShift,
  NegativeClock,
  StepLimit,  // a loop or quantifier ran for more than kMaxSteps rounds
  Raised,     // what the language forbids: this and all that follow, Raised + i says System::faults[i]
};

inline constexpr uint32_t kMaxSteps = 10'000'000;

}  // namespace harrier::model
