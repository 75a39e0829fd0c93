#include "step/machine.h"

#include <algorithm>

#include "model/operators.h"

namespace harrier::step {

using model::Fault;
using model::Op;

Machine::Machine(const Program& program)
    : program_(program),
      stack_(size_t{program.function_stack_} + program.expression_stack_ + 1),
      frames_(program.frame_size_ + 1),
      returns_(2 * (program.function_entry_.size() + 1)) {
  resets_.reserve(16);
}

int32_t Machine::value(Code code, const int32_t* values) {
  if (!evaluate(code, values)) throw model::EvalFailure{Fault::RangeViolation, left_at_};
  return result_;
}

void Machine::blame(uint32_t edge) {
  if (result_ == 0) return;
  if (violations_.size() == kMostViolations) return;
  for (const Violation& v : violations_) {
    if (v.edge == edge) return;
  }
  violations_.push_back({edge, left_range_});
}

void Machine::fail(Fault fault, const Instruction* at) const {
  throw model::EvalFailure{fault, program_.places_[static_cast<size_t>(at - program_.code_.data())]};
}

void Machine::leave_range(uint32_t variable, const Instruction* at) {
  result_ = 1;
  left_range_ = variable;
  left_at_ = program_.places_[static_cast<size_t>(at - program_.code_.data())];
}

bool Machine::run(const Instruction* at, int32_t* values) {
  const Instruction* const code = program_.code_.data();
  int32_t* top = stack_.data();  // points at the last value; stack_[0] is never used as one
  int32_t* frame = frames_.data();
  int32_t* frame_end = frame + program_.system_.quantifier_slots;
  uint32_t* call = returns_.data();
  uint32_t steps = 0;

  const auto store = [&](uint32_t variable, int32_t value) {
    if (value < program_.lo_[variable] || value > program_.hi_[variable]) [[unlikely]] {
      leave_range(variable, at);
      return false;
    }
    journal_.push_back({variable, values[variable]});
    values[variable] = value;
    return true;
  };
  const auto check_index = [&](int32_t index) {
    if (index < 0 || index >= at->b) [[unlikely]]
      fail(Fault::IndexOutOfBounds, at);
    return at->a + static_cast<uint32_t>(index);
  };
  const auto sum = [&](int32_t left, int32_t right) {
    int32_t result;
    if (__builtin_add_overflow(left, right, &result)) [[unlikely]]
      fail(Fault::Overflow, at);
    return result;
  };
  const auto set_clock = [&](uint32_t clock, int32_t value) {
    if (value < 0) [[unlikely]]
      fail(Fault::NegativeClock, at);
    resets_.push_back({model::ClockId(clock), value});
  };
  const auto stop = [&](int32_t result) {
    result_ = result;
    return true;
  };

  for (;; ++at) {
    switch (at->op) {
      case Opcode::RequireVarConst:
        if (!passes(at->test, values[at->a], at->b)) return stop(0);
        break;
      case Opcode::RequireVarVar:
        if (!passes(at->test, values[at->a], values[at->b])) return stop(0);
        break;
      case Opcode::RequireConst:
        if (!passes(at->test, *top--, at->b)) return stop(0);
        break;
      case Opcode::RequireTest:
        top -= 2;
        if (!passes(at->test, top[1], top[2])) return stop(0);
        break;
      case Opcode::Require:
        if (*top-- == 0) return stop(0);
        break;
      case Opcode::Refuse: return stop(0);
      case Opcode::Stop: return stop(1);
      case Opcode::StopValue: return stop(*top);

      case Opcode::SetConst:
        journal_.push_back({at->a, values[at->a]});
        values[at->a] = at->b;
        break;
      case Opcode::SetVar:
        if (!store(at->a, values[at->b])) return false;
        break;
      case Opcode::SetTop:
        if (!store(at->a, *top--)) return false;
        break;
      case Opcode::SetElement:
        top -= 2;
        if (!store(check_index(top[1]), top[2])) return false;
        break;
      case Opcode::Increase:
        if (!store(at->a, sum(values[at->a], at->b))) return false;
        break;
      case Opcode::StoreVar:
        if (!store(at->a, *top)) return false;
        break;
      case Opcode::StoreElement:
        --top;
        if (!store(check_index(top[0]), top[1])) return false;
        top[0] = top[1];
        break;
      case Opcode::StoreLocal: frame[at->a] = *top; break;
      case Opcode::StoreLocalElement:
        --top;
        frame[check_index(top[0])] = top[1];
        top[0] = top[1];
        break;

      case Opcode::PushConst: *++top = at->b; break;
      case Opcode::PushVar: *++top = values[at->a]; break;
      case Opcode::PushVarPlus: *++top = sum(values[at->a], at->b); break;
      case Opcode::PushElement: *top = values[check_index(*top)]; break;
      case Opcode::PushElementAt: *++top = values[check_index(values[at->c])]; break;
      case Opcode::PushLocal: *++top = frame[at->a]; break;
      case Opcode::PushLocalElement: *top = frame[check_index(*top)]; break;
      case Opcode::Pop: --top; break;

      case Opcode::CheckIndex: check_index(*top); break;
      case Opcode::CheckRange:
        if (*top < at->b || *top > at->c) {
          leave_range(UINT32_MAX, at);
          return false;
        }
        break;
      case Opcode::Unary: {
        Fault fault = Fault::None;
        *top = model::apply_unary(static_cast<Op>(at->a), *top, fault);
        if (fault != Fault::None) fail(fault, at);
        break;
      }
      case Opcode::Binary: {
        Fault fault = Fault::None;
        --top;
        *top = model::apply_binary(static_cast<Op>(at->a), top[0], top[1], fault);
        if (fault != Fault::None) fail(fault, at);
        break;
      }
      case Opcode::Add:
        --top;
        top[0] = sum(top[0], top[1]);
        break;
      case Opcode::AddConst: *top = sum(*top, at->b); break;
      case Opcode::AddVar: *top = sum(*top, values[at->a]); break;
      case Opcode::Sub:
        --top;
        if (__builtin_sub_overflow(top[0], top[1], top)) [[unlikely]]
          fail(Fault::Overflow, at);
        break;
      case Opcode::Mask: *top &= at->b; break;
      case Opcode::Compare:
        --top;
        *top = passes(at->test, top[0], top[1]);
        break;
      case Opcode::CompareConst: *top = passes(at->test, *top, at->b); break;

      case Opcode::JumpBack:
        if (++steps > model::kMaxSteps) fail(Fault::StepLimit, at);
        [[fallthrough]];
      case Opcode::Jump: at = code + at->a - 1; break;
      case Opcode::JumpIfZero:
        if (*top-- == 0) at = code + at->a - 1;
        break;
      case Opcode::JumpIfNonZero:
        if (*top-- != 0) at = code + at->a - 1;
        break;
      case Opcode::JumpIf:
        top -= 2;
        if (passes(at->test, top[1], top[2])) at = code + at->a - 1;
        break;
      case Opcode::JumpIfConst:
        if (passes(at->test, *top--, at->b)) at = code + at->a - 1;
        break;
      case Opcode::JumpIfVarConst:
        if (passes(at->test, values[at->c], at->b)) at = code + at->a - 1;
        break;

      case Opcode::Call: {
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
      case Opcode::Return: {
        // The value is on top and stays there. What the function left below it is nothing: statements are balanced.
        frame_end = frame;
        frame -= *--call;
        at = code + *--call;
        break;
      }
      case Opcode::ClearFrame: std::fill(frame, frame_end, 0); break;
      case Opcode::Choose: frame[at->a] = choices_.pick(at->b, static_cast<uint32_t>(at->c)); break;
      case Opcode::Fail: fail(static_cast<Fault>(at->a), at);

      case Opcode::Reset: set_clock(at->a, *top--); break;
      case Opcode::ResetConst: resets_.push_back({model::ClockId(at->a), at->b}); break;
      case Opcode::ResetElement:
        top -= 2;
        set_clock(check_index(top[1]), top[2]);
        break;
    }
  }
}

}  // namespace harrier::step
