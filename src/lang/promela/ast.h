// The syntax tree of Promela, as the parser makes it and the elaborator reads it.
//
// Macros and inlines are expanded, `for`, `select`, `++` and `--` are written out as Spin does it:
//     for (i : a .. b) { s }     i = a; do :: i <= b -> s; i++ :: else -> break od
//     for (i in array) { s }     the same from 0 to the length - 1
//     for (m in channel) { s }   t = 0; do :: t < len(channel) -> channel?m; channel!m; s; t++ :: else -> break od
//                                where m is a structure and t a new local variable
//     select (i : a .. b)        i = a; do :: i < b -> i++ :: break od
//                                or, from one number to another: if :: i = a … :: i = b fi
// Everything else stands as in the text. Names are not resolved.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/source.h"
#include "model/expr.h"

namespace harrier::promela {

struct ExprNode;
struct StmtNode;
using ExprPtr = std::unique_ptr<ExprNode>;
using StmtPtr = std::unique_ptr<StmtNode>;

enum class ExprKind : uint8_t {
  Number,       // value (true, false, skip and character constants are numbers, too)
  Ref,          // parts: a[i].b.c[j]; also `_pid`, `_nr_pr`, `_last` and names of mtype constants
  Unary,        // op, a
  Binary,       // op, a, b
  Conditional,  // (a -> b : c)
  Run,          // run parts[0].name(arguments); `a` is the priority, if there is one
  Len,          // len(channel), the others likewise; `channel` is in a
  Full,
  Empty,
  Nfull,
  Nempty,
  Poll,         // a ? [arguments] (random: a ?? [arguments])
  Timeout,      // timeout
  NonProgress,  // np_
  Enabled,      // enabled(a)
  PcValue,      // pc_value(a)
  GetPriority,  // get_priority(a)
  SetPriority,  // set_priority(a, b)
  RemoteLabel,  // parts[0].name[a] @ parts[1].name; `a` may be missing
  RemoteRef,    // parts[0].name[a] : parts[1 …]; `a` may be missing
  Eval,         // eval(a), only as an argument of a receive
  Temporal,     // temporal, a, b; only in ltl formulas: [] <> X and -> <-> U W V
  LastIndex,    // the largest index of the array a (a Ref without an index), from `for (i in array)`
};

using Op = model::Op;

// Operators of ltl formulas besides ! && ||.
enum class Temporal : uint8_t {
  Implies,
  Equivalent,
  Always,
  Eventually,
  Next,
  Until,
  WeakUntil,
  Release,
};

// One step of a reference: name, and the index if it is one into an array.
struct RefPart {
  std::string name;
  ExprPtr index;
  SourceRef at;
};

struct ExprNode {
  ExprKind kind = ExprKind::Number;
  Op op = Op::Add;
  Temporal temporal = Temporal::Always;
  int64_t value = 0;
  bool random = false;
  std::vector<RefPart> parts;
  ExprPtr a, b, c;
  std::vector<ExprPtr> arguments;
  uint32_t height = 1;  // of the tree, limited by the parser
  SourceRef at;
};

enum class BaseType : uint8_t { Bit, Byte, Short, Int, Unsigned, Mtype, Chan, Pid, Struct };

// chan x = [capacity] of { fields }
struct ChannelInit {
  ExprPtr capacity;
  struct Field {
    BaseType type = BaseType::Int;
    uint32_t bits = 0;        // of Unsigned
    std::string struct_name;  // of Struct
    std::string mtype_name;   // of Mtype with a subtype, else empty
    SourceRef at;
  };
  std::vector<Field> fields;
  SourceRef at;
};

enum class Visibility : uint8_t { Plain, Hidden, Show, Local };

// One declared name; `byte a = 1, b[3]` gives two.
struct DeclNode {
  BaseType type = BaseType::Int;
  uint32_t bits = 0;        // of Unsigned
  std::string struct_name;  // of Struct
  std::string mtype_name;   // of Mtype with a subtype (mtype:fruit), else empty
  Visibility visibility = Visibility::Plain;
  std::string name;
  ExprPtr array_size;                    // null: a scalar
  ExprPtr init;                          // null: 0
  std::vector<ExprPtr> init_list;        // array initialiser { 1, 2, 3 }
  std::unique_ptr<ChannelInit> channel;  // of Chan with an initialiser [n] of { … }
  SourceRef at;
};

enum class StmtKind : uint8_t {
  Expr,  // expr; executable if it is not 0
  Else,
  Assign,     // target = expr; increment: written as ++ or --
  Send,       // channel ! arguments (sorted: !!)
  Receive,    // channel ? arguments (random: ??; keep: the message stays, ?<…>)
  Assert,     // expr
  Print,      // printf(text, arguments) or printm(arguments[0])
  Declare,    // declarations, in place
  Exclusive,  // xr / xs: promises about channels, no step
  If,         // options
  Do,
  Atomic,  // body
  DStep,
  Block,   // { body }
  Unless,  // body is the main sequence, escape the other one
  Goto,    // label
  Break,
};

struct Sequence {
  std::vector<StmtPtr> statements;
};

struct Label {
  std::string name;
  SourceRef at;
};

struct StmtNode {
  StmtKind kind = StmtKind::Expr;
  std::vector<Label> labels;  // in front of it
  ExprPtr expr;
  ExprPtr target;  // a Ref; of Send and Receive: the channel
  bool sorted = false, random = false, keep = false;
  bool spliced = false;  // of Block: only a scope, the body of a `for`
  bool bare = false;     // of Unless: no braces around the body
  std::vector<ExprPtr> arguments;
  std::string text;  // of Print: the format; of Goto: the label
  std::vector<DeclNode> declarations;
  std::vector<Sequence> options;  // of If and Do
  Sequence body;
  Sequence escape;
  std::string source;  // the statement as text on one line, for traces: `q!one(nr)`
  SourceRef at;
};

struct ProctypeNode {
  enum class Kind : uint8_t { Proctype, DProctype, Init, Never, Trace, NoTrace };
  Kind kind = Kind::Proctype;
  std::string name;  // ":init:", ":never:" as Spin calls them
  bool active = false;
  ExprPtr active_count;  // active [n]; null: 1
  std::vector<DeclNode> parameters;
  ExprPtr priority;
  ExprPtr provided;
  Sequence body;
  size_t globals = SIZE_MAX;  // so many are declared above it
  SourceRef at, end;          // end: the closing brace
};

struct StructNode {
  std::string name;
  std::vector<DeclNode> fields;
  SourceRef at;
};

struct LtlNode {
  std::string name;
  ExprPtr formula;
  std::string source;
  SourceRef at;
};

struct MtypeNode {
  std::string subtype;  // mtype:subtype, else empty
  std::vector<Label> names;
};

// A whole model. The order of declarations matters for numbering only: processes, variables.
struct ModelNode {
  std::vector<MtypeNode> mtypes;
  std::vector<StructNode> structs;
  std::vector<DeclNode> globals;
  std::vector<ProctypeNode> proctypes;  // init and never claims among them, in the order of the text
  std::vector<LtlNode> ltl;
};

}  // namespace harrier::promela
