// The syntax tree of an UPPAAL model, as written: names are not resolved, types not checked.
//
// All nodes live in the arena of one `Ast` and point to each other freely; nothing is freed before the arena. Names
// are views into the texts that the arena keeps.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "lang/uppaal/text_piece.h"
#include "model/expr.h"

namespace harrier::uppaal {

// Deeper trees are refused, so that every later pass may recurse.
inline constexpr uint32_t kMaxDepth = 1000;

// Those that the model has, too. The others are kinds of expressions.
using Operator = model::Op;

enum class ExprKind : uint8_t {
  Number,       // value; `boolean` for true and false
  Name,         // name
  Index,        // a[b]
  Dot,          // a.name
  Call,         // a(items)
  Unary,        // op a
  Plus,         // +a
  Binary,       // a op b
  Imply,        // a imply b
  Xor,          // a xor b
  Assign,       // a = b, or a op= b where `compound`
  Step,         // a++, a--, ++a, --a: by `value`; `prefix`
  Conditional,  // a ? b : c
  Forall,
  Exists,
  Sum,    // quantifier over `name` of `type`: a
  List,   // { items }; each may have a field name in `labels`
  Comma,  // a, b
  Deadlock,
  Rate,  // a'
  Real,  // a floating-point number or string, which no supported construct takes
};

struct TypeNode;

struct Expr {
  ExprKind kind = ExprKind::Number;
  Operator op = Operator::Add;
  bool boolean = false;
  bool compound = false;
  bool prefix = false;
  uint32_t depth = 1;
  int32_t value = 0;
  std::string_view name;
  Expr* a = nullptr;
  Expr* b = nullptr;
  Expr* c = nullptr;
  TypeNode* type = nullptr;
  std::span<Expr*> items;
  std::span<std::string_view> labels;
  SourceRef at;
};

// One `[...]` of a declaration. A lone name may turn out to be a type.
struct Dimension {
  Expr* size = nullptr;
  TypeNode* type = nullptr;
  SourceRef at;
};

struct Declarator {
  TypeNode* type = nullptr;
  std::string_view name;
  std::vector<Dimension> dimensions;
  Expr* init = nullptr;
  bool reference = false;  // parameter with '&'
  bool old_style = false;  // parameter in the old syntax: by reference where the argument allows it
  SourceRef at;
};

enum class BaseType : uint8_t { Int, Bool, Clock, Channel, Scalar, Struct, Void, Named };

struct TypeNode {
  BaseType base = BaseType::Int;
  bool is_const = false;
  bool meta = false;
  bool urgent = false;
  bool broadcast = false;
  bool hybrid = false;
  std::string_view name;  // Named
  Expr* lo = nullptr;     // Int: the range, if given; Scalar: `hi` is the size
  Expr* hi = nullptr;
  std::vector<Declarator> fields;  // Struct
  SourceRef at;
};

enum class StatementKind : uint8_t { Empty, Expr, Block, If, While, DoWhile, For, Iterate, Return };

struct Statement {
  StatementKind kind = StatementKind::Empty;
  Expr* expr = nullptr;   // Expr, Return (may be null); condition of If, While, DoWhile, For (may be null)
  Expr* init = nullptr;   // For
  Expr* step = nullptr;   // For
  std::string_view name;  // Iterate
  TypeNode* type = nullptr;
  Statement* body = nullptr;
  Statement* otherwise = nullptr;
  std::vector<struct Declaration*> declarations;  // Block: before the statements
  std::vector<Statement*> statements;             // Block
  SourceRef at;
};

struct FunctionNode {
  TypeNode* result = nullptr;
  std::string_view name;
  std::vector<Declarator> parameters;
  Statement* body = nullptr;
  SourceRef at;
};

struct SelectNode {
  std::string_view name;
  TypeNode* type = nullptr;
  SourceRef at;
};

struct LocationNode {
  std::string_view name;
  Expr* invariant = nullptr;
  bool urgent = false;
  bool committed = false;
  SourceRef at;
};

// One branch of an edge that passes a branch point.
struct BranchNode {
  Expr* weight = nullptr;
  Expr* update = nullptr;
  SourceRef at;
};

struct EdgeNode {
  uint32_t source = 0;  // a location, or, behind these, a branch point
  uint32_t target = 0;
  std::vector<SelectNode> selects;
  Expr* guard = nullptr;
  Expr* sync = nullptr;  // the channel
  bool send = false;
  Expr* update = nullptr;
  Expr* weight = nullptr;            // of an edge that leaves a branch point
  std::vector<BranchNode> branches;  // that are taken after it, see `branches.h`
  SourceRef at;
};

struct TemplateNode {
  std::string_view name;
  std::vector<Declarator> parameters;
  std::vector<struct Declaration*> declarations;
  std::vector<LocationNode> locations;
  std::vector<std::string_view> branchpoints;
  uint32_t initial = 0;
  std::vector<EdgeNode> edges;
  bool broken = false;  // a part could not be read; it was reported
  SourceRef at;
};

// name(parameters) = of(arguments)
struct InstanceNode {
  std::string_view name;
  std::vector<Declarator> parameters;
  std::string_view of;
  SourceRef of_at;
  std::vector<Expr*> arguments;
  SourceRef at;
};

// An entry of `chan priority` or of the `system` line.
struct PriorityEntry {
  Expr* channel = nullptr;  // null: default, or a process named `name`
  std::string_view name;
  int32_t level = 0;
  SourceRef at;
};

enum class DeclarationKind : uint8_t {
  Variable,
  Typedef,
  Function,
  Template,
  Instance,
  BeforeUpdate,
  AfterUpdate,
  ChannelPriority,
};

struct Declaration {
  DeclarationKind kind = DeclarationKind::Variable;
  Declarator declarator;  // Variable, Typedef
  FunctionNode* function = nullptr;
  TemplateNode* process = nullptr;
  InstanceNode* instance = nullptr;
  Expr* update = nullptr;  // BeforeUpdate, AfterUpdate
  std::vector<PriorityEntry> priorities;
  SourceRef at;
};

struct ModelNode {
  std::vector<Declaration*> declarations;
  std::vector<PriorityEntry> system;
  bool has_system = false;
  size_t before_system = 0;  // declarations
  SourceRef system_at;
  SourceRef end_at;         // where the last text ended
  bool old_syntax = false;  // something was seen that only the old syntax has
  // Whether it was said that these do not matter.
  bool noted_rates = false;
  bool noted_games = false;
  bool noted_weights = false;
};

// Notes about what only other queries than ours look at, once a model.
void note_rates(ModelNode& model, SourceRef at, Diagnostics& diagnostics);
void note_games(ModelNode& model, SourceRef at, Diagnostics& diagnostics);
void note_weights(ModelNode& model, SourceRef at, Diagnostics& diagnostics);

class Ast {
 public:
  TextPiece& add_text(TextPiece piece) { return texts_.emplace_back(std::move(piece)); }

