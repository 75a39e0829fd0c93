#include "lang/uppaal/types.h"

#include <cstdint>

namespace harrier::uppaal {

TypeTable::TypeTable() {
  types_.push_back({.kind = TypeKind::Bad});
  types_.push_back({.kind = TypeKind::Void});
  types_.push_back({.kind = TypeKind::Int, .lo = kDefaultLo, .hi = kDefaultHi, .data = 1});
  types_.push_back({.kind = TypeKind::Bool, .lo = 0, .hi = 1, .data = 1});
  types_.push_back({.kind = TypeKind::Clock, .clocks = 1});
  types_.push_back({.kind = TypeKind::Int, .lo = INT32_MIN, .hi = INT32_MAX, .data = 1});
}

const Type* TypeTable::add(Type type) { return &types_.emplace_back(std::move(type)); }

const Type* TypeTable::range(int32_t lo, int32_t hi) {
  return add({.kind = TypeKind::Int, .lo = lo, .hi = hi, .ranged = true, .data = 1});
}

const Type* TypeTable::scalar(int32_t size) {
  return add({.kind = TypeKind::Scalar, .lo = 0, .hi = size - 1, .scalar_set = ++scalar_sets_, .data = 1});
}

const Type* TypeTable::channel(bool urgent, bool broadcast) {
  return add({.kind = TypeKind::Channel, .urgent = urgent, .broadcast = broadcast, .channels = 1});
}

const Type* TypeTable::array(const Type* element, const Type* index) {
  const uint64_t count = static_cast<uint64_t>(int64_t{index->hi} - index->lo + 1);
  const uint64_t largest = std::max({element->data, element->clocks, element->channels, uint32_t{1}});
  if (count * largest > kMaxVariables) return nullptr;
  Type type{.kind = TypeKind::Array};
  type.element = element;
  type.index = index;
  type.count = static_cast<uint32_t>(count);
  type.data = type.count * element->data;
  type.clocks = type.count * element->clocks;
  type.channels = type.count * element->channels;
  return add(std::move(type));
}

const Type* TypeTable::structure(std::vector<Field> fields) {
  Type type{.kind = TypeKind::Struct};
  for (Field& field : fields) {
    field.data = type.data;
    field.clock = type.clocks;
    field.channel = type.channels;
    type.data += field.type->data;
    type.clocks += field.type->clocks;
    type.channels += field.type->channels;
    if (type.data > kMaxVariables || type.clocks > kMaxVariables || type.channels > kMaxVariables) return nullptr;
  }
  type.fields = std::move(fields);
  return add(std::move(type));
}

namespace {

// Walks a type; `visit` says whether a part holds what is looked for.
void walk(const Type& type, const std::string& name, uint32_t Type::*size,
          const std::function<void(const Type&, const std::string&)>& leaf) {
  if (type.*size == 0) return;
  if (type.kind == TypeKind::Array) {
    for (uint32_t i = 0; i < type.count; ++i) {
      walk(*type.element, name + "[" + std::to_string(int64_t{type.index->lo} + i) + "]", size, leaf);
    }
  } else if (type.kind == TypeKind::Struct) {
    for (const Field& field : type.fields) walk(*field.type, name + "." + std::string(field.name), size, leaf);
  } else {
    leaf(type, name);
  }
}

void collect(const Type& type, std::vector<const Type*>& out) {
  if (type.kind == TypeKind::Array) {
    for (uint32_t i = 0; i < type.count && type.data > 0; ++i) collect(*type.element, out);
  } else if (type.kind == TypeKind::Struct) {
    for (const Field& field : type.fields) collect(*field.type, out);
  } else if (type.data > 0) {
    out.push_back(&type);
  }
}

}  // namespace

void for_each_leaf(const Type& type, const std::string& name,
                   const std::function<void(const Type&, const std::string&)>& leaf) {
  walk(type, name, &Type::data, leaf);
}

void for_each_clock(const Type& type, const std::string& name, const std::function<void(const std::string&)>& leaf) {
  walk(type, name, &Type::clocks, [&](const Type&, const std::string& full) { leaf(full); });
}

void for_each_channel(const Type& type, const std::string& name,
                      const std::function<void(const Type&, const std::string&)>& leaf) {
  walk(type, name, &Type::channels, leaf);
}

std::vector<const Type*> leaves(const Type& type) {
  std::vector<const Type*> out;
  collect(type, out);
  return out;
}

bool compatible(const Type& a, const Type& b) {
  if (a.kind == TypeKind::Bad || b.kind == TypeKind::Bad) return true;
  if (a.integral() && b.integral()) return true;
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case TypeKind::Scalar: return a.scalar_set == b.scalar_set;
    case TypeKind::Array:
      return a.count == b.count && a.index->kind == b.index->kind &&
             (a.index->kind != TypeKind::Scalar || a.index->scalar_set == b.index->scalar_set) &&
             compatible(*a.element, *b.element);
    case TypeKind::Struct:
      if (a.fields.size() != b.fields.size()) return false;
      for (size_t i = 0; i < a.fields.size(); ++i) {
        if (a.fields[i].name != b.fields[i].name || !compatible(*a.fields[i].type, *b.fields[i].type)) return false;
      }
      return true;
    default: return true;
  }
}

std::string describe(const Type& type) {
  switch (type.kind) {
    case TypeKind::Bad: return "an unknown type";
    case TypeKind::Void: return "void";
    case TypeKind::Int:
      if (!type.ranged) return "int";
      return "int[" + std::to_string(type.lo) + "," + std::to_string(type.hi) + "]";
    case TypeKind::Bool: return "bool";
    case TypeKind::Scalar: return "scalar[" + std::to_string(int64_t{type.hi} + 1) + "]";
    case TypeKind::Clock: return "clock";
    case TypeKind::Channel:
      return std::string(type.urgent ? "urgent " : "") + (type.broadcast ? "broadcast " : "") + "chan";
    case TypeKind::Array: {
      // The outermost dimension is written first.
      std::string sizes;
      const Type* at = &type;
      for (; at->kind == TypeKind::Array; at = at->element) sizes += "[" + std::to_string(at->count) + "]";
      return describe(*at) + sizes;
    }
    case TypeKind::Struct: {
      constexpr size_t kShown = 3;
      std::string text = "struct {";
      for (size_t i = 0; i < type.fields.size() && i < kShown; ++i) {
        text += " " + describe(*type.fields[i].type) + " " + std::string(type.fields[i].name) + ";";
      }
      return text + (type.fields.size() > kShown ? " ... }" : " }");
    }
  }
  return "";
}

}  // namespace harrier::uppaal
