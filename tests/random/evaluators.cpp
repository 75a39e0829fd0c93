#include "random/evaluators.h"

#include <utility>
#include <vector>

#include "model/interpreter.h"
#include "model/printer.h"
#include "random/rng.h"
#include "step/machine.h"

namespace harrier::testing_support {

namespace {

constexpr int kStates = 8;
constexpr int kFaults = 15;  // percent

using Values = std::vector<int32_t>;

struct Result {
  model::Fault fault = model::Fault::None;
  int32_t value = 0;
  Values values;
  std::vector<model::ClockReset> resets;

  bool operator==(const Result& other) const {
    if (fault != other.fault) return false;
    if (fault != model::Fault::None) return true;
    if (value != other.value || values != other.values || resets.size() != other.resets.size()) return false;
    for (size_t i = 0; i < resets.size(); ++i) {
      if (resets[i].clock != other.resets[i].clock || resets[i].value != other.resets[i].value) return false;
    }
    return true;
  }
};

// The system with faults: expressions and statements everywhere fail for some values of a variable.
model::System with_faults(model::System system, Rng& rng) {
  if (system.variables.empty()) return system;
  const auto fail = [&] { return system.make_fail("a fault with a text of its own"); };
  const auto test = [&] {
    const model::VarId v(rng.below(system.variables.size()));
    const int32_t value = rng.between(system.variable(v).lo, system.variable(v).hi);
    return system.make_binary(rng.chance(50) ? model::Op::Le : model::Op::Ne, system.make_var(v),
                              system.make_const(value));
  };
  const size_t exprs = system.exprs.size();
  const size_t stmts = system.stmts.size();
  for (size_t i = 0; i < exprs; ++i) {
    if (system.exprs[i].op == model::Op::Const || !rng.chance(kFaults)) continue;  // bounds have to be constants
    const model::ExprId as_it_was = system.make(model::Expr(system.exprs[i]));
    model::Expr ite{.op = model::Op::Ite, .a = test(), .b = as_it_was, .c = fail()};
    if (rng.chance(50)) std::swap(ite.b, ite.c);
    system.exprs[i] = ite;
  }
  for (size_t i = 0; i < stmts; ++i) {
    if (!rng.chance(kFaults)) continue;
    const model::StmtId as_it_was = system.make_stmt(model::Stmt(system.stmts[i]));
    model::Stmt branch{.kind = model::StmtKind::If, .expr = test(), .a = as_it_was};
    branch.b = system.make_expr_stmt(fail());
    if (rng.chance(50)) std::swap(branch.a, branch.b);
    system.stmts[i] = branch;
  }
  return system;
}

class Comparison {
 public:
  Comparison(const model::System& system, uint64_t seed)
      : system_(system), rng_(seed), program_(system), interpreter_(system) {}

  std::optional<std::string> run() {
    for (const model::Edge& e : system_.edges) {
      guards_.push_back(program_.condition(e.guard));
      effects_.push_back(program_.effect(e.effect));
      for (const model::ClockConstraint& c : e.clock_guard) {
        bounds_.push_back(c.bound);
        bound_codes_.push_back(program_.value(c.bound));
      }
    }
    machine_.emplace(program_);
    for (int i = 0; i < kStates; ++i) {
      Values values;
      for (const model::Variable& v : system_.variables) values.push_back(rng_.between(v.lo, v.hi));
      for (size_t e = 0; e < system_.edges.size(); ++e) {
        const model::Edge& edge = system_.edges[e];
        if (interpreted_guard(edge, values) != compiled_guard(guards_[e], values)) return text("guard", edge, values);
        if (!same_effects(edge, effects_[e], values)) return text("effect", edge, values);
      }
      for (size_t b = 0; b < bounds_.size(); ++b) {
        if (interpreted_value(bounds_[b], values) != compiled_value(bound_codes_[b], values)) {
          return "the bound " + model::to_text(system_, bounds_[b]);
        }
      }
    }
    return std::nullopt;
  }

 private:
  std::string text(const std::string& what, const model::Edge& edge, const Values& values) const {
    std::string s = "the " + what + " of " + model::to_text(system_, edge) + " with";
    for (size_t i = 0; i < values.size(); ++i) s += " " + system_.variables[i].name + "=" + std::to_string(values[i]);
    return s;
  }

  Result interpreted_guard(const model::Edge& edge, const Values& values) {
    try {
      return {.value = interpreter_.holds(edge.guard, values)};
    } catch (const model::EvalFailure& failure) {
      if (failure.fault == model::Fault::RangeViolation) return {.value = 0};
      return {.fault = failure.fault};
    }
  }

  Result compiled_guard(step::Code code, const Values& values) {
    try {
      return {.value = machine_->holds(code, values.data())};
    } catch (const model::EvalFailure& failure) {
      return {.fault = failure.fault};
    }
  }

  Result interpreted_value(model::ExprId expr, const Values& values) {
    try {
      return {.value = interpreter_.value(expr, values)};
    } catch (const model::EvalFailure& failure) {
      return {.fault = failure.fault};
    }
  }

  Result compiled_value(step::Code code, const Values& values) {
    try {
      return {.value = machine_->value(code, values.data())};
    } catch (const model::EvalFailure& failure) {
      return {.fault = failure.fault};
    }
  }

  // With the first few sequences of choices.
  bool same_effects(const model::Edge& edge, step::Code code, const Values& values) {
    constexpr int kSequences = 40;
    choices_.clear();
    machine_->choices().clear();
    for (int i = 0; i < kSequences; ++i) {
      choices_.rewind();
      machine_->choices().rewind();
      if (interpreted_effect(edge, values) != compiled_effect(code, values)) return false;
      if (!std::ranges::equal(choices_.made(), machine_->choices().made())) return false;
      const bool more = choices_.next();
      if (machine_->choices().next() != more) return false;
      if (!more) break;
    }
    return true;
  }

  Result interpreted_effect(const model::Edge& edge, const Values& values) {
    Result result{.values = values};
    try {
      // The machine does not tell the two apart.
      if (!interpreter_.execute(edge.effect, result.values, result.resets, choices_)) {
        return {.fault = model::Fault::RangeViolation};
      }
    } catch (const model::EvalFailure& failure) {
      return {.fault = failure.fault};
    }
    return result;
  }

  Result compiled_effect(step::Code code, const Values& values) {
    Result result{.values = values};
    Values work = values;
    try {
      if (!machine_->execute(code, work.data())) result.fault = model::Fault::RangeViolation;
      result.values = work;
      result.resets.assign(machine_->resets().begin(), machine_->resets().end());
    } catch (const model::EvalFailure& failure) {
      result.fault = failure.fault;
    }
    machine_->undo(work.data());
    // A write that the journal missed shows as a value that does not come back.
    if (work != values) result.value = -1;
    if (work != values) result.fault = model::Fault::None;
    return result;
  }

  const model::System& system_;
  Rng rng_;
  step::Program program_;
  model::Interpreter interpreter_;
  model::Choices choices_;
  std::optional<step::Machine> machine_;
  std::vector<step::Code> guards_, effects_, bound_codes_;
  std::vector<model::ExprId> bounds_;
};

}  // namespace

std::optional<std::string> compare_evaluators(const model::System& system, uint64_t seed) {
  if (auto difference = Comparison(system, seed).run()) return difference;
  Rng rng(seed);
  const model::System faulty = with_faults(system, rng);
  return Comparison(faulty, seed).run();
}

}  // namespace harrier::testing_support
