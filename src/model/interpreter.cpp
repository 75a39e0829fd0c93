// The reference interpreter: one recursive function for expressions, one for statements.
#include "model/interpreter.h"

#include <algorithm>

#include "model/operators.h"

namespace harrier::model {

RunTimeError to_error(const System& system, const EvalFailure& failure) {
  std::string text =
      format_diagnostic(system.sources, {Severity::Error, failure.at, fault_text(system, failure.fault)});
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return {text, failure};
}

struct Interpreter::Machine {
  using Frame = std::vector<int32_t>;

  const System& system;
  std::span<const int32_t> values;
  std::vector<int32_t>* writable = nullptr;  // the same values, where the code may write them
  std::vector<ClockReset>* resets = nullptr;
  Knowledge* knowledge = nullptr;
  Choices* choices = nullptr;
  bool refused = false;  // by an Assume
  uint32_t steps = 0;

  [[noreturn]] static void fail(Fault fault, SourceRef at) { throw EvalFailure{fault, at}; }

  void step(SourceRef at) {
    if (++steps > kMaxSteps || (knowledge != nullptr && knowledge->missing.valid())) fail(Fault::StepLimit, at);
  }

  int32_t read(uint32_t variable) {
    if (knowledge != nullptr && !knowledge->known[variable] && !knowledge->missing.valid()) {
      knowledge->missing = VarId(variable);
    }
    return values[variable];
  }

  static void check(Fault fault, SourceRef at) {
    if (fault != Fault::None) fail(fault, at);
  }

  // The position of an access `base + index` after its check.
  uint32_t element(const Expr& e, int32_t index) const {
    if (index < 0 || static_cast<uint32_t>(index) >= e.count) fail(Fault::IndexOutOfBounds, e.at);
    return e.base + static_cast<uint32_t>(index);
  }

  int32_t eval(ExprId id, Frame& frame) {
    const Expr& e = system.expr(id);
    Fault fault = Fault::None;
    switch (kind_of(e.op)) {
      case OpKind::Const: return e.value;
      case OpKind::Var: return read(e.base);
      case OpKind::Load: return read(element(e, eval(e.a, frame)));
      case OpKind::Local: return frame[e.base];
      case OpKind::LoadLocal: return frame[element(e, eval(e.a, frame))];
      case OpKind::Index: {
        const int32_t index = eval(e.a, frame);
        if (index < 0 || static_cast<uint32_t>(index) >= e.count) fail(Fault::IndexOutOfBounds, e.at);
        return index;
      }
      case OpKind::InRange: {
        const int32_t value = eval(e.a, frame);
        if (value < eval(e.b, frame) || value > eval(e.c, frame)) fail(Fault::RangeViolation, e.at);
        return value;
      }
      case OpKind::Unary: {
        const int32_t result = apply_unary(e.op, eval(e.a, frame), fault);
        check(fault, e.at);
        return result;
      }
      case OpKind::Arithmetic:
      case OpKind::Comparison: {
        const int32_t left = eval(e.a, frame);
        const int32_t right = eval(e.b, frame);
        const int32_t result = apply_binary(e.op, left, right, fault);
        check(fault, e.at);
        return result;
      }
      case OpKind::Connective:
        if (e.op == Op::And) return eval(e.a, frame) != 0 && eval(e.b, frame) != 0;
        return eval(e.a, frame) != 0 || eval(e.b, frame) != 0;
      case OpKind::Ite: return eval(e.a, frame) != 0 ? eval(e.b, frame) : eval(e.c, frame);
      case OpKind::Quantifier: return quantify(e, frame);
      case OpKind::Call: return call(e, frame);
      case OpKind::Store: return store(e, frame);
      case OpKind::StoreLocal: {
        const uint32_t slot = e.a.valid() ? element(e, eval(e.a, frame)) : e.base;
        return frame[slot] = eval(e.b, frame);
      }
      case OpKind::Comma: eval(e.a, frame); return eval(e.b, frame);
      case OpKind::Fail: fail(static_cast<Fault>(e.value), e.at);
    }
    throw Error(ErrorKind::Internal, "the interpreter met an unknown operator");
  }

  int32_t quantify(const Expr& e, Frame& frame) {
    const int64_t first = eval(e.a, frame);
    const int64_t last = eval(e.b, frame);
    int32_t sum = 0;
    for (int64_t i = first; i <= last; ++i) {
      step(e.at);
      frame[e.base] = static_cast<int32_t>(i);
      const int32_t value = eval(e.c, frame);
      if (e.op == Op::Forall && value == 0) return 0;
      if (e.op == Op::Exists && value != 0) return 1;
      if (e.op == Op::Sum) {
        Fault fault = Fault::None;
        sum = apply_binary(Op::Add, sum, value, fault);
        check(fault, e.at);
      }
    }
    return e.op == Op::Sum ? sum : e.op == Op::Forall;
  }

