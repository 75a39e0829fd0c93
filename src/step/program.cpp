#include "step/program.h"

#include <algorithm>

#include "model/operators.h"

namespace harrier::step {

using model::Expr;
using model::ExprId;
using model::Fault;
using model::Op;
using model::OpKind;
using model::Stmt;
using model::StmtId;
using model::StmtKind;

namespace {

// The machine works on a stack; `top` is the last value pushed. The fused instructions at the end cover what guards and
// effects of real models consist of almost entirely.
enum Code_ : uint16_t {
  kPushConst,      // b
  kPushVar,        // a
  kPushElement,    // pop index i; push variable a + i, 0 <= i < b
  kPushLocal,      // a
  kPushLocalElem,  // pop i; push slot a + i, 0 <= i < b
  kCheckIndex,     // 0 <= top < b, or run-time error
  kCheckRange,     // b <= top <= c, or range violation
  kUnary,          // model::Op in a
  kBinary,         // model::Op in a (the operators that are not listed below)
  kAdd,
  kSub,
  kCompare,     // comparison in `test`
  kBool,        // top = top != 0
  kJump,        // to a
  kJumpBack,    // to a, counted against the step limit
  kJumpIfZero,  // pop
  kJumpIfNonZero,
  kCall,          // function a, b arguments on the stack, c slots in its frame
  kReturn,        // top is the value
  kStoreVar,      // a := top (kept)
  kStoreElement,  // pop value v, pop index i; a + i := v; push v
  kStoreLocal,
  kStoreLocalElem,
  kPop,
  kReset,            // pop value; clock a := value
  kResetElement,     // pop value, pop index; clock a + index := value, 0 <= index < b
  kRequire,          // pop; if zero: stop with result 0
  kStop,             // result 1
  kStopValue,        // result = top
  kRequireVarConst,  // variable a <test> b, else stop with result 0
  kRequireVarVar,    // variable a <test> variable b
  kSetConst,         // variable a := b; in the domain, checked at compile time
  kSetVar,           // variable a := variable b
  kAddConst,         // variable a := variable a + b
  kFail,             // the fault a
};

}  // namespace

// Appends code for nodes; keeps track of how deep the stack gets.
class Program::Compiler {
 public:
  explicit Compiler(Program& program) : p_(program), s_(program.system_) {}

  void require(ExprId id) {
    const Expr& e = s_.expr(id);
    if (e.op == Op::And) {
      require(e.a);
      require(e.b);
      return;
    }
    if (model::is_comparison(e.op)) {
      const Expr* left = &s_.expr(e.a);
      const Expr* right = &s_.expr(e.b);
      Op op = e.op;
      if (left->op == Op::Const) {
        std::swap(left, right);
        op = model::mirrored(op);
      }
      if (left->op == Op::Var && right->op == Op::Const) {
        emit({kRequireVarConst, static_cast<uint16_t>(op), left->base, right->value}, e.at);
        return;
      }
      if (left->op == Op::Var && right->op == Op::Var) {
        emit({kRequireVarVar, static_cast<uint16_t>(op), left->base, static_cast<int32_t>(right->base)}, e.at);
        return;
      }
    }
    push(id);
    emit({kRequire}, e.at);
    pop();
  }

