#include "lang/promela/lexer.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace harrier::promela {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

struct Spelling {
  std::string_view text;
  Tok kind;
};

constexpr Spelling kWords[] = {
    {"active", Tok::KwActive},
    {"assert", Tok::KwAssert},
    {"atomic", Tok::KwAtomic},
    {"bit", Tok::KwBit},
    {"bool", Tok::KwBit},
    {"break", Tok::KwBreak},
    {"byte", Tok::KwByte},
    {"c_code", Tok::KwCCode},
    {"c_decl", Tok::KwCDecl},
    {"c_expr", Tok::KwCExpr},
    {"c_state", Tok::KwCState},
    {"c_track", Tok::KwCTrack},
    {"chan", Tok::KwChan},
    {"D_proctype", Tok::KwDProctype},
    {"d_step", Tok::KwDStep},
    {"do", Tok::KwDo},
    {"else", Tok::KwElse},
    {"empty", Tok::KwEmpty},
    {"enabled", Tok::KwEnabled},
    {"eval", Tok::KwEval},
    {"fi", Tok::KwFi},
    {"for", Tok::KwFor},
    {"full", Tok::KwFull},
    {"get_priority", Tok::KwGetPriority},
    {"goto", Tok::KwGoto},
    {"hidden", Tok::KwHidden},
    {"if", Tok::KwIf},
    {"init", Tok::KwInit},
    {"inline", Tok::KwInline},
    {"int", Tok::KwInt},
    {"len", Tok::KwLen},
    {"local", Tok::KwLocal},
    {"ltl", Tok::KwLtl},
    {"mtype", Tok::KwMtype},
    {"nempty", Tok::KwNempty},
    {"never", Tok::KwNever},
    {"nfull", Tok::KwNfull},
    {"notrace", Tok::KwNotrace},
    {"np_", Tok::KwNonProgress},
    {"od", Tok::KwOd},
    {"of", Tok::KwOf},
    {"pc_value", Tok::KwPcValue},
    {"pid", Tok::KwPid},
    {"printf", Tok::KwPrintf},
    {"printm", Tok::KwPrintm},
    {"priority", Tok::KwPriority},
    {"proctype", Tok::KwProctype},
    {"provided", Tok::KwProvided},
    {"return", Tok::KwReturn},
    {"run", Tok::KwRun},
    {"select", Tok::KwSelect},
    {"set_priority", Tok::KwSetPriority},
    {"short", Tok::KwShort},
    {"show", Tok::KwShow},
    {"timeout", Tok::KwTimeout},
    {"trace", Tok::KwTrace},
    {"typedef", Tok::KwTypedef},
    {"unless", Tok::KwUnless},
    {"unsigned", Tok::KwUnsigned},
    {"xr", Tok::KwXr},
    {"xs", Tok::KwXs},
};

// Longer spellings first, so that the first match is the longest.
constexpr Spelling kSymbols[] = {
    {"->", Tok::Arrow},     {"::", Tok::ColonColon}, {"..", Tok::DotDot},     {"##", Tok::HashHash},
    {"++", Tok::Increment}, {"--", Tok::Decrement},  {"!!", Tok::SortedSend}, {"??", Tok::RandomReceive},
    {"<<", Tok::Shl},       {">>", Tok::Shr},        {"<=", Tok::Le},         {">=", Tok::Ge},
    {"==", Tok::Eq},        {"!=", Tok::Ne},         {"&&", Tok::AndAnd},     {"||", Tok::OrOr},
    {"/\\", Tok::Wedge},    {"\\/", Tok::Vee},       {"(", Tok::LParen},      {")", Tok::RParen},
    {"[", Tok::LBracket},   {"]", Tok::RBracket},    {"{", Tok::LBrace},      {"}", Tok::RBrace},
    {",", Tok::Comma},      {";", Tok::Semi},        {":", Tok::Colon},       {".", Tok::Dot},
    {"@", Tok::At},         {"#", Tok::Hash},        {"=", Tok::Assign},      {"~", Tok::Tilde},
    {"!", Tok::Exclaim},    {"?", Tok::Question},    {"+", Tok::Plus},        {"-", Tok::Minus},
    {"*", Tok::Star},       {"/", Tok::Slash},       {"%", Tok::Percent},     {"&", Tok::Amp},
    {"|", Tok::Pipe},       {"^", Tok::Caret},       {"<", Tok::Lt},          {">", Tok::Gt},
};

