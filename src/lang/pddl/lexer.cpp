#include "lang/pddl/lexer.h"

#include <algorithm>

namespace harrier::pddl {

namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool ends_word(char c) { return is_blank(c) || c == '(' || c == ')' || c == ';'; }

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) {
  if (text_.starts_with("\xef\xbb\xbf")) offset_ = 3;  // a byte order mark
}

Token Lexer::next() {
  for (; offset_ < text_.size() && (is_blank(text_[offset_]) || text_[offset_] == ';'); ++offset_) {
    if (text_[offset_] == ';') offset_ = std::min(text_.find('\n', offset_), text_.size() - 1);
  }
  if (offset_ == text_.size()) return {.begin = offset_};
  const size_t begin = offset_++;
  if (text_[begin] == '(') return {Token::Kind::Open, text_.substr(begin, 1), begin};
  if (text_[begin] == ')') return {Token::Kind::Close, text_.substr(begin, 1), begin};
  while (offset_ < text_.size() && !ends_word(text_[offset_])) ++offset_;
  return {Token::Kind::Word, text_.substr(begin, offset_ - begin), begin};
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool is_name(const Token& token) {
  if (token.kind != Token::Kind::Word || token.keyword() || token.variable() || token.text.front() == '-') return false;
  return std::all_of(token.text.begin(), token.text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

std::string shown(std::string_view text) {
  constexpr size_t kLongest = 60;
  std::string out(text.substr(0, kLongest));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > kLongest ? out + "…" : out;
}

std::string quoted(std::string_view text) { return "'" + shown(text) + "'"; }

std::string describe(const Token& token) {
  return token.kind == Token::Kind::End ? "the end of the text" : quoted(token.text);
}

}  // namespace harrier::pddl
