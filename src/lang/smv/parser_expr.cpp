// Expressions, by the precedence of their operators, and temporal formulas. From weak to strong:
//
//    1  ->  (to the right)     5  &                       9  in          13  + -
//    2  <->                    6  U V S T                10  union       14  * / mod
//    3  ? :                    7  G F X, AG EF, …        11  ..          15  ::
//    4  | xor xnor             8  = != < <= > >=         12  << >>       16  ! - (prefix), [ ], .
#include <algorithm>

#include "lang/smv/parser_impl.h"

namespace harrier::smv {

namespace {

constexpr uint32_t kMaxDepth = 1000;  // of a tree: others walk it recursively

struct TemporalWord {
  std::string_view text;
  Temporal op;
  bool ctl;
};
constexpr TemporalWord kPrefixes[] = {
    {"EX", Temporal::EX, true}, {"AX", Temporal::AX, true}, {"EF", Temporal::EF, true}, {"AF", Temporal::AF, true},
    {"EG", Temporal::EG, true}, {"AG", Temporal::AG, true}, {"X", Temporal::X, false},  {"G", Temporal::G, false},
    {"F", Temporal::F, false},  {"Y", Temporal::Y, false},  {"Z", Temporal::Z, false},  {"O", Temporal::O, false},
    {"H", Temporal::H, false},
};
constexpr TemporalWord kInfixes[] = {
    {"U", Temporal::U, false}, {"V", Temporal::V, false}, {"S", Temporal::S, false}, {"T", Temporal::T, false}};

// Formulas that count steps, and other things that start like a formula.
constexpr std::string_view kBounded[] = {"EBF", "ABF", "EBG", "ABG"};

constexpr std::string_view kFunctions[] = {"bool",  "word1", "toint", "unsigned", "signed",  "extend",  "resize",
                                           "count", "abs",   "min",   "max",      "uwconst", "swconst", "sizeof"};
constexpr std::string_view kRefusedFunctions[] = {"floor", "typeof", "READ", "WRITE", "CONSTARRAY", "pi", "exp"};

template <class Table>
bool has(const Table& table, std::string_view word) {
  return std::find(std::begin(table), std::end(table), word) != std::end(table);
}

}  // namespace

void Parser::deepen(ExprNode* node, ExprPtr arg) {
  node->depth = std::max(node->depth, arg->depth + 1);
  if (node->depth > kMaxDepth) fail(node->at, "expression nested too deeply");
}

ExprNode* Parser::make(ExprKind kind, SourceRef at, std::vector<ExprPtr> args, std::string text) {
  ExprNode& node = model_->exprs.emplace_back();
  node.kind = kind;
  node.at = at;
  node.text = std::move(text);
  for (const ExprPtr arg : args) deepen(&node, arg);
  node.args = std::move(args);
  return &node;
}

Parser::Operator Parser::binary_operator() {
  using enum ExprKind;
  switch (peek().kind) {
    case Tok::Implies: return {Implies, 1};
    case Tok::Iff: return {Iff, 2};
    case Tok::Question: return {Conditional, 3};
    case Tok::Or: return {Or, 4};
    case Tok::And: return {And, 5};
    case Tok::Eq: return {Eq, 8};
    case Tok::Ne: return {Ne, 8};
    case Tok::Lt: return {Lt, 8};
    case Tok::Le: return {Le, 8};
    case Tok::Gt: return {Gt, 8};
    case Tok::Ge: return {Ge, 8};
    case Tok::DotDot: return {Range, 11};
    case Tok::Shl: return {Shl, 12};
    case Tok::Shr: return {Shr, 12};
    case Tok::Plus: return {Add, 13};
    case Tok::Minus: return {Sub, 13};
    case Tok::Star: return {Mul, 14};
    case Tok::Slash: return {Div, 14};
    case Tok::ColonColon: return {Concat, 15};
    case Tok::Name: break;
    default: return {};
  }
  const std::string_view word = peek().text;
  if (word == "xor") return {Xor, 4};
  if (word == "xnor") return {Xnor, 4};
  if (word == "in") return {In, 9};
  if (word == "union") return {Union, 10};
  if (word == "mod") return {Mod, 14};
  if (logic_ == Logic::Ltl) {
    for (const TemporalWord& infix : kInfixes) {
      if (infix.text == word) return {ExprKind::Temporal, 6, infix.op};
    }
  }
  return {};
}

ExprNode* Parser::climb(int lowest) {
  const Nesting nesting(*this);
  ExprNode* left = prefix();
  ExprNode* chain = nullptr;  // a node that takes more operands
  for (;;) {
    const Operator op = binary_operator();
    if (op.level == 0 || op.level < lowest) return left;
    const SourceRef at = take().at;
    if (op.kind == ExprKind::Conditional) {
      const ExprPtr then = expression();
      expect(Tok::Colon, "in a conditional expression");
      left = make(op.kind, at, {left, then, climb(3)});
      continue;
    }
    const ExprPtr right = climb(op.kind == ExprKind::Implies ? op.level : op.level + 1);
    if (left == chain && left->kind == op.kind) {
      deepen(left, right);
      left->args.push_back(right);
      continue;
    }
    left = make(op.kind, at, {left, right});
    left->temporal = op.temporal;
    const bool takes_more = op.kind == ExprKind::And || op.kind == ExprKind::Or || op.kind == ExprKind::Union;
    chain = takes_more ? left : nullptr;
  }
}

ExprNode* Parser::prefix() {
  if (logic_ != Logic::None) {
    if (ExprNode* node = temporal_prefix()) return node;
  }
  if (!at(Tok::Not) && !at(Tok::Minus)) return postfix(primary());
  const Nesting nesting(*this);
  const Token sign = take();
  return make(sign.kind == Tok::Not ? ExprKind::Not : ExprKind::Neg, sign.at, {prefix()});
}

// Null: no temporal operator stands here.
ExprNode* Parser::temporal_prefix() {
  if (!at(Tok::Name)) return nullptr;
  const Token word = peek();
  if (has(kBounded, word.text)) throw Refused{"a formula that counts steps", word.at};
  if (logic_ == Logic::Ctl && (word.text == "A" || word.text == "E") && peek(1).kind == Tok::LBracket) {
    take();
    return until(word.text == "A" ? Temporal::AU : Temporal::EU);
  }
  for (const TemporalWord& op : kPrefixes) {
    if (op.text != word.text || op.ctl != (logic_ == Logic::Ctl)) continue;
    const Nesting nesting(*this);
    take();
    if (logic_ == Logic::Ltl && at(Tok::LBracket)) throw Refused{"a formula that counts steps", word.at};
    ExprNode* node = make(ExprKind::Temporal, word.at, {climb(8)});
    node->temporal = op.op;
    return node;
  }
  return nullptr;
}

// A [p U q]
ExprNode* Parser::until(Temporal op) {
  const SourceRef at = take().at;
  const ExprPtr left = expression();
  if (at_word("BU")) throw Refused{"a formula that counts steps", peek().at};
  if (!accept_word("U")) fail_unexpected("'U'");
  const ExprPtr right = expression();
  expect(Tok::RBracket, "after the formula");
  ExprNode* node = make(ExprKind::Temporal, at, {left, right});
  node->temporal = op;
  return node;
}

ExprNode* Parser::postfix(ExprNode* node) {
  for (;;) {
    if (at(Tok::Dot)) {
      take();
      const Token name = at(Tok::Number) || at_word("running") ? take() : expect_name("a name after '.'");
      node = make(ExprKind::Member, name.at, {node}, std::string(name.text));
    } else if (at(Tok::LBracket)) {
      const SourceRef place = take().at;
      const ExprPtr first = expression();
      if (accept(Tok::Colon)) {
        node = make(ExprKind::Bits, place, {node, first, expression()});
      } else {
        node = make(ExprKind::Index, place, {node, first});
      }
      expect(Tok::RBracket, "after an index");
    } else {
      return node;
    }
  }
}

std::vector<ExprPtr> Parser::expressions(Tok end, std::string_view where) {
  std::vector<ExprPtr> out;
  if (!at(end)) {
    do {
      out.push_back(expression());
    } while (accept(Tok::Comma));
  }
  expect(end, where);
  return out;
}

ExprPtr Parser::reference(std::string_view what) {
  const Token name = at_word("self") ? take() : expect_name(what);
  return postfix(make(ExprKind::Name, name.at, {}, std::string(name.text)));
}

ExprNode* Parser::primary() {
  const Token token = peek();
  switch (token.kind) {
    case Tok::Number: {
      take();
      ExprNode* node = make(ExprKind::Number, token.at);
      node->value = token.value;
      return node;
    }
    case Tok::Word: take(); return make(ExprKind::Word, token.at, {}, std::string(token.text));
    case Tok::Real: diagnostics_.unsupported(token.at, "the real number " + describe(token)); throw Failure();
    case Tok::At: diagnostics_.unsupported(token.at, "the operator '@'"); throw Failure();
    case Tok::LParen: {
      take();
      ExprNode* inner = climb(1);
      expect(Tok::RParen, "after an expression");
      return inner;
    }
    case Tok::LBrace: {
      take();
      auto values = expressions(Tok::RBrace, "after the values of a set");
      if (values.empty()) fail(token.at, "a set needs a value");
      return make(ExprKind::Set, token.at, std::move(values));
    }
    case Tok::Name: return word_primary();
    default: fail_unexpected("an expression");
  }
}

ExprNode* Parser::word_primary() {
  const Token token = peek();
  const std::string_view word = token.text;
  if (word == "TRUE" || word == "FALSE") {
    take();
    return make(word == "TRUE" ? ExprKind::True : ExprKind::False, token.at);
  }
  if (word == "case") return case_expression();
  if (word == "self" || word == "running") {
    take();
    return make(ExprKind::Name, token.at, {}, std::string(word));
  }
  if (word == "next" && peek(1).kind == Tok::LParen) {
    take();
    take();
    const ExprPtr inner = expression();
    expect(Tok::RParen, "after 'next'");
    return make(ExprKind::Next, token.at, {inner});
  }
  if (peek(1).kind == Tok::LParen) {
    if (has(kRefusedFunctions, word)) {
      diagnostics_.unsupported(token.at, "the function '" + std::string(word) + "'");
      throw Failure();
    }
    if (!has(kFunctions, word)) fail(token.at, "'" + std::string(word) + "' is no function");
    take();
    take();
    return make(ExprKind::Call, token.at, expressions(Tok::RParen, "after the arguments"), std::string(word));
  }
  const Token name = expect_name("an expression");
  return make(ExprKind::Name, name.at, {}, std::string(name.text));
}

ExprNode* Parser::case_expression() {
  const Logic logic = logic_;
  logic_ = Logic::None;
  const SourceRef at = take().at;
  std::vector<ExprPtr> args;
  while (!at_word("esac")) {
    args.push_back(expression());
    expect(Tok::Colon, "after a condition of a case");
    args.push_back(expression());
    expect(Tok::Semi, "after a value of a case");
  }
  take();
  logic_ = logic;
  if (args.empty()) fail(at, "this case has no branches");
  return make(ExprKind::Case, at, std::move(args));
}

}  // namespace harrier::smv
