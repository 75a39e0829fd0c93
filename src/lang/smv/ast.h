// The syntax tree of SMV. Nodes live as long as their `ModelNode`, which owns them in one pool, so that a deep tree is
// no deep recursion when it goes away.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "base/source.h"

namespace harrier::smv {

enum class ExprKind : uint8_t {
  Number,  // value
  Word,    // text: 0ud8_255
  True,
  False,
  Name,    // text; `self` and `running` are names, too
  Member,  // args[0] . text
  Index,   // args[0] [ args[1] ]
  Bits,    // args[0] [ args[1] : args[2] ]
  Not,
  Neg,
  And,  // two or more
  Or,   // two or more
  Xor,
  Xnor,
  Implies,
  Iff,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Shl,
  Shr,
  Concat,
  Union,  // two or more
  In,
  Set,          // { args }
  Range,        // args[0] .. args[1]
  Conditional,  // ? :
  Case,         // condition, value, condition, value, …
  Next,
  Call,  // text ( args )
  Temporal,
};

// Of a Temporal node. The binary ones of CTL are A[p U q] and E[p U q].
enum class Temporal : uint8_t {
  EX,
  AX,
  EF,
  AF,
  EG,
  AG,
  EU,
  AU,  // CTL
  X,
  G,
  F,
  U,
  V,
  Y,
  Z,
  O,
  H,
  S,
  T,  // LTL, the past included
};

struct ExprNode {
  ExprKind kind = ExprKind::Number;
  Temporal temporal = Temporal::EX;
  uint32_t depth = 1;
  int64_t value = 0;
  std::string text = {};
  std::vector<const ExprNode*> args = {};
  SourceRef at = {};
};
using ExprPtr = const ExprNode*;

struct NamedPlace {
  std::string name = {};
  SourceRef at = {};
};

enum class TypeNodeKind : uint8_t { Boolean, Enumeration, Range, Word, Array, Instance };

struct TypeNode {
  TypeNodeKind kind = TypeNodeKind::Boolean;
  bool is_signed = false;          // of a word
  bool process = false;            // of an instance
  std::string module = {};         // of an instance
  std::vector<ExprPtr> args = {};  // values of an enumeration, bounds, the width, or actual parameters
  const TypeNode* element = nullptr;
  SourceRef at = {};
};

enum class VarClass : uint8_t { State, Input, Frozen };

struct VarNode {
  std::string name = {};
  VarClass kind = VarClass::State;
  const TypeNode* type = nullptr;
  SourceRef at = {};
};

struct DefineNode {
  ExprPtr target = nullptr;  // a reference
  ExprPtr value = nullptr;
};

enum class AssignTime : uint8_t { Always, Init, Next };

struct AssignNode {
  AssignTime time = AssignTime::Always;
  ExprPtr target = nullptr;  // a reference
  ExprPtr value = nullptr;
  SourceRef at = {};
};

enum class ConstraintKind : uint8_t { Init, Invar, Trans, Justice, Compassion };

struct ConstraintNode {
  ConstraintKind kind = ConstraintKind::Init;
  ExprPtr formula = nullptr;
  ExprPtr second = nullptr;  // of Compassion
  SourceRef at = {};
};

enum class SpecKind : uint8_t { Invariant, Ctl, Ltl, Other };

struct SpecNode {
  SpecKind kind = SpecKind::Invariant;
  std::string keyword = {};  // SPEC, COMPUTE, …
  std::string name = {};
  std::string text = {};      // as written, blanks normalised
  ExprPtr formula = nullptr;  // null of Other: it was skipped
  SourceRef at = {};
};

struct ModuleNode {
  std::string name = {};
  std::vector<NamedPlace> parameters = {};
  std::vector<NamedPlace> bases = {};  // of ISA
  std::vector<VarNode> variables = {};
  std::vector<DefineNode> defines = {};
  std::vector<NamedPlace> constants = {};
  std::vector<AssignNode> assigns = {};
  std::vector<ConstraintNode> constraints = {};
  std::vector<SpecNode> specs = {};
  SourceRef at = {};
};

struct ModelNode {
  std::vector<ModuleNode> modules = {};
  std::deque<ExprNode> exprs;
  std::deque<TypeNode> types;
};

}  // namespace harrier::smv