  // Code that leaves the value of an expression on the stack.
  void push(ExprId id) {
    const Expr e = s_.expr(id);
    switch (model::kind_of(e.op)) {
      case OpKind::Const: emit({kPushConst, 0, 0, e.value}, e.at); break;
      case OpKind::Var: emit({kPushVar, 0, e.base}, e.at); break;
      case OpKind::Local: emit({kPushLocal, 0, e.base}, e.at); break;
      case OpKind::Load:
      case OpKind::LoadLocal:
        push(e.a);
        emit({e.op == Op::Load ? kPushElement : kPushLocalElem, 0, e.base, static_cast<int32_t>(e.count)}, e.at);
        return;
      case OpKind::Index:
        push(e.a);
        emit({kCheckIndex, 0, 0, static_cast<int32_t>(e.count)}, e.at);
        return;
      case OpKind::InRange:
        push(e.a);
        emit({kCheckRange, 0, 0, s_.expr(e.b).value, s_.expr(e.c).value}, e.at);
        return;
      case OpKind::Unary:
        push(e.a);
        emit({kUnary, 0, static_cast<uint32_t>(e.op)}, e.at);
        return;
      case OpKind::Connective: {
        push(e.a);
        emit({kBool}, e.at);
        // The left value decides: keep it and skip the right side, else drop it.
        emit_duplicate_jump(e.op == Op::And ? kJumpIfZero : kJumpIfNonZero, e);
        return;
      }
      case OpKind::Ite: {
        push(e.a);
        const uint32_t to_else = emit({kJumpIfZero}, e.at);
        pop();
        push(e.b);
        const uint32_t to_end = emit({kJump}, e.at);
        pop();
        patch(to_else);
        push(e.c);
        patch(to_end);
        return;
      }
      case OpKind::Quantifier: quantifier(e); return;
      case OpKind::Call: {
        for (const ExprId argument : s_.call_arguments(e)) push(argument);
        emit({kCall, 0, e.base, static_cast<int32_t>(e.count)}, e.at);
        for (uint32_t i = 0; i < e.count; ++i) pop();
        break;
      }
      case OpKind::Store:
      case OpKind::StoreLocal: {
        const bool local = e.op == Op::StoreLocal;
        if (e.a.valid()) {
          push_index(e.a, e.count, e.b, e.at);
          push(e.b);
          emit({local ? kStoreLocalElem : kStoreElement, 0, e.base, static_cast<int32_t>(e.count)}, e.at);
          pop();
        } else {
          push(e.b);
          emit({local ? kStoreLocal : kStoreVar, 0, e.base}, e.at);
        }
        return;
      }
      case OpKind::Fail:  // counts as a value, as what follows expects one
        emit({kFail, 0, static_cast<uint32_t>(e.value)}, e.at);
        break;
      case OpKind::Comma:
        push(e.a);
        emit({kPop}, e.at);
        pop();
        push(e.b);
        return;
      case OpKind::Arithmetic:
        push(e.a);
        push(e.b);
        if (e.op == Op::Add || e.op == Op::Sub) {
          emit({e.op == Op::Add ? kAdd : kSub}, e.at);
        } else {
          emit({kBinary, 0, static_cast<uint32_t>(e.op)}, e.at);
        }
        pop();
        return;
      case OpKind::Comparison:
        push(e.a);
        push(e.b);
        emit({kCompare, static_cast<uint16_t>(e.op)}, e.at);
        pop();
        return;
    }
    grow();
  }

  void statement(StmtId id) {
    const Stmt st = s_.stmt(id);
    switch (st.kind) {
      case StmtKind::Expr: expression_statement(st); break;
      case StmtKind::Block:
        for (const StmtId child : s_.block(st)) statement(child);
        break;
      case StmtKind::If: {
        push(st.expr);
        const uint32_t to_else = emit({kJumpIfZero}, st.at);
        pop();
        statement(st.a);
        if (st.b.valid()) {
          const uint32_t to_end = emit({kJump}, st.at);
          patch(to_else);
          statement(st.b);
          patch(to_end);
        } else {
          patch(to_else);
        }
        break;
      }
      case StmtKind::While: {
        const uint32_t head = here();
        push(st.expr);
        const uint32_t to_end = emit({kJumpIfZero}, st.at);
        pop();
        statement(st.a);
        emit({kJumpBack, 0, head}, st.at);
        patch(to_end);
        break;
      }
      case StmtKind::Return:
        if (st.expr.valid()) {
          push(st.expr);
        } else {
          emit({kPushConst}, st.at);
          grow();
        }
        emit({kReturn}, st.at);
        pop();
        break;
      case StmtKind::Reset:
        if (st.offset.valid()) push_index(st.offset, st.count, st.expr, st.at);
        push(st.expr);
        emit({st.offset.valid() ? kResetElement : kReset, 0, st.clock.value, static_cast<int32_t>(st.count)}, st.at);
        pop();
        if (st.offset.valid()) pop();
        break;
    }
  }

  uint32_t emit(Instruction instruction, SourceRef at) {
    p_.code_.push_back(instruction);
    p_.places_.push_back(at);
    return here() - 1;
  }
  uint32_t here() const { return static_cast<uint32_t>(p_.code_.size()); }
  // How deep the stack gets, for code that leaves so many values on it.
  uint32_t deepest(uint32_t left) const {
    if (depth_ != left) throw Error(ErrorKind::Internal, "compiled code does not balance its stack");
    return deepest_;
  }

