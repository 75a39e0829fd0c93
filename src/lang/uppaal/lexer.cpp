#include "lang/uppaal/lexer.h"

#include <array>
#include <string>
#include <unordered_map>

namespace harrier::uppaal {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '#'; }

struct Spelling {
  std::string_view text;
  Tok kind;
};

constexpr Spelling kWords[] = {
    {"after_update", Tok::KwAfterUpdate},
    {"and", Tok::KwAnd},
    {"assign", Tok::KwAssign},
    {"before_update", Tok::KwBeforeUpdate},
    {"bool", Tok::KwBool},
    {"broadcast", Tok::KwBroadcast},
    {"chan", Tok::KwChan},
    {"clock", Tok::KwClock},
    {"commit", Tok::KwCommit},
    {"const", Tok::KwConst},
    {"deadlock", Tok::KwDeadlock},
    {"do", Tok::KwDo},
    {"else", Tok::KwElse},
    {"exists", Tok::KwExists},
    {"false", Tok::KwFalse},
    {"for", Tok::KwFor},
    {"forall", Tok::KwForall},
    {"guard", Tok::KwGuard},
    {"hybrid", Tok::KwHybrid},
    {"if", Tok::KwIf},
    {"imply", Tok::KwImply},
    {"init", Tok::KwInit},
    {"int", Tok::KwInt},
    {"meta", Tok::KwMeta},
    {"not", Tok::KwNot},
    {"or", Tok::KwOr},
    {"process", Tok::KwProcess},
    {"return", Tok::KwReturn},
    {"scalar", Tok::KwScalar},
    {"select", Tok::KwSelect},
    {"state", Tok::KwState},
    {"struct", Tok::KwStruct},
    {"sum", Tok::KwSum},
    {"sync", Tok::KwSync},
    {"system", Tok::KwSystem},
    {"trans", Tok::KwTrans},
    {"true", Tok::KwTrue},
    {"typedef", Tok::KwTypedef},
    {"urgent", Tok::KwUrgent},
    {"void", Tok::KwVoid},
    {"while", Tok::KwWhile},
    {"xor", Tok::KwXor},
};

// Longer spellings first, so that the first match is the longest.
constexpr Spelling kSymbols[] = {
    {"-u->", Tok::UncontrolledArrow},
    {"<<=", Tok::ShlAssign},
    {">>=", Tok::ShrAssign},
    {"->", Tok::Arrow},
    {":=", Tok::Assign},
    {"+=", Tok::AddAssign},
    {"-=", Tok::SubAssign},
    {"*=", Tok::MulAssign},
    {"/=", Tok::DivAssign},
    {"%=", Tok::ModAssign},
    {"|=", Tok::OrAssign},
    {"&=", Tok::AndAssign},
    {"^=", Tok::XorAssign},
    {"<?", Tok::Min},
    {">?", Tok::Max},
    {"**", Tok::Power},
    {"<<", Tok::Shl},
    {">>", Tok::Shr},
    {"||", Tok::OrOr},
    {"&&", Tok::AndAnd},
    {"<=", Tok::Le},
    {">=", Tok::Ge},
    {"=<", Tok::Le},
    {"=>", Tok::Ge},
    {"==", Tok::Eq},
    {"!=", Tok::Ne},
    {"++", Tok::Increment},
    {"--", Tok::Decrement},
    {"(", Tok::LParen},
    {")", Tok::RParen},
    {"[", Tok::LBracket},
    {"]", Tok::RBracket},
    {"{", Tok::LBrace},
    {"}", Tok::RBrace},
    {",", Tok::Comma},
    {";", Tok::Semicolon},
    {":", Tok::Colon},
    {".", Tok::Dot},
    {"?", Tok::Question},
    {"!", Tok::Exclaim},
    {"'", Tok::Quote},
    {"#", Tok::Hash},
    {"=", Tok::Assign},
    {"+", Tok::Plus},
    {"-", Tok::Minus},
    {"*", Tok::Star},
    {"/", Tok::Slash},
    {"%", Tok::Percent},
    {"|", Tok::Pipe},
    {"&", Tok::Amp},
    {"^", Tok::Caret},
    {"<", Tok::Lt},
    {">", Tok::Gt},
};