  Expr* expr(ExprKind kind, SourceRef at) {
    Expr& node = exprs_.emplace_back();
    node.kind = kind;
    node.at = at;
    return &node;
  }
  template <class T>
  std::span<T> list(const std::vector<T>& items) {
    if (items.empty()) return {};
    auto& pool = pool_of(static_cast<T*>(nullptr));
    pool.push_back(std::make_unique<T[]>(items.size()));
    std::copy(items.begin(), items.end(), pool.back().get());
    return {pool.back().get(), items.size()};
  }
  TypeNode* type(SourceRef at) {
    TypeNode& node = types_.emplace_back();
    node.at = at;
    return &node;
  }
  Statement* statement(StatementKind kind, SourceRef at) {
    Statement& node = statements_.emplace_back();
    node.kind = kind;
    node.at = at;
    return &node;
  }
  Declaration* declaration(DeclarationKind kind, SourceRef at) {
    Declaration& node = declarations_.emplace_back();
    node.kind = kind;
    node.at = at;
    return &node;
  }
  FunctionNode* function() { return &functions_.emplace_back(); }
  TemplateNode* process() { return &templates_.emplace_back(); }
  InstanceNode* instance() { return &instances_.emplace_back(); }
  // A name that stands in no text, such as the id of an XML location.
  std::string_view keep(std::string name) { return names_.emplace_back(std::move(name)); }

 private:
  std::vector<std::unique_ptr<Expr* []>>& pool_of(Expr**) {
    return expr_lists_;
  } std::vector<std::unique_ptr<std::string_view[]>>& pool_of(std::string_view*) {
    return name_lists_;
  }

  std::deque<TextPiece> texts_;
  std::deque<Expr> exprs_;
  std::deque<TypeNode> types_;
  std::deque<Statement> statements_;
  std::deque<Declaration> declarations_;
  std::deque<FunctionNode> functions_;
  std::deque<TemplateNode> templates_;
  std::deque<InstanceNode> instances_;
  std::deque<std::string> names_;
  std::vector<std::unique_ptr<Expr*[]>> expr_lists_;
  std::vector<std::unique_ptr<std::string_view[]>> name_lists_;
};

}  // namespace harrier::uppaal
