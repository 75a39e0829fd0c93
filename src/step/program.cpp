#include "step/program.h"

#include <algorithm>
#include <optional>

#include "model/operators.h"

namespace harrier::step {

using model::Expr;
using model::ExprId;
using model::Op;
using model::OpKind;
using model::Stmt;
using model::StmtId;
using model::StmtKind;

// Appends code for nodes; keeps track of how deep the stack gets.
class Program::Compiler {
 public:
  explicit Compiler(Program& program) : p_(program), s_(program.system_) {}

  // Code that stops with the result 0 where the expression is 0.
  void require(ExprId id) {
    const Expr e = s_.expr(id);
    if (e.op == Op::And) {
      require(e.a);
      require(e.b);
    } else if (model::is_comparison(e.op)) {
      require_test(test_of(e));
    } else if (e.op == Op::Or || e.op == Op::Not) {
      Jumps pass;
      jump(id, true, pass);
      emit({Opcode::Refuse}, e.at);
      patch(pass);
    } else {
      push(id);
      emit({Opcode::Require}, e.at);
      pop();
    }
  }

  // Code that leaves the value of an expression on the stack.
  void push(ExprId id) {
    const Expr e = s_.expr(id);
    switch (model::kind_of(e.op)) {
      case OpKind::Const: emit({Opcode::PushConst, 0, 0, e.value}, e.at); break;
      case OpKind::Var: emit({Opcode::PushVar, 0, e.base}, e.at); break;
      case OpKind::Local: emit({Opcode::PushLocal, 0, e.base}, e.at); break;
      case OpKind::Load: {
        const auto count = static_cast<int32_t>(e.count);
        const Expr& index = s_.expr(e.a);
        if (index.op == Op::Var) {
          emit({Opcode::PushElementAt, 0, e.base, count, static_cast<int32_t>(index.base)}, e.at);
          break;
        }
        push(e.a);
        emit({Opcode::PushElement, 0, e.base, count}, e.at);
        return;
      }
      case OpKind::LoadLocal:
        push(e.a);
        emit({Opcode::PushLocalElement, 0, e.base, static_cast<int32_t>(e.count)}, e.at);
        return;
      case OpKind::Index:
        push(e.a);
        emit({Opcode::CheckIndex, 0, 0, static_cast<int32_t>(e.count)}, e.at);
        return;
      case OpKind::InRange:
        push(e.a);
        emit({Opcode::CheckRange, 0, 0, s_.expr(e.b).value, s_.expr(e.c).value}, e.at);
        return;
      case OpKind::Unary:
        push(e.a);
        emit({Opcode::Unary, 0, static_cast<uint32_t>(e.op)}, e.at);
        return;
      case OpKind::Connective: {
        Jumps to_false;
        jump(id, false, to_false);
        emit({Opcode::PushConst, 0, 0, 1}, e.at);
        const uint32_t to_end = emit({Opcode::Jump}, e.at);
        patch(to_false);
        emit({Opcode::PushConst, 0, 0, 0}, e.at);
        patch(to_end);
        break;
      }
      case OpKind::Ite: {
        Jumps to_else;
        jump(e.a, false, to_else);
        push(e.b);
        const uint32_t to_end = emit({Opcode::Jump}, e.at);
        pop();
        patch(to_else);
        push(e.c);
        patch(to_end);
        return;
      }
      case OpKind::Quantifier: quantifier(e); return;
      case OpKind::Call: {
        for (const ExprId argument : s_.call_arguments(e)) push(argument);
        emit({Opcode::Call, 0, e.base, static_cast<int32_t>(e.count)}, e.at);
        for (uint32_t i = 0; i < e.count; ++i) pop();
        break;
      }
      case OpKind::Store:
      case OpKind::StoreLocal: {
        const bool local = e.op == Op::StoreLocal;
        if (e.a.valid()) {
          push_index(e.a, e.count, e.b, e.at);
          push(e.b);
          emit({local ? Opcode::StoreLocalElement : Opcode::StoreElement, 0, e.base, static_cast<int32_t>(e.count)},
               e.at);
          pop();
        } else {
          push(e.b);
          emit({local ? Opcode::StoreLocal : Opcode::StoreVar, 0, e.base}, e.at);
        }
        return;
      }
      case OpKind::Fail:  // counts as a value, as what follows expects one
        emit({Opcode::Fail, 0, static_cast<uint32_t>(e.value)}, e.at);
        break;
      case OpKind::Comma:
        push(e.a);
        emit({Opcode::Pop}, e.at);
        pop();
        push(e.b);
        return;
      case OpKind::Arithmetic: arithmetic(e); return;
      case OpKind::Comparison: {
        const Test t = test_of(e);
        push(t.left);
        if (const auto constant = s_.constant(t.right)) {
          emit({Opcode::CompareConst, t.outcomes, 0, *constant}, e.at);
          return;
        }
        push(t.right);
        emit({Opcode::Compare, t.outcomes}, e.at);
        pop();
        return;
      }
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
        Jumps to_else;
        jump(st.expr, false, to_else);
        statement(st.a);
        if (st.b.valid()) {
          const uint32_t to_end = emit({Opcode::Jump}, st.at);
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
        Jumps to_end;
        jump(st.expr, false, to_end);
        statement(st.a);
        emit({Opcode::JumpBack, 0, head}, st.at);
        patch(to_end);
        break;
      }
      case StmtKind::Return:
        if (st.expr.valid()) {
          push(st.expr);
        } else {
          emit({Opcode::PushConst}, st.at);
          grow();
        }
        emit({Opcode::Return}, st.at);
        pop();
        break;
      case StmtKind::Reset: reset(st); break;
      case StmtKind::Choose: emit({Opcode::Choose, 0, st.first, st.low, static_cast<int32_t>(st.count)}, st.at); break;
      case StmtKind::Assume: {
        Jumps past;
        jump(st.expr, true, past);
        emit({Opcode::Refuse}, st.at);
        patch(past);
        break;
      }
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
    if (fails) emit({Opcode::CheckIndex, 0, 0, static_cast<int32_t>(count)}, at);
  }
  void grow() { deepest_ = std::max(deepest_, ++depth_); }
  void pop() { --depth_; }

  // Jumps whose target is not known yet; `patch` makes it the next instruction.
  using Jumps = std::vector<uint32_t>;
  void patch(uint32_t at) { p_.code_[at].a = here(); }
  void patch(const Jumps& jumps) {
    for (const uint32_t at : jumps) patch(at);
  }

  // A comparison; a constant stands on the right.
  struct Test {
    ExprId left;
    ExprId right;
    uint16_t outcomes = 0;
    SourceRef at;
  };
  Test test_of(const Expr& e) const {
    if (s_.constant(e.a)) return {e.b, e.a, outcomes_of(model::mirrored(e.op)), e.at};
    return {e.a, e.b, outcomes_of(e.op), e.at};
  }

  void require_test(const Test& t) {
    const Expr left = s_.expr(t.left);
    const Expr right = s_.expr(t.right);
    if (left.op == Op::Var && right.op == Op::Const) {
      emit({Opcode::RequireVarConst, t.outcomes, left.base, right.value}, t.at);
    } else if (left.op == Op::Var && right.op == Op::Var) {
      emit({Opcode::RequireVarVar, t.outcomes, left.base, static_cast<int32_t>(right.base)}, t.at);
    } else if (right.op == Op::Const) {
      push(t.left);
      emit({Opcode::RequireConst, t.outcomes, 0, right.value}, t.at);
      pop();
    } else {
      push(t.left);
      push(t.right);
      emit({Opcode::RequireTest, t.outcomes}, t.at);
      pop();
      pop();
    }
  }

  // Code that jumps where the truth of an expression is `when`, and goes on behind itself otherwise.
  void jump(ExprId id, bool when, Jumps& jumps) {
    const Expr e = s_.expr(id);
    if (model::is_connective(e.op)) {
      if ((e.op == Op::Or) == when) {  // either operand is enough
        jump(e.a, when, jumps);
        jump(e.b, when, jumps);
      } else {
        Jumps past;
        jump(e.a, !when, past);
        jump(e.b, when, jumps);
        patch(past);
      }
    } else if (e.op == Op::Not) {
      jump(e.a, !when, jumps);
    } else if (model::is_comparison(e.op)) {
      jumps.push_back(jump_test(test_of(e), when));
    } else {
      push(id);
      jumps.push_back(emit({when ? Opcode::JumpIfNonZero : Opcode::JumpIfZero}, e.at));
      pop();
    }
  }
  uint32_t jump_test(const Test& t, bool when) {
    constexpr uint16_t kAllOutcomes = 7;
    const auto outcomes = static_cast<uint16_t>(when ? t.outcomes : t.outcomes ^ kAllOutcomes);
    const Expr left = s_.expr(t.left);
    const Expr right = s_.expr(t.right);
    if (left.op == Op::Var && right.op == Op::Const) {
      return emit({Opcode::JumpIfVarConst, outcomes, 0, right.value, static_cast<int32_t>(left.base)}, t.at);
    }
    push(t.left);
    pop();
    if (right.op == Op::Const) return emit({Opcode::JumpIfConst, outcomes, 0, right.value}, t.at);
    grow();
    push(t.right);
    pop();
    pop();
    return emit({Opcode::JumpIf, outcomes}, t.at);
  }

  // What adding a constant is for these operands: `x + c`, `c + x` or `x - c`.
  struct Addition {
    ExprId to;
    int32_t amount = 0;
  };
  std::optional<Addition> addition_of(const Expr& e) const {
    if (e.op == Op::Add) {
      if (const auto right = s_.constant(e.b)) return Addition{e.a, *right};
      if (const auto left = s_.constant(e.a)) return Addition{e.b, *left};
    } else if (e.op == Op::Sub) {
      if (const auto right = s_.constant(e.b); right && *right != INT32_MIN) return Addition{e.a, -*right};
    }
    return std::nullopt;
  }

  void arithmetic(const Expr& e) {
    if (const auto addition = addition_of(e)) {
      if (const Expr to = s_.expr(addition->to); to.op == Op::Var) {
        emit({Opcode::PushVarPlus, 0, to.base, addition->amount}, e.at);
        grow();
      } else {
        push(addition->to);
        emit({Opcode::AddConst, 0, 0, addition->amount}, e.at);
      }
      return;
    }
    push(e.a);
    if (e.op == Op::Mul && s_.constant(e.b) == 1) return;
    if (const Expr right = s_.expr(e.b); e.op == Op::Add && right.op == Op::Var) {
      emit({Opcode::AddVar, 0, right.base}, e.at);
      return;
    }
    if (const auto mask = s_.constant(e.b); mask && e.op == Op::BitAnd) {
      emit({Opcode::Mask, 0, 0, *mask}, e.at);
      return;
    }
    push(e.b);
    if (e.op == Op::Add || e.op == Op::Sub) {
      emit({e.op == Op::Add ? Opcode::Add : Opcode::Sub}, e.at);
    } else {
      emit({Opcode::Binary, 0, static_cast<uint32_t>(e.op)}, e.at);
    }
    pop();
  }

  void quantifier(const Expr& e) {
    // The running result stays on the stack under the temporary values.
    const int32_t lo = s_.expr(e.a).value;
    const int32_t hi = s_.expr(e.b).value;
    const bool sum = e.op == Op::Sum;
    emit({Opcode::PushConst, 0, 0, e.op == Op::Forall ? 1 : 0}, e.at);
    grow();
    if (lo > hi) return;
    emit({Opcode::PushConst, 0, 0, lo}, e.at);
    grow();
    set_slot(e);
    const uint32_t head = here();
    Jumps decided;
    if (sum) {
      push(e.c);
      emit({Opcode::Add}, e.at);
      pop();
    } else {
      jump(e.c, e.op == Op::Exists, decided);
    }
    emit({Opcode::PushLocal, 0, e.base}, e.at);
    const uint32_t to_end = emit({Opcode::JumpIfConst, outcomes_of(Op::Ge), 0, hi}, e.at);
    emit({Opcode::PushLocal, 0, e.base}, e.at);
    emit({Opcode::AddConst, 0, 0, 1}, e.at);
    grow();
    set_slot(e);
    emit({Opcode::Jump, 0, head}, e.at);
    if (!sum) {
      patch(decided);
      emit({Opcode::Pop}, e.at);
      emit({Opcode::PushConst, 0, 0, e.op == Op::Forall ? 0 : 1}, e.at);
    }
    patch(to_end);
  }
  // The value on the stack goes into the slot of a quantifier.
  void set_slot(const Expr& quantifier) {
    emit({Opcode::StoreLocal, 0, quantifier.base}, quantifier.at);
    emit({Opcode::Pop}, quantifier.at);
    pop();
  }

  void expression_statement(const Stmt& st) {
    const Expr e = s_.expr(st.expr);
    if (e.op != Op::Store) {
      push(st.expr);
      emit({Opcode::Pop}, st.at);
      pop();
    } else if (e.a.valid()) {
      push_index(e.a, e.count, e.b, e.at);
      push(e.b);
      emit({Opcode::SetElement, 0, e.base, static_cast<int32_t>(e.count)}, e.at);
      pop();
      pop();
    } else {
      set_variable(e);
    }
  }
  void set_variable(const Expr& store) {
    const Expr value = s_.expr(store.b);
    if (value.op == Op::Const && value.value >= p_.lo_[store.base] && value.value <= p_.hi_[store.base]) {
      emit({Opcode::SetConst, 0, store.base, value.value}, store.at);
      return;
    }
    if (value.op == Op::Var) {
      emit({Opcode::SetVar, 0, store.base, static_cast<int32_t>(value.base)}, store.at);
      return;
    }
    if (const auto addition = addition_of(value)) {
      const Expr& to = s_.expr(addition->to);
      if (to.op == Op::Var && to.base == store.base) {
        emit({Opcode::Increase, 0, store.base, addition->amount}, value.at);
        return;
      }
    }
    push(store.b);
    emit({Opcode::SetTop, 0, store.base}, store.at);
    pop();
  }

  void reset(const Stmt& st) {
    if (st.offset.valid()) {
      push_index(st.offset, st.count, st.expr, st.at);
      push(st.expr);
      emit({Opcode::ResetElement, 0, st.clock.value, static_cast<int32_t>(st.count)}, st.at);
      pop();
      pop();
    } else if (const auto constant = s_.constant(st.expr); constant && *constant >= 0) {
      emit({Opcode::ResetConst, 0, st.clock.value, *constant}, st.at);
    } else {
      push(st.expr);
      emit({Opcode::Reset, 0, st.clock.value}, st.at);
      pop();
    }
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
  has_choices_ = system.has_choices();
  for (const model::Function& function : system.functions) {
    function_entry_.push_back(static_cast<uint32_t>(code_.size()));
    Compiler compiler(*this);
    if (function.body.valid()) compiler.statement(function.body);
    compiler.emit({Opcode::PushConst}, function.at);
    compiler.emit({Opcode::Return}, function.at);
    // There is no recursion, so all functions together bound the deepest chain of calls.
    function_stack_ += compiler.deepest(0) + 1;
    frame_size_ += function.slots;
  }
}

Code Program::begin_piece() { return pieces_.emplace_back(Code{static_cast<uint32_t>(code_.size())}); }

Code Program::condition(std::span<const ExprId> conjunction) {
  if (std::all_of(conjunction.begin(), conjunction.end(), [&](ExprId e) {
        const auto value = system_.constant(e);
        return value && *value != 0;
      })) {
    return {};
  }
  const Code code = begin_piece();
  Compiler compiler(*this);
  for (const ExprId e : conjunction) compiler.require(e);
  compiler.emit({Opcode::Stop}, {});
  expression_stack_ = std::max(expression_stack_, compiler.deepest(0));
  return code;
}

Code Program::value(ExprId expr) {
  const Code code = begin_piece();
  Compiler compiler(*this);
  compiler.push(expr);
  compiler.emit({Opcode::StopValue}, {});
  expression_stack_ = std::max(expression_stack_, compiler.deepest(1));
  return code;
}

Code Program::effect(std::span<const StmtId> statements) {
  if (statements.empty()) return {};
  const Code code = begin_piece();
  Compiler compiler(*this);
  if (has_choices_ && system_.quantifier_slots != 0) compiler.emit({Opcode::ClearFrame}, {});
  for (const StmtId s : statements) compiler.statement(s);
  compiler.emit({Opcode::Stop}, {});
  expression_stack_ = std::max(expression_stack_, compiler.deepest(0));
  return code;
}

}  // namespace harrier::step
