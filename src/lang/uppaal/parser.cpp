// Tokens and recovery; types, declarations, functions and statements.
#include "lang/uppaal/parser.h"

#include <set>

#include "lang/uppaal/parser_nesting.h"

namespace harrier::uppaal {

Parser::Parser(Ast& ast, ModelNode& model, const TextPiece& piece, const Sources& sources, Diagnostics& diagnostics,
               bool query_mode)
    : ast_(ast),
      model_(model),
      piece_(piece),
      diagnostics_(diagnostics),
      lexer_(piece, sources, diagnostics, query_mode),
      query_mode_(query_mode) {}

Token Parser::peek(size_t ahead) {
  while (ahead_.size() <= ahead) {
    Token token = lexer_.next();
    if (token.kind == Tok::NewLine && open_ > 0) continue;
    ahead_.push_back(token);
  }
  return ahead_[ahead];
}

Token Parser::take() {
  const Token token = peek();
  ahead_.erase(ahead_.begin());
  if (!token.text.empty()) last_end_ = token_offset(token) + token.text.size();
  if (token.kind == Tok::LBrace) ++braces_;
  if (token.kind == Tok::RBrace && braces_ > 0) --braces_;
  if (query_mode_) {
    if (token.kind == Tok::LParen || token.kind == Tok::LBracket || token.kind == Tok::LBrace) ++open_;
    if ((token.kind == Tok::RParen || token.kind == Tok::RBracket || token.kind == Tok::RBrace) && open_ > 0) --open_;
  }
  return token;
}

bool Parser::accept(Tok kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

Token Parser::expect(Tok kind, std::string_view where) {
  if (!at(kind))
    fail_unexpected(std::string(describe(kind)) + std::string(where.empty() ? "" : " ") + std::string(where));
  return take();
}

std::string_view Parser::expect_name(std::string_view what, SourceRef* place) {
  if (!at(Tok::Identifier)) fail_unexpected(what);
  const Token token = take();
  if (place != nullptr) *place = token.at;
  return token.text;
}

void Parser::fail(SourceRef at, std::string message) {
  diagnostics_.error(at, std::move(message));
  throw Failure{};
}

void Parser::fail_unexpected(std::string_view wanted) {
  if (at(Tok::Bad)) throw Failure{};  // the lexer has said it
  fail(peek().at, "expected " + std::string(wanted) + ", but found " + describe(peek()));
}

void Parser::refuse(SourceRef at, std::string message) {
  diagnostics_.unsupported(at, std::move(message));
  throw Failure{};
}

void Parser::expect_end() {
  if (!at(Tok::End)) fail(peek().at, describe(peek()) + " is not expected here");
}

void Parser::recover(uint32_t level) {
  open_ = 0;
  for (; !at(Tok::End); take()) {
    if (at(Tok::KwProcess) || at(Tok::KwSystem)) {
      braces_ = level;  // such a word always starts something new
      return;
    }
    if (braces_ > level) continue;
    if (at(Tok::RBrace)) return;
    if (at(Tok::Semicolon)) {
      take();
      return;
    }
  }
}

// ---- types -------------------------------------------------------------------------------------------------------

bool Parser::at_type() {
  switch (peek().kind) {
    case Tok::KwInt:
    case Tok::KwBool:
    case Tok::KwClock:
    case Tok::KwChan:
    case Tok::KwScalar:
    case Tok::KwStruct:
    case Tok::KwVoid:
    case Tok::KwConst:
    case Tok::KwMeta:
    case Tok::KwUrgent:
    case Tok::KwBroadcast:
    case Tok::KwHybrid: return true;
    default: return false;
  }
}

bool Parser::at_declaration() {
  return at_type() || at(Tok::KwTypedef) || (at(Tok::Identifier) && peek(1).kind == Tok::Identifier);
}

TypeNode* Parser::type() {
  Nesting nesting(*this, "type");
  const SourceRef start = peek().at;
  bool is_const = false, meta = false, urgent = false, broadcast = false, hybrid = false;
  for (;;) {
    bool* flag = at(Tok::KwConst)       ? &is_const
                 : at(Tok::KwMeta)      ? &meta
                 : at(Tok::KwUrgent)    ? &urgent
                 : at(Tok::KwBroadcast) ? &broadcast
                 : at(Tok::KwHybrid)    ? &hybrid
                                        : nullptr;
    if (flag == nullptr) break;
    const Token word = take();
    if (*flag) fail(word.at, "repeated " + describe(word));
    *flag = true;
  }
  TypeNode* result = simple_type();
  result->is_const = is_const;
  result->meta = meta;
  result->urgent = urgent;
  result->broadcast = broadcast;
  result->hybrid = hybrid;
  if (is_const || meta || urgent || broadcast || hybrid) result->at = start;
  return result;
}

TypeNode* Parser::simple_type() {
  const Token word = peek();
  TypeNode* result = ast_.type(word.at);
  switch (word.kind) {
    case Tok::KwInt:
      take();
      result->base = BaseType::Int;
      if (accept(Tok::LBracket)) {
        if (!at(Tok::Comma)) result->lo = expression();
        expect(Tok::Comma, "between the bounds of a range");
        if (!at(Tok::RBracket)) result->hi = expression();
        expect(Tok::RBracket, "after the bounds of a range");
        if (result->lo == nullptr || result->hi == nullptr) fail(word.at, "both bounds of a range must be given");
      }
      return result;
    case Tok::KwScalar:
      take();
      result->base = BaseType::Scalar;
      expect(Tok::LBracket, "after 'scalar'");
      result->hi = expression();
      expect(Tok::RBracket, "after the size of a scalar set");
      return result;
    case Tok::KwStruct:
      take();
      result->base = BaseType::Struct;
      expect(Tok::LBrace, "after 'struct'");
      while (!at(Tok::RBrace)) {
        TypeNode* of = type();
        do {
          Declarator field;
          field.type = of;
          field.name = expect_name("the name of a field", &field.at);
          field.dimensions = dimensions();
          result->fields.push_back(std::move(field));
        } while (accept(Tok::Comma));
        expect(Tok::Semicolon, "after a field");
      }
      take();
      if (result->fields.empty()) fail(word.at, "a struct needs at least one field");
      return result;
    case Tok::KwBool: result->base = BaseType::Bool; break;
    case Tok::KwClock: result->base = BaseType::Clock; break;
    case Tok::KwChan: result->base = BaseType::Channel; break;
    case Tok::KwVoid: result->base = BaseType::Void; break;
    case Tok::Identifier:
      result->base = BaseType::Named;
      result->name = word.text;
      break;
    default: fail_unexpected("a type");
  }
  take();
  return result;
}

std::vector<Dimension> Parser::dimensions() {
  std::vector<Dimension> result;
  while (at(Tok::LBracket)) {
    Dimension dimension;
    take();
    dimension.at = peek().at;
    if (at_type()) {
      dimension.type = type();
    } else {
      dimension.size = expression();
    }
    expect(Tok::RBracket, "after the size of an array");
    result.push_back(dimension);
  }
  return result;
}

// ---- declarations ------------------------------------------------------------------------------------------------

void Parser::model_text() {
  while (!at(Tok::End)) {
    try {
      global_declaration();
    } catch (const Failure&) {
      recover(0);
      // A '}' that nothing opened ends a broken process or function.
      accept(Tok::RBrace);
    }
  }
  model_.end_at = peek().at;
}

void Parser::global_declaration() {
  const Token first = peek();
  switch (first.kind) {
    case Tok::KwProcess: return process();
    case Tok::KwSystem: return system_line();
    case Tok::KwBeforeUpdate: return update_block(DeclarationKind::BeforeUpdate);
    case Tok::KwAfterUpdate: return update_block(DeclarationKind::AfterUpdate);
    case Tok::KwChan:
      if (peek(1).text == "priority" && peek(2).kind == Tok::Identifier) return channel_priority();
      break;
    case Tok::Identifier: {
      const std::string_view word = first.text;
      const Tok after = peek(1).kind;
      if ((word == "progress" || word == "gantt") && after == Tok::LBrace) {
        diagnostics_.warning(first.at,
                             "'" + std::string(word) + "' has no influence on the verification; it is ignored");
        take();
        return skip_braces();
      }
      if (word == "query" && after == Tok::LBrace) refuse(first.at, "queries inside a textual model");
      if (word == "dynamic" && after == Tok::Identifier) refuse(first.at, "dynamic templates");
      if (word == "import" && after == Tok::String) refuse(first.at, "external functions ('import')");
      if (word == "IO" && after == Tok::Identifier) refuse(first.at, "input/output declarations ('IO')");
      if (after == Tok::Assign || after == Tok::LParen) return instance();
      break;
    }
    default: break;
  }
  declaration(model_.declarations, true);
}

void Parser::template_declarations(TemplateNode& process) {
  while (!at(Tok::End)) {
    try {
      declaration(process.declarations, true);
    } catch (const Failure&) {
      process.broken = true;
      recover(0);
      // None of these starts or ends anything here.
      if (at(Tok::RBrace) || at(Tok::KwProcess) || at(Tok::KwSystem)) take();
    }
  }
}

bool Parser::at_old_constant() {
  if (!at(Tok::KwConst) || peek(1).kind != Tok::Identifier) return false;
  const Tok after = peek(2).kind;
  return after != Tok::Identifier && after != Tok::Amp;
}

void Parser::declaration(std::vector<Declaration*>& into, bool functions_allowed) {
  if (at(Tok::KwTypedef)) return typedef_declaration(into);
  if (at_old_constant()) return old_constants(into);
  if (at(Tok::Semicolon)) {
    take();  // an empty declaration is harmless
    return;
  }
  if (!at_declaration()) fail_unexpected("a declaration");
  TypeNode* of = type();
  const Token name = peek();
  const bool hook = (name.kind == Tok::KwBeforeUpdate || name.kind == Tok::KwAfterUpdate) && functions_allowed;
  if ((name.kind == Tok::Identifier || hook) && peek(1).kind == Tok::LParen) {
    if (!functions_allowed) fail(name.at, "a function cannot be declared inside another function");
    return function(of, take(), into);
  }
  variables(of, into);
}

void Parser::typedef_declaration(std::vector<Declaration*>& into) {
  take();
  TypeNode* of = type();
  do {
    Declaration* node = ast_.declaration(DeclarationKind::Typedef, peek().at);
    node->declarator.type = of;
    node->declarator.name = expect_name("the name of a type", &node->declarator.at);
    node->declarator.dimensions = dimensions();
    into.push_back(node);
  } while (accept(Tok::Comma));
  expect(Tok::Semicolon, "after the type definition");
}

// Old syntax: const N 5, table[2] { 1, 2 };
void Parser::old_constants(std::vector<Declaration*>& into) {
  TypeNode* of = ast_.type(take().at);
  of->is_const = true;
  model_.old_syntax = true;
  do {
    Declaration* node = ast_.declaration(DeclarationKind::Variable, peek().at);
    node->declarator.type = of;
    node->declarator.name = expect_name("the name of a constant", &node->declarator.at);
    node->declarator.dimensions = dimensions();
    accept(Tok::Assign);
    node->declarator.init = initialiser();
    into.push_back(node);
  } while (accept(Tok::Comma));
  expect(Tok::Semicolon, "after the declaration of constants");
}

void Parser::variables(TypeNode* of, std::vector<Declaration*>& into) {
  do {
    Declaration* node = ast_.declaration(DeclarationKind::Variable, peek().at);
    node->declarator.type = of;
    node->declarator.name = expect_name("the name of a variable", &node->declarator.at);
    node->declarator.dimensions = dimensions();
    if (accept(Tok::Assign)) node->declarator.init = initialiser();
    into.push_back(node);
  } while (accept(Tok::Comma));
  expect(Tok::Semicolon, "after the declaration");
}

Expr* Parser::initialiser() {
  if (!at(Tok::LBrace)) return expression();
  Nesting nesting(*this);
  const SourceRef start = take().at;
  std::vector<Expr*> items;
  std::vector<std::string_view> labels;
  uint32_t deepest = 0;
  do {
    std::string_view label;
    if (at(Tok::Identifier) && peek(1).kind == Tok::Colon) {
      label = take().text;
      take();
    }
    labels.push_back(label);
    items.push_back(initialiser());
    deepest = std::max(deepest, items.back()->depth);
  } while (accept(Tok::Comma));
  expect(Tok::RBrace, "after the list of initial values");
  Expr* list = ast_.expr(ExprKind::List, start);
  list->items = ast_.list(items);
  list->labels = ast_.list(labels);
  list->depth = deepest + 1;
  return list;
}

void Parser::function(TypeNode* result, Token name, std::vector<Declaration*>& into) {
  static const std::set<std::string_view> kHooks = {"__ON_CONSTRUCT__", "__ON_DESTRUCT__", "__ON_BEGIN__",
                                                    "__ON_END__"};
  if (kHooks.contains(name.text)) {
    diagnostics_.unsupported(name.at, "the special function '" + std::string(name.text) + "'");
  }
  FunctionNode* node = ast_.function();
  node->result = result;
  node->name = name.text;
  node->at = name.at;
  take();
  node->parameters = parameters(Tok::RParen);
  expect(Tok::RParen, "after the parameters");
  if (!at(Tok::LBrace)) fail_unexpected("the body of the function, '{',");
  node->body = block();
  Declaration* declared = ast_.declaration(DeclarationKind::Function, name.at);
  declared->function = node;
  into.push_back(declared);
  if (name.kind != Tok::Identifier) {
    // `void before_update() { ... }` is called around every transition, like the block of that name.
    Expr* callee = ast_.expr(ExprKind::Name, name.at);
    callee->name = name.text;
    const bool before = name.kind == Tok::KwBeforeUpdate;
    Declaration* hook =
        ast_.declaration(before ? DeclarationKind::BeforeUpdate : DeclarationKind::AfterUpdate, name.at);
    Expr* call = ast_.expr(ExprKind::Call, name.at);
    call->a = callee;
    call->depth = 2;
    hook->update = call;
    into.push_back(hook);
  }
}

std::vector<Declarator> Parser::template_parameters() {
  try {
    std::vector<Declarator> result = parameters(Tok::End);
    expect_end();
    return result;
  } catch (const Failure&) {
    return {};
  }
}

// New: type [&] name, ...   Old: type name, name; const name, name
std::vector<Declarator> Parser::parameters(Tok end) {
  std::vector<Declarator> result;
  if (at(end)) return result;
  bool separated_by_semicolon = false;
  TypeNode* of = nullptr;
  for (;;) {
    Declarator parameter;
    const bool continues =
        of != nullptr && at(Tok::Identifier) && peek(1).kind != Tok::Identifier && peek(1).kind != Tok::Amp;
    if (!continues) {
      if (at_old_constant()) {
        of = ast_.type(take().at);
        of->is_const = true;
        model_.old_syntax = true;
      } else {
        of = type();
      }
    }
    parameter.type = of;
    parameter.reference = accept(Tok::Amp);
    parameter.name = expect_name("the name of a parameter", &parameter.at);
    parameter.dimensions = dimensions();
    result.push_back(std::move(parameter));
    if (accept(Tok::Semicolon)) {
      separated_by_semicolon = true;
      of = nullptr;
      if (at(end)) break;
    } else if (!accept(Tok::Comma)) {
      break;
    }
  }
  if (separated_by_semicolon) model_.old_syntax = true;
  for (Declarator& parameter : result) parameter.old_style = separated_by_semicolon;
  return result;
}

void Parser::update_block(DeclarationKind kind) {
  Declaration* node = ast_.declaration(kind, take().at);
  expect(Tok::LBrace, "");
  while (!at(Tok::RBrace)) {
    Expr* part = expression_list();
    node->update = node->update == nullptr ? part : this->node(ExprKind::Comma, part->at, node->update, part);
    if (!accept(Tok::Semicolon)) break;
  }
  expect(Tok::RBrace, "after the updates");
  if (node->update != nullptr) model_.declarations.push_back(node);
}

void Parser::channel_priority() {
  Declaration* node = ast_.declaration(DeclarationKind::ChannelPriority, take().at);
  take();
  int32_t level = 0;
  for (;;) {
    PriorityEntry entry;
    entry.level = level;
    entry.at = peek().at;
    if (at(Tok::Identifier) && peek().text == "default") {
      take();
    } else {
      if (!at(Tok::Identifier)) fail_unexpected("a channel or 'default'");
      entry.channel = postfix();
    }
    node->priorities.push_back(entry);
    if (accept(Tok::Lt)) {
      ++level;
    } else if (!accept(Tok::Comma)) {
      break;
    }
  }
  expect(Tok::Semicolon, "after the channel priorities");
  model_.declarations.push_back(node);
}

// name = template(arguments);   name(parameters) = template(arguments);
void Parser::instance() {
  InstanceNode* node = ast_.instance();
  node->name = expect_name("the name of a process", &node->at);
  if (accept(Tok::LParen)) {
    node->parameters = parameters(Tok::RParen);
    expect(Tok::RParen, "after the parameters");
  }
  expect(Tok::Assign, "in the definition of a process");
  node->of = expect_name("the name of a template", &node->of_at);
  expect(Tok::LParen, "after the name of the template");
  while (!at(Tok::RParen)) {
    node->arguments.push_back(expression());
    if (!accept(Tok::Comma)) break;
  }
  expect(Tok::RParen, "after the arguments");
  expect(Tok::Semicolon, "after the definition of a process");
  Declaration* declared = ast_.declaration(DeclarationKind::Instance, node->at);
  declared->instance = node;
  model_.declarations.push_back(declared);
}

// ---- statements --------------------------------------------------------------------------------------------------

Statement* Parser::block() {
  Nesting nesting(*this, "statement");
  Statement* result = ast_.statement(StatementKind::Block, expect(Tok::LBrace, "").at);
  const uint32_t level = braces_;
  while (!at(Tok::RBrace)) {
    if (at(Tok::End)) fail(result->at, "this block is not closed: '}' is missing");
    try {
      if (at_declaration()) {
        if (!result->statements.empty()) {
          fail(peek().at, "a declaration must stand before the statements of its block");
        }
        declaration(result->declarations, false);
      } else {
        result->statements.push_back(statement());
      }
    } catch (const Failure&) {
      if (diagnostics_.full()) throw;
      recover(level);
      if (at(Tok::End) || at(Tok::KwProcess) || at(Tok::KwSystem)) throw;
    }
  }
  take();
  return result;
}

Statement* Parser::statement() {
  Nesting nesting(*this, "statement");
  const Token first = peek();
  switch (first.kind) {
    case Tok::LBrace: return block();
    case Tok::Semicolon: take(); return ast_.statement(StatementKind::Empty, first.at);
    case Tok::KwFor: return for_statement();
    case Tok::KwWhile: {
      Statement* result = ast_.statement(StatementKind::While, take().at);
      expect(Tok::LParen, "after 'while'");
      result->expr = expression_list();
      expect(Tok::RParen, "after the condition");
      result->body = statement();
      return result;
    }
    case Tok::KwDo: {
      Statement* result = ast_.statement(StatementKind::DoWhile, take().at);
      result->body = statement();
      expect(Tok::KwWhile, "after the body of 'do'");
      expect(Tok::LParen, "after 'while'");
      result->expr = expression_list();
      expect(Tok::RParen, "after the condition");
      expect(Tok::Semicolon, "after 'do ... while (...)'");
      return result;
    }
    case Tok::KwIf: {
      Statement* result = ast_.statement(StatementKind::If, take().at);
      expect(Tok::LParen, "after 'if'");
      result->expr = expression_list();
      expect(Tok::RParen, "after the condition");
      result->body = statement();
      if (accept(Tok::KwElse)) result->otherwise = statement();
      return result;
    }
    case Tok::KwReturn: {
      Statement* result = ast_.statement(StatementKind::Return, take().at);
      if (!at(Tok::Semicolon)) result->expr = expression();
      expect(Tok::Semicolon, "after 'return'");
      return result;
    }
    default: {
      // Not reserved words: the old syntax has them as names.
      const Tok after = peek(1).kind;
      const bool alone = (first.text == "break" || first.text == "continue") && after == Tok::Semicolon;
      const bool called = (first.text == "switch" || first.text == "assert") && after == Tok::LParen;
      if (alone || called) refuse(first.at, "the statement " + describe(first));
      Statement* result = ast_.statement(StatementKind::Expr, first.at);
      result->expr = expression_list();
      expect(Tok::Semicolon, "after the statement");
      return result;
    }
  }
}

Statement* Parser::for_statement() {
  const SourceRef start = take().at;
  expect(Tok::LParen, "after 'for'");
  if (at(Tok::Identifier) && peek(1).kind == Tok::Colon) {
    Statement* result = ast_.statement(StatementKind::Iterate, start);
    result->name = take().text;
    take();
    result->type = type();
    expect(Tok::RParen, "after the range of 'for'");
    result->body = statement();
    return result;
  }
  Statement* result = ast_.statement(StatementKind::For, start);
  if (!at(Tok::Semicolon)) result->init = expression_list();
  expect(Tok::Semicolon, "in 'for'");
  if (!at(Tok::Semicolon)) result->expr = expression_list();
  expect(Tok::Semicolon, "in 'for'");
  if (!at(Tok::RParen)) result->step = expression_list();
  expect(Tok::RParen, "after 'for'");
  result->body = statement();
  return result;
}

}  // namespace harrier::uppaal
