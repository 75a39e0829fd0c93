// The run; diagnostics; constants; types; declarations.
#include "lang/uppaal/elaborator.h"

#include <algorithm>

#include "base/suggest.h"

namespace harrier::uppaal {

namespace {

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

}  // namespace

Elaborator::Elaborator(model::System& system, const ModelNode& model) : system_(system), model_(model) {
  global_ = &new_scope(nullptr);
}

void Elaborator::run() {
  uint32_t before_system = NameScope::kAll;
  for (size_t i = 0; i < model_.declarations.size() && !failed(); ++i) {
    if (i == model_.before_system) before_system = global_->size();
    declaration(*model_.declarations[i], *global_, "");
  }
  if (failed()) return;
  if (!model_.has_system) {
    if (!diagnostics_->has_errors()) error(model_.end_at, "the model has no 'system' line");
    return;
  }
  build_processes(before_system);
  if (!failed()) check_unused();
}

// A template is elaborated once for every process, but its errors are reported once.
void Elaborator::error(SourceRef at, const std::string& message) {
  const std::string key =
      std::to_string(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ":" + message;
  if (reported_.insert(key).second) diagnostics_->error(at, message);
}

void Elaborator::unsupported(SourceRef at, const std::string& message) {
  const std::string key =
      std::to_string(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ":" + message;
  if (reported_.insert(key).second) diagnostics_->unsupported(at, message);
}

void Elaborator::warn(SourceRef at, const std::string& message) {
  const std::string key =
      std::to_string(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ":" + message;
  if (reported_.insert(key).second) diagnostics_->warning(at, message);
}

void Elaborator::forget(const NameScope& scope) {
  const auto first = resolved_.lower_bound({&scope, nullptr});
  auto last = first;
  while (last != resolved_.end() && last->first.first == &scope) ++last;
  resolved_.erase(first, last);
}

void Elaborator::value_error(SourceRef at, const std::string& message) {
  if (!trying_) error(at, message);
}

std::string Elaborator::hint(std::string_view wrong, const NameScope& scope) const {
  if (const Symbol* later = scope.find_later(wrong)) {
    return " here; it is declared later, in line " + std::to_string(later->at.line);
  }
  const std::string close = suggestion(wrong, scope.visible());
  return close.empty() ? "" : "; " + close;
}

void Elaborator::declare(NameScope& scope, std::string_view name, Symbol symbol) {
  const SourceRef at = symbol.at;
  if (scope.declare(name, std::move(symbol)) == nullptr) error(at, quoted(name) + " is declared twice");
}

void Elaborator::declaration(const Declaration& node, NameScope& scope, const std::string& prefix) {
  switch (node.kind) {
    case DeclarationKind::Variable: return declare_variable(node.declarator, scope, prefix);
    case DeclarationKind::Typedef: {
      const Type* type = resolve(node.declarator, {&scope});
      declare(scope, node.declarator.name, {.kind = SymbolKind::Type, .type = type, .at = node.declarator.at});
      return;
    }
    case DeclarationKind::Function:
      declare(scope, node.function->name,
              {.kind = SymbolKind::Function, .function = node.function, .home = &scope, .at = node.function->at});
      return;
    case DeclarationKind::Template:
      declare(scope, node.process->name,
              {.kind = SymbolKind::Template, .process = node.process, .at = node.process->at});
      return;
    case DeclarationKind::Instance:
      declare(scope, node.instance->name,
              {.kind = SymbolKind::Instance, .instance = node.instance, .at = node.instance->at});
      return;
    case DeclarationKind::BeforeUpdate: update(*node.update, {&scope}, system_.before_update); return;
    case DeclarationKind::AfterUpdate: update(*node.update, {&scope}, system_.after_update); return;
    case DeclarationKind::ChannelPriority: return channel_priorities(node);
  }
}

// ---- variables -----------------------------------------------------------------------------------------------------

void Elaborator::declare_variable(const Declarator& node, NameScope& scope, const std::string& prefix) {
  const Context context{&scope};
  Symbol symbol{.kind = SymbolKind::Place, .at = node.at};
  const Type* type = resolve(node, context);
  const std::string full_name = prefix + std::string(node.name);
  if (type->kind == TypeKind::Void) {
    error(node.at, "a variable cannot be of type void");
    type = types_.bad();
  }
  if (type->kind == TypeKind::Bad) {
    symbol.place.type = type;
    return declare(scope, node.name, symbol);
  }
  if (node.init != nullptr && type->data == 0 && !node.type->is_const) {
    error(node.init->at, describe(*type) + " " + quoted(node.name) + " cannot have an initial value");
  }
  std::vector<int32_t> initial = default_parts(*type);
  if (node.init != nullptr && type->data > 0) {
    if (type->clocks > 0 || type->channels > 0) {
      error(node.init->at, "a structure with clocks or channels cannot have an initial value");
    } else if (auto given = constant_parts(*type, *node.init, context)) {
      initial = std::move(*given);
    }
  }
  if (node.type->is_const) {
    if (node.init == nullptr) error(node.at, "the constant " + quoted(node.name) + " needs a value");
    symbol.place = make_constant(*type, full_name, std::move(initial), node.at);
  } else {
    symbol.place = create_variables(*type, full_name, initial, node.at);
  }
  declare(scope, node.name, symbol);
}

Place Elaborator::create_variables(const Type& type, const std::string& name, const std::vector<int32_t>& initial,
                                   SourceRef at) {
  Place place;
  place.type = &type;
  place.data = static_cast<uint32_t>(system_.variables.size());
  place.clock = static_cast<uint32_t>(system_.clocks.size());
  place.channel = static_cast<uint32_t>(system_.channels.size());
  if (system_.variables.size() + type.data > kMaxVariables || system_.clocks.size() + type.clocks > kMaxVariables ||
      system_.channels.size() + type.channels > kMaxVariables) {
    error(at, "model too large: more than " + std::to_string(kMaxVariables) + " variables");
    place.type = types_.bad();
    return place;
  }
  size_t next = 0;
  for_each_leaf(type, name, [&](const Type& leaf, const std::string& full) {
    diagnostics_->poll();
    system_.variables.push_back({full, leaf.lo, leaf.hi, initial[next++], model::VarKind::Data, at});
  });
  for_each_clock(type, name, [&](const std::string& full) { system_.clocks.push_back({full, at}); });
  for_each_channel(type, name, [&](const Type& leaf, const std::string& full) {
    system_.channels.push_back({full, leaf.broadcast, leaf.urgent, system_.internal_priority, at});
  });
  return place;
}

Place Elaborator::make_constant(const Type& type, std::string name, std::vector<int32_t> values, SourceRef at) {
  Place place;
  place.root = Root::Constant;
  place.type = &type;
  place.writable = false;
  place.constant = &constants_.emplace_back(ConstantData{std::move(name), &type, std::move(values), {}, at});
  return place;
}

// A variable without an initial value starts as 0, or as the value of its range that is nearest to 0.
std::vector<int32_t> Elaborator::default_parts(const Type& type) {
  std::vector<int32_t> result;
  for (const Type* leaf : leaves(type)) result.push_back(std::clamp(0, leaf->lo, leaf->hi));
  return result;
}

std::optional<std::vector<Operand>> Elaborator::initial_parts(const Type& type, const Expr& init, Context context) {
  std::vector<Operand> result;
  if (init.kind == ExprKind::List && type.aggregate()) {
    const bool is_struct = type.kind == TypeKind::Struct;
    const size_t wanted = is_struct ? type.fields.size() : type.count;
    if (init.items.size() != wanted) {
      value_error(init.at, std::to_string(wanted) + (wanted == 1 ? " value" : " values") + " expected, but " +
                               std::to_string(init.items.size()) + " given");
      return std::nullopt;
    }
    std::vector<const Expr*> order(wanted, nullptr);
    size_t current = 0;
    for (size_t i = 0; i < wanted; ++i, ++current) {
      const std::string_view label = init.labels[i];
      if (!label.empty()) {
        const auto field =
            std::find_if(type.fields.begin(), type.fields.end(), [&](const Field& f) { return f.name == label; });
        if (!is_struct || field == type.fields.end()) {
          error(init.items[i]->at, "there is no field " + quoted(label));
          return std::nullopt;
        }
        current = static_cast<size_t>(field - type.fields.begin());
      }
      if (current >= wanted || order[current] != nullptr) {
        error(init.items[i]->at, "a second value for the same field");
        return std::nullopt;
      }
      order[current] = init.items[i];
    }
    bool good = true;
    for (size_t i = 0; i < wanted; ++i) {
      const Type& part = is_struct ? *type.fields[i].type : *type.element;
      auto values = initial_parts(part, *order[i], context);
      good = good && values.has_value();
      if (good) result.insert(result.end(), values->begin(), values->end());
    }
    return good ? std::optional(std::move(result)) : std::nullopt;
  }
  if (init.kind == ExprKind::List) {
    error(init.at, "a list of values cannot be given to " + describe(type));
    return std::nullopt;
  }
  Operand operand = lower(init, context);
  if (operand.kind == OperandKind::Bad) return std::nullopt;
  if (operand.effect) {
    error(init.at, "an initial value must not have side effects");
    return std::nullopt;
  }
  if (operand.kind == OperandKind::Void || operand.kind == OperandKind::Clock || !compatible(type, *operand.type)) {
    error(init.at, "the initial value does not have the type " + describe(type));
    return std::nullopt;
  }
  if (!type.aggregate()) return std::vector<Operand>{to_scalar(std::move(operand), init.at)};
  const auto leaf_types = leaves(type);
  const auto exprs = parts(operand, init.at);
  for (size_t i = 0; i < exprs.size(); ++i) {
    Operand part = operand;
    part.kind = OperandKind::Value;
    part.type = leaf_types[i];
    part.expr = exprs[i];
    result.push_back(std::move(part));
  }
  return result;
}

std::optional<std::vector<int32_t>> Elaborator::constant_parts(const Type& type, const Expr& init, Context context) {
  const auto given = initial_parts(type, init, context);
  if (!given) return std::nullopt;
  const auto leaf_types = leaves(type);
  std::vector<int32_t> result;
  result.reserve(given->size());
  for (size_t i = 0; i < given->size(); ++i) {
    const auto number = constant((*given)[i], context, init.at, "an initial value");
    if (!number) return std::nullopt;
    const Type& leaf = *leaf_types[i];
    int32_t converted = *number;
    if (leaf.kind == TypeKind::Bool) converted = converted != 0;
    if (converted < leaf.lo || converted > leaf.hi) {
      value_error(init.at, "the value " + std::to_string(converted) + " is outside the range [" +
                               std::to_string(leaf.lo) + "," + std::to_string(leaf.hi) + "]");
      return std::nullopt;
    }
    result.push_back(converted);
  }
  return result;
}

// ---- constants -----------------------------------------------------------------------------------------------------

bool Elaborator::is_constant(const Operand& operand, const Context& context) const {
  return !operand.effect && !operand.state && (context.frame == nullptr || !operand.local);
}

std::optional<int32_t> Elaborator::constant(const Expr& expr, Context context, std::string_view what) {
  const Operand operand = scalar(expr, context);
  if (operand.kind == OperandKind::Bad) return std::nullopt;
  return constant(operand, context, expr.at, what);
}

std::optional<int32_t> Elaborator::constant(const Operand& operand, Context context, SourceRef at,
                                            std::string_view what) {
  if (operand.kind != OperandKind::Value) return std::nullopt;
  if (const auto folded = system_.constant(operand.expr)) return folded;
  if (!is_constant(operand, context)) {
    error(at, std::string(what) + " must be a constant");
    return std::nullopt;
  }
  for (size_t i = values_.size(); i < system_.variables.size(); ++i) values_.push_back(system_.variables[i].initial);
  try {
    return model::Interpreter(system_).value(operand.expr, values_);
  } catch (const model::EvalFailure& failure) {
    value_error(at, std::string(what) + " cannot be computed: " + model::fault_text(system_, failure.fault));
    return std::nullopt;
  }
}

// ---- types
// -----------------------------------------------------------------------------------------------------------

const Type* Elaborator::resolve(const Declarator& node, Context context) {
  const Type* type = resolve(*node.type, context);
  for (auto dimension = node.dimensions.rbegin(); dimension != node.dimensions.rend(); ++dimension) {
    const Type* index = index_type(*dimension, context);
    if (index == nullptr || type->kind == TypeKind::Bad) return types_.bad();
    if (type->kind == TypeKind::Void) {
      error(node.at, "an array cannot have elements of type void");
      return types_.bad();
    }
    type = types_.array(type, index);
    if (type == nullptr) {
      value_error(dimension->at, "model too large: the array " + quoted(node.name) + " has more than " +
                                     std::to_string(kMaxVariables) + " elements");
      return types_.bad();
    }
  }
  return type;
}

const Type* Elaborator::index_type(const Dimension& dimension, Context context) {
  const Type* type = nullptr;
  if (dimension.type != nullptr) {
    type = resolve(*dimension.type, context);
  } else if (dimension.size->kind == ExprKind::Name) {
    const Symbol* symbol = context.scope->find(dimension.size->name);
    if (symbol != nullptr && symbol->kind == SymbolKind::Type) type = symbol->type;
  }
  if (type != nullptr) {
    if (type->kind == TypeKind::Bad) return nullptr;
    if (type->enumerable()) return type;
    error(dimension.at, "an array is indexed by a bounded integer or scalar type, not by " + describe(*type));
    return nullptr;
  }
  const auto size = constant(*dimension.size, context, "the size of an array");
  if (!size) return nullptr;
  if (*size <= 0) {
    value_error(dimension.at, "the size of an array must be positive, but it is " + std::to_string(*size));
    return nullptr;
  }
  return types_.range(0, *size - 1);
}

const Type* Elaborator::resolve(const TypeNode& node, Context context) {
  const auto key = std::make_pair(static_cast<const NameScope*>(context.scope), &node);
  if (const auto found = resolved_.find(key); found != resolved_.end()) return found->second;
  const Type* type = resolve_base(node, context);
  check_prefixes(node, *type);
  if (type->kind == TypeKind::Channel && (node.urgent || node.broadcast)) {
    type = types_.channel(type->urgent || node.urgent, type->broadcast || node.broadcast);
  }
  resolved_.emplace(key, type);
  return type;
}

void Elaborator::check_prefixes(const TypeNode& node, const Type& type) {
  if (type.kind == TypeKind::Bad) return;
  if (node.hybrid) unsupported(node.at, "hybrid clocks");
  if ((node.urgent || node.broadcast) && type.kind != TypeKind::Channel) {
    error(node.at,
          std::string(node.urgent ? "'urgent'" : "'broadcast'") + " is for channels, not for " + describe(type));
  }
  if (node.is_const && (type.clocks > 0 || type.channels > 0 || type.kind == TypeKind::Void)) {
    error(node.at, describe(type) + " cannot be constant");
  }
  if (node.meta && (type.clocks > 0 || type.channels > 0 || type.kind == TypeKind::Void)) {
    error(node.at, describe(type) + " cannot be 'meta'");
  }
}

const Type* Elaborator::resolve_base(const TypeNode& node, Context context) {
  switch (node.base) {
    case BaseType::Bool: return types_.boolean();
    case BaseType::Clock: return types_.clock();
    case BaseType::Void: return types_.nothing();
    case BaseType::Channel: return types_.channel(node.urgent, node.broadcast);
    case BaseType::Int: {
      // A constant without a range may have any value.
      if (node.lo == nullptr) return node.is_const ? types_.wide_integer() : types_.integer();
      const auto lo = constant(*node.lo, context, "a bound of a range");
      const auto hi = constant(*node.hi, context, "a bound of a range");
      if (!lo || !hi) return types_.bad();
      if (*lo > *hi) {
        value_error(node.at, "the range [" + std::to_string(*lo) + "," + std::to_string(*hi) + "] is empty");
        return types_.bad();
      }
      return types_.range(*lo, *hi);
    }
    case BaseType::Scalar: {
      const auto size = constant(*node.hi, context, "the size of a scalar set");
      if (!size) return types_.bad();
      if (*size <= 0) {
        value_error(node.at, "the size of a scalar set must be positive, but it is " + std::to_string(*size));
        return types_.bad();
      }
      return types_.scalar(*size);
    }
    case BaseType::Struct: {
      std::vector<Field> fields;
      std::set<std::string_view> names;
      bool good = true;
      for (const Declarator& field : node.fields) {
        const Type* type = resolve(field, context);
        if (!names.insert(field.name).second) error(field.at, "the field " + quoted(field.name) + " is declared twice");
        if (type->kind == TypeKind::Void) error(field.at, "a field cannot be of type void");
        good = good && type->kind != TypeKind::Bad && type->kind != TypeKind::Void;
        fields.push_back({field.name, type});
      }
      if (!good) return types_.bad();
      const Type* type = types_.structure(std::move(fields));
      if (type == nullptr) value_error(node.at, "model too large: the structure has too many elements");
      return type == nullptr ? types_.bad() : type;
    }
    case BaseType::Named: {
      const Symbol* symbol = context.scope->find(node.name);
      if (symbol == nullptr && node.name == "double") {
        unsupported(node.at, "floating-point variables ('double')");
      } else if (symbol == nullptr && node.name == "string") {
        unsupported(node.at, "strings");
      } else if (symbol == nullptr) {
        error(node.at, "unknown type " + quoted(node.name) + hint(node.name, *context.scope));
      } else if (symbol->kind != SymbolKind::Type) {
        error(node.at, quoted(node.name) + " is not a type");
      } else {
        return symbol->type;
      }
      return types_.bad();
    }
  }
  return types_.bad();
}

// ---- priorities ----------------------------------------------------------------------------------------------------

// Levels grow from left to right. What is not listed has the level of `default`; if that is not listed either, it is
// the lowest one.
void Elaborator::channel_priorities(const Declaration& node) {
  if (prioritised_) return error(node.at, "channel priorities are declared twice");
  prioritised_ = true;
  int32_t usual = 0;
  for (const PriorityEntry& entry : node.priorities) {
    if (entry.channel == nullptr) usual = entry.level;
  }
  system_.internal_priority = usual;
  for (model::Channel& channel : system_.channels) channel.priority = usual;
  for (const PriorityEntry& entry : node.priorities) {
    if (entry.channel == nullptr) continue;
    const Operand operand = lower(*entry.channel, {global_});
    if (operand.kind == OperandKind::Bad) continue;
    if (operand.kind != OperandKind::Place || operand.place.type->channels == 0) {
      error(entry.at, "a channel is expected here");
    } else if (!operand.place.terms.empty()) {
      error(entry.at, "the index of a channel must be a constant here");
    } else {
      for (uint32_t i = 0; i < operand.place.type->channels; ++i) {
        system_.channels[operand.place.channel + i].priority = entry.level;
      }
    }
  }
}

}  // namespace harrier::uppaal
