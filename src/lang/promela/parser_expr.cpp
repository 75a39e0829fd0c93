// Expressions and ltl formulas. Precedence as in Spin's grammar, from loose to tight: -> <->, ||, &&, U W V, |, ^, &,
// equality, order, shifts, + -, * / %, unary with [] <> X; all of them group to the left.
#include <algorithm>
#include <limits>

#include "lang/promela/parser_impl.h"
#include "model/operators.h"

namespace harrier::promela {

namespace {

constexpr uint32_t kMaxHeight = 2000;

std::vector<ExprPtr> clone_all(const std::vector<ExprPtr>& from) {
  std::vector<ExprPtr> all;
  for (const ExprPtr& one : from) all.push_back(clone(*one));
  return all;
}

}  // namespace

ExprPtr clone(const ExprNode& node) {
  const auto maybe = [](const ExprPtr& from) { return from ? clone(*from) : nullptr; };
  auto made = std::make_unique<ExprNode>();
  made->kind = node.kind;
  made->op = node.op;
  made->temporal = node.temporal;
  made->value = node.value;
  made->random = node.random;
  for (const RefPart& part : node.parts) made->parts.push_back({part.name, maybe(part.index), part.at});
  made->a = maybe(node.a);
  made->b = maybe(node.b);
  made->c = maybe(node.c);
  made->arguments = clone_all(node.arguments);
  made->height = node.height;
  made->at = node.at;
  return made;
}

ExprPtr Parser::node(ExprKind kind, SourceRef at, ExprPtr a, ExprPtr b, ExprPtr c) {
  auto made = std::make_unique<ExprNode>();
  made->kind = kind;
  made->at = at;
  for (const ExprPtr* child : {&a, &b, &c}) {
    if (*child) made->height = std::max(made->height, (*child)->height + 1);
  }
  if (made->height > kMaxHeight) fail(at, "this expression is too long");
  made->a = std::move(a);
  made->b = std::move(b);
  made->c = std::move(c);
  return made;
}

ExprPtr Parser::expression() { return binary(1); }

std::vector<ExprPtr> Parser::expressions(Tok end) {
  std::vector<ExprPtr> all;
  if (at(end)) return all;
  do {
    all.push_back(expression());
  } while (accept(Tok::Comma));
  return all;
}

Parser::BinaryOperator Parser::binary_operator() {
  const Token& next = peek();
  if (in_formula_) {
    const auto is = [&](std::string_view word) { return next.kind == Tok::Name && next.text == word; };
    if (next.kind == Tok::Arrow || is("implies")) return {1, {}, Temporal::Implies};
    if (next.kind == Tok::Lt && peek(1).kind == Tok::Arrow) return {1, {}, Temporal::Equivalent, 2};
    if (is("equivalent")) return {1, {}, Temporal::Equivalent};
    if (next.kind == Tok::Vee) return {2, Op::Or};
    if (next.kind == Tok::Wedge) return {3, Op::And};
    if (is("U") || is("until") || is("stronguntil")) return {4, {}, Temporal::Until};
    if (is("W") || is("weakuntil")) return {4, {}, Temporal::WeakUntil};
    if (is("V") || is("release")) return {4, {}, Temporal::Release};
  }
  switch (next.kind) {
    case Tok::OrOr: return {2, Op::Or};
    case Tok::AndAnd: return {3, Op::And};
    case Tok::Pipe: return {5, Op::BitOr};
    case Tok::Caret: return {6, Op::BitXor};
    case Tok::Amp: return {7, Op::BitAnd};
    case Tok::Eq: return {8, Op::Eq};
    case Tok::Ne: return {8, Op::Ne};
    case Tok::Lt: return {9, Op::Lt};
    case Tok::Le: return {9, Op::Le};
    case Tok::Gt: return {9, Op::Gt};
    case Tok::Ge: return {9, Op::Ge};
    case Tok::Shl: return {10, Op::Shl};
    case Tok::Shr: return {10, Op::Shr};
    case Tok::Plus: return {11, Op::Add};
    case Tok::Minus: return {11, Op::Sub};
    case Tok::Star: return {12, Op::Mul};
    case Tok::Slash: return {12, Op::Div};
    case Tok::Percent: return {12, Op::Mod};
    default: return {};
  }
}

// `[] x == 1` is `([] x) == 1` by the grammar, which nobody means.
void Parser::operators_fit(const ExprNode& made) {
  if (made.kind == ExprKind::Temporal || made.op == Op::Not || model::is_connective(made.op)) return;
  for (const ExprPtr* child : {&made.a, &made.b}) {
    if (*child && (*child)->kind == ExprKind::Temporal) {
      fail((*child)->at, "a temporal operator binds tighter than this one: put its operand into parentheses");
    }
  }
}

ExprPtr Parser::binary(int level) {
  ExprPtr left = unary();
  for (BinaryOperator next = binary_operator(); next.level >= level; next = binary_operator()) {
    const SourceRef place = peek().at;
    for (size_t i = 0; i < next.tokens; ++i) take();
    ExprPtr right = binary(next.level + 1);
    left = node(next.temporal ? ExprKind::Temporal : ExprKind::Binary, place, std::move(left), std::move(right));
    left->op = next.op;
    left->temporal = next.temporal.value_or(Temporal::Always);
    operators_fit(*left);
  }
  return left;
}

std::optional<std::pair<Temporal, size_t>> Parser::temporal_prefix() {
  if (!in_formula_) return {};
  const Token& next = peek();
  if (next.kind == Tok::LBracket && peek(1).kind == Tok::RBracket) return {{Temporal::Always, 2}};
  if (next.kind == Tok::Lt && peek(1).kind == Tok::Gt) return {{Temporal::Eventually, 2}};
  if (next.kind != Tok::Name) return {};
  if (next.text == "always") return {{Temporal::Always, 1}};
  if (next.text == "eventually") return {{Temporal::Eventually, 1}};
  if (next.text == "X" || next.text == "next") return {{Temporal::Next, 1}};
  return {};
}

ExprPtr Parser::unary() {
  Nesting nesting(*this, "expression is");
  const SourceRef place = peek().at;
  if (const auto prefix = temporal_prefix()) {
    for (size_t i = 0; i < prefix->second; ++i) take();
    ExprPtr made = node(ExprKind::Temporal, place, unary());
    made->temporal = prefix->first;
    return made;
  }
  const Tok kind = peek().kind;
  if (kind != Tok::Minus && kind != Tok::Tilde && kind != Tok::Exclaim) return primary();
  take();
  if (kind == Tok::Minus && at(Tok::Number) && peek().value == int64_t{1} << 31) {
    take();
    ExprPtr smallest = node(ExprKind::Number, place);
    smallest->value = std::numeric_limits<int32_t>::min();
    return smallest;
  }
  ExprPtr made = node(ExprKind::Unary, place, unary());
  made->op = kind == Tok::Minus ? Op::Neg : kind == Tok::Tilde ? Op::BitNot : Op::Not;
  operators_fit(*made);
  return made;
}

ExprPtr Parser::constant(const Token& number) {
  if (number.value > std::numeric_limits<int32_t>::max()) {
    fail(number.at, "the number " + describe(number) + " is too large: it must fit into 32 bits");
  }
  ExprPtr made = node(ExprKind::Number, number.at);
  made->value = number.value;
  return made;
}

ExprPtr Parser::parenthesised() {
  const SourceRef place = take().at;
  ExprPtr inner = expression();
  if (!in_formula_ && accept(Tok::Arrow)) {
    ++choices_;
    ExprPtr yes = expression();
    --choices_;
    expect(Tok::Colon, "in a conditional expression");
    ExprPtr no = expression();
    inner = node(ExprKind::Conditional, place, std::move(inner), std::move(yes), std::move(no));
  }
  expect(Tok::RParen, "or an operator");
  return inner;
}

// len(q), full(q), enabled(e), … with one argument; set_priority with two.
ExprPtr Parser::call(ExprKind kind) {
  const Token word = take();
  expect(Tok::LParen, "after '" + word.text + "'");
  const bool channel = kind >= ExprKind::Len && kind <= ExprKind::Nempty;
  ExprPtr a = channel ? variable() : expression();
  ExprPtr b;
  if (kind == ExprKind::SetPriority) {
    expect(Tok::Comma, "between the arguments of 'set_priority'");
    b = expression();
  }
  expect(Tok::RParen, "after the argument of '" + word.text + "'");
  return node(kind, word.at, std::move(a), std::move(b));
}

ExprPtr Parser::run() {
  const SourceRef place = take().at;
  const Token name = expect_name("the name of a proctype after 'run'");
  expect(Tok::LParen, "before the arguments of " + name.text);
  std::vector<ExprPtr> arguments = expressions(Tok::RParen);
  expect(Tok::RParen, "after the arguments of " + name.text);
  ExprPtr made = node(ExprKind::Run, place, optional_priority());
  made->parts.push_back({name.text, nullptr, name.at});
  made->arguments = std::move(arguments);
  return made;
}

ExprPtr Parser::primary() {
  const Token first = peek();
  switch (first.kind) {
    case Tok::Number: return constant(take());
    case Tok::LParen: return parenthesised();
    case Tok::Name: return name_expression();
    case Tok::KwRun: return run();
    case Tok::KwLen: return call(ExprKind::Len);
    case Tok::KwFull: return call(ExprKind::Full);
    case Tok::KwEmpty: return call(ExprKind::Empty);
    case Tok::KwNfull: return call(ExprKind::Nfull);
    case Tok::KwNempty: return call(ExprKind::Nempty);
    case Tok::KwEnabled: return call(ExprKind::Enabled);
    case Tok::KwPcValue: return call(ExprKind::PcValue);
    case Tok::KwGetPriority: return call(ExprKind::GetPriority);
    case Tok::KwSetPriority: return call(ExprKind::SetPriority);
    case Tok::KwTimeout: take(); return node(ExprKind::Timeout, first.at);
    case Tok::KwNonProgress: take(); return node(ExprKind::NonProgress, first.at);
    case Tok::KwCExpr: {
      c_fragment();
      return node(ExprKind::Number, first.at);
    }
    case Tok::KwEval: fail(first.at, "'eval' is for the arguments of a receive");
    case Tok::KwElse: fail(first.at, "'else' is a statement of its own, not a part of an expression");
    case Tok::SortedSend: fail(first.at, "'!!' is the sorted send; write '! !' for two negations");
    default: fail_unexpected("an expression");
  }
}

RefPart Parser::part(std::string_view what) {
  const Token name = expect_name(what);
  RefPart made{name.text, nullptr, name.at};
  if (at(Tok::LBracket) && !(in_formula_ && peek(1).kind == Tok::RBracket)) {
    take();
    made.index = expression();
    expect(Tok::RBracket, "after the index of " + name.text);
  }
  return made;
}

void Parser::more_parts(ExprNode& made) {
  while (accept(Tok::Dot)) {
    made.parts.push_back(part("the name of a field after '.'"));
    if (made.parts.back().index) made.height = std::max(made.height, made.parts.back().index->height + 1);
  }
}

ExprPtr Parser::variable() {
  const SourceRef place = peek().at;
  ExprPtr made = node(ExprKind::Ref, place);
  made->parts.push_back(part("the name of a variable"));
  if (made->parts[0].index) made->height = made->parts[0].index->height + 1;
  more_parts(*made);
  return made;
}

// A variable, a remote reference or a poll of a channel.
ExprPtr Parser::name_expression() {
  ExprPtr made = variable();
  const RefPart& first = made->parts[0];
  const bool process = made->parts.size() == 1 && (processes_.count(first.name) != 0 || (free_ && choices_ == 0));
  if (made->parts.size() == 1 && at(Tok::At)) {
    take();
    made->kind = ExprKind::RemoteLabel;
    made->a = std::move(made->parts[0].index);
    const Token label = expect_name("a label after '@'");
    made->parts.push_back({label.text, nullptr, label.at});
  } else if (process && at(Tok::Colon)) {
    take();
    made->kind = ExprKind::RemoteRef;
    made->a = std::move(made->parts[0].index);
    made->parts.push_back(part("the name of a variable after ':'"));
    more_parts(*made);
  } else if ((at(Tok::Question) || at(Tok::RandomReceive)) && peek(1).kind == Tok::LBracket) {
    return poll(std::move(made));
  }
  return made;
}

ExprPtr Parser::poll(ExprPtr channel) {
  const Token op = take();
  take();
  ExprPtr made = node(ExprKind::Poll, op.at, std::move(channel));
  made->random = op.kind == Tok::RandomReceive;
  receive_arguments(made->arguments);
  expect(Tok::RBracket, "after the fields of the message");
  return made;
}

}  // namespace harrier::promela