 private:
  // The index of what is to be set. It is checked first, should the value fail, too.
  void push_index(ExprId index, uint32_t count, ExprId value, SourceRef at) {
    push(index);
    const Op op = s_.expr(value).op;
    const bool fails = op != Op::Const && op != Op::Var && op != Op::Local;
    if (fails) emit({kCheckIndex, 0, 0, static_cast<int32_t>(count)}, at);
  }
  void patch(uint32_t at) { p_.code_[at].a = here(); }
  void grow() { deepest_ = std::max(deepest_, ++depth_); }
  void pop() { --depth_; }

  void emit_duplicate_jump(Code_ jump, const Expr& e) {
    // [v] -> jump with v on the stack if it decides; otherwise drop v and compute the right side.
    // There is no "duplicate": jump to code that pushes the deciding constant again.
    const uint32_t decide = emit({jump}, e.at);
    pop();
    push(e.b);
    emit({kBool}, e.at);
    const uint32_t to_end = emit({kJump}, e.at);
    patch(decide);
    emit({kPushConst, 0, 0, e.op == Op::Or ? 1 : 0}, e.at);
    patch(to_end);
  }

  void quantifier(const Expr& e) {
    // The running result stays on the stack under the temporary values.
    const int32_t lo = s_.expr(e.a).value;
    const int32_t hi = s_.expr(e.b).value;
    const bool sum = e.op == Op::Sum;
    emit({kPushConst, 0, 0, e.op == Op::Forall ? 1 : 0}, e.at);
    grow();
    if (lo > hi) return;
    emit({kPushConst, 0, 0, lo}, e.at);
    grow();
    emit({kStoreLocal, 0, e.base}, e.at);
    emit({kPop}, e.at);
    pop();
    const uint32_t head = here();
    push(e.c);
    uint32_t leave = 0;
    if (sum) {
      emit({kAdd}, e.at);
    } else {
      leave = emit({e.op == Op::Forall ? kJumpIfZero : kJumpIfNonZero}, e.at);
    }
    pop();
    emit({kPushLocal, 0, e.base}, e.at);
    grow();
    emit({kPushConst, 0, 0, hi}, e.at);
    grow();
    emit({kCompare, static_cast<uint16_t>(Op::Ge)}, e.at);
    pop();
    const uint32_t to_end = emit({kJumpIfNonZero}, e.at);
    pop();
    emit({kPushLocal, 0, e.base}, e.at);
    grow();
    emit({kPushConst, 0, 0, 1}, e.at);
    grow();
    emit({kAdd}, e.at);
    pop();
    emit({kStoreLocal, 0, e.base}, e.at);
    emit({kPop}, e.at);
    pop();
    emit({kJump, 0, head}, e.at);
    if (!sum) {
      patch(leave);
      emit({kPop}, e.at);
      emit({kPushConst, 0, 0, e.op == Op::Forall ? 0 : 1}, e.at);
    }
    patch(to_end);
  }

  void expression_statement(const Stmt& st) {
    const Expr& e = s_.expr(st.expr);
    if (e.op == Op::Store && !e.a.valid()) {
      const Expr& v = s_.expr(e.b);
      if (v.op == Op::Const && v.value >= p_.lo_[e.base] && v.value <= p_.hi_[e.base]) {
        emit({kSetConst, 0, e.base, v.value}, e.at);
        return;
      }
      if (v.op == Op::Var) {
        emit({kSetVar, 0, e.base, static_cast<int32_t>(v.base)}, e.at);
        return;
      }
      if ((v.op == Op::Add || v.op == Op::Sub) && s_.expr(v.a).op == Op::Var && s_.expr(v.a).base == e.base &&
          s_.expr(v.b).op == Op::Const && s_.expr(v.b).value != INT32_MIN) {
        const int32_t by = s_.expr(v.b).value;
        emit({kAddConst, 0, e.base, v.op == Op::Add ? by : -by}, v.at);
        return;
      }
    }
    push(st.expr);
    emit({kPop}, st.at);
    pop();
  }

