#include "heur/thresholds.h"

#include <algorithm>
#include <cstdlib>

#include "model/ranges.h"

namespace harrier::heur {

namespace {

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
  std::optional<Linear> out;
  switch (e.op) {
    case Op::Const: return Linear{{}, 0, e.value};
    case Op::Var: return Linear{e.base, 1, 0};
    case Op::InRange: return linear(system, e.a);  // a violation makes the condition false
    case Op::Neg: out = sum(Linear{}, linear(system, e.a), -1); break;
    case Op::Add: out = sum(linear(system, e.a), linear(system, e.b), 1); break;
    case Op::Sub: out = sum(linear(system, e.a), linear(system, e.b), -1); break;
    case Op::Mul: {
      auto a = linear(system, e.a);
      auto b = linear(system, e.b);
      if (a && a->variable) std::swap(a, b);
      if (!a || !b || a->variable) return std::nullopt;
      out = Linear{b->variable, a->constant * b->factor, a->constant * b->constant};
      break;
    }
    default: return std::nullopt;
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
  if (e.op < Op::Lt || e.op > Op::Gt) return std::nullopt;
  // factor * v + constant ~ 0
  auto form = sum(linear(system, e.a), linear(system, e.b), -1);
  if (!form || form->factor == 0) return std::nullopt;
  Op op = e.op;
  if (form->factor < 0) {
    form = sum(Linear{}, form, -1);
    constexpr Op kMirrored[] = {Op::Gt, Op::Ge, Op::Eq, Op::Ne, Op::Le, Op::Lt};
    op = kMirrored[static_cast<size_t>(op) - static_cast<size_t>(Op::Lt)];
  }
  const uint32_t variable = *form->variable;
  const int64_t down = floor_div(-form->constant, form->factor);
  const bool exact = form->constant % form->factor == 0;
  switch (op) {
    case Op::Le: return Threshold{variable, Relation::AtMost, down};
    case Op::Gt: return Threshold{variable, Relation::AtLeast, down + 1};
    case Op::Lt: return Threshold{variable, Relation::AtMost, exact ? down - 1 : down};
    case Op::Ge: return Threshold{variable, Relation::AtLeast, exact ? down : down + 1};
    default: break;
  }
  if (!exact) return std::nullopt;
  return Threshold{variable, op == Op::Eq ? Relation::Equal : Relation::Different, down};
}

Thresholds::Thresholds(const model::System& system, const std::vector<model::Clause>& goal,
                       const std::vector<model::ValueSet>& sets, uint32_t first_fact)
    : system_(system), end_fact_(first_fact) {
  const auto collect_all = [&](const std::vector<ExprId>& conditions) {
    for (const ExprId id : conditions) {
      const auto threshold = threshold_of(system, id);
      if (threshold && sets[threshold->variable].wide) collect(*threshold);
    }
  };
  for (const model::Edge& edge : system.edges) collect_all(edge.guard);
  for (const model::Clause& clause : goal) collect_all(clause.conditions);
  for (const auto& [threshold, fact] : facts_) {
    if (threshold.relation != Relation::AtMost) ways_.push_back({threshold, true});
    if (threshold.relation != Relation::AtLeast) ways_.push_back({threshold, false});
  }
}

void Thresholds::collect(const Threshold& threshold) {
  if (!facts_.emplace(threshold, end_fact_).second) return;
  ++end_fact_;
  const uint32_t variable = threshold.variable;
  if (borders_.emplace(variable, Borders{{end_fact_}, {end_fact_ + 1}}).second) end_fact_ += 2;
  if (threshold.relation == Relation::Equal) {
    collect({variable, Relation::AtMost, threshold.bound - 1});
    collect({variable, Relation::AtLeast, threshold.bound + 1});
  }
}

std::vector<Implication> Thresholds::implications() const {
  std::vector<Implication> out;
  for (const auto& [threshold, grows] : ways_) {
    const auto [variable, relation, bound] = threshold;
    const Borders& borders = borders_.at(variable);
    Implication way{{grows ? borders.upper.fact : borders.lower.fact}, facts_.at(threshold)};
    if (relation == Relation::Equal) {
      const Threshold before =
          grows ? Threshold{variable, Relation::AtMost, bound - 1} : Threshold{variable, Relation::AtLeast, bound + 1};
      way.preconditions.push_back(facts_.at(before));
    }
    out.push_back(std::move(way));
  }
  return out;
}

uint32_t Thresholds::repetitions(size_t implication, const int32_t* values) const {
  const auto& [threshold, grows] = ways_[implication];
  if (threshold.relation == Relation::Different) return 1;
  const Borders& borders = borders_.at(threshold.variable);
  const int64_t missing = threshold.bound - values[threshold.variable];
  const int64_t step = grows ? borders.upper.step : borders.lower.step;
  return static_cast<uint32_t>(std::clamp<int64_t>(((grows ? missing : -missing) + step - 1) / step, 1, INT32_MAX));
}

std::optional<uint32_t> Thresholds::find(ExprId condition) const {
  const auto threshold = threshold_of(system_, condition);
  const auto at = threshold ? facts_.find(*threshold) : facts_.end();
  return at == facts_.end() ? std::nullopt : std::optional(at->second);
}

void Thresholds::assign(uint32_t variable, int32_t value, Facts& out) const {
  for (const auto& [threshold, fact] : facts_) {
    if (threshold.variable == variable && threshold.holds(value)) out.push_back(fact);
  }
}

void Thresholds::assign(uint32_t variable, ExprId value, Facts& out) {
  const auto borders = borders_.find(variable);
  if (borders == borders_.end()) return;
  const Expr& e = system_.expr(value);
  const auto is_variable = [&](ExprId id) {
    return system_.expr(id).op == Op::Var && system_.expr(id).base == variable;
  };
  model::Interval change{-1, 1};  // unknown
  if (e.op == Op::Add && is_variable(e.a)) change = model::range_of(system_, e.b);
  if (e.op == Op::Add && is_variable(e.b)) change = model::range_of(system_, e.a);
  if (e.op == Op::Sub && is_variable(e.a)) {
    const model::Interval less = model::range_of(system_, e.b);
    change = {-less.hi, -less.lo};
  }
  if (change.lo < 0 && change.hi > 0) return assign_anything(variable, out);
  Border& border = change.lo >= 0 ? borders->second.upper : borders->second.lower;
  border.step = std::max(border.step, std::max(change.hi, -change.lo));
  out.push_back(border.fact);
}

void Thresholds::assign_anything(uint32_t variable, Facts& out) const {
  for (const auto& [threshold, fact] : facts_) {
    if (threshold.variable == variable) out.push_back(fact);
  }
}

}  // namespace harrier::heur
