// Checks what no process uses: templates without instances and functions that nobody calls. They are elaborated like
// all others, with made-up arguments, and then taken out of the system again.
#include <algorithm>

#include "lang/uppaal/elaborator.h"

namespace harrier::uppaal {

void Elaborator::check_unused() {
  const size_t variables = system_.variables.size(), clocks = system_.clocks.size();
  const size_t channels = system_.channels.size(), processes = system_.processes.size();
  const size_t edges = system_.edges.size(), functions = system_.functions.size();
  const size_t exprs = system_.exprs.size(), arguments = system_.arguments.size();
  const size_t stmts = system_.stmts.size(), children = system_.children.size();
  const uint32_t slots = system_.quantifier_slots;
  const auto known_functions = functions_;
  const auto known_processes = processes_;
  const auto known_transfers = transfers_;
  trying_ = true;
  for (const Declaration* node : model_.declarations) {
    if (failed()) break;
    if (node->kind == DeclarationKind::Function) try_function(*node->function, *global_);
    if (node->kind == DeclarationKind::Template && !used_templates_.contains(node->process)) {
      try_template(*node->process);
    }
  }
  // Functions of templates that do have processes; one process stands for all.
  std::set<const TemplateNode*> seen;
  for (const model::Process& process : system_.processes) {
    const auto found = processes_.find(process.name);
    if (failed() || found == processes_.end() || !seen.insert(found->second.node).second) continue;
    const Process built = found->second;
    for (const Declaration* node : built.node->declarations) {
      if (node->kind == DeclarationKind::Function) try_function(*node->function, *built.scope);
    }
  }
  trying_ = false;
  for (ConstantData& data : constants_) {
    if (data.table.valid() && data.table.value >= variables) data.table = {};
  }
  functions_ = known_functions;
  processes_ = known_processes;
  transfers_ = known_transfers;
  values_.resize(std::min(values_.size(), variables));
  system_.variables.resize(variables);
  system_.clocks.resize(clocks);
  system_.channels.resize(channels);
  system_.processes.resize(processes);
  system_.edges.resize(edges);
  system_.functions.resize(functions);
  system_.exprs.resize(exprs);
  system_.arguments.resize(arguments);
  system_.stmts.resize(stmts);
  system_.children.resize(children);
  system_.quantifier_slots = slots;
}

void Elaborator::try_function(const FunctionNode& function, NameScope& home) {
  if (used_functions_.contains(&function)) return;
  const Symbol* symbol = home.own(function.name);
  if (symbol == nullptr || symbol->function != &function) return;  // it was declared twice
  const Signature& types = signature(function, &home, symbol->order);
  if (!types.good) return;
  Call call;
  call.function = &function;
  call.home = &home;
  call.order = symbol->order;
  call.signature = &types;
  for (size_t i = 0; i < types.parameters.size(); ++i) {
    const Type& type = *types.parameters[i];
    Argument argument;
    if (type.clocks > 0 || type.channels > 0) {
      argument.by_reference = true;
      argument.place = create_variables(type, "", default_parts(type), function.parameters[i].at);
    }
    call.arguments.push_back(std::move(argument));
  }
  specialise(call);
}

void Elaborator::try_template(const TemplateNode& node) {
  if (node.broken) return;
  const Symbol* known = global_->own(node.name);
  if (known == nullptr || known->process != &node) return;  // it was declared twice
  NameScope& outside = new_scope(global_, known->order);
  NameScope& scope = new_scope(global_, known->order + 1);
  for (const Declarator& parameter : node.parameters) {
    const Type* type = resolve(parameter, {&outside});
    Symbol symbol{.kind = SymbolKind::Place, .at = parameter.at};
    symbol.place.type = types_.bad();
    if (type->kind != TypeKind::Bad && type->kind != TypeKind::Void) {
      const bool variable = type->clocks > 0 || type->channels > 0 || !parameter.type->is_const;
      symbol.place = variable ? create_variables(*type, "", default_parts(*type), parameter.at)
                              : make_constant(*type, "", default_parts(*type), parameter.at);
    }
    declare(scope, parameter.name, symbol);
  }
  // A name that no process can have.
  build_template(node, scope, "?" + std::string(node.name), 0, node.at);
}

}  // namespace harrier::uppaal
