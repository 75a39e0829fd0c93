#include "lang/promela/remote_labels.h"

namespace harrier::promela {

namespace {

void add(const ExprPtr& expr, RemoteLabels& out) {
  if (expr) add_remote_labels(*expr, out);
}

void add(const DeclNode& declaration, RemoteLabels& out) {
  add(declaration.init, out);
  for (const ExprPtr& e : declaration.init_list) add(e, out);
}

}  // namespace

void add_remote_labels(const ExprNode& expr, RemoteLabels& out) {
  if (expr.kind == ExprKind::RemoteLabel) out.emplace(expr.parts[0].name, expr.parts[1].name);
  for (const RefPart& part : expr.parts) add(part.index, out);
  add(expr.a, out);
  add(expr.b, out);
  add(expr.c, out);
  for (const ExprPtr& e : expr.arguments) add(e, out);
}

void add_remote_labels(const StmtNode& stmt, RemoteLabels& out) {
  add(stmt.expr, out);
  add(stmt.target, out);
  for (const ExprPtr& e : stmt.arguments) add(e, out);
  for (const DeclNode& d : stmt.declarations) add(d, out);
}

void add_remote_labels(const Sequence& sequence, RemoteLabels& out) {
  for (const StmtPtr& s : sequence.statements) {
    add_remote_labels(*s, out);
    for (const Sequence& option : s->options) add_remote_labels(option, out);
    add_remote_labels(s->body, out);
    add_remote_labels(s->escape, out);
  }
}

void add_remote_labels(const ModelNode& model, RemoteLabels& out) {
  for (const ProctypeNode& p : model.proctypes) {
    add(p.provided, out);
    add_remote_labels(p.body, out);
  }
  for (const LtlNode& formula : model.ltl) add(formula.formula, out);
}

}  // namespace harrier::promela