char escaped(char c) {
  switch (c) {
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'f': return '\f';
    default: return c;
  }
}

}  // namespace

Lexer::Lexer(const Sources& sources, uint32_t file, Diagnostics& diagnostics)
    : sources_(sources), file_(file), diagnostics_(diagnostics), place_{file, 1, 1, 0} {
  if (text().starts_with("\xef\xbb\xbf")) offset_ = 3;  // a byte order mark
}

void Lexer::advance(size_t count) {
  const std::string_view all = text();
  for (const size_t end = std::min(offset_ + count, all.size()); offset_ < end; ++offset_) {
    if (all[offset_] == '\n') {
      ++place_.line;
      place_.column = 1;
    } else {
      ++place_.column;
    }
  }
}

bool Lexer::skip_continuation() {
  const std::string_view all = text();
  size_t end = offset_ + 1;
  while (end < all.size() && is_blank(all[end])) ++end;
  if (end < all.size() && all[end] != '\n') return false;
  advance(end + 1 - offset_);
  return true;
}

void Lexer::skip_comment() {
  const SourceRef at = place_;
  const size_t end = text().find("*/", offset_ + 2);
  if (end == std::string_view::npos) diagnostics_.error(at, "this comment is not closed: '*/' is missing");
  advance(end == std::string_view::npos ? text().size() : end + 2 - offset_);
}

void Lexer::skip_blanks(Token& token) {
  const std::string_view all = text();
  for (; offset_ < all.size(); token.blank_before = true) {
    const char c = all[offset_];
    if (c == '\n') {
      line_start_ = true;
      advance(1);
    } else if (is_blank(c)) {
      advance(1);
    } else if (c == '\\') {
      if (!skip_continuation()) return;
    } else if (looking_at("//")) {
      advance(std::min(all.find('\n', offset_), all.size()) - offset_);
    } else if (looking_at("/*")) {
      skip_comment();
    } else {
      return;
    }
  }
}

std::string Lexer::rest_of_line() {
  const std::string_view all = text();
  size_t begin = offset_;
  size_t end = std::min(all.find('\n', offset_), all.size());
  advance(end - offset_);
  while (begin < end && is_blank(all[begin])) ++begin;
  while (begin < end && is_blank(all[end - 1])) --end;
  return std::string(all.substr(begin, end - begin));
}

Token Lexer::next() {
  diagnostics_.poll();
  Token token;
  skip_blanks(token);
  token.at = place_;
  token.line_start = line_start_;
  line_start_ = false;
  if (offset_ >= text().size()) {
    token.line_start = true;
    return token;
  }
  const char c = text()[offset_];
  if (is_letter(c)) {
    word(token);
  } else if (is_digit(c)) {
    number(token);
  } else if (c == '"') {
    string(token);
  } else if (c == '\'') {
    character(token);
  } else {
    symbol(token);
  }
  return token;
}

void Lexer::finish(Token& token, Tok kind, size_t length) {
  token.kind = kind;
  token.text = text().substr(offset_, length);
  advance(length);
}

void Lexer::bad(Token& token, size_t length, std::string reason) {
  token.kind = Tok::Bad;
  token.text = std::move(reason);
  advance(length);
}

void Lexer::word(Token& token) {
  const std::string_view all = text();
  size_t end = offset_;
  while (end < all.size() && (is_letter(all[end]) || is_digit(all[end]))) ++end;
  finish(token, Tok::Name, end - offset_);
}

