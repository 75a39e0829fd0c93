// Bodies of functions.
#include "lang/uppaal/elaborator.h"

namespace harrier::uppaal {

StmtId Elaborator::as_block(const std::vector<StmtId>& statements, SourceRef at) {
  return statements.size() == 1 ? statements.front() : system_.make_block(statements, at);
}

ExprId Elaborator::condition(const Expr& expr, Context context) {
  const Operand operand = integer(expr, context);
  return operand.kind == OperandKind::Bad ? system_.make_const(0, expr.at) : operand.expr;
}

void Elaborator::statement(const Statement& node, Context context, std::vector<StmtId>& out) {
  if (depth_ >= kMaxRecursion) return error(node.at, "statements and function calls nested too deeply");
  ++depth_;
  lower_statement(node, context, out);
  --depth_;
}

void Elaborator::lower_statement(const Statement& node, Context context, std::vector<StmtId>& out) {
  switch (node.kind) {
    case StatementKind::Empty: return;
    case StatementKind::Expr: return update(*node.expr, context, out);
    case StatementKind::Block: return block(node, {&new_scope(context.scope), context.frame}, out);
    case StatementKind::If: {
      model::Stmt result{.kind = model::StmtKind::If, .expr = condition(*node.expr, context), .at = node.at};
      std::vector<StmtId> then, otherwise;
      statement(*node.body, context, then);
      if (node.otherwise != nullptr) statement(*node.otherwise, context, otherwise);
      result.a = as_block(then, node.at);
      if (!otherwise.empty()) result.b = as_block(otherwise, node.at);
      out.push_back(system_.make_stmt(result));
      return;
    }
    case StatementKind::Iterate: return iterate(node, context, out);
    case StatementKind::While:
    case StatementKind::DoWhile:
    case StatementKind::For: return loop(node, context, out);
    case StatementKind::Return: return return_statement(node, context, out);
  }
}

// The scope is the block's own; the outermost block of a function shares it with the parameters.
void Elaborator::block(const Statement& node, Context inside, std::vector<StmtId>& out) {
  for (const Declaration* declared : node.declarations) {
    if (declared->kind == DeclarationKind::Variable) {
      local_variable(declared->declarator, inside, out);
    } else {
      declaration(*declared, *inside.scope, "");
    }
  }
  for (const Statement* part : node.statements) {
    if (failed()) return;
    statement(*part, inside, out);
  }
}

void Elaborator::local_variable(const Declarator& node, Context context, std::vector<StmtId>& out) {
  Symbol symbol{.kind = SymbolKind::Place, .at = node.at};
  const Type* type = resolve(node, context);
  if (type->kind == TypeKind::Void || type->clocks > 0 || type->channels > 0) {
    error(node.at, "a variable of a function cannot be of type " + describe(*type));
    type = types_.bad();
  }
  symbol.place.type = type;
  symbol.place.root = Root::Local;
  if (type->kind == TypeKind::Bad) return declare(*context.scope, node.name, symbol);
  if (node.type->is_const && node.init == nullptr) {
    error(node.at, "the constant '" + std::string(node.name) + "' needs a value");
  }
  std::optional<std::vector<Operand>> given;
  if (node.init != nullptr) {
    given = initial_parts(*type, *node.init, context);
    if (!given) {
      symbol.place.type = types_.bad();
      return declare(*context.scope, node.name, symbol);
    }
    bool known = node.type->is_const;
    for (const Operand& part : *given) known = known && is_constant(part, context);
    if (known) {
      if (auto values = constant_parts(*type, *node.init, context)) {
        symbol.place = make_constant(*type, std::string(node.name), std::move(*values), node.at);
        return declare(*context.scope, node.name, symbol);
      }
    }
  }
  symbol.place.block = symbol.place.data = new_slots(type->data, context);
  symbol.place.block_type = type;
  symbol.place.writable = !node.type->is_const;
  const auto leaf_types = leaves(*type);
  const auto defaults = given ? std::vector<int32_t>() : default_parts(*type);
  for (uint32_t i = 0; i < leaf_types.size(); ++i) {
    ExprId initial;
    if (given) {
      initial = convert((*given)[i], *leaf_types[i], true, node.init->at);
    } else if (defaults[i] != 0 || context.frame->in_loop) {
      // A slot starts as 0 by itself, but only once.
      initial = system_.make_const(defaults[i], node.at);
    } else {
      continue;
    }
    out.push_back(system_.make_expr_stmt(store_local(symbol.place.data + i, initial, node.at), node.at));
  }
  declare(*context.scope, node.name, symbol);
}

namespace {

// Marks that statements are lowered that may run more than once.
class LoopScope {
 public:
  explicit LoopScope(Frame& frame) : frame_(frame), saved_(frame.in_loop) { frame_.in_loop = true; }
  ~LoopScope() { frame_.in_loop = saved_; }
  LoopScope(const LoopScope&) = delete;
  LoopScope& operator=(const LoopScope&) = delete;

