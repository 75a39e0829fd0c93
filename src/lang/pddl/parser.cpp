#include "lang/pddl/parser.h"

#include <algorithm>
#include <iterator>

#include "lang/pddl/parser_impl.h"

namespace harrier::pddl {

namespace {

constexpr size_t kDeepest = 500;         // parentheses: what is nested is walked recursively
constexpr size_t kLongestName = 10'000;  // of characters

// Sections that others have.
constexpr std::pair<std::string_view, std::string_view> kRefusedSections[] = {
    {":durative-action", "durative actions (':durative-action')"},
    {":process", "processes (':process')"},
    {":event", "events (':event')"},
    {":constraints", "constraints (':constraints')"},
    {":axiom", "':axiom': ':derived' says the same"},
    {":extends", "domains that extend others (':extends')"},
    {":timeless", "':timeless'"},
    {":safety", "':safety'"},
    {":situation", "':situation'"},
    {":method", "hierarchical planning (':method')"},
    {":task", "hierarchical planning (':task')"},
    {":htn", "hierarchical planning (':htn')"},
};

}  // namespace

std::string wrong_count(std::string_view name, size_t wanted, size_t given) {
  return quoted(name) + " takes " + std::to_string(wanted) + (wanted == 1 ? " argument" : " arguments") + ", not " +
         std::to_string(given);
}

FileKind kind_of(std::string_view text) {
  Lexer lexer(text);
  const auto word_is = [](const Token& token, std::string_view word) {
    return token.kind == Token::Kind::Word && token.text.size() == word.size() && lower_case(token.text) == word;
  };
  if (lexer.next().kind != Token::Kind::Open || !word_is(lexer.next(), "define")) return FileKind::Unknown;
  if (lexer.next().kind != Token::Kind::Open) return FileKind::Unknown;
  const Token what = lexer.next();
  if (word_is(what, "domain")) return FileKind::Domain;
  return word_is(what, "problem") ? FileKind::Problem : FileKind::Unknown;
}

Task parse(const Sources& sources, uint32_t domain_file, uint32_t problem_file, Diagnostics& diagnostics) {
  return Parser(sources, diagnostics).parse(domain_file, problem_file);
}

Task Parser::parse(uint32_t domain_file, uint32_t problem_file) {
  static constexpr SectionKind kDomain[] = {
      {.keyword = ":requirements", .read = &Parser::requirements, .repeats = true},
      {.keyword = ":types", .read = &Parser::types, .declares = true},
      {.keyword = ":constants", .read = &Parser::objects, .declares = true},
      {.keyword = ":predicates", .read = &Parser::predicates, .declares = true},
      {.keyword = ":functions", .read = &Parser::functions, .declares = true},
      {.keyword = ":derived", .read = &Parser::axiom, .repeats = true},
      {.keyword = ":action", .read = &Parser::action, .repeats = true},
  };
  static constexpr SectionKind kProblem[] = {
      {.keyword = ":domain", .read = &Parser::problem_domain, .required = true},
      {.keyword = ":requirements", .read = &Parser::requirements, .repeats = true},
      {.keyword = ":objects", .read = &Parser::objects, .declares = true},
      {.keyword = ":init", .read = &Parser::initial, .required = true},
      {.keyword = ":goal", .read = &Parser::goal, .required = true},
      {.keyword = ":metric", .read = &Parser::metric},
      {.keyword = ":length", .read = &Parser::length},
  };
  types_.emplace("object", 0);
  task_.types.push_back({.name = "object"});
  open(domain_file);
  if (!read_file(kDomain, "domain", task_.domain)) return std::move(task_);
  check_layers();
  open(problem_file);
  if (!read_file(kProblem, "problem", task_.problem)) return std::move(task_);
  finish_initial();
  finish_amounts();
  finish_costs();
  return std::move(task_);
}

Token Parser::take() {
  diagnostics_.poll();
  return lexer_.next();
}

bool Parser::accept(Token::Kind kind) {
  if (peek().kind != kind) return false;
  take();
  return true;
}

void Parser::expect_open(std::string_view what) {
  const Token token = take();
  if (token.kind != Token::Kind::Open) fail_unexpected(token, "'(' before " + std::string(what));
}

void Parser::expect_close(std::string_view what) {
  const Token token = take();
  if (token.kind != Token::Kind::Close) fail_unexpected(token, "')' after " + std::string(what));
}

Token Parser::expect_word(std::string_view what) {
  const Token token = take();
  if (token.kind != Token::Kind::Word) fail_unexpected(token, what);
  return token;
}

Token Parser::expect_name(std::string_view what) {
  const Token token = take();
  if (!is_name(token)) fail_unexpected(token, what);
  if (token.text.size() > kLongestName) refuse(token, "a name of so many characters");
  return token;
}

Token Parser::expect_variable() {
  const Token token = take();
  const Token name{.kind = Token::Kind::Word, .text = token.text.substr(std::min<size_t>(token.text.size(), 1))};
  if (!token.variable() || name.text.empty() || !is_name(name)) fail_unexpected(token, "a variable");
  if (token.text.size() > kLongestName) refuse(token, "a name of so many characters");
  return token;
}

// Behind the end of the list that the parser is in.
void Parser::skip_list() {
  for (size_t depth = 1; depth != 0;) {
    const Token token = take();
    if (token.kind == Token::Kind::End) return;
    if (token.kind == Token::Kind::Open) ++depth;
    if (token.kind == Token::Kind::Close) --depth;
  }
}

void Parser::error(const Token& at, std::string message) {
  diagnostics_.error(place(at), std::move(message));
  if (diagnostics_.full()) throw Failure();
}

void Parser::unsupported(const Token& at, std::string message) {
  diagnostics_.unsupported(place(at), std::move(message));
  if (diagnostics_.full()) throw Failure();
}

void Parser::fail(const Token& at, std::string message) {
  error(at, std::move(message));
  throw Failure();
}

void Parser::refuse(const Token& at, std::string message) {
  unsupported(at, std::move(message));
  throw Failure();
}

void Parser::fail_unexpected(const Token& found, std::string_view wanted) {
  fail(found, "expected " + std::string(wanted) + ", but found " + describe(found));
}

void Parser::open(uint32_t file) {
  std::string& text = texts_[opened_++];
  text = lower_case(sources_.text(file));
  file_ = file;
  lexer_ = Lexer(text);
}

// "(define (domain NAME)".
void Parser::header(std::string_view what, std::string& name) {
  const std::string beginning = "'(define (" + std::string(what) + " …' at the beginning";
  const auto expect = [&](bool found, const Token& token) {
    if (!found) fail_unexpected(token, beginning);
  };
  Token token = take();
  expect(token.kind == Token::Kind::Open, token);
  token = take();
  expect(token.is("define"), token);
  token = take();
  expect(token.kind == Token::Kind::Open, token);
  token = take();
  expect(token.is(what), token);
  token = expect_name("the name of the " + std::string(what));
  name = token.text;
  name_at_ = place(token);
  expect_close("the name of the " + std::string(what));
}

// Whether what it declares is known afterwards.
bool Parser::read_file(std::span<const SectionKind> kinds, std::string_view what, std::string& name) {
  Sections sections;
  try {
    header(what, name);
    sections = find_sections(kinds, what);
  } catch (const Failure&) {
    return false;
  }
  for (size_t k = 0; k < kinds.size(); ++k) {
    const SectionKind& kind = kinds[k];
    const size_t said = diagnostics_.all().size();
    if (kind.required && sections[k].empty()) {
      diagnostics_.error(name_at_, "this " + std::string(what) + " has no '(" + std::string(kind.keyword) + " …)'");
    }
    for (const Section& section : sections[k]) {
      if (diagnostics_.full()) return false;
      read_section(kind, section);
    }
    if (kind.declares && diagnostics_.all().size() != said) return false;
  }
  return true;
}

Parser::Sections Parser::find_sections(std::span<const SectionKind> kinds, std::string_view what) {
  Sections sections(kinds.size());
  while (!accept_close()) find_section(kinds, what, sections);
  const Token rest = take();
  if (rest.kind == Token::Kind::Close) fail(rest, "this ')' has no '('");
  if (rest.kind != Token::Kind::End) fail_unexpected(rest, "the end of the text");
  return sections;
}

void Parser::find_section(std::span<const SectionKind> kinds, std::string_view what, Sections& sections) {
  const Token open = take();
  if (open.kind == Token::Kind::End) fail(open, "the '(' of 'define' is not closed");
  if (open.kind != Token::Kind::Open) fail_unexpected(open, "'(' and the keyword of a section");
  const Token keyword = expect_word("the keyword of a section");
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.keyword == keyword.text; });
  if (kind == kinds.end()) {
    unknown_section(what, keyword);
  } else {
    auto& found = sections[static_cast<size_t>(kind - kinds.begin())];
    if (!kind->repeats && !found.empty()) error(keyword, "a second " + describe(keyword));
    if (kind->repeats || found.empty()) found.push_back({open.begin, keyword.begin + keyword.text.size()});
  }
  skip_section(kinds, open.begin);
}

