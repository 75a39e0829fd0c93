#include "lang/smv/lexer.h"

#include <algorithm>
#include <limits>

namespace harrier::smv {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '#' || c == '-' || c == '\\'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

struct Spelling {
  std::string_view text;
  Tok kind;
};

// Longer spellings first, so that the first match is the longest.
constexpr Spelling kSymbols[] = {
    {"<->", Tok::Iff},    {":=", Tok::Assign}, {"::", Tok::ColonColon}, {"..", Tok::DotDot},  {"->", Tok::Implies},
    {"!=", Tok::Ne},      {"<=", Tok::Le},     {">=", Tok::Ge},         {"<<", Tok::Shl},     {">>", Tok::Shr},
    {"(", Tok::LParen},   {")", Tok::RParen},  {"[", Tok::LBracket},    {"]", Tok::RBracket}, {"{", Tok::LBrace},
    {"}", Tok::RBrace},   {",", Tok::Comma},   {";", Tok::Semi},        {":", Tok::Colon},    {".", Tok::Dot},
    {"?", Tok::Question}, {"!", Tok::Not},     {"&", Tok::And},         {"|", Tok::Or},       {"=", Tok::Eq},
    {"<", Tok::Lt},       {">", Tok::Gt},      {"+", Tok::Plus},        {"-", Tok::Minus},    {"*", Tok::Star},
    {"/", Tok::Slash},    {"@", Tok::At},
};

}  // namespace

Lexer::Lexer(const Sources& sources, uint32_t file) : text_(sources.text(file)), place_{file, 1, 1, 0} {
  if (text_.starts_with("\xef\xbb\xbf")) offset_ = 3;  // a byte order mark
}

void Lexer::advance(size_t count) {
  for (const size_t end = std::min(offset_ + count, text_.size()); offset_ < end; ++offset_) {
    if (text_[offset_] == '\n') {
      ++place_.line;
      place_.column = 1;
    } else {
      ++place_.column;
    }
  }
}

// Behind a comment or a blank; false if there is none. A comment without an end stands still.
bool Lexer::skip_comment() {
  const std::string_view rest = text_.substr(offset_);
  if (rest.starts_with("--")) {
    advance(std::min(rest.find('\n'), rest.size()));
    return true;
  }
  if (rest.starts_with("/--")) {
    const size_t end = rest.find("--/", 3);
    open_comment_ = end == std::string_view::npos;
    if (!open_comment_) advance(end + 3);
    return !open_comment_;
  }
  if (rest.empty() || !is_blank(rest.front())) return false;
  advance(1);
  return true;
}

void Lexer::finish(Token& token, Tok kind, size_t length) {
  token.kind = kind;
  token.text = text_.substr(offset_, length);
  advance(length);
}

Token Lexer::next() {
  while (skip_comment()) {
  }
  Token token{.begin = offset_, .at = place_};
  const std::string_view rest = text_.substr(offset_);
  if (rest.empty()) return token;
  if (open_comment_) {
    finish(token, Tok::Bad, rest.size());
    token.text = token.text.substr(0, 3);
    return token;
  }
  if (is_letter(rest.front())) {
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_name_part);
    finish(token, Tok::Name, static_cast<size_t>(end - rest.begin()));
    return token;
  }
  if (is_digit(rest.front())) {
    number(token);
    return token;
  }
  if (rest.front() == '"') {
    const size_t end = rest.find_first_of("\"\n", 1);
    const bool closed = end != std::string_view::npos && rest[end] == '"';
    finish(token, closed ? Tok::String : Tok::Bad, closed ? end + 1 : 1);
    return token;
  }
  for (const Spelling& symbol : kSymbols) {
    if (!rest.starts_with(symbol.text)) continue;
    finish(token, symbol.kind, symbol.text.size());
    return token;
  }
  size_t length = 1;  // a whole character, where it is one of UTF-8
  while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0U) == 0x80U) ++length;
  finish(token, Tok::Bad, length);
  return token;
}

void Lexer::number(Token& token) {
  const std::string_view rest = text_.substr(offset_);
  const auto part_at = [&](size_t i) { return i < rest.size() && (is_letter(rest[i]) || is_digit(rest[i])); };
  size_t end = 0;
  while (end < rest.size() && is_digit(rest[end])) ++end;
  if (part_at(end)) {
    // A word: 0ud8_255, 0b_1011; or nonsense such as 3x.
    while (part_at(end)) ++end;
    const bool word = rest.front() == '0' && rest.substr(0, end).find('_') != std::string_view::npos;
    finish(token, word ? Tok::Word : Tok::Bad, end);
    return;
  }
  if (end + 1 < rest.size() && rest[end] == '.' && is_digit(rest[end + 1])) {
    ++end;
    while (part_at(end)) ++end;
    finish(token, Tok::Real, end);
    return;
  }
  for (const char c : rest.substr(0, end)) {
    const int64_t digit = c - '0';
    if (token.value > (std::numeric_limits<int64_t>::max() - digit) / 10) {
      token.value = std::numeric_limits<int64_t>::max();
      break;
    }
    token.value = token.value * 10 + digit;
  }
  finish(token, Tok::Number, end);
}

std::string describe(Tok kind) {
  for (const Spelling& symbol : kSymbols) {
    if (symbol.kind == kind) return "'" + std::string(symbol.text) + "'";
  }
  return kind == Tok::Name ? "a name" : "a token";
}

std::string describe(const Token& token) {
  if (token.kind == Tok::End) return "the end of the text";
  constexpr size_t kShown = 40;
  std::string shown(token.text.substr(0, kShown));
  if (token.text.size() > kShown) shown += "…";
  return "'" + shown + "'";
}

}  // namespace harrier::smv
