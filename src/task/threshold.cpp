#include "task/threshold.h"

#include <cstdlib>

#include "model/operators.h"

namespace harrier::task {

namespace {

using model::ComparisonOp;
using model::Expr;
using model::ExprId;
using model::Op;
using Relation = Threshold::Relation;

constexpr int64_t kLargestTerm = int64_t{1} << 31;

// factor * variable + constant.
struct Linear {
  std::optional<uint32_t> variable;
  int64_t factor = 0;
  int64_t constant = 0;
};

std::optional<Linear> sum(const std::optional<Linear>& a, const std::optional<Linear>& b, int64_t sign) {
  if (!a || !b || (a->variable && b->variable && a->variable != b->variable)) return std::nullopt;
  return Linear{a->variable ? a->variable : b->variable, a->factor + sign * b->factor,
                a->constant + sign * b->constant};
}

std::optional<Linear> linear(const model::System& system, ExprId id) {
  const Expr& e = system.expr(id);
  if (e.op == Op::Const) return Linear{{}, 0, e.value};
  if (e.op == Op::Var) return Linear{e.base, 1, 0};
  if (e.op == Op::InRange) return linear(system, e.a);  // a violation makes the condition false
  std::optional<Linear> out;                            // nothing for operators that are not linear
  if (e.op == Op::Neg) out = sum(Linear{}, linear(system, e.a), -1);
  if (e.op == Op::Add) out = sum(linear(system, e.a), linear(system, e.b), 1);
  if (e.op == Op::Sub) out = sum(linear(system, e.a), linear(system, e.b), -1);
  if (e.op == Op::Mul) {
    auto a = linear(system, e.a);
    auto b = linear(system, e.b);
    if (a && a->variable) std::swap(a, b);
    if (!a || !b || a->variable) return std::nullopt;
    out = Linear{b->variable, a->constant * b->factor, a->constant * b->constant};
  }
  if (out && (std::abs(out->factor) > kLargestTerm || std::abs(out->constant) > kLargestTerm)) return std::nullopt;
  return out;
}

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }  // b > 0

}  // namespace

bool Threshold::holds(int64_t value) const {
  switch (relation) {
    case Relation::AtMost: return value <= bound;
    case Relation::AtLeast: return value >= bound;
    case Relation::Equal: return value == bound;
    case Relation::Different: break;
  }
  return value != bound;
}

std::optional<Threshold> threshold_of(const model::System& system, ExprId condition) {
  const Expr& e = system.expr(condition);
  if (e.op == Op::Var) return Threshold{e.base, Relation::Different, 0};
  if (e.op == Op::Not) {
    // The complement of what is only implied would not be implied.
    if (system.expr(e.a).op != Op::Var) return std::nullopt;
    return Threshold{system.expr(e.a).base, Relation::Equal, 0};
  }
  if (!model::is_comparison(e.op)) return std::nullopt;
  // factor * v + constant ~ 0
  auto form = sum(linear(system, e.a), linear(system, e.b), -1);
  if (!form || form->factor == 0) return std::nullopt;
  Op op = e.op;
  if (form->factor < 0) {
    form = sum(Linear{}, form, -1);
    op = model::mirrored(op);
  }
  const uint32_t variable = *form->variable;
  const int64_t down = floor_div(-form->constant, form->factor);
  const bool exact = form->constant % form->factor == 0;
  const auto if_exact = [&](Relation relation) {
    return exact ? std::optional(Threshold{variable, relation, down}) : std::nullopt;
  };
  switch (static_cast<ComparisonOp>(op)) {
    case ComparisonOp::Le: return Threshold{variable, Relation::AtMost, down};
    case ComparisonOp::Gt: return Threshold{variable, Relation::AtLeast, down + 1};
    case ComparisonOp::Lt: return Threshold{variable, Relation::AtMost, exact ? down - 1 : down};
    case ComparisonOp::Ge: return Threshold{variable, Relation::AtLeast, exact ? down : down + 1};
    case ComparisonOp::Eq: return if_exact(Relation::Equal);
    case ComparisonOp::Ne: return if_exact(Relation::Different);
  }
  return std::nullopt;
}

}  // namespace harrier::task
