#include "lang/promela/types.h"

#include "model/operators.h"

namespace harrier::promela {

using model::ExprId;

namespace {

constexpr int64_t kLargestArray = 1 << 20;
constexpr int64_t kMostElements = 1 << 22;

}  // namespace

int32_t Scalar::lo() const {
  switch (base) {
    case BaseType::Short: return INT16_MIN;
    case BaseType::Int: return INT32_MIN;
    default: return 0;
  }
}

int32_t Scalar::hi() const {
  switch (base) {
    case BaseType::Bit: return 1;
    case BaseType::Short: return INT16_MAX;
    case BaseType::Int: return INT32_MAX;
    case BaseType::Unsigned: return static_cast<int32_t>((uint32_t{1} << bits) - 1);
    default: return UINT8_MAX;
  }
}

int32_t truncated(const Scalar& type, int64_t value) {
  switch (type.base) {
    case BaseType::Short: return static_cast<int16_t>(value);
    case BaseType::Int: return static_cast<int32_t>(value);
    default: return static_cast<int32_t>(value & type.hi());
  }
}

ExprId truncated(model::System& system, const Scalar& type, ExprId value) {
  if (type.base == BaseType::Int) return value;
  const SourceRef at = system.expr(value).at;
  if (const auto constant = system.constant(value)) return system.make_const(truncated(type, *constant), at);
  const model::Expr& e = system.expr(value);
  if (e.op == model::Op::Var || e.op == model::Op::Load) {
    const model::Variable& v = system.variables[e.base];
    if (v.lo >= type.lo() && v.hi <= type.hi()) return value;
  }
  if (model::is_truth(e.op)) return value;
  if (type.base == BaseType::Short) {
    const ExprId low = system.make_binary(model::Op::BitAnd, value, system.make_const(UINT16_MAX, at), at);
    const ExprId shifted = system.make_binary(model::Op::BitXor, low, system.make_const(1 << 15, at), at);
    return system.make_binary(model::Op::Sub, shifted, system.make_const(1 << 15, at), at);
  }
  return system.make_binary(model::Op::BitAnd, value, system.make_const(type.hi(), at), at);
}

Types::Types(const ModelNode& model, Diagnostics& diagnostics) : diagnostics_(diagnostics) {
  // The last name of the first declaration is 1, the one before it 2; later declarations go on above. Each subtype
  // counts for itself.
  for (const MtypeNode& m : model.mtypes) {
    const auto [table, fresh] = subtypes_.emplace(m.subtype, value_names_.size());
    if (fresh) value_names_.push_back({""});
    std::vector<std::string>& names = value_names_[table->second];
    const auto count = static_cast<int32_t>(names.size()) - 1;
    const auto size = static_cast<int32_t>(m.names.size());
    for (int32_t i = 0; i < size; ++i) {
      const Label& name = m.names[static_cast<size_t>(i)];
      if (!mtypes_.emplace(name.name, count + size - i).second) {
        diagnostics_.error(name.at, "the message type '" + name.name + "' is declared twice");
      }
    }
    for (auto name = m.names.rbegin(); name != m.names.rend(); ++name) names.push_back(name->name);
    if (count + size > UINT8_MAX && size > 0) diagnostics_.error(m.names[0].at, "more than 255 message types");
  }
  for (const StructNode& s : model.structs) {
    if (!structs_.emplace(s.name, &s).second) diagnostics_.error(s.at, "the type '" + s.name + "' is declared twice");
  }
}

const int32_t* Types::mtype(const std::string& name) const {
  const auto at = mtypes_.find(name);
  return at == mtypes_.end() ? nullptr : &at->second;
}

Scalar Types::scalar(BaseType base, uint32_t bits, const std::string& subtype) const {
  Scalar out{base, bits};
  const auto table = subtypes_.find(subtype);
  if (base == BaseType::Chan) out.names = kChannelNames + 1;
  if (base == BaseType::Mtype && table != subtypes_.end()) out.names = table->second + 1;
  return out;
}

bool Types::fold(const ExprNode& e, int64_t& value) const {
  int64_t a = 0, b = 0;
  switch (e.kind) {
    case ExprKind::Number: value = e.value; return true;
    case ExprKind::Ref: {
      const int32_t* constant = e.parts.size() == 1 && !e.parts[0].index ? mtype(e.parts[0].name) : nullptr;
      if (constant) value = *constant;
      return constant != nullptr;
    }
    case ExprKind::Unary:
      if (!fold(*e.a, a)) return false;
      value = e.op == Op::Neg ? -a : e.op == Op::Not ? a == 0 : ~a;
      return true;
    case ExprKind::Binary: {
      if (!fold(*e.a, a) || !fold(*e.b, b)) return false;
      switch (e.op) {
        case Op::Add: value = a + b; break;
        case Op::Sub: value = a - b; break;
        case Op::Mul: value = a * b; break;
        case Op::Div:
        case Op::Mod:
          if (b == 0) return false;
          value = e.op == Op::Div ? a / b : a % b;
          break;
        case Op::Shl:
        case Op::Shr:
          if (b < 0 || b > 31) return false;
          value = e.op == Op::Shl ? static_cast<int32_t>(static_cast<uint32_t>(a) << b) : static_cast<int32_t>(a) >> b;
          break;
        case Op::BitAnd: value = a & b; break;
        case Op::BitOr: value = a | b; break;
        case Op::BitXor: value = a ^ b; break;
        case Op::Lt: value = a < b; break;
        case Op::Le: value = a <= b; break;
        case Op::Gt: value = a > b; break;
        case Op::Ge: value = a >= b; break;
        case Op::Eq: value = a == b; break;
        case Op::Ne: value = a != b; break;
        case Op::And: value = a != 0 && b != 0; break;
        case Op::Or: value = a != 0 || b != 0; break;
        default: return false;
      }
      return value >= INT32_MIN && value <= INT32_MAX;
    }
    case ExprKind::Conditional: return fold(*e.a, a) && fold(a != 0 ? *e.b : *e.c, value);
    default: return false;
  }
}

int64_t Types::constant(const ExprNode& expr, const char* what) const {
  int64_t value = 1;
  if (!fold(expr, value)) diagnostics_.error(expr.at, std::string(what) + " has to be a constant");
  return value;
}

Layout Types::layout(const DeclNode& declaration) const {
  Layout out;
  append(declaration, {}, out);
  return out;
}

void Types::append(const DeclNode& declaration, Leaf leaf, Layout& out) const {
  leaf.indexed.push_back(declaration.array_size != nullptr);
  if (declaration.array_size) {
    const int64_t length = constant(*declaration.array_size, "the size of an array");
    if (length < 1 || length > kLargestArray) {
      diagnostics_.error(declaration.array_size->at, "the size of an array has to be between 1 and 1048576");
      return;
    }
    leaf.lengths.push_back(static_cast<uint32_t>(length));
    leaf.count *= static_cast<uint32_t>(length);
    if (leaf.count > kMostElements) {
      diagnostics_.error(declaration.at, "'" + declaration.name + "' is too large");
      return;
    }
  }
  if (declaration.type == BaseType::Struct) {
    const auto type = structs_.find(declaration.struct_name);
    if (type == structs_.end()) {
      diagnostics_.error(declaration.at, "there is no type '" + declaration.struct_name + "'");
      return;
    }
    for (const DeclNode& field : type->second->fields) {
      Leaf inner = leaf;
      inner.path.push_back(field.name);
      append(field, std::move(inner), out);
      if (diagnostics_.has_errors()) return;
    }
    return;
  }
  if (declaration.bits == 32) diagnostics_.unsupported(declaration.at, "an unsigned variable of 32 bits");
  leaf.declaration = &declaration;
  leaf.type = scalar(declaration.type, declaration.bits, declaration.mtype_name);
  leaf.offset = out.size;
  out.size += leaf.count;
  if (out.size > kMostElements) {
    diagnostics_.error(declaration.at, "'" + declaration.name + "' is too large");
    return;
  }
  out.leaves.push_back(std::move(leaf));
}

std::vector<Scalar> Types::fields(const ChannelInit& channel) const {
  std::vector<Scalar> out;
  for (const ChannelInit::Field& field : channel.fields) {
    if (field.type != BaseType::Struct) {
      out.push_back(scalar(field.type, field.bits, field.mtype_name));
      continue;
    }
    DeclNode whole;
    whole.type = BaseType::Struct;
    whole.struct_name = field.struct_name;
    whole.name = field.struct_name;
    whole.at = field.at;
    for (const Leaf& leaf : layout(whole).leaves) out.insert(out.end(), leaf.count, leaf.type);
  }
  // Spin keeps a bit that is the only field in a byte.
  if (out.size() == 1 && out[0].base == BaseType::Bit) out[0].base = BaseType::Byte;
  return out;
}

}  // namespace harrier::promela