constexpr Spelling kPaths[] = {
    {"E<>", Tok::ExistsEventually}, {"E[]", Tok::ExistsAlways}, {"A<>", Tok::AllEventually},
    {"A[]", Tok::AllAlways},        {"-->", Tok::LeadsTo},
};

}  // namespace

Lexer::Lexer(const TextPiece& piece, const Sources& sources, Diagnostics& diagnostics, bool query_mode)
    : piece_(piece),
      text_(piece.text),
      file_text_(sources.text(piece.file)),
      diagnostics_(diagnostics),
      query_mode_(query_mode),
      seen_offset_(piece.file_offset(0)),
      seen_(sources.ref_at(piece.file, seen_offset_, piece.context)) {}

SourceRef Lexer::place(size_t offset) {
  const size_t target = std::min(piece_.file_offset(offset), file_text_.size());
  for (; seen_offset_ < target; ++seen_offset_) {
    if (file_text_[seen_offset_] == '\n') {
      ++seen_.line;
      seen_.column = 1;
    } else {
      ++seen_.column;
    }
  }
  return seen_;
}

void Lexer::skip_block_comment() {
  const SourceRef at = place(offset_);
  const size_t end = text_.find("*/", offset_ + 2);
  if (end == std::string_view::npos) {
    diagnostics_.error(at, "this comment is not closed: '*/' is missing");
    offset_ = text_.size();
  } else {
    offset_ = end + 2;
  }
}

void Lexer::skip_blanks() {
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (c == '\n') {
      if (query_mode_ && !line_end_) {
        line_end_ = true;
        line_end_at_ = place(offset_);
      }
      ++offset_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++offset_;
    } else if (c == '\\') {
      // A backslash before the line end continues the line.
      size_t end = offset_ + 1;
      while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t' || text_[end] == '\r')) ++end;
      if (end < text_.size() && text_[end] != '\n') return;
      offset_ = std::min(end + 1, text_.size());
    } else if (looking_at("//")) {
      offset_ = std::min(text_.find('\n', offset_), text_.size());
    } else if (looking_at("/*")) {
      skip_block_comment();
    } else {
      return;
    }
  }
}

Token Lexer::make(Tok kind, size_t length, SourceRef at) {
  Token token{kind, text_.substr(offset_, length), 0, at};
  offset_ += length;
  return token;
}

Token Lexer::next() {
  diagnostics_.poll();
  if (diagnostics_.full()) offset_ = text_.size();
  skip_blanks();
  if (line_end_) {
    line_end_ = false;
    return {Tok::NewLine, {}, 0, line_end_at_};
  }
  const SourceRef at = place(offset_);
  if (offset_ >= text_.size()) return {Tok::End, {}, 0, at};
  const char c = text_[offset_];
  if (query_mode_) {
    for (const Spelling& path : kPaths) {
      if (looking_at(path.text)) return make(path.kind, path.text.size(), at);
    }
  }
  if (is_letter(c)) return word(at);
  if (is_digit(c)) return number(at);
  if (c == '"') {
    const size_t end = text_.find('"', offset_ + 1);
    const size_t line_end = text_.find('\n', offset_);
    if (end != std::string_view::npos && end < line_end) return make(Tok::String, end + 1 - offset_, at);
  }
  return symbol(at);
}

Token Lexer::word(SourceRef at) {
  static const std::unordered_map<std::string_view, Tok> kTable = [] {
    std::unordered_map<std::string_view, Tok> table;
    for (const Spelling& word : kWords) table.emplace(word.text, word.kind);
    return table;
  }();
  size_t length = 1;
  while (offset_ + length < text_.size() && is_word(text_[offset_ + length])) ++length;
  const auto keyword = kTable.find(text_.substr(offset_, length));
  return make(keyword == kTable.end() ? Tok::Identifier : keyword->second, length, at);
}

