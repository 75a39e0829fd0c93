// Instances of modules, their variables and types.
#include <algorithm>
#include <limits>

#include "base/suggest.h"
#include "lang/smv/flattener.h"

namespace harrier::smv {

namespace {

constexpr uint32_t kMaxModuleDepth = 500;
constexpr size_t kMaxEnumeration = 100'000;

}  // namespace

void Flattener::find_modules() {
  for (const ModuleNode& module : model_.modules) {
    if (!modules_.emplace(module.name, &module).second) {
      diagnostics_.error(module.at, "there are two modules '" + module.name + "'");
    }
    for (const NamedPlace& constant : module.constants) values_.symbol(constant.name);
    // Symbols are known everywhere, whichever module declares them.
    for (const VarNode& variable : module.variables) {
      const TypeNode* type = variable.type;
      while (type->kind == TypeNodeKind::Array) type = type->element;
      if (type->kind != TypeNodeKind::Enumeration) continue;
      for (const ExprPtr value : type->args) {
        if (value->kind == ExprKind::Name) values_.symbol(value->text);
      }
    }
  }
}

const ModuleNode* Flattener::module_named(const std::string& name, SourceRef at) {
  const auto found = modules_.find(name);
  if (found != modules_.end()) return found->second;
  std::vector<std::string> known;
  for (const ModuleNode& module : model_.modules) known.push_back(module.name);
  const std::string hint = suggestion(name, known);
  values_.fail(at, "there is no module '" + name + "'" + (hint.empty() ? "" : "; " + hint));
}

Flattener::Instance* Flattener::instantiate(const ModuleNode& module, Instance* parent, const std::string& name,
                                            SourceRef at) {
  diagnostics_.poll();
  if (instances_.size() >= kMaxInstances) {
    values_.refuse(at, "a model with more than " + std::to_string(kMaxInstances) + " instances of modules");
  }
  Instance& instance = instances_.emplace_back();
  instance.module = &module;
  instance.parent = parent;
  if (parent != nullptr) {
    for (const Instance* above = parent; above != nullptr; above = above->parent) {
      if (above->module == &module) values_.fail(at, "the module '" + module.name + "' has an instance of itself");
    }
    instance.path = parent->path + name + ".";
    instance.process = parent->process;
    instance.depth = parent->depth + 1;
    if (instance.depth > kMaxModuleDepth) values_.refuse(at, "modules nested so deeply");
  }
  return &instance;
}

// The declarations of a module, and of those that it takes over.
void Flattener::take_over(Instance& instance, const ModuleNode& module) {
  if (std::find(instance.modules.begin(), instance.modules.end(), &module) != instance.modules.end()) {
    values_.fail(module.at, "the module '" + module.name + "' is taken over twice by '" + instance.module->name + "'");
  }
  instance.modules.push_back(&module);
  for (const NamedPlace& base : module.bases) {
    const ModuleNode* other = module_named(base.name, base.at);
    if (!other->parameters.empty()) values_.refuse(base.at, "ISA with a module that has parameters");
    if (instance.modules.size() > kMaxModuleDepth) values_.refuse(base.at, "so many modules taken over");
    take_over(instance, *other);
  }
}

void Flattener::bind(Instance& instance, const TypeNode& type, Instance* scope) {
  const auto& formal = instance.module->parameters;
  if (formal.size() != type.args.size()) {
    values_.fail(type.at, "the module '" + type.module + "' has " + std::to_string(formal.size()) +
                              " parameters, but " + std::to_string(type.args.size()) + " are given");
  }
  for (size_t i = 0; i < formal.size(); ++i) {
    if (!instance.parameters.emplace(formal[i].name, Actual{type.args[i], scope}).second) {
      values_.fail(formal[i].at, "there are two parameters '" + formal[i].name + "'");
    }
  }
}

void Flattener::declare_symbol(Instance& instance, const std::string& name, Ref ref, SourceRef at) {
  if (instance.parameters.contains(name)) values_.fail(at, "'" + name + "' is a parameter already");
  if (!instance.symbols.emplace(name, std::move(ref)).second) {
    values_.fail(at, "'" + instance.path + name + "' is declared twice");
  }
}

// Plain ones (`x := …`) are there before the types of variables, which may use them; those of others (`a.x := …`) come
// when all instances are there.
void Flattener::declare_defines(Instance& instance, bool plain) {
  for (const ModuleNode* module : instance.modules) {
    for (const DefineNode& node : module->defines) {
      if ((node.target->kind == ExprKind::Name && node.target->text != "self") != plain) continue;
      guarded([&] {
        diagnostics_.poll();
        Instance* owner = &instance;
        if (!plain) {
          if (node.target->kind != ExprKind::Member) values_.fail(node.target->at, "a definition needs a name");
          const Ref base = resolve(node.target->args[0], instance);
          if (base.kind != RefKind::Instance)
            values_.fail(node.target->at, "only an instance of a module has definitions");
          owner = base.instance;
        }
        if (defines_.size() >= kMaxVariables * 10) values_.refuse(node.target->at, "a model with so many definitions");
        defines_.push_back(
            {owner->path + node.target->text, node.value, &instance, Define::State::New, false, {}, node.target->at});
        declare_symbol(*owner, node.target->text, {.kind = RefKind::Define, .define = &defines_.back()},
                       node.target->at);
      });
    }
  }
}

void Flattener::declare(Instance& instance, const VarNode& node) {
  diagnostics_.poll();
  const TypeNode& type = *node.type;
  if (type.kind != TypeNodeKind::Instance) {
    declare_symbol(instance, node.name, variable_of(instance, node, type, instance.path + node.name), node.at);
    return;
  }
  if (node.kind != VarClass::State) values_.fail(node.at, "an instance of a module belongs into VAR");
  Instance* made = instantiate(*module_named(type.module, type.at), &instance, node.name, type.at);
  if (type.process) {
    made->process = static_cast<uint32_t>(out_.processes.size());
    out_.processes.push_back({instance.path + node.name, type.module, node.at});
  }
  bind(*made, type, &instance);
  declare_symbol(instance, node.name, {.kind = RefKind::Instance, .instance = made}, node.at);
  populate(*made);
}

void Flattener::populate(Instance& instance) {
  take_over(instance, *instance.module);
  declare_defines(instance, true);
  for (const ModuleNode* module : instance.modules) {
    for (const VarNode& node : module->variables) guarded([&] { declare(instance, node); });
  }
}

Flattener::Ref Flattener::variable_of(Instance& instance, const VarNode& node, const TypeNode& type,
                                      const std::string& name) {
  diagnostics_.poll();
  if (type.kind == TypeNodeKind::Array) {
    const int32_t lo = constant_of(type.args[0], instance, "a bound of an array");
    const int32_t hi = constant_of(type.args[1], instance, "a bound of an array");
    if (lo > hi) values_.fail(type.at, "this array is empty");
    if (int64_t{hi} - lo >= static_cast<int64_t>(kMaxVariables))
      values_.refuse(type.at, "an array of so many elements");
    std::vector<Ref> elements;
    for (int64_t i = lo; i <= hi; ++i) {
      elements.push_back(variable_of(instance, node, *type.element, name + "[" + std::to_string(i) + "]"));
    }
    arrays_.push_back({lo, std::move(elements)});
    return {.kind = RefKind::Array, .array = &arrays_.back()};
  }
  if (out_.variables.size() >= kMaxVariables) {
    values_.refuse(node.at, "a model with more than " + std::to_string(kMaxVariables) + " variables");
  }
  Variable variable{.name = name, .kind = node.kind, .type = {}, .at = node.at};
  set_domain(instance, variable, type);
  out_.variables.push_back(std::move(variable));
  return {.kind = RefKind::Variable, .variable = static_cast<uint32_t>(out_.variables.size() - 1)};
}

int32_t Flattener::constant_of(ExprPtr expr, Instance& scope, std::string_view what) {
  const Value value = evaluated(expr, scope);
  const auto number = values_.constant(value);
  if (!number || value.type.kind != TypeKind::Integer)
    values_.fail(expr->at, std::string(what) + " must be a constant integer");
  return *number;
}

void Flattener::set_domain(Instance& instance, Variable& variable, const TypeNode& type) {
  switch (type.kind) {
    case TypeNodeKind::Boolean:
      variable.type = {TypeKind::Boolean};
      variable.hi = 1;
      return;
    case TypeNodeKind::Range:
      variable.type = {TypeKind::Integer};
      variable.lo = constant_of(type.args[0], instance, "a bound of a range");
      variable.hi = constant_of(type.args[1], instance, "a bound of a range");
      if (variable.lo > variable.hi) values_.fail(type.at, "this range is empty");
      return;
    case TypeNodeKind::Word: {
      const uint32_t width = values_.width_of(constant_of(type.args[0], instance, "the width of a word"), type.at);
      variable.type = {TypeKind::Word, type.is_signed, width};
      const auto half = static_cast<int32_t>(1U << (width - 1));
      variable.lo = type.is_signed ? -half : 0;
      variable.hi = type.is_signed ? half - 1 : half - 1 + half;
      return;
    }
    case TypeNodeKind::Enumeration: set_enumeration(variable, type); return;
    case TypeNodeKind::Array:
    case TypeNodeKind::Instance: return;
  }
}

void Flattener::set_enumeration(Variable& variable, const TypeNode& type) {
  if (type.args.size() > kMaxEnumeration) values_.refuse(type.at, "an enumeration of so many values");
  std::vector<Atom> atoms;
  bool symbols = false;
  for (const ExprPtr value : type.args) {
    diagnostics_.poll();
    const bool negative = value->kind == ExprKind::Neg && value->args[0]->kind == ExprKind::Number;
    if (value->kind == ExprKind::Name) {
      atoms.push_back(values_.symbol(value->text));
      symbols = true;
    } else if (negative || value->kind == ExprKind::Number) {
      const int64_t number = negative ? -value->args[0]->value : value->value;
      if (number < std::numeric_limits<int32_t>::min() || number > std::numeric_limits<int32_t>::max()) {
        values_.refuse(value->at, "a number of more than 32 bits");
      }
      atoms.push_back(number);
    } else {
      values_.fail(value->at, "a value of an enumeration is a symbol or a number");
    }
  }
  std::vector<Atom> sorted = atoms;
  std::sort(sorted.begin(), sorted.end());
  if (atoms.empty()) values_.fail(type.at, "an enumeration needs a value");
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    values_.fail(type.at, "'" + values_.atom_name(*twice) + "' occurs twice in this enumeration");
  }
  if (symbols) {
    variable.type = {.kind = TypeKind::Symbolic, .coding = values_.coding(atoms)};
    variable.hi = static_cast<int32_t>(atoms.size()) - 1;
    return;
  }
  variable.type = {TypeKind::Integer};
  variable.lo = static_cast<int32_t>(sorted.front());
  variable.hi = static_cast<int32_t>(sorted.back());
  if (int64_t{variable.hi} - variable.lo + 1 == static_cast<int64_t>(sorted.size())) return;
  for (const Atom atom : sorted) variable.values.push_back(static_cast<int32_t>(atom));
}

}  // namespace harrier::smv