void Lexer::number(Token& token) {
  const std::string_view all = text();
  size_t end = offset_;
  bool digits_only = true;
  for (; end < all.size() && (is_letter(all[end]) || is_digit(all[end])); ++end) {
    if (!is_digit(all[end])) {
      digits_only = false;
    } else if (token.value > (std::numeric_limits<int64_t>::max() - 9) / 10) {
      token.value = std::numeric_limits<int64_t>::max();
    } else {
      token.value = token.value * 10 + (all[end] - '0');
    }
  }
  if (digits_only) return finish(token, Tok::Number, end - offset_);
  const size_t shown = std::min<size_t>(end - offset_, 40);
  bad(token, end - offset_,
      "malformed number '" + std::string(all.substr(offset_, shown)) + "': numbers are decimal here");
}

void Lexer::string(Token& token) {
  const std::string_view all = text();
  size_t end = offset_ + 1;
  while (end < all.size() && all[end] != '"' && all[end] != '\n') end += all[end] == '\\' ? 2 : 1;
  end = std::min(end, all.size());
  if (end < all.size() && all[end] == '"') return finish(token, Tok::String, end + 1 - offset_);
  bad(token, end - offset_, "this string is not closed: '\"' is missing");
}

void Lexer::character(Token& token) {
  const std::string_view all = text();
  size_t end = offset_ + 1;
  const bool escape = end < all.size() && all[end] == '\\';
  if (escape) ++end;
  if (end + 1 >= all.size() || all[end] == '\n' || all[end + 1] != '\'') {
    return bad(token, 1, "malformed character constant: one character and a closing ' are expected");
  }
  token.value = static_cast<unsigned char>(escape ? escaped(all[end]) : all[end]);
  finish(token, Tok::Number, end + 2 - offset_);
}

void Lexer::symbol(Token& token) {
  for (const Spelling& spelling : kSymbols) {
    if (looking_at(spelling.text)) return finish(token, spelling.kind, spelling.text.size());
  }
  const auto c = static_cast<unsigned char>(text()[offset_]);
  constexpr char kHex[] = "0123456789abcdef";
  bad(token, 1,
      c > ' ' && c < 0x7f ? std::string("unexpected character '") + static_cast<char>(c) + "'"
                          : std::string("unexpected byte 0x") + kHex[c / 16] + kHex[c % 16]);
}

void classify(Token& token) {
  static const std::unordered_map<std::string_view, Tok> words = [] {
    std::unordered_map<std::string_view, Tok> all;
    for (const Spelling& spelling : kWords) all.emplace(spelling.text, spelling.kind);
    return all;
  }();
  if (token.kind != Tok::Name) return;
  if (token.text == "true" || token.text == "skip" || token.text == "false") {
    token.kind = Tok::Number;
    token.value = token.text == "false" ? 0 : 1;
  } else if (const auto found = words.find(token.text); found != words.end()) {
    token.kind = found->second;
  }
}

std::string describe(Tok kind) {
  switch (kind) {
    case Tok::End: return "the end of the text";
    case Tok::Bad: return "an unknown character";
    case Tok::Name: return "a name";
    case Tok::Number: return "a number";
    case Tok::String: return "a string";
    default: break;
  }
  for (const Spelling& spelling : kSymbols) {
    if (spelling.kind == kind) return "'" + std::string(spelling.text) + "'";
  }
  for (const Spelling& spelling : kWords) {
    if (spelling.kind == kind) return "'" + std::string(spelling.text) + "'";
  }
  return "a token";
}

std::string describe(const Token& token) {
  constexpr size_t kLongestShown = 40;
  if (token.implied) return "the end of the line";
  if (token.kind == Tok::End || token.kind == Tok::Bad || token.text.empty()) return describe(token.kind);
  if (token.kind == Tok::String) return "a string";
  return "'" + (token.text.size() > kLongestShown ? token.text.substr(0, kLongestShown) + "…" : token.text) + "'";
}

}  // namespace harrier::promela
