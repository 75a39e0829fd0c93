#include "heur/thresholds.h"

#include <algorithm>

#include "model/ranges.h"

namespace harrier::heur {

namespace {

using model::Expr;
using model::ExprId;
using model::Op;
using Relation = Threshold::Relation;

}  // namespace

Thresholds::Thresholds(const task::Task& task, uint32_t first_fact) : system_(task.system()), end_fact_(first_fact) {
  const auto collect_all = [&](const std::vector<ExprId>& conditions) {
    for (const ExprId id : conditions) {
      const auto threshold = threshold_of(system_, id);
      if (threshold && task.domain(threshold->variable).is_wide()) collect(*threshold);
    }
  };
  for (const model::Edge& edge : system_.edges) collect_all(edge.guard);
  for (const model::Clause& clause : task.goal()) collect_all(clause.conditions);
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