// Where a section is not closed, the next one stands inside.
void Parser::skip_section(std::span<const SectionKind> kinds, size_t at) {
  std::vector<size_t> open{at};
  const auto not_closed = [&](const Token& before) {
    fail({.begin = open.back()}, "this '(' is not closed before " + describe(before));
  };
  while (!open.empty()) {
    const Token token = take();
    if (token.kind == Token::Kind::End) not_closed(token);
    if (token.kind == Token::Kind::Close) open.pop_back();
    if (token.kind != Token::Kind::Open) continue;
    const Token next = peek();
    if (next.keyword() && std::any_of(kinds.begin(), kinds.end(), [&](const auto& k) { return next.is(k.keyword); })) {
      not_closed(next);
    }
    open.push_back(token.begin);
    if (open.size() > kDeepest) fail(token, "parentheses nested too deeply");
  }
}

void Parser::unknown_section(std::string_view what, const Token& keyword) {
  const auto* refused = std::find_if(std::begin(kRefusedSections), std::end(kRefusedSections),
                                     [&](const auto& r) { return keyword.is(r.first); });
  if (refused != std::end(kRefusedSections)) return unsupported(keyword, std::string(refused->second));
  error(keyword, describe(keyword) + " is no section of a " + std::string(what));
}

void Parser::read_section(const SectionKind& kind, const Section& section) {
  lexer_.seek(section.begin);
  try {
    (this->*kind.read)();
  } catch (const Failure&) {
    return;  // it has been reported
  }
}

}  // namespace harrier::pddl
