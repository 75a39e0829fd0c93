// Types of Promela and how variables of them are laid out.
//
// Every variable becomes a row of *leaves*: integers, or arrays of integers. A structure has a leaf a field, and an
// array of structures has one array a field, so that an access with a computed index touches the elements of one field
// only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lang/promela/ast.h"
#include "model/system.h"

namespace harrier::promela {

struct Scalar {
  BaseType base = BaseType::Int;
  uint32_t bits = 0;   // of Unsigned
  uint32_t names = 0;  // of its values: 0, or 1 + index into Types::value_names()

  int32_t lo() const;
  int32_t hi() const;
};

// The value as a variable of the type holds it: what does not fit is cut off, as in C.
model::ExprId truncated(model::System& system, const Scalar& type, model::ExprId value);
int32_t truncated(const Scalar& type, int64_t value);

struct Leaf {
  std::vector<std::string> path;          // names of fields, from the outside in; empty for a plain variable
  std::vector<uint32_t> lengths;          // of the arrays on the way, from the outside in
  std::vector<bool> indexed;              // for the variable and each field of the path: whether it is an array
  const DeclNode* declaration = nullptr;  // of the innermost field
  Scalar type;
  uint32_t offset = 0;  // of its first element
  uint32_t count = 1;   // elements
};

struct Layout {
  std::vector<Leaf> leaves;
  uint32_t size = 0;
};

class Types {
 public:
  Types(const ModelNode& model, Diagnostics& diagnostics);

  // Reports what is wrong with a declaration, and lays out what is left.
  Layout layout(const DeclNode& declaration) const;
  std::vector<Scalar> fields(const ChannelInit& channel) const;

  // The value of an expression over numbers and mtype constants; reports an error if it is none.
  int64_t constant(const ExprNode& expr, const char* what) const;
  bool fold(const ExprNode& expr, int64_t& value) const;
  // The value of the name of a message type.
  const int32_t* mtype(const std::string& name) const;
  // Tables of names by value. The first is for channels, and empty; then one a subtype of mtype.
  static constexpr uint32_t kChannelNames = 0;
  const std::vector<std::vector<std::string>>& value_names() const { return value_names_; }

 private:
  Scalar scalar(BaseType base, uint32_t bits, const std::string& subtype) const;
  void append(const DeclNode& declaration, Leaf leaf, Layout& out) const;

  Diagnostics& diagnostics_;
  std::map<std::string, int32_t> mtypes_;
  std::map<std::string, uint32_t> subtypes_;  // to indices of value_names_
  std::vector<std::vector<std::string>> value_names_ = std::vector<std::vector<std::string>>(kChannelNames + 1);
  std::map<std::string, const StructNode*> structs_;
};

}  // namespace harrier::promela
