#include "lang/promela/claims.h"

#include <optional>
#include <utility>
#include <vector>

#include "lang/ltl/buchi.h"
#include "lang/promela/expression_text.h"
#include "lang/promela/ltl.h"

namespace harrier::promela {

namespace {

using ltl::Buchi;

bool mentions_timeout(const ExprNode* e) {
  return e != nullptr && (e->kind == ExprKind::Timeout || mentions_timeout(e->a.get()) ||
                          mentions_timeout(e->b.get()) || mentions_timeout(e->c.get()));
}

void check_expression(const ExprNode& e, Diagnostics& diagnostics) {
  if (e.kind == ExprKind::Run) diagnostics.error(e.at, "a claim may not start processes");
  if (mentions_timeout(&e)) diagnostics.unsupported(e.at, "'timeout' in a claim");
}

void check_statements(const Sequence& sequence, Diagnostics& diagnostics) {
  for (const StmtPtr& s : sequence.statements) {
    switch (s->kind) {
      case StmtKind::Expr:
      case StmtKind::Assert: check_expression(*s->expr, diagnostics); break;
      case StmtKind::Else:
      case StmtKind::Goto:
      case StmtKind::Break:
      case StmtKind::Print: break;
      case StmtKind::If:
      case StmtKind::Do:
        for (const Sequence& option : s->options) check_statements(option, diagnostics);
        break;
      case StmtKind::Atomic:
      case StmtKind::DStep:
      case StmtKind::Block: check_statements(s->body, diagnostics); break;
      default: diagnostics.unsupported(s->at, "this statement in a claim, which may only look"); break;
    }
  }
}

ExprPtr number(int64_t value, SourceRef at) {
  auto out = std::make_unique<ExprNode>();
  out->value = value;
  out->at = at;
  return out;
}

ExprPtr guard_of(const std::vector<Buchi::Literal>& literals, const Atoms& atoms, SourceRef at) {
  ExprPtr all;
  for (const Buchi::Literal& literal : literals) {
    ExprPtr one = copy_of(*atoms.expressions[literal.atom]);
    if (literal.negated) {
      auto negation = std::make_unique<ExprNode>();
      negation->kind = ExprKind::Unary;
      negation->op = Op::Not;
      negation->at = one->at;
      negation->a = std::move(one);
      one = std::move(negation);
    }
    if (all) {
      auto both = std::make_unique<ExprNode>();
      both->kind = ExprKind::Binary;
      both->op = Op::And;
      both->at = at;
      both->a = std::move(all);
      both->b = std::move(one);
      one = std::move(both);
    }
    all = std::move(one);
  }
  return all ? std::move(all) : number(1, at);
}

StmtPtr expression(ExprPtr expr, SourceRef at) {
  auto out = std::make_unique<StmtNode>();
  out->kind = StmtKind::Expr;
  out->source = expr->kind == ExprKind::Number && expr->value != 0 ? "true" : text_of(*expr);
  out->expr = std::move(expr);
  out->at = at;
  return out;
}

std::string label_of(const Buchi& automaton, size_t state) {
  if (automaton.states[state].universal) return "end_all";
  const std::string number = "S" + std::to_string(state);
  return automaton.states[state].accepting ? "accept_" + number : number;
}

// One loop a state, whose options are its transitions. The universal state is the claim's end.
std::unique_ptr<ProctypeNode> claim_of(const Buchi& automaton, const Atoms& atoms, const std::string& name,
                                       SourceRef at) {
  auto out = std::make_unique<ProctypeNode>();
  out->kind = ProctypeNode::Kind::Never;
  out->name = name;
  out->at = out->end = at;
  const auto add = [&](StmtPtr stmt, size_t state) {
    stmt->labels.push_back({label_of(automaton, state), at});
    out->body.statements.push_back(std::move(stmt));
  };
  for (size_t s = 0; s < automaton.states.size(); ++s) {
    const Buchi::State& state = automaton.states[s];
    if (state.transitions.empty()) {
      add(expression(number(0, at), at), s);
      continue;
    }
    auto loop = std::make_unique<StmtNode>();
    loop->kind = StmtKind::Do;
    loop->at = at;
    for (const Buchi::Transition& t : state.transitions) {
      Sequence& option = loop->options.emplace_back();
      option.statements.push_back(expression(guard_of(t.guard, atoms, at), at));
      auto jump = std::make_unique<StmtNode>();
      jump->kind = StmtKind::Goto;
      jump->text = label_of(automaton, t.target);
      jump->at = at;
      option.statements.push_back(std::move(jump));
    }
    add(std::move(loop), s);
  }
  return out;
}

Claim made_claim(const ExprNode& formula, bool negated, const std::string& name, std::string text,
                 Diagnostics& diagnostics) {
  Claim claim;
  claim.text = std::move(text);
  Formulas formulas;
  Atoms atoms;
  const Formulas::Id id = formula_of(formula, negated, formulas, atoms);
  for (const ExprNode* atom : atoms.expressions) check_expression(*atom, diagnostics);
  if (const std::optional<Buchi> automaton = translate(formulas, id, diagnostics.watch())) {
    claim.made = claim_of(*automaton, atoms, name, formula.at);
    claim.node = claim.made.get();
  } else {
    diagnostics.unsupported(formula.at, "a formula whose automaton is as large as this one's");
  }
  return claim;
}

}  // namespace

Claim never_claim(const ProctypeNode& node, Diagnostics& diagnostics) {
  check_statements(node.body, diagnostics);
  Claim claim;
  const bool named = !node.name.starts_with(":");
  if (named) claim.name = node.name;
  claim.text = named ? "the claim " + node.name + " does not match" : "the never claim does not match";
  claim.node = &node;
  return claim;
}

Claim ltl_claim(const ExprNode& formula, const std::string& name, Diagnostics& diagnostics) {
  const std::string shown = name.empty() ? "formula" : name;
  Claim claim = made_claim(formula, true, shown, "ltl " + shown + " { " + text_of(formula) + " }", diagnostics);
  claim.name = name;
  return claim;
}

Claim non_progress_claim() {
  // <> [] np_
  const auto temporal = [](Temporal op, ExprPtr a) {
    auto out = std::make_unique<ExprNode>();
    out->kind = ExprKind::Temporal;
    out->temporal = op;
    out->a = std::move(a);
    return out;
  };
  auto atom = std::make_unique<ExprNode>();
  atom->kind = ExprKind::NonProgress;
  const ExprPtr formula = temporal(Temporal::Eventually, temporal(Temporal::Always, std::move(atom)));
  Diagnostics none;
  Claim claim = made_claim(*formula, false, "np_", "no cycle without progress", none);
  claim.stutters = false;
  return claim;
}

}  // namespace harrier::promela