  Program& p_;
  const model::System& s_;
  uint32_t depth_ = 0;
  uint32_t deepest_ = 0;
};

Program::Program(const model::System& system) : system_(system) {
  for (const model::Variable& variable : system.variables) {
    lo_.push_back(variable.lo);
    hi_.push_back(variable.hi);
  }
  frame_size_ = system.quantifier_slots;
  for (const model::Function& function : system.functions) {
    function_entry_.push_back(static_cast<uint32_t>(code_.size()));
    Compiler compiler(*this);
    if (function.body.valid()) compiler.statement(function.body);
    compiler.emit({kPushConst}, function.at);
    compiler.emit({kReturn}, function.at);
    // There is no recursion, so all functions together bound the deepest chain of calls.
    function_stack_ += compiler.deepest(0) + 1;
    frame_size_ += function.slots;
  }
}

Code Program::condition(std::span<const ExprId> conjunction) {
  if (std::all_of(conjunction.begin(), conjunction.end(), [&](ExprId e) {
        const auto value = system_.constant(e);
        return value && *value != 0;
      })) {
    return {};
  }
  const Code code{static_cast<uint32_t>(code_.size())};
  Compiler compiler(*this);
  for (const ExprId e : conjunction) compiler.require(e);
  compiler.emit({kStop}, {});
  expression_stack_ = std::max(expression_stack_, compiler.deepest(0));
  return code;
}

Code Program::value(ExprId expr) {
  const Code code{static_cast<uint32_t>(code_.size())};
  Compiler compiler(*this);
  compiler.push(expr);
  compiler.emit({kStopValue}, {});
  expression_stack_ = std::max(expression_stack_, compiler.deepest(1));
  return code;
}

Code Program::effect(std::span<const StmtId> statements) {
  if (statements.empty()) return {};
  const Code code{static_cast<uint32_t>(code_.size())};
  Compiler compiler(*this);
  for (const StmtId s : statements) compiler.statement(s);
  compiler.emit({kStop}, {});
  expression_stack_ = std::max(expression_stack_, compiler.deepest(0));
  return code;
}

Machine::Machine(const Program& program)
    : program_(program),
      stack_(size_t{program.function_stack_} + program.expression_stack_ + 1),
      frames_(program.frame_size_ + 1),
      returns_(2 * (program.function_entry_.size() + 1)) {
  journal_.reserve(64);
  resets_.reserve(16);
}

int32_t Machine::value(Code code, const int32_t* values) {
  if (!run(code.start, const_cast<int32_t*>(values))) {
    throw model::EvalFailure{Fault::RangeViolation, left_at_};
  }
  return result_;
}

void Machine::undo(int32_t* values) {
  for (size_t i = journal_.size(); i-- > 0;) values[journal_[i].variable] = journal_[i].old_value;
  journal_.clear();
  resets_.clear();
}

void Machine::blame(uint32_t edge) {
  constexpr size_t kMost = 16;
  if (violations_.size() == kMost) return;
  for (const Violation& v : violations_) {
    if (v.edge == edge) return;
  }
  violations_.push_back({edge, left_range_});
}

bool Machine::run(uint32_t start, int32_t* values) {
  const Instruction* const code = program_.code_.data();
  const Instruction* at = code + start;
  int32_t* top = stack_.data();  // points at the last value; stack_[0] is never used as one
  int32_t* frame = frames_.data();
  int32_t* frame_end = frame + program_.system_.quantifier_slots;
  uint32_t* call = returns_.data();
  uint32_t steps = 0;
  Fault fault = Fault::None;

  const auto store = [&](uint32_t variable, int32_t value) {
    if (value < program_.lo_[variable] || value > program_.hi_[variable]) {
      left_range_ = variable;
      left_at_ = program_.places_[static_cast<size_t>(at - code)];
      return false;
    }
    journal_.push_back({variable, values[variable]});
    values[variable] = value;
    return true;
  };

  for (;; ++at) {
    switch (static_cast<Code_>(at->op)) {
      case kRequireVarConst:
        if (!model::compare(static_cast<Op>(at->test), values[at->a], at->b)) {
          result_ = 0;
          return true;
        }
        break;
      case kRequireVarVar:
        if (!model::compare(static_cast<Op>(at->test), values[at->a], values[at->b])) {
          result_ = 0;
          return true;
        }
        break;
      case kSetConst:
        journal_.push_back({at->a, values[at->a]});
        values[at->a] = at->b;
        break;
      case kSetVar:
        if (!store(at->a, values[at->b])) return false;
        break;
      case kAddConst: {
        int32_t sum;
        if (__builtin_add_overflow(values[at->a], at->b, &sum)) {
          fault = Fault::Overflow;
        } else if (!store(at->a, sum)) {
          return false;
        }
        break;
      }
      case kStop: result_ = 1; return true;
      case kStopValue: result_ = *top; return true;
      case kRequire:
        if (*top-- == 0) {
          result_ = 0;
          return true;
        }
        break;
      case kPushConst: *++top = at->b; break;
      case kPushVar: *++top = values[at->a]; break;
      case kPushElement:
        if (*top < 0 || *top >= at->b) {
          fault = Fault::IndexOutOfBounds;
        } else {
          *top = values[at->a + static_cast<uint32_t>(*top)];
        }
        break;
      case kPushLocal: *++top = frame[at->a]; break;
      case kPushLocalElem:
        if (*top < 0 || *top >= at->b) {
          fault = Fault::IndexOutOfBounds;
        } else {
          *top = frame[at->a + static_cast<uint32_t>(*top)];
        }
        break;
      case kCheckIndex:
        if (*top < 0 || *top >= at->b) fault = Fault::IndexOutOfBounds;
        break;
      case kCheckRange:
        if (*top < at->b || *top > at->c) {
          left_range_ = UINT32_MAX;
          left_at_ = program_.places_[static_cast<size_t>(at - code)];
          return false;
        }
        break;
      case kUnary: *top = model::apply_unary(static_cast<Op>(at->a), *top, fault); break;
      case kBinary:
        --top;
        *top = model::apply_binary(static_cast<Op>(at->a), top[0], top[1], fault);
        break;
      case kAdd:
        --top;
        if (__builtin_add_overflow(top[0], top[1], top)) fault = Fault::Overflow;
        break;
      case kSub:
        --top;
        if (__builtin_sub_overflow(top[0], top[1], top)) fault = Fault::Overflow;
        break;
      case kCompare:
        --top;
        *top = model::compare(static_cast<Op>(at->test), top[0], top[1]);
        break;
      case kBool: *top = *top != 0; break;
      case kJumpBack:
        if (++steps > model::kMaxSteps) {
          fault = Fault::StepLimit;
          break;
        }
        [[fallthrough]];
      case kJump: at = code + at->a - 1; break;
      case kJumpIfZero:
        if (*top-- == 0) at = code + at->a - 1;
        break;
      case kJumpIfNonZero:
        if (*top-- != 0) at = code + at->a - 1;
        break;
      case kCall: {
        const uint32_t slots = program_.system_.functions[at->a].slots;
        const auto arguments = static_cast<uint32_t>(at->b);
        top -= arguments;
        std::copy(top + 1, top + 1 + arguments, frame_end);
        std::fill(frame_end + arguments, frame_end + slots, 0);
        *call++ = static_cast<uint32_t>(at - code);
        *call++ = static_cast<uint32_t>(frame_end - frame);
        frame = frame_end;
        frame_end += slots;
        at = code + program_.function_entry_[at->a] - 1;
        break;
      }
      case kReturn: {
        // The value is on top and stays there. What the function left below it is nothing: statements are balanced.
        frame_end = frame;
        frame -= *--call;
        at = code + *--call;
        break;
      }
      case kStoreVar:
        if (!store(at->a, *top)) return false;
        break;
      case kStoreElement:
        --top;
        if (top[0] < 0 || top[0] >= at->b) {
          fault = Fault::IndexOutOfBounds;
        } else if (!store(at->a + static_cast<uint32_t>(top[0]), top[1])) {
          return false;
        }
        top[0] = top[1];
        break;
      case kStoreLocal: frame[at->a] = *top; break;
      case kStoreLocalElem:
        --top;
        if (top[0] < 0 || top[0] >= at->b) {
          fault = Fault::IndexOutOfBounds;
        } else {
          frame[at->a + static_cast<uint32_t>(top[0])] = top[1];
        }
        top[0] = top[1];
        break;
      case kPop: --top; break;
      case kFail: fault = static_cast<Fault>(at->a); break;
      case kReset:
        if (*top < 0) {
          fault = Fault::NegativeClock;
        } else {
          resets_.push_back({model::ClockId(at->a), *top});
        }
        --top;
        break;
      case kResetElement:
        --top;
        if (top[0] < 0 || top[0] >= at->b) {
          fault = Fault::IndexOutOfBounds;
        } else if (top[1] < 0) {
          fault = Fault::NegativeClock;
        } else {
          resets_.push_back({model::ClockId(at->a + static_cast<uint32_t>(top[0])), top[1]});
        }
        --top;
        break;
    }
    if (fault != Fault::None) [[unlikely]] {
      throw model::EvalFailure{fault, program_.places_[static_cast<size_t>(at - code)]};
    }
  }
}

}  // namespace harrier::step
