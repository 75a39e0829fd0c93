// Templates, their instances, and the locations and edges of processes.
#include <algorithm>

#include "lang/uppaal/elaborator.h"
#include "model/ranges.h"

namespace harrier::uppaal {

namespace {

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

// The root name of an access such as a[i].f.
std::string_view root_name(const Expr& expr) {
  const Expr* at = &expr;
  while (at->kind == ExprKind::Index || at->kind == ExprKind::Dot) at = at->a;
  return at->kind == ExprKind::Name ? at->name : std::string_view();
}

void collect_assigned(const Expr* expr, std::set<std::string_view>& names) {
  if (expr == nullptr) return;
  if (expr->kind == ExprKind::Assign || expr->kind == ExprKind::Step) names.insert(root_name(*expr->a));
  // A function may change what it is given by reference.
  for (const Expr* item : expr->items) {
    if (expr->kind == ExprKind::Call) names.insert(root_name(*item));
    collect_assigned(item, names);
  }
  for (const Expr* child : {expr->a, expr->b, expr->c}) collect_assigned(child, names);
}

void collect_assigned(const Statement* statement, std::set<std::string_view>& names) {
  if (statement == nullptr) return;
  for (const Expr* expr : {statement->expr, statement->init, statement->step}) collect_assigned(expr, names);
  collect_assigned(statement->body, names);
  collect_assigned(statement->otherwise, names);
  for (const Statement* part : statement->statements) collect_assigned(part, names);
}

}  // namespace

// Names that something in the template may change: a value parameter among them is a variable, all others are
// constants.
const std::set<std::string_view>& Elaborator::assigned_names(const TemplateNode& node) {
  const auto [entry, fresh] = assigned_.try_emplace(&node);
  if (fresh) {
    for (const EdgeNode& edge : node.edges) {
      collect_assigned(edge.update, entry->second);
      for (const BranchNode& branch : edge.branches) collect_assigned(branch.update, entry->second);
    }
    for (const Declaration* declared : node.declarations) {
      if (declared->function != nullptr) collect_assigned(declared->function->body, entry->second);
    }
  }
  return entry->second;
}

void Elaborator::build_processes(uint32_t before_system) {
  std::set<std::string_view> listed;
  for (const PriorityEntry& entry : model_.system) {
    if (failed()) return;
    if (!listed.insert(entry.name).second) {
      error(entry.at, "process " + quoted(entry.name) + " is listed twice");
      continue;
    }
    instantiate(entry, before_system);
  }
}

bool Elaborator::free_values(const std::vector<Declarator>& parameters, NameScope& scope, const PriorityEntry& entry,
                             std::vector<const Type*>& types, uint64_t& combinations) {
  combinations = 1;
  for (const Declarator& parameter : parameters) {
    const Type* type = resolve(parameter, {&scope});
    if (type->kind == TypeKind::Bad) return false;
    if (!type->enumerable() || parameter.reference) {
      error(entry.at,
            "the parameter " + quoted(parameter.name) + " of " + quoted(entry.name) +
                " has no value: only a bounded integer or scalar parameter, passed by value, can be left free");
      return false;
    }
    types.push_back(type);
    combinations *= static_cast<uint64_t>(int64_t{type->hi} - type->lo + 1);
    if (combinations > kMaxEdges) {
      error(entry.at, "model too large: " + quoted(entry.name) + " stands for more than " + std::to_string(kMaxEdges) +
                          " processes");
      return false;
    }
  }
  return true;
}

void Elaborator::instantiate(const PriorityEntry& entry, uint32_t before_system) {
  const Symbol* symbol = global_->find(entry.name, before_system);
  if (symbol == nullptr) {
    return error(entry.at, "unknown process " + quoted(entry.name) + hint(entry.name, *global_));
  }
  if (symbol->kind != SymbolKind::Template && symbol->kind != SymbolKind::Instance) {
    return error(entry.at, quoted(entry.name) + " is not a process");
  }
  const auto& parameters =
      symbol->kind == SymbolKind::Template ? symbol->process->parameters : symbol->instance->parameters;
  std::vector<const Type*> types;
  uint64_t combinations = 1;
  used_templates_.insert(symbol->kind == SymbolKind::Template ? static_cast<const void*>(symbol->process)
                                                              : static_cast<const void*>(symbol->instance));
  if (!free_values(parameters, new_scope(global_, symbol->order), entry, types, combinations)) return;
  for (uint64_t number = 0; number < combinations && !failed(); ++number) {
    // The last parameter varies fastest.
    std::vector<int32_t> values(types.size());
    uint64_t rest = number;
    for (size_t i = types.size(); i-- > 0;) {
      const auto size = static_cast<uint64_t>(int64_t{types[i]->hi} - types[i]->lo + 1);
      values[i] = static_cast<int32_t>(types[i]->lo + static_cast<int64_t>(rest % size));
      rest /= size;
    }
    std::string name(entry.name);
    for (size_t i = 0; i < values.size(); ++i) name += (i == 0 ? "(" : ",") + std::to_string(values[i]);
    if (!values.empty()) name += ")";
    build_process(*symbol, name, values, entry.level, entry.at);
    if (diagnostics_->has_errors()) return;  // the other processes would only repeat it
  }
}

void Elaborator::build_process(const Symbol& symbol, const std::string& name, const std::vector<int32_t>& values,
                               int32_t priority, SourceRef at) {
  const TemplateNode* node = nullptr;
  NameScope* scope = bind(symbol, name, values, node);
  if (scope == nullptr || node->broken) return;
  members_.emplace(symbol.kind == SymbolKind::Template ? symbol.process->name : symbol.instance->name, scope);
  build_template(*node, *scope, name, priority, at);
}

// Follows a chain of instantiations down to the template and binds its parameters in a new scope.
NameScope* Elaborator::bind(const Symbol& symbol, const std::string& process, const std::vector<int32_t>& values,
                            const TemplateNode*& node) {
  const Symbol* at = &symbol;
  // What is declared after a template or an instantiation is unknown in it.
  NameScope* scope = &new_scope(global_, at->order + 1);
  {
    const bool is_template = at->kind == SymbolKind::Template;
    const auto& parameters = is_template ? at->process->parameters : at->instance->parameters;
    NameScope& outside = new_scope(global_, at->order);
    for (size_t i = 0; i < parameters.size(); ++i) {
      const Operand given = constant_value(values[i], resolve(parameters[i], {&outside}), parameters[i].at);
      bind_parameter(parameters[i], is_template ? at->process : nullptr, nullptr, given, outside, *scope, process,
                     {global_});
    }
  }
  while (at->kind == SymbolKind::Instance) {
    const InstanceNode& instance = *at->instance;
    const Symbol* of = global_->find(instance.of, at->order);
    if (of == nullptr || (of->kind != SymbolKind::Template && of->kind != SymbolKind::Instance)) {
      error(instance.of_at, of == nullptr ? "unknown template " + quoted(instance.of) + hint(instance.of, *scope)
                                          : quoted(instance.of) + " is not a template");
      return nullptr;
    }
    const bool is_template = of->kind == SymbolKind::Template;
    used_templates_.insert(is_template ? static_cast<const void*>(of->process)
                                       : static_cast<const void*>(of->instance));
    const auto& parameters = is_template ? of->process->parameters : of->instance->parameters;
    if (parameters.size() != instance.arguments.size()) {
      error(instance.of_at, quoted(instance.of) + " takes " + std::to_string(parameters.size()) +
                                (parameters.size() == 1 ? " argument" : " arguments") + ", but " +
                                std::to_string(instance.arguments.size()) +
                                (instance.arguments.size() == 1 ? " is given" : " are given"));
      return nullptr;
    }
    NameScope& outside = new_scope(global_, of->order);
    NameScope& inner = new_scope(global_, of->order + 1);
    for (size_t i = 0; i < parameters.size(); ++i) {
      const Context context{scope};
      const Operand given = lower(*instance.arguments[i], context);
      bind_parameter(parameters[i], is_template ? of->process : nullptr, instance.arguments[i], given, outside, inner,
                     process, context);
    }
    scope = &inner;
    at = of;
  }
  node = at->process;
  return scope;
}

// `node` is the template if the parameter is one of its own, null for that of an instantiation. Its type is looked up
// `outside`: it cannot depend on other parameters.
void Elaborator::bind_parameter(const Declarator& parameter, const TemplateNode* node, const Expr* arg,
                                const Operand& operand, NameScope& outside, NameScope& scope,
                                const std::string& process, Context context) {
  const SourceRef at = arg != nullptr ? arg->at : parameter.at;
  const Type* type = resolve(parameter, {&outside});
  Symbol symbol{.kind = SymbolKind::Place, .at = parameter.at};
  symbol.place.type = types_.bad();
  const bool good = type->kind != TypeKind::Bad && operand.kind != OperandKind::Bad;
  const bool is_const = parameter.type->is_const;
  const bool only_by_reference = type->clocks > 0 || type->channels > 0;
  const bool variable = operand.kind == OperandKind::Place && operand.place.root == Root::Global;
  // In the old syntax everything but a constant is passed by reference, without saying so.
  const bool silent =
      (parameter.old_style || model_.old_syntax) && !is_const && variable && operand.place.terms.empty();
  if (!good) {
    return declare(scope, parameter.name, symbol);
  }
  if (operand.kind == OperandKind::Void || operand.kind == OperandKind::Clock || !compatible(*type, *operand.type)) {
    error(at, "the parameter " + quoted(parameter.name) + " is " + describe(*type) + ", but the argument is " +
                  describe(*operand.type));
  } else if (operand.effect) {
    error(at, "an argument of a template must not have side effects");
  } else if (only_by_reference || (parameter.reference && !is_const) || silent) {
    if (operand.kind != OperandKind::Place || (!operand.place.writable && !only_by_reference)) {
      error(at, "the parameter " + quoted(parameter.name) + " is a reference: the argument must be a variable");
    } else if (!operand.place.terms.empty()) {
      error(at, "the index of a variable that is passed by reference must be a constant");
    } else {
      symbol.place = operand.place;
    }
  } else {
    std::vector<int32_t> values;
    const auto leaf_types = leaves(*type);
    const auto exprs =
        operand.type->aggregate() ? parts(operand, at) : std::vector<ExprId>{to_scalar(operand, at).expr};
    bool known = true;
    for (size_t i = 0; i < exprs.size() && known; ++i) {
      Operand part = operand;
      part.kind = OperandKind::Value;
      part.expr = exprs[i];
      auto number = constant(part, context, at, "an argument that is passed by value");
      known = number.has_value();
      if (!known) break;
      if (leaf_types[i]->kind == TypeKind::Bool) number = *number != 0;
      if (*number < leaf_types[i]->lo || *number > leaf_types[i]->hi) {
        value_error(at, "the value " + std::to_string(*number) + " of the parameter " + quoted(parameter.name) +
                            " is outside the range [" + std::to_string(leaf_types[i]->lo) + "," +
                            std::to_string(leaf_types[i]->hi) + "]");
        known = false;
      }
      values.push_back(*number);
    }
    if (known) {
      const std::string full = process + "." + std::string(parameter.name);
      const bool changes = !is_const && node != nullptr && assigned_names(*node).contains(parameter.name);
      symbol.place = changes ? create_variables(*type, full, values, parameter.at)
                             : make_constant(*type, full, values, parameter.at);
      // Nothing changes it, so it may be passed on by reference as any variable may be read.
      if (!changes) symbol.place.writable = false;
    }
  }
  declare(scope, parameter.name, symbol);
}

void Elaborator::build_template(const TemplateNode& node, NameScope& scope, const std::string& name, int32_t priority,
                                SourceRef at) {
  for (const Declaration* declared : node.declarations) {
    if (failed()) return;
    declaration(*declared, scope, name + ".");
  }
  const model::ProcessId id(system_.processes.size());
  model::Process process;
  process.name = name;
  process.type = node.name;
  process.priority = priority;
  process.at = node.at;
  process.location = model::VarId(system_.variables.size());
  system_.variables.push_back({name, 0, static_cast<int32_t>(node.locations.size()) - 1,
                               static_cast<int32_t>(node.initial), model::VarKind::Location, node.at});
  for (const LocationNode& location : node.locations) {
    build_location(location, {&scope}, process);
    if (scope.declare(location.name, {.kind = SymbolKind::Location, .at = location.at}) == nullptr) {
      error(location.at, quoted(location.name) + " is the name of a location and of something else");
    }
  }
  for (const std::string_view name_of_branch : node.branchpoints) {
    scope.declare(name_of_branch, {.kind = SymbolKind::Location, .at = node.at});
  }
  system_.processes.push_back(std::move(process));
  if (!processes_.emplace(name, Process{id, &scope, &node}).second) {
    error(at, "there are two processes named " + quoted(name));
  }
  for (const EdgeNode& edge : node.edges) {
    if (failed()) return;
    build_edges(edge, {&scope}, id);
  }
}

void Elaborator::build_location(const LocationNode& node, Context context, model::Process& process) {
  model::Location location;
  location.name = node.name;
  location.at = node.at;
  location.kind = node.committed ? model::LocationKind::Committed
                  : node.urgent  ? model::LocationKind::Urgent
                                 : model::LocationKind::Normal;
  if (node.invariant != nullptr) {
    Conjunction invariant;
    const uint32_t saved = outer_slots_;
    conjunction(*node.invariant, context, {}, "invariant", invariant);
    outer_slots_ = saved;
    location.invariant = std::move(invariant.conditions);
    location.clock_invariant = std::move(invariant.clocks);
  }
  process.locations.push_back(std::move(location));
}

// One edge for every combination of selected values.
void Elaborator::build_edges(const EdgeNode& node, Context context, model::ProcessId process) {
  std::vector<const Type*> types;
  uint64_t combinations = 1;
  NameScope& select_scope = node.selects.empty() ? *context.scope : new_scope(context.scope);
  for (const SelectNode& select : node.selects) {
    const Type* type = resolve(*select.type, {&select_scope});
    if (type->kind == TypeKind::Bad) return;
    if (!type->enumerable()) {
      return error(select.type->at, "a bounded integer or scalar type is expected here, not " + describe(*type));
    }
    types.push_back(type);
    select_scope.declare(select.name, {.kind = SymbolKind::Selected, .at = select.at});
    combinations *= static_cast<uint64_t>(int64_t{type->hi} - type->lo + 1);
    if (combinations + system_.edges.size() > kMaxEdges) {
      return value_error(select.at,
                         "model too large: the selection makes more than " + std::to_string(kMaxEdges) + " edges");
    }
  }
  for (uint64_t number = 0; number < combinations && !failed(); ++number) {
    const size_t errors_before = diagnostics_->all().size();
    if (types.empty()) {
      build_selected_edge(node, context, context, process, "");
      return;
    }
    NameScope scope(context.scope);
    std::string label;
    uint64_t rest = number;
    for (size_t i = types.size(); i-- > 0;) {
      const auto size = static_cast<uint64_t>(int64_t{types[i]->hi} - types[i]->lo + 1);
      const auto chosen = static_cast<int32_t>(types[i]->lo + static_cast<int64_t>(rest % size));
      rest /= size;
      const SelectNode& select = node.selects[i];
      Symbol symbol{.kind = SymbolKind::Place, .at = select.at};
      symbol.place = make_constant(*types[i], std::string(select.name), {chosen}, select.at);
      declare(scope, select.name, symbol);
      label = std::string(select.name) + " = " + std::to_string(chosen) + (label.empty() ? "" : ", ") + label;
    }
    build_selected_edge(node, {&scope}, context, process, label);
    forget(scope);
    if (diagnostics_->all().size() != errors_before && diagnostics_->has_errors()) return;
  }
}

// What follows a branch point. The selected values of the edge that leads to it are unknown there.
void Elaborator::add_branch(const BranchNode& node, Context context, std::vector<StmtId>& effect) {
  if (node.weight != nullptr) {
    const Operand weight = integer(*node.weight, context);
    if (weight.kind == OperandKind::Bad) return;
    if (weight.effect) return error(node.weight->at, "a probability weight must not have side effects");
    if (model::range_of(system_, weight.expr).lo <= 0) {
      return unsupported(node.weight->at, "a probability weight that is or may become 0");
    }
  }
  if (node.update != nullptr) update(*node.update, context, effect);
}

// `around` is the scope of the template, without selected values.
void Elaborator::build_selected_edge(const EdgeNode& node, Context context, Context around, model::ProcessId process,
                                     const std::string& label) {
  diagnostics_->poll();
  const uint32_t saved = outer_slots_;
  model::Edge edge;
  edge.process = process;
  edge.source = node.source;
  edge.target = node.target;
  edge.label = label;
  edge.at = node.at;
  Conjunction guard;
  if (node.guard != nullptr) conjunction(*node.guard, context, {}, "guard", guard);
  std::optional<Operand> channel;
  if (node.sync != nullptr) {
    channel = lower(*node.sync, context);
    if (channel->kind != OperandKind::Bad &&
        (channel->kind != OperandKind::Place || channel->type->kind != TypeKind::Channel)) {
      error(node.sync->at, "a channel is expected here, not " + describe(*channel->type));
      channel = bad();
    } else if (channel->kind != OperandKind::Bad && channel->effect) {
      error(node.sync->at, "a synchronisation must not have side effects");
    }
    edge.direction = node.send ? model::Direction::Send : model::Direction::Receive;
  }
  if (node.update != nullptr) update(*node.update, context, edge.effect);
  for (const BranchNode& branch : node.branches) add_branch(branch, around, edge.effect);
  outer_slots_ = saved;
  edge.guard = std::move(guard.conditions);
  edge.clock_guard = std::move(guard.clocks);
  if (guard.impossible || (channel && channel->kind == OperandKind::Bad)) return;
  if (!channel) return add_edge(std::move(edge));
  const Place& place = channel->place;
  // One edge for every channel that a varying index can mean.
  std::vector<std::pair<uint32_t, std::vector<ExprId>>> choices{{place.channel, {}}};
  for (const IndexTerm& term : place.terms) {
    const bool certain = term.lo >= 0 && term.hi < term.count;
    const ExprId index =
        certain ? term.index
                : system_.make({.op = Op::Index, .count = term.count, .a = term.index, .at = node.sync->at});
    const auto lo = static_cast<uint32_t>(std::clamp<int64_t>(term.lo, 0, term.count - 1));
    const auto hi = static_cast<uint32_t>(std::clamp<int64_t>(term.hi, 0, term.count - 1));
    std::vector<std::pair<uint32_t, std::vector<ExprId>>> extended;
    for (const auto& [number, conditions] : choices) {
      for (uint32_t i = lo; i <= hi; ++i) {
        auto with = conditions;
        const ExprId which = system_.make_const(static_cast<int32_t>(i), node.sync->at);
        with.push_back(system_.make_binary(Op::Eq, index, which, node.sync->at));
        extended.emplace_back(number + i * term.channel_stride, std::move(with));
      }
      if (extended.size() + system_.edges.size() > kMaxEdges) {
        return value_error(node.sync->at, "model too large: the channel index makes too many edges");
      }
    }
    choices = std::move(extended);
  }
  for (const auto& [number, conditions] : choices) {
    model::Edge one = edge;
    one.channel = model::ChannelId(number);
    one.guard.insert(one.guard.end(), conditions.begin(), conditions.end());
    const model::Channel& used = system_.channel(one.channel);
    if (used.urgent && !one.clock_guard.empty()) {
      return error(node.guard->at, "a clock constraint cannot guard an edge that synchronises on the urgent channel " +
                                       quoted(used.name));
    }
    if (!place.terms.empty()) one.label += (one.label.empty() ? "" : ", ") + used.name;
    add_edge(std::move(one));
  }
}

void Elaborator::add_edge(model::Edge edge) {
  if (system_.edges.size() >= kMaxEdges * 4) {
    return error(edge.at, "model too large: more than " + std::to_string(kMaxEdges * 4) + " edges");
  }
  const model::EdgeId id(system_.edges.size());
  system_.processes[edge.process.value].edges.push_back(id);
  system_.edges.push_back(std::move(edge));
}

}  // namespace harrier::uppaal
