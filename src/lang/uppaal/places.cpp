// Variables and their parts: names, indices, fields, loads and stores.
#include <algorithm>

#include "base/suggest.h"
#include "lang/uppaal/elaborator.h"

namespace harrier::uppaal {

Operand Elaborator::bad() const { return {.kind = OperandKind::Bad, .type = types_.bad()}; }

Operand Elaborator::value(ExprId expr, const Type* type) const {
  Operand result{.kind = OperandKind::Value, .type = type, .expr = expr};
  if (type->kind == TypeKind::Bool) {
    result.lo = 0;
    result.hi = 1;
  }
  if (const auto known = system_.constant(expr)) result.lo = result.hi = *known;
  return result;
}

Operand Elaborator::constant_value(int32_t number, const Type* type, SourceRef at) {
  return value(system_.make_const(number, at), type);
}

uint32_t Elaborator::new_slots(uint32_t count, Context context) {
  if (context.frame != nullptr) {
    const uint32_t first = context.frame->slots;
    context.frame->slots += count;
    return first;
  }
  const uint32_t first = outer_slots_;
  outer_slots_ += count;
  system_.quantifier_slots = std::max(system_.quantifier_slots, outer_slots_);
  return first;
}

Operand Elaborator::place_operand(Place place) const {
  Operand result{.kind = OperandKind::Place, .type = place.type};
  if (place.type->kind == TypeKind::Bad) return bad();
  result.state = place.root == Root::Global;
  result.local = place.root == Root::Local;
  for (const IndexTerm& term : place.terms) {
    result.effect |= term.effect;
    result.state |= term.state;
    result.local |= term.local;
  }
  result.place = std::move(place);
  return result;
}

Operand Elaborator::name(const Expr& expr, Context context) {
  const Symbol* symbol = context.scope->find(expr.name);
  const std::string quoted = "'" + std::string(expr.name) + "'";
  if (symbol == nullptr) {
    const std::string full(expr.name);
    if (context.query && processes_.contains(full)) {
      error(expr.at, quoted + " is a process; name one of its locations or variables, as in '" + full + ".x'");
    } else {
      error(expr.at, "unknown name " + quoted + hint(expr.name, *context.scope));
    }
    return bad();
  }
  switch (symbol->kind) {
    case SymbolKind::Place:
      if (context.frame != nullptr && symbol->place.root == Root::Global) context.frame->state = true;
      return place_operand(symbol->place);
    case SymbolKind::Type: error(expr.at, quoted + " is a type, not a value"); break;
    case SymbolKind::Function: error(expr.at, quoted + " is a function; call it with '()'"); break;
    case SymbolKind::Location: error(expr.at, quoted + " is a location, not a value"); break;
    case SymbolKind::Selected: error(expr.at, quoted + " is selected: a type cannot depend on it"); break;
    case SymbolKind::Template:
    case SymbolKind::Instance: error(expr.at, quoted + " is a process, not a value"); break;
  }
  return bad();
}

Operand Elaborator::index(const Expr& expr, Context context) {
  Operand base = lower(*expr.a, context);
  const Operand at = scalar(*expr.b, context);
  if (base.kind == OperandKind::Bad || at.kind == OperandKind::Bad) return bad();
  if (base.kind != OperandKind::Place || base.type->kind != TypeKind::Array) {
    error(expr.at, "only an array can be indexed, this is " + describe(*base.type));
    return bad();
  }
  const Type& array = *base.type;
  const bool by_scalar = array.index->kind == TypeKind::Scalar;
  if (by_scalar ? !compatible(*array.index, *at.type) : !at.type->integral()) {
    error(expr.b->at, "the index is " + describe(*at.type) + ", but the array is indexed by " + describe(*array.index));
    return bad();
  }
  Place place = std::move(base.place);
  const Type& element = *array.element;
  place.type = &element;
  const auto known = system_.constant(at.expr);
  if (known && *known >= array.index->lo && *known <= array.index->hi) {
    const auto i = static_cast<uint32_t>(int64_t{*known} - array.index->lo);
    place.data += i * element.data;
    place.clock += i * element.clocks;
    place.channel += i * element.channels;
  } else {
    // A constant index out of bounds is an error only when it is evaluated: the condition before it may be false.
    IndexTerm term;
    term.index = at.expr;
    if (array.index->lo != 0) {
      term.index = system_.make_binary(Op::Sub, at.expr, system_.make_const(array.index->lo, expr.b->at), expr.b->at);
    }
    term.lo = at.lo - array.index->lo;
    term.hi = at.hi - array.index->lo;
    term.count = array.count;
    term.data_stride = element.data;
    term.clock_stride = element.clocks;
    term.channel_stride = element.channels;
    term.effect = at.effect;
    term.state = at.state;
    term.local = at.local;
    place.terms.push_back(term);
  }
  return place_operand(std::move(place));
}

Operand Elaborator::dot(const Expr& expr, Context context) {
  if (names_process(*expr.a, context)) return process_member(expr, context);
  Operand base = lower(*expr.a, context);
  if (base.kind == OperandKind::Bad) return bad();
  if (base.type->kind != TypeKind::Struct) {
    error(expr.at, "only a structure has fields, this is " + describe(*base.type));
    return bad();
  }
  for (const Field& field : base.type->fields) {
    if (field.name != expr.name) continue;
    if (base.kind == OperandKind::Parts) {
      Operand result = base;
      result.type = field.type;
      const auto first = base.parts.begin() + field.data;
      result.parts.assign(first, first + field.type->data);
      if (!field.type->aggregate()) {
        result.kind = OperandKind::Value;
        result.expr = comma(result.prelude, result.parts.front(), expr.at);
        result.lo = field.type->lo;
        result.hi = field.type->hi;
      }
      return result;
    }
    Place place = std::move(base.place);
    place.type = field.type;
    place.data += field.data;
    place.clock += field.clock;
    place.channel += field.channel;
    return place_operand(std::move(place));
  }
  std::vector<std::string> known;
  for (const Field& field : base.type->fields) known.emplace_back(field.name);
  const std::string close = suggestion(expr.name, known);
  error(expr.at, "there is no field '" + std::string(expr.name) + "'" + (close.empty() ? "" : "; " + close));
  return bad();
}

// P or P(1) in a query; null if there is no such process, which is reported.
const Elaborator::Process* Elaborator::process(const Expr& expr, Context context) {
  const bool with_arguments = expr.kind == ExprKind::Call;
  const Expr& head = with_arguments ? *expr.a : expr;
  std::string full(head.name);
  if (with_arguments) {
    full += "(";
    for (size_t i = 0; i < expr.items.size(); ++i) {
      const auto argument = constant(*expr.items[i], context, "the argument of a process");
      if (!argument) return nullptr;
      full += (i == 0 ? "" : ",") + std::to_string(*argument);
    }
    full += ")";
  }
  if (const auto found = processes_.find(full); found != processes_.end()) return &found->second;
  std::string message = "there is no process '" + full + "'";
  const auto instance = members_.find(head.name);
  if (instance != members_.end()) {
    if (!with_arguments) message += "; its name needs arguments, as in '" + full + "(1)'";
  } else {
    std::vector<std::string> known;
    for (const auto& [name, entry] : processes_) known.push_back(name);
    std::sort(known.begin(), known.end());
    if (const std::string close = suggestion(full, known); !close.empty()) message += "; " + close;
  }
  error(head.at, message);
  return nullptr;
}

// Whether an expression in a query names a process, as P or P(1).
bool Elaborator::names_process(const Expr& expr, Context context) const {
  if (!context.query) return false;
  const Expr& head = expr.kind == ExprKind::Call ? *expr.a : expr;
  if (head.kind != ExprKind::Name) return false;
  const Symbol* symbol = context.scope->find(head.name);
  return symbol == nullptr || symbol->kind == SymbolKind::Template || symbol->kind == SymbolKind::Instance;
}

// P.x or P(1).x in a query: a location, or a variable or clock of the process.
Operand Elaborator::process_member(const Expr& expr, Context context) {
  const Process* found = process(*expr.a, context);
  if (found == nullptr) return bad();
  const model::Process& built = system_.process(found->id);
  for (size_t i = 0; i < found->node->locations.size(); ++i) {
    if (found->node->locations[i].name != expr.name) continue;
    const ExprId here = system_.make_binary(Op::Eq, system_.make_var(built.location, expr.at),
                                            system_.make_const(static_cast<int32_t>(i), expr.at), expr.at);
    Operand result = value(here, types_.boolean());
    result.state = true;
    return result;
  }
  const Symbol* symbol = found->scope->own(expr.name);
  if (symbol != nullptr && symbol->kind == SymbolKind::Place) return place_operand(symbol->place);
  if (symbol != nullptr && symbol->kind == SymbolKind::Function) {
    error(expr.at, "'" + std::string(expr.name) + "' is a function of the process; call it with '()'");
    return bad();
  }
  const std::string close = suggestion(expr.name, found->scope->names());
  error(expr.at, "process '" + built.name + "' has no location or variable '" + std::string(expr.name) + "'" +
                     (close.empty() ? "" : "; " + close));
  return bad();
}

ExprId Elaborator::offset(const Place& place, uint32_t IndexTerm::*stride, uint32_t& count, SourceRef at) {
  if (place.terms.size() == 1 && place.terms.front().*stride == 1) {
    count = place.terms.front().count;
    return place.terms.front().index;
  }
  ExprId sum;
  count = 1;
  for (const IndexTerm& term : place.terms) {
    ExprId part = term.index;
    const bool certain = term.lo >= 0 && term.hi < term.count;
    if (!certain) part = system_.make({.op = Op::Index, .count = term.count, .a = part, .at = at});
    const uint32_t width = term.*stride;
    if (width != 1) {
      part = system_.make_binary(Op::Mul, part, system_.make_const(static_cast<int32_t>(width), at), at);
    }
    sum = sum.valid() ? system_.make_binary(Op::Add, sum, part, at) : part;
    count += (term.count - 1) * width;
  }
  return sum;
}

ExprId Elaborator::local(uint32_t slot, SourceRef at) {
  return system_.make({.op = Op::Local, .base = slot, .at = at});
}

ExprId Elaborator::load(const Place& place, SourceRef at) {
  if (place.terms.empty()) {
    switch (place.root) {
      case Root::Global: return system_.make_var(model::VarId(place.data), at);
      case Root::Local: return local(place.data, at);
      case Root::Constant: return system_.make_const(place.constant->values[place.data], at);
    }
  }
  uint32_t count = 0;
  const ExprId by = offset(place, &IndexTerm::data_stride, count, at);
  if (place.root == Root::Local) {
    return system_.make({.op = Op::LoadLocal, .base = place.data, .count = count, .a = by, .at = at});
  }
  uint32_t base = place.data;
  if (place.root == Root::Constant) {
    ConstantData& data = *place.constant;
    if (!data.table.valid()) {
      data.table = model::VarId(system_.variables.size());
      size_t next = 0;
      for_each_leaf(*data.type, data.name, [&](const Type&, const std::string& full) {
        const int32_t v = data.values[next++];
        system_.variables.push_back({full, v, v, v, model::VarKind::Data, data.at});
      });
    }
    base += data.table.value;
  }
  return system_.make({.op = Op::Load, .base = base, .count = count, .a = by, .at = at});
}

ExprId Elaborator::load_part(const Place& place, uint32_t part, const Type& leaf, SourceRef at) {
  Place one = place;
  one.data += part;
  one.type = &leaf;
  return load(one, at);
}

ExprId Elaborator::store_local(uint32_t slot, ExprId stored, SourceRef at) {
  return system_.make({.op = Op::StoreLocal, .base = slot, .b = stored, .at = at});
}

ExprId Elaborator::store(const Place& place, ExprId stored, Context context, SourceRef at) {
  note_write(place, context);
  model::Expr node{
      .op = place.root == Root::Local ? Op::StoreLocal : Op::Store, .base = place.data, .b = stored, .at = at};
  if (!place.terms.empty()) node.a = offset(place, &IndexTerm::data_stride, node.count, at);
  return system_.make(node);
}

ExprId Elaborator::comma(ExprId a, ExprId b, SourceRef at) {
  if (!a.valid()) return b;
  if (!b.valid()) return a;
  return system_.make({.op = Op::Comma, .a = a, .b = b, .at = at});
}

void Elaborator::stabilise(Place& place, Context context, ExprId& prelude, SourceRef at) {
  for (IndexTerm& term : place.terms) {
    if (!term.effect) continue;
    const uint32_t slot = new_slots(1, context);
    prelude = comma(prelude, store_local(slot, term.index, at), at);
    term.index = local(slot, at);
    term.effect = false;
  }
}

// The type of a name with indices and fields, without lowering it; null for anything else.
const Type* Elaborator::type_of_place(const Expr& expr, Context context) {
  switch (expr.kind) {
    case ExprKind::Name: {
      const Symbol* symbol = context.scope->find(expr.name);
      return symbol != nullptr && symbol->kind == SymbolKind::Place ? symbol->place.type : nullptr;
    }
    case ExprKind::Index: {
      const Type* base = type_of_place(*expr.a, context);
      return base != nullptr && base->kind == TypeKind::Array ? base->element : nullptr;
    }
    case ExprKind::Dot: {
      if (const Type* base = type_of_place(*expr.a, context)) {
        for (const Field& field : base->fields) {
          if (field.name == expr.name) return field.type;
        }
        return nullptr;
      }
      if (!context.query) return nullptr;
      const Expr& head = expr.a->kind == ExprKind::Call ? *expr.a->a : *expr.a;
      if (head.kind != ExprKind::Name) return nullptr;
      // All processes of a template have the same kinds of variables.
      const auto found = members_.find(head.name);
      if (found == members_.end()) return nullptr;
      const Symbol* symbol = found->second->own(expr.name);
      return symbol != nullptr && symbol->kind == SymbolKind::Place ? symbol->place.type : nullptr;
    }
    default: return nullptr;
  }
}

}  // namespace harrier::uppaal
