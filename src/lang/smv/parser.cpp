#include "lang/smv/parser.h"

#include <algorithm>
#include <iterator>

#include "lang/smv/parser_impl.h"

namespace harrier::smv {

namespace {

constexpr std::string_view kSections[] = {
    "MODULE",  "VAR",      "IVAR",    "FROZENVAR",  "DEFINE", "CONSTANTS",  "ASSIGN",   "INIT",      "INVAR",
    "TRANS",   "FAIRNESS", "JUSTICE", "COMPASSION", "SPEC",   "CTLSPEC",    "LTLSPEC",  "INVARSPEC", "PSLSPEC",
    "COMPUTE", "ISA",      "PRED",    "MIRROR",     "GOTO",   "CONSTRAINT", "PARSYNTH", "FUN",
};

// Words that no variable can be called, because they mean something wherever they stand.
constexpr std::string_view kReserved[] = {"case", "esac",    "mod",  "union",   "in",    "xor", "xnor",
                                          "TRUE", "FALSE",   "next", "process", "array", "of",  "boolean",
                                          "self", "running", "init", "integer", "real",  "word"};

template <size_t N>
bool has(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace

std::shared_ptr<const ModelNode> parse(const Sources& sources, uint32_t file, Diagnostics& diagnostics) {
  return Parser(sources, file, diagnostics).model();
}

std::shared_ptr<const ModelNode> parse_condition(const Sources& sources, uint32_t file, Diagnostics& diagnostics) {
  return Parser(sources, file, diagnostics).condition();
}

const Token& Parser::peek(size_t ahead) {
  while (ahead_.size() <= ahead) ahead_.push_back(lexer_.next());
  return ahead_[ahead];
}

Token Parser::take() {
  diagnostics_.poll();
  Token token = peek();
  ahead_.pop_front();
  end_of_last_ = token.begin + token.text.size();
  return token;
}

bool Parser::at_section() { return at(Tok::End) || (at(Tok::Name) && has(kSections, peek().text)); }

bool Parser::accept(Tok kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  take();
  return true;
}

Token Parser::expect(Tok kind, std::string_view where) {
  if (!at(kind)) fail_unexpected(describe(kind) + " " + std::string(where));
  return take();
}

Token Parser::expect_name(std::string_view what) {
  if (!at(Tok::Name) || has(kReserved, peek().text) || has(kSections, peek().text)) fail_unexpected(what);
  return take();
}

void Parser::fail(SourceRef at, std::string message) {
  diagnostics_.error(at, std::move(message));
  throw Failure();
}

void Parser::fail_unexpected(std::string_view wanted) {
  const Token& token = peek();
  if (token.kind == Tok::Bad && token.text == "/--") fail(token.at, "this comment has no end");
  if (token.kind == Tok::Bad) fail(token.at, "no token of SMV begins with " + describe(token));
  fail(token.at, "expected " + std::string(wanted) + ", but found " + describe(token));
}

// Behind the next `;`, or at the next section.
void Parser::recover() {
  while (!at_section()) {
    if (take().kind == Tok::Semi) return;
  }
}

std::shared_ptr<const ModelNode> Parser::model() {
  while (!at(Tok::End) && !diagnostics_.full()) {
    try {
      if (!accept_word("MODULE")) fail_unexpected("'MODULE'");
      module();
    } catch (const Failure&) {
      while (!at(Tok::End) && !at_word("MODULE")) take();
    }
  }
  return model_;
}

void Parser::module() {
  const Token name = expect_name("the name of a module");
  ModuleNode& module = model_->modules.emplace_back();
  module.name = name.text;
  module.at = name.at;
  if (accept(Tok::LParen)) {
    while (!at(Tok::RParen)) {
      const Token parameter = expect_name("the name of a parameter");
      module.parameters.push_back({std::string(parameter.text), parameter.at});
      if (!accept(Tok::Comma)) break;
    }
    expect(Tok::RParen, "after the parameters of " + module.name);
  }
  while (!at(Tok::End) && !at_word("MODULE") && !diagnostics_.full()) {
    try {
      section(module);
    } catch (const Failure&) {
      recover();
      while (!at_section()) take();
    }
  }
}

// The items of a section, up to the next one.
template <class Item>
void Parser::items(Item item) {
  while (!at_section() && !diagnostics_.full()) {
    try {
      item();
      expect(Tok::Semi, "after it");
      while (accept(Tok::Semi)) {
      }
    } catch (const Failure&) {
      recover();
    }
  }
}

void Parser::section(ModuleNode& module) {
  if (!at_section()) fail_unexpected("a section such as VAR, ASSIGN or SPEC");
  const Token keyword = take();
  const std::string_view word = keyword.text;
  if (word == "VAR") return items([&] { variable(module, VarClass::State); });
  if (word == "IVAR") return items([&] { variable(module, VarClass::Input); });
  if (word == "FROZENVAR") return items([&] { variable(module, VarClass::Frozen); });
  if (word == "ASSIGN") return items([&] { assign(module); });
  if (word == "DEFINE") {
    return items([&] {
      DefineNode define;
      define.target = reference("the name of a definition");
      expect(Tok::Assign, "after the name of a definition");
      if (at(Tok::LBracket)) {
        diagnostics_.unsupported(peek().at, "a definition of an array");
        throw Failure();
      }
      define.value = expression();
      module.defines.push_back(define);
    });
  }
  if (word == "CONSTANTS") {
    return items([&] {
      do {
        const Token name = expect_name("the name of a constant");
        module.constants.push_back({std::string(name.text), name.at});
      } while (accept(Tok::Comma));
    });
  }
  if (word == "ISA") {
    const Token name = expect_name("the name of a module");
    module.bases.push_back({std::string(name.text), name.at});
    accept(Tok::Semi);
    return;
  }
  if (word == "INIT") return constraint(module, ConstraintKind::Init);
  if (word == "INVAR") return constraint(module, ConstraintKind::Invar);
  if (word == "TRANS") return constraint(module, ConstraintKind::Trans);
  if (word == "FAIRNESS" || word == "JUSTICE") return constraint(module, ConstraintKind::Justice);
  if (word == "COMPASSION") return constraint(module, ConstraintKind::Compassion);
  if (word == "SPEC" || word == "CTLSPEC") return spec(module, SpecKind::Ctl, keyword);
  if (word == "LTLSPEC") return spec(module, SpecKind::Ltl, keyword);
  if (word == "INVARSPEC") return spec(module, SpecKind::Invariant, keyword);
  if (word == "COMPUTE" || word == "PSLSPEC") return spec(module, SpecKind::Other, keyword);
  diagnostics_.unsupported(keyword.at, std::string(word));
  throw Failure();
}

void Parser::variable(ModuleNode& module, VarClass kind) {
  const Token name = expect_name("the name of a variable");
  expect(Tok::Colon, "after the name of a variable");
  VarNode node{.name = std::string(name.text), .kind = kind, .type = type(), .at = name.at};
  module.variables.push_back(std::move(node));
}

void Parser::assign(ModuleNode& module) {
  AssignNode node{.at = peek().at};
  if (accept_word("init")) {
    node.time = AssignTime::Init;
  } else if (accept_word("next")) {
    node.time = AssignTime::Next;
  }
  const bool always = node.time == AssignTime::Always;
  if (!always) expect(Tok::LParen, "before the name of a variable");
  node.target = reference("the name of a variable");
  if (!always) expect(Tok::RParen, "after the name of a variable");
  expect(Tok::Assign, "in an assignment");
  node.value = expression();
  module.assigns.push_back(node);
}

void Parser::constraint(ModuleNode& module, ConstraintKind kind) {
  ConstraintNode node{.kind = kind, .at = peek().at};
  if (kind == ConstraintKind::Compassion) {
    expect(Tok::LParen, "after 'COMPASSION'");
    node.formula = expression();
    expect(Tok::Comma, "between the two formulas");
    node.second = expression();
    expect(Tok::RParen, "after the two formulas");
  } else {
    node.formula = expression();
  }
  module.constraints.push_back(node);
  accept(Tok::Semi);
  if (!at_section()) fail_unexpected("';' or a section");
}

void Parser::spec(ModuleNode& module, SpecKind kind, const Token& keyword) {
  SpecNode node{.kind = kind, .keyword = std::string(keyword.text), .at = keyword.at};
  if (accept_word("NAME")) {
    node.name = expect_name("the name of the specification").text;
    expect(Tok::Assign, "after the name of the specification");
  }
  const size_t begin = peek().begin;
  if (kind == SpecKind::Other) {
    skip_spec();
  } else {
    logic_ = kind == SpecKind::Ctl ? Logic::Ctl : kind == SpecKind::Ltl ? Logic::Ltl : Logic::None;
    try {
      node.formula = expression();
    } catch (const Failure&) {
      logic_ = Logic::None;
      throw;
    } catch (const Refused& refused) {
      node.kind = SpecKind::Other;
      node.keyword = refused.what;
      node.at = refused.at;
      skip_spec();
    }
    logic_ = Logic::None;
  }
  node.text = std::string(keyword.text) + " " + text_between(begin, end_of_last_);
  module.specs.push_back(std::move(node));
  accept(Tok::Semi);
  if (!at_section()) fail_unexpected("';' or a section");
}

std::shared_ptr<const ModelNode> Parser::condition() {
  try {
    SpecNode node{.at = peek().at};
    const size_t begin = peek().begin;
    node.formula = expression();
    node.text = text_between(begin, end_of_last_);
    if (!at(Tok::End)) fail_unexpected("the end of the condition");
    model_->modules.emplace_back().specs.push_back(std::move(node));
  } catch (const Failure&) {  // NOLINT(bugprone-empty-catch): it was reported
  }
  return model_;
}

void Parser::skip_spec() {
  while (!at_section() && !at(Tok::Semi)) take();
}

// What was written, without comments, each run of blanks as one.
std::string Parser::text_between(size_t begin, size_t end) const {
  std::string out;
  for (size_t i = begin; i < std::min(end, text_.size()); ++i) {
    if (text_.substr(i).starts_with("--") && (out.empty() || out.back() == ' ')) {
      i = std::min(text_.find('\n', i), text_.size());
      continue;
    }
    const bool blank = std::string_view(" \t\r\n\f\v").find(text_[i]) != std::string_view::npos;
    if (!blank) {
      out += text_[i];
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

const TypeNode* Parser::keep(TypeNode node) {
  model_->types.push_back(std::move(node));
  return &model_->types.back();
}

const TypeNode* Parser::type() {
  const Nesting nesting(*this);
  TypeNode node{.at = peek().at};
  if (accept_word("boolean")) return keep(std::move(node));
  for (const char* word : {"integer", "real", "clock"}) {
    if (!at_word(word)) continue;
    diagnostics_.unsupported(node.at, std::string("the type '") + word + "'");
    throw Failure();
  }
  if (accept_word("process")) {
    node.process = true;
    return instance(std::move(node));
  }
  if (accept(Tok::LBrace)) {
    node.kind = TypeNodeKind::Enumeration;
    node.args = expressions(Tok::RBrace, "after the values of an enumeration");
    return keep(std::move(node));
  }
  if (accept_word("array")) {
    node.kind = TypeNodeKind::Array;
    if (at_word("word")) {
      diagnostics_.unsupported(node.at, "an array whose indices are words");
      throw Failure();
    }
    const ExprPtr bounds = climb(11);
    if (bounds->kind != ExprKind::Range) fail(bounds->at, "expected the bounds of an array, such as 0..3");
    node.args = bounds->args;
    if (!accept_word("of")) fail_unexpected("'of' after the bounds of an array");
    node.element = type();
    if (node.element->kind == TypeNodeKind::Instance) {
      diagnostics_.unsupported(node.element->at, "an array of modules");
      throw Failure();
    }
    return keep(std::move(node));
  }
  const bool has_sign = at_word("signed") || at_word("unsigned");
  if (has_sign || at_word("word")) {
    node.kind = TypeNodeKind::Word;
    node.is_signed = at_word("signed");
    if (has_sign) take();
    if (!accept_word("word")) fail_unexpected("'word'");
    expect(Tok::LBracket, "before the width of a word");
    node.args.push_back(expression());
    expect(Tok::RBracket, "after the width of a word");
    return keep(std::move(node));
  }
  if (at(Tok::Name) && (peek(1).kind == Tok::Semi || peek(1).kind == Tok::LParen)) return instance(std::move(node));
  const ExprPtr range = climb(11);
  if (range->kind != ExprKind::Range) fail(range->at, "expected a type");
  node.kind = TypeNodeKind::Range;
  node.args = range->args;
  return keep(std::move(node));
}

const TypeNode* Parser::instance(TypeNode node) {
  node.kind = TypeNodeKind::Instance;
  node.module = expect_name("the name of a module").text;
  if (accept(Tok::LParen)) node.args = expressions(Tok::RParen, "after the parameters");
  return keep(std::move(node));
}

}  // namespace harrier::smv
