// Goals, and the errors that Spin looks for by itself.
#include <algorithm>

#include "lang/promela/lowering.h"
#include "model/operators.h"

namespace harrier::promela {

using model::ExprId;

namespace {

constexpr size_t kMostClauses = 256;

// The terms of a sum.
void summands(const ExprNode& e, std::vector<const ExprNode*>& out) {
  if (e.kind == ExprKind::Binary && e.op == Op::Add) {
    summands(*e.a, out);
    summands(*e.b, out);
  } else {
    out.push_back(&e);
  }
}

bool is_boolean(const ExprNode& e) {
  return e.kind == ExprKind::RemoteLabel ||
         ((e.kind == ExprKind::Binary || e.kind == ExprKind::Unary) && model::is_truth(e.op));
}

// Calls visit with every choice of `count` out of `n`, as long as there are not too many. False if there are.
template <class Visit>
bool for_each_choice(size_t n, size_t count, Visit&& visit) {
  std::vector<bool> chosen(n, false);
  std::fill(chosen.begin(), chosen.begin() + static_cast<ptrdiff_t>(count), true);
  size_t choices = 0;
  do {
    if (++choices > kMostClauses) return false;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  std::fill(chosen.begin(), chosen.end(), false);
  std::fill(chosen.begin(), chosen.begin() + static_cast<ptrdiff_t>(count), true);
  do {
    visit(chosen);
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return true;
}

}  // namespace

// Disjunctive form, so that heuristics see which conditions belong together. "At least n of these hold", written as a
// sum of conditions, is spelt out.
void Lowering::clauses(const ExprNode& e, bool positive, const Here& here, std::vector<std::vector<ExprId>>& out) {
  const auto both = [&](const ExprNode& a, const ExprNode& b) {
    std::vector<std::vector<ExprId>> left, right;
    clauses(a, positive, here, left);
    clauses(b, positive, here, right);
    if (left.size() * right.size() > kMostClauses) return false;
    for (const auto& l : left) {
      for (const auto& r : right) {
        out.push_back(l);
        out.back().insert(out.back().end(), r.begin(), r.end());
      }
    }
    return true;
  };
  if (e.kind == ExprKind::Unary && e.op == Op::Not) return clauses(*e.a, !positive, here, out);
  if (e.kind == ExprKind::Binary && (e.op == Op::And || e.op == Op::Or)) {
    if ((e.op == Op::And) == positive) {
      if (both(*e.a, *e.b)) return;
    } else {
      clauses(*e.a, positive, here, out);
      clauses(*e.b, positive, here, out);
      return;
    }
  }
  int64_t bound = 0;
  if (positive && e.kind == ExprKind::Binary && (e.op == Op::Gt || e.op == Op::Ge) && types_.fold(*e.b, bound)) {
    std::vector<const ExprNode*> terms;
    summands(*e.a, terms);
    const int64_t least = e.op == Op::Gt ? bound + 1 : bound;
    if (terms.size() > 1 && least >= 1 && least <= static_cast<int64_t>(terms.size()) &&
        std::all_of(terms.begin(), terms.end(), [](const ExprNode* t) { return is_boolean(*t); })) {
      std::vector<ExprId> values;
      for (const ExprNode* t : terms) values.push_back(value(*t, here));
      const bool done = for_each_choice(terms.size(), static_cast<size_t>(least), [&](const std::vector<bool>& chosen) {
        std::vector<ExprId>& clause = out.emplace_back();
        for (size_t i = 0; i < chosen.size(); ++i) {
          if (chosen[i]) clause.push_back(values[i]);
        }
      });
      if (done) return;
    }
  }
  const ExprId condition = value(e, here);
  out.push_back({positive ? condition : negated(condition, e.at)});
}

std::optional<model::Property> Lowering::goal(const ExprNode& expr, std::string text) {
  model::Property property;
  property.text = std::move(text);
  property.at = expr.at;
  std::vector<std::vector<ExprId>> all;
  clauses(expr, true, {}, all);
  if (diagnostics_.has_errors()) return std::nullopt;
  for (auto& conditions : all) {
    if (std::any_of(conditions.begin(), conditions.end(), [&](ExprId c) { return system_.constant(c) == 0; })) continue;
    property.goal.push_back({std::move(conditions), {}, model::DeadlockTest::Ignore});
  }
  return property;
}

model::Clause Lowering::lacks_room() {
  const ExprId found = system_.make_binary(Op::Ne, system_.make_var(missing_variable_), number(0));
  return {{found}, {}, model::DeadlockTest::Ignore, "", true};
}

model::Property Lowering::no_errors() {
  model::Property property;
  property.kind = model::PropertyKind::Invariant;
  if (options_.assertions) {
    property.text = "no assertion fails";
    for (size_t k = 0; k < assertions_.size(); ++k) {
      const ExprId failed = equal(system_.make_var(error_), number(static_cast<int64_t>(k) + 1), {});
      const StmtNode& assertion = *assertions_[k];
      property.goal.push_back(
          {{failed},
           {},
           model::DeadlockTest::Ignore,
           "assertion failed: " + assertion.source + "  (" + system_.sources.describe(assertion.at) + ")"});
    }
  }
  if (options_.assertions || *options_.end_states) {
    add_choices_to(property);
    add_trace_to(property);
  }
  if (*options_.end_states) {
    property.text += property.text.empty() ? "no invalid end state" : ", no invalid end state";
    std::vector<ExprId> stuck;
    for (const Instance& i : instances_) {
      const Automaton& a = automaton(i);
      std::vector<ExprId> not_valid{system_.make_binary(Op::Ne, system_.make_var(i.location), number(0))};
      for (uint32_t control = 1; control < a.control_count(); ++control) {
        if ((a.ends() && control == a.end_control()) || a.has_label(control, "end")) {
          not_valid.push_back(system_.make_binary(Op::Ne, system_.make_var(i.location), number(control)));
        }
      }
      stuck.push_back(all_of(not_valid, {}));
    }
    if (trace_.automaton != nullptr) {
      const ExprId runs = system_.make_binary(Op::Gt, system_.make_var(process_count_), number(0));
      stuck.push_back(all_of(std::vector<ExprId>{runs, negated(trace_may_end(), {})}, {}));
    }
    property.goal.push_back({{any_of(stuck, {})}, {}, model::DeadlockTest::IsDeadlock, "invalid end state"});
  }
  add_claim_to(property);
  if (property.text.empty()) property.text = "all states";
  return property;
}

}  // namespace harrier::promela
