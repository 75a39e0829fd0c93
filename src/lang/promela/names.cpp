#include "lang/promela/names.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace harrier::promela {

namespace {

class Names {
 public:
  Names(const ModelNode& model, const Automata& automata, Diagnostics& diagnostics)
      : automata_(automata), diagnostics_(diagnostics) {
    for (size_t g = 0; g < model.globals.size(); ++g) globals_.emplace(model.globals[g].name, g);
    for (const MtypeNode& mtype : model.mtypes) {
      for (const Label& name : mtype.names) always_.insert(name.name);
    }
  }

  void check(const Automaton& a) {
    automaton_ = &a;
    if (a.proctype().provided) check(*a.proctype().provided, 0);
    for (const Local& local : a.locals()) check(*local.declaration, local.scope);
    for (const Element& e : a.elements()) {
      if (e.stmt == nullptr || e.declaration != nullptr) continue;
      for (const ExprNode* expr : {e.stmt->expr.get(), e.stmt->target.get()}) {
        if (expr != nullptr) check(*expr, e.scope);
      }
      for (const ExprPtr& argument : e.stmt->arguments) check(*argument, e.scope);
    }
  }

 private:
  void check(const DeclNode& declaration, uint32_t scope) {
    if (declaration.init) check(*declaration.init, scope);
    for (const ExprPtr& value : declaration.init_list) check(*value, scope);
  }

  void check(const ExprNode& e, uint32_t scope) {
    if (e.kind == ExprKind::Ref) variable(e.parts[0], scope);
    if (e.kind == ExprKind::Run || e.kind == ExprKind::RemoteRef || e.kind == ExprKind::RemoteLabel) {
      proctype(e);
    }
    for (const RefPart& part : e.parts) {
      if (part.index) check(*part.index, scope);
    }
    for (const ExprNode* inner : {e.a.get(), e.b.get(), e.c.get()}) {
      if (inner != nullptr) check(*inner, scope);
    }
    for (const ExprPtr& argument : e.arguments) check(*argument, scope);
  }

  void variable(const RefPart& part, uint32_t scope) {
    if (automaton_->find_local(scope, part.name) != Element::kNone || always_.contains(part.name)) return;
    const auto global = globals_.find(part.name);
    if (global == globals_.end()) {
      diagnostics_.error(part.at, "unknown name '" + part.name + "'");
    } else if (global->second >= automaton_->proctype().globals) {
      diagnostics_.error(part.at, "'" + part.name + "' is declared below, not above");
    }
  }

  void proctype(const ExprNode& e) {
    const std::string& name = e.parts[0].name;
    if (std::none_of(automata_.begin(), automata_.end(), [&](const auto& a) { return a->name() == name; })) {
      diagnostics_.error(e.at, "there is no proctype '" + name + "'");
    }
  }

  const Automata& automata_;
  Diagnostics& diagnostics_;
  std::map<std::string, size_t> globals_;
  std::set<std::string> always_ = {"_", "_pid", "_nr_pr", "_last", "_priority"};
  const Automaton* automaton_ = nullptr;
};

}  // namespace

void check_names(const ModelNode& model, const Automata& automata, Diagnostics& diagnostics) {
  Names names(model, automata, diagnostics);
  for (const auto& automaton : automata) names.check(*automaton);
}

}  // namespace harrier::promela
