#include "lang/promela/parser.h"

#include <algorithm>

#include "lang/promela/parser_impl.h"

namespace harrier::promela {

namespace {

bool begins_unit(Tok kind) {
  switch (kind) {
    case Tok::KwActive:
    case Tok::KwProctype:
    case Tok::KwDProctype:
    case Tok::KwInit:
    case Tok::KwNever:
    case Tok::KwTrace:
    case Tok::KwNotrace:
    case Tok::KwTypedef:
    case Tok::KwInline:
    case Tok::KwLtl:
    case Tok::End: return true;
    default: return false;
  }
}

bool is_c(Tok kind) { return kind >= Tok::KwCCode && kind <= Tok::KwCTrack; }

}  // namespace

Parsed parse_model(Sources& sources, uint32_t file, const Defines& defines, Diagnostics& diagnostics) {
  Preprocessor preprocessor(sources, file, {}, diagnostics);
  for (const auto& [name, value] : defines) preprocessor.predefine(name, value);
  Parser parser(preprocessor, diagnostics);
  Parsed parsed;
  parsed.model = parser.model();
  auto macros = std::make_shared<Macros>(preprocessor.macros());
  macros->processes = parser.processes();
  parsed.macros = std::move(macros);
  return parsed;
}

ExprPtr parse_expression(Sources& sources, uint32_t file, const Macros& macros, Diagnostics& diagnostics) {
  Preprocessor preprocessor(sources, file, macros, diagnostics);
  return Parser(preprocessor, diagnostics).expression_text();
}

ExprPtr parse_formula(Sources& sources, uint32_t file, const Macros& macros, Diagnostics& diagnostics) {
  Preprocessor preprocessor(sources, file, macros, diagnostics);
  return Parser(preprocessor, diagnostics).formula_text();
}

Parser::Parser(Preprocessor& preprocessor, Diagnostics& diagnostics)
    : preprocessor_(preprocessor),
      diagnostics_(diagnostics),
      stream_(preprocessor),
      processes_(preprocessor.macros().processes) {}

Token Parser::take() {
  Token token = stream_.take();
  ++taken_;
  line_.add(token);
  return token;
}

bool Parser::accept(Tok kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

Token Parser::expect(Tok kind, std::string_view where) {
  if (at(kind)) return take();
  fail_unexpected(describe(kind) + (where.empty() ? "" : " ") + std::string(where));
}

Token Parser::expect_name(std::string_view what) {
  if (at(Tok::Name)) return take();
  fail_unexpected(what);
}

void Parser::report(SourceRef at, std::string message) {
  if (!quiet_ && !preprocessor_.stopped()) diagnostics_.error(at, std::move(message));
}

void Parser::report_unexpected(std::string_view wanted) {
  const Token& found = peek();
  report(found.at,
         found.kind == Tok::Bad ? found.text : "expected " + std::string(wanted) + ", but found " + describe(found));
}

void Parser::fail(SourceRef at, std::string message) {
  report(at, std::move(message));
  throw Failure{};
}

void Parser::fail_unexpected(std::string_view wanted) {
  report_unexpected(wanted);
  throw Failure{};
}

bool Parser::at_sequence_end() {
  return at(Tok::RBrace) || at(Tok::ColonColon) || at(Tok::KwFi) || at(Tok::KwOd) || at(Tok::End);
}

// Stops before the separator or the end of the sequence in which the error was.
void Parser::recover() {
  stream_.forget_parentheses();
  for (size_t depth = 0; !begins_unit(peek().kind); take()) {
    switch (peek().kind) {
      case Tok::LBrace:
      case Tok::KwIf:
      case Tok::KwDo: ++depth; break;
      case Tok::RBrace:
      case Tok::KwFi:
      case Tok::KwOd:
        if (depth == 0) return;
        --depth;
        break;
      case Tok::Semi:
      case Tok::Arrow:
      case Tok::ColonColon:
        if (depth == 0) return;
        break;
      default: break;
    }
  }
  quiet_ = true;
}

// Goes on behind a declaration, or at the next keyword if it was a proctype or the like: how much of it is left is not
// known then.
void Parser::skip_to_unit(bool declaration) {
  stream_.in_sequence(false);
  stream_.forget_parentheses();
  while (!begins_unit(peek().kind) && !(declaration && (at(Tok::Semi) || (at_type() && peek().line_start)))) take();
}

ModelNode Parser::model() {
  while (!at(Tok::End)) {
    quiet_ = false;
    const uint64_t before = taken_;
    const bool declaration = !begins_unit(peek().kind);
    try {
      unit();
    } catch (const Failure&) {
      loops_ = choices_ = 0;
      if (taken_ == before) take();
      skip_to_unit(declaration);
    }
  }
  ltl_formulas();
  return std::move(model_);
}

void Parser::unit() {
  switch (peek().kind) {
    case Tok::Semi:
    case Tok::Arrow: take(); return;
    case Tok::KwActive:
    case Tok::KwProctype:
    case Tok::KwDProctype: return proctype();
    case Tok::KwInit: return init();
    case Tok::KwNever: return never();
    case Tok::KwTrace:
    case Tok::KwNotrace: return trace();
    case Tok::KwTypedef: return structure();
    case Tok::KwInline: return inline_definition();
    case Tok::KwLtl: return ltl();
    default: break;
  }
  if (is_c(peek().kind)) return c_fragment();
  if (!at_declaration()) fail_unexpected("a declaration or a proctype");
  global_declaration();
  if (!at_separator() && !begins_unit(peek().kind) && !is_c(peek().kind) && !at_declaration()) {
    fail_unexpected("';' after the declaration");
  }
}

void Parser::body(ProctypeNode& process) {
  expect(Tok::LBrace, "before the body of " + process.name);
  process.globals = model_.globals.size();
  const auto structured = structured_;
  counters_.clear();
  stream_.in_sequence(true);
  for (process.body = sequence(); at(Tok::ColonColon) || at(Tok::KwFi) || at(Tok::KwOd);) {
    report(peek().at, describe(peek()) + " without an 'if' or 'do' that is open");
    take();
    while (at_separator()) take();
    if (!at_sequence_end()) sequence();
  }
  if (!at(Tok::RBrace)) fail_unexpected("'}' at the end of " + process.name);
  stream_.in_sequence(false);
  process.end = take().at;
  structured_ = structured;
  if (counters_.empty()) return;
  StmtPtr declared = make(StmtKind::Declare, process.at);
  declared->declarations = std::move(counters_);
  process.body.statements.insert(process.body.statements.begin(), std::move(declared));
}

void Parser::proctype() {
  ProctypeNode process;
  if (accept(Tok::KwActive)) {
    process.active = true;
    if (accept(Tok::LBracket)) {
      process.active_count = expression();
      expect(Tok::RBracket, "after the number of processes");
    }
  }
  if (at(Tok::KwDProctype)) {
    process.kind = ProctypeNode::Kind::DProctype;
    take();
  } else {
    expect(Tok::KwProctype, "after 'active'");
  }
  const Token name = expect_name("the name of the proctype");
  process.name = name.text;
  process.at = name.at;
  processes_.insert(name.text);
  expect(Tok::LParen, "before the parameters of " + name.text);
  process.parameters = parameters();
  expect(Tok::RParen, "after the parameters of " + name.text);
  process.priority = optional_priority();
  if (accept(Tok::KwProvided)) {
    expect(Tok::LParen, "after 'provided'");
    process.provided = expression();
    expect(Tok::RParen, "after the condition of 'provided'");
  }
  body(process);
  model_.proctypes.push_back(std::move(process));
}

void Parser::init() {
  ProctypeNode process;
  process.kind = ProctypeNode::Kind::Init;
  process.name = ":init:";
  process.at = take().at;
  process.priority = optional_priority();
  body(process);
  model_.proctypes.push_back(std::move(process));
}

void Parser::never() {
  ProctypeNode process;
  process.kind = ProctypeNode::Kind::Never;
  process.name = ":never:";
  process.at = take().at;
  if (at(Tok::Name)) process.name = take().text;
  body(process);
  model_.proctypes.push_back(std::move(process));
}

void Parser::trace() {
  ProctypeNode process;
  process.kind = at(Tok::KwTrace) ? ProctypeNode::Kind::Trace : ProctypeNode::Kind::NoTrace;
  const Token word = take();
  process.name = ":" + word.text + ":";
  process.at = word.at;
  body(process);
  const bool second = std::any_of(model_.proctypes.begin(), model_.proctypes.end(),
                                  [](const ProctypeNode& p) { return p.kind >= ProctypeNode::Kind::Trace; });
  if (second) fail(word.at, "a second 'trace' or 'notrace'");
  model_.proctypes.push_back(std::move(process));
}

void Parser::structure() {
  StructNode made;
  take();
  const Token name = expect_name("the name of the type after 'typedef'");
  made.name = name.text;
  made.at = name.at;
  expect(Tok::LBrace, "before the fields of " + name.text);
  stream_.in_sequence(true);
  while (!at(Tok::RBrace)) {
    if (!at_declaration()) fail_unexpected("the declaration of a field or '}'");
    for (DeclNode& field : declaration()) made.fields.push_back(std::move(field));
    if (!at(Tok::RBrace)) expect(Tok::Semi, "between the fields of " + name.text);
    while (accept(Tok::Semi)) {
    }
  }
  stream_.in_sequence(false);
  if (made.fields.empty()) fail_unexpected("the declaration of a field");
  take();
  structs_.insert(name.text);
  model_.structs.push_back(std::move(made));
}

void Parser::inline_definition() {
  Inline made;
  take();
  const Token name = expect_name("the name of the inline");
  made.name = name.text;
  made.at = name.at;
  expect(Tok::LParen, "after the name of the inline " + name.text);
  while (!at(Tok::RParen)) {
    made.parameters.push_back(expect_name("the name of a parameter or ')'").text);
    if (!at(Tok::RParen)) expect(Tok::Comma, "between the parameters of " + name.text);
  }
  take();
  made.body.push_back(expect(Tok::LBrace, "before the body of " + name.text));
  for (Token& token : stream_.rest_of_block()) made.body.push_back(std::move(token));
  if (made.body.back().kind != Tok::RBrace) {
    fail(name.at, "the inline " + name.text + " is not closed: '}' is missing");
  }
  if (!inlines_.define(std::move(made))) fail(name.at, "the inline " + name.text + " is defined twice");
}

// Formulas are read at the end of the text, as Spin does it: all proctypes are known then.
void Parser::ltl() {
  Formula formula;
  formula.node.at = take().at;
  formula.node.name = at(Tok::Name) ? take().text : "ltl_" + std::to_string(formulas_.size());
  expect(Tok::LBrace, "before the formula");
  formula.tokens = stream_.rest_of_block();
  formulas_.push_back(std::move(formula));
}

void Parser::ltl_formulas() {
  in_formula_ = true;
  for (Formula& formula : formulas_) {
    quiet_ = false;
    stream_.restart(std::move(formula.tokens));
    line_.clear();
    try {
      formula.node.formula = expression();
      formula.node.source = line_.text();
      while (accept(Tok::Semi)) {
      }
      expect(Tok::RBrace, "after the formula");
      model_.ltl.push_back(std::move(formula.node));
    } catch (const Failure&) {
    }
  }
  in_formula_ = false;
}

void Parser::c_fragment() {
  const Token word = take();
  diagnostics_.unsupported(word.at, "embedded C code ('" + word.text + "')");
  if (word.kind == Tok::KwCState || word.kind == Tok::KwCTrack) {
    while (accept(Tok::String)) {
    }
    return;
  }
  if (accept(Tok::LBracket)) {
    while (!at(Tok::RBracket) && !at(Tok::End)) take();
    accept(Tok::RBracket);
  }
  expect(Tok::LBrace, "after '" + word.text + "'");
  stream_.rest_of_block();
}

ExprPtr Parser::whole(bool formula) {
  in_formula_ = formula;
  free_ = true;
  const size_t reported = diagnostics_.all().size();
  try {
    ExprPtr result = expression();
    if (!at(Tok::End)) fail_unexpected("an operator or the end of the text");
    if (diagnostics_.all().size() == reported && !diagnostics_.full()) return result;
  } catch (const Failure&) {
  }
  return nullptr;
}

ExprPtr Parser::expression_text() { return whole(false); }
ExprPtr Parser::formula_text() { return whole(true); }

}  // namespace harrier::promela
