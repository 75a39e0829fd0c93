// The tokens of SMV.
//
// Words are `Name`s, keywords too: most of them are reserved only where they mean something, so that the parser tells
// them apart by their text. A name may contain `-`, `#` and `$`: `e-1` is one name, `e - 1` a difference.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/source.h"

namespace harrier::smv {

enum class Tok : uint8_t {
  End,
  Bad,  // no token; the parser says why
  Name,
  Number,
  Real,
  Word,    // 0ud8_255
  String,  // in double quotes
  LParen,
  RParen,
  LBracket,
  RBracket,
  LBrace,
  RBrace,
  Comma,
  Semi,
  Colon,
  ColonColon,
  Assign,
  Dot,
  DotDot,
  Question,
  Not,
  And,
  Or,
  Implies,
  Iff,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  Plus,
  Minus,
  Star,
  Slash,
  Shl,
  Shr,
  At,
};

struct Token {
  Tok kind = Tok::End;
  std::string_view text = {};  // as it stands in the source
  int64_t value = 0;           // of a number; too large ones are INT64_MAX
  size_t begin = 0;            // offset in the source
  SourceRef at = {};
};

// Reads one text, which must not move meanwhile.
class Lexer {
 public:
  Lexer(const Sources& sources, uint32_t file);
  Token next();

 private:
  void advance(size_t count);
  bool skip_comment();
  void number(Token& token);
  void finish(Token& token, Tok kind, size_t length);

  std::string_view text_;
  size_t offset_ = 0;
  SourceRef place_;  // of offset_
  bool open_comment_ = false;
};

// "'foo'", "the end of the text".
std::string describe(const Token& token);
// "';'".
std::string describe(Tok kind);

}  // namespace harrier::smv