Token Lexer::number(SourceRef at) {
  constexpr int64_t kLargest = int64_t{1} << 31;  // one more than an int holds, for -2147483648
  size_t length = 0;
  int64_t value = 0;
  bool overflow = false;
  const auto digits = [&] {
    while (offset_ + length < text_.size() && is_digit(text_[offset_ + length])) ++length;
  };
  for (; offset_ + length < text_.size() && is_digit(text_[offset_ + length]); ++length) {
    value = value * 10 + (text_[offset_ + length] - '0');
    if (value > kLargest) {
      overflow = true;
      value = kLargest;
    }
  }
  const auto peek = [&](size_t ahead) {
    return offset_ + length + ahead < text_.size() ? text_[offset_ + length + ahead] : '\0';
  };
  bool real = false;
  if (peek(0) == '.' && is_digit(peek(1))) {
    real = true;
    ++length;
    digits();
  }
  if ((peek(0) == 'e' || peek(0) == 'E') &&
      (is_digit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && is_digit(peek(2))))) {
    real = true;
    length += 2;
    digits();
  }
  if (real) return make(Tok::Real, length, at);
  if (overflow) diagnostics_.error(at, "the number does not fit 32 bits");
  Token token = make(Tok::Number, length, at);
  token.value = overflow ? 0 : value;
  return token;
}

Token Lexer::symbol(SourceRef at) {
  for (const Spelling& spelling : kSymbols) {
    if (looking_at(spelling.text)) return make(spelling.kind, spelling.text.size(), at);
  }
  // A run of bytes that belong to no token is one error, not many.
  const auto strange = [](char c) {
    return static_cast<unsigned char>(c) >= 0x7f || static_cast<unsigned char>(c) < 0x20 || c == '$' || c == '@' ||
           c == '`' || c == '~' || c == '\\' || c == '"';
  };
  size_t length = 1;
  while (offset_ + length < text_.size() && strange(text_[offset_ + length]) && text_[offset_ + length] != '\n')
    ++length;
  const char c = text_[offset_];
  diagnostics_.error(at, c > 0x20 && c < 0x7f ? std::string("unknown symbol '") + c + "'" : "unknown symbol");
  return make(Tok::Bad, length, at);
}

std::string_view describe(Tok kind) {
  switch (kind) {
    case Tok::End: return "the end of the text";
    case Tok::NewLine: return "the end of the line";
    case Tok::Bad: return "an unknown symbol";
    case Tok::Identifier: return "a name";
    case Tok::Number: return "a number";
    case Tok::Real: return "a floating-point number";
    case Tok::String: return "a string";
    default: break;
  }
  // Quoted spellings of all other tokens, made once.
  static const std::array<std::string, 256> kQuoted = [] {
    std::array<std::string, 256> quoted;
    const auto add = [&](const Spelling& spelling) {
      std::string& slot = quoted[static_cast<size_t>(spelling.kind)];
      if (slot.empty() || spelling.text == "=") slot = "'" + std::string(spelling.text) + "'";
    };
    for (const Spelling& s : kWords) add(s);
    for (const Spelling& s : kSymbols) add(s);
    for (const Spelling& s : kPaths) add(s);
    return quoted;
  }();
  return kQuoted[static_cast<size_t>(kind)];
}

std::string describe(const Token& token) {
  if (token.kind == Tok::End || token.kind == Tok::NewLine || token.kind == Tok::Bad) {
    return std::string(describe(token.kind));
  }
  constexpr size_t kLongest = 40;
  std::string text(token.text.substr(0, kLongest));
  if (token.text.size() > kLongest) text += "...";
  return "'" + text + "'";
}

}  // namespace harrier::uppaal