  int32_t call(const Expr& e, Frame& frame) {
    const Function& function = system.functions[e.base];
    Frame inner(std::max(function.slots, e.count), 0);
    const auto arguments = system.call_arguments(e);
    for (size_t i = 0; i < arguments.size(); ++i) inner[i] = eval(arguments[i], frame);
    int32_t result = 0;
    run(function.body, inner, result);
    return result;
  }

  int32_t store(const Expr& e, Frame& frame) {
    if (writable == nullptr) throw Error(ErrorKind::Internal, "an expression without effect writes a variable");
    const uint32_t target = e.a.valid() ? element(e, eval(e.a, frame)) : e.base;
    const int32_t value = eval(e.b, frame);
    const Variable& variable = system.variables[target];
    if (value < variable.lo || value > variable.hi) fail(Fault::RangeViolation, e.at);
    if (knowledge != nullptr) {
      knowledge->written.push_back({VarId(target), values[target], knowledge->known[target]});
      knowledge->known[target] = true;
    }
    return (*writable)[target] = value;
  }

  // Returns whether a Return was met, or an Assume that is violated; the value of the former is in `result` then.
  bool run(StmtId id, Frame& frame, int32_t& result) {
    if (!id.valid()) return false;
    const Stmt& s = system.stmt(id);
    switch (s.kind) {
      case StmtKind::Expr: eval(s.expr, frame); return false;
      case StmtKind::Block:
        for (const StmtId child : system.block(s)) {
          if (run(child, frame, result)) return true;
        }
        return false;
      case StmtKind::If: return run(eval(s.expr, frame) != 0 ? s.a : s.b, frame, result);
      case StmtKind::While:
        while (eval(s.expr, frame) != 0) {
          step(s.at);
          if (run(s.a, frame, result)) return true;
        }
        return false;
      case StmtKind::Return: result = s.expr.valid() ? eval(s.expr, frame) : 0; return true;
      case StmtKind::Reset: reset(s, frame); return false;
      case StmtKind::Choose: return choose(s, frame);
      case StmtKind::Assume: return refuse(eval(s.expr, frame) == 0);
    }
    throw Error(ErrorKind::Internal, "the interpreter met an unknown statement");
  }

  bool choose(const Stmt& s, Frame& frame) {
    if (choices == nullptr) throw Error(ErrorKind::Internal, "a choice where there is nothing to be chosen");
    const int64_t value = choices->pick(s.low, s.count);
    frame[s.first] = static_cast<int32_t>(value);
    return refuse(value < s.low || value >= int64_t{s.low} + s.count);
  }

  bool refuse(bool violated) {
    refused = refused || violated;
    return violated;
  }

  void reset(const Stmt& s, Frame& frame) {
    if (resets == nullptr) throw Error(ErrorKind::Internal, "an expression without effect resets a clock");
    size_t clock = s.clock.value;
    if (s.offset.valid()) {
      const int32_t offset = eval(s.offset, frame);
      if (offset < 0 || static_cast<uint32_t>(offset) >= s.count) fail(Fault::IndexOutOfBounds, s.at);
      clock += static_cast<size_t>(offset);
    }
    const int32_t value = eval(s.expr, frame);
    if (value < 0) fail(Fault::NegativeClock, s.at);
    resets->push_back({ClockId(clock), value});
  }
};

int32_t Interpreter::value(ExprId expr, std::span<const int32_t> values) {
  Machine machine{system_, values, nullptr, nullptr, knowledge_};
  Machine::Frame frame(system_.quantifier_slots, 0);
  return machine.eval(expr, frame);
}

bool Interpreter::holds(std::span<const ExprId> conditions, std::span<const int32_t> values) {
  for (const ExprId condition : conditions) {
    if (value(condition, values) == 0) return false;
  }
  return true;
}

void Interpreter::execute(std::span<const StmtId> statements, std::vector<int32_t>& values,
                          std::vector<ClockReset>& resets) {
  Choices none;
  execute(statements, values, resets, none);
}

bool Interpreter::execute(std::span<const StmtId> statements, std::vector<int32_t>& values,
                          std::vector<ClockReset>& resets, Choices& choices) {
  Machine machine{system_, values, &values, &resets, knowledge_, &choices};
  Machine::Frame frame(system_.quantifier_slots, 0);
  int32_t ignored = 0;
  for (const StmtId statement : statements) {
    if (machine.run(statement, frame, ignored)) break;
  }
  return !machine.refused;
}

}  // namespace harrier::model