 private:
  Frame& frame_;
  bool saved_;
};

}  // namespace

// for (i : T) body
void Elaborator::iterate(const Statement& node, Context context, std::vector<StmtId>& out) {
  const Type* type = resolve(*node.type, context);
  if (type->kind != TypeKind::Bad && !type->enumerable()) {
    error(node.type->at, "a bounded integer or scalar type is expected here, not " + describe(*type));
    type = types_.bad();
  }
  NameScope& scope = new_scope(context.scope);
  Symbol symbol{.kind = SymbolKind::Place, .at = node.at};
  symbol.place.root = Root::Local;
  symbol.place.type = type;
  symbol.place.writable = false;
  const uint32_t slot = new_slots(1, context);
  symbol.place.data = symbol.place.block = slot;
  symbol.place.block_type = type;
  scope.declare(node.name, symbol);
  Context inside = context;
  inside.scope = &scope;
  LoopScope in_loop(*context.frame);
  std::vector<StmtId> body;
  statement(*node.body, inside, body);
  if (type->kind == TypeKind::Bad) return;
  const auto number = [&](int32_t n) { return system_.make_const(n, node.at); };
  out.push_back(system_.make_expr_stmt(store_local(slot, number(type->lo), node.at), node.at));
  const ExprId next = system_.make_binary(Op::Add, local(slot, node.at), number(1), node.at);
  body.push_back(system_.make_expr_stmt(store_local(slot, next, node.at), node.at));
  model::Stmt result{.kind = model::StmtKind::While, .at = node.at};
  result.expr = system_.make_binary(Op::Le, local(slot, node.at), number(type->hi), node.at);
  result.a = as_block(body, node.at);
  out.push_back(system_.make_stmt(result));
}

void Elaborator::loop(const Statement& node, Context context, std::vector<StmtId>& out) {
  if (node.init != nullptr) update(*node.init, context, out);
  LoopScope in_loop(*context.frame);
  model::Stmt result{.kind = model::StmtKind::While, .at = node.at};
  result.expr = node.expr != nullptr ? condition(*node.expr, context) : system_.make_const(1, node.at);
  std::vector<StmtId> body;
  if (node.kind == StatementKind::DoWhile) {
    // The first round runs without a look at the condition: a flag remembers that it is the first.
    const uint32_t first = new_slots(1, context);
    out.push_back(system_.make_expr_stmt(store_local(first, system_.make_const(1, node.at), node.at), node.at));
    result.expr = system_.make_binary(Op::Or, local(first, node.at), result.expr, node.at);
    body.push_back(system_.make_expr_stmt(store_local(first, system_.make_const(0, node.at), node.at), node.at));
  }
  statement(*node.body, context, body);
  if (node.step != nullptr) update(*node.step, context, body);
  result.a = as_block(body, node.at);
  out.push_back(system_.make_stmt(result));
}

void Elaborator::return_statement(const Statement& node, Context context, std::vector<StmtId>& out) {
  Frame& frame = *context.frame;
  const bool returns_value = frame.result->kind != TypeKind::Void;
  if (node.expr == nullptr) {
    if (returns_value) error(node.at, "the function must return a value of type " + describe(*frame.result));
    return finish_outputs(frame, out, node.at);
  }
  if (!returns_value) return error(node.expr->at, "a void function returns no value");
  Operand operand = lower(*node.expr, context);
  if (operand.kind == OperandKind::Bad) return;
  if (operand.kind == OperandKind::Void || operand.kind == OperandKind::Clock ||
      !compatible(*frame.result, *operand.type)) {
    return error(node.expr->at, "the function returns " + describe(*frame.result) + ", not " + describe(*operand.type));
  }
  std::vector<ExprId> values;
  if (frame.result->aggregate()) {
    values = parts(operand, node.at);
  } else {
    operand = to_scalar(std::move(operand), node.expr->at);
    if (operand.kind == OperandKind::Bad) return;
    values = {convert(operand, *frame.result, true, node.at)};
  }
  if (frame.outputs.empty() && values.size() == 1) {
    out.push_back(system_.make_stmt({.kind = model::StmtKind::Return, .expr = values.front(), .at = node.at}));
    return;
  }
  // Everything is computed before anything is handed over.
  const uint32_t first = new_slots(static_cast<uint32_t>(values.size()), context);
  for (uint32_t i = 0; i < values.size(); ++i) {
    out.push_back(system_.make_expr_stmt(store_local(first + i, values[i], node.at), node.at));
  }
  frame.returned = first;
  finish_outputs(frame, out, node.at);
}

// Leaves the function with the output that this variant of it is made for.
void Elaborator::finish_outputs(Frame& frame, std::vector<StmtId>& out, SourceRef at) {
  const uint32_t result_parts = frame.result->data;
  const auto slot_of = [&](uint32_t output) {
    return output < result_parts ? frame.returned + output : frame.outputs[output - result_parts];
  };
  for (uint32_t i = 0; i < frame.transfer.size(); ++i) {
    const ExprId stored =
        system_.make({.op = Op::Store, .base = frame.transfer[i].value, .b = local(slot_of(i), at), .at = at});
    out.push_back(system_.make_expr_stmt(stored, at));
  }
  model::Stmt leave{.kind = model::StmtKind::Return, .at = at};
  if (frame.transfer.empty() && result_parts + frame.outputs.size() > frame.output) {
    leave.expr = local(slot_of(frame.output), at);
  }
  out.push_back(system_.make_stmt(leave));
}

}  // namespace harrier::uppaal
