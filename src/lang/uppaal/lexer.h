// The tokens of UPPAAL's textual language: models in old and new syntax, labels inside XML, and queries.
//
// Tokens are made on demand, each with its place in the file. In query mode a line end is a token, and the path
// quantifiers `E<>`, `A[]`, `-->` … are tokens too.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/source.h"
#include "lang/uppaal/text_piece.h"

namespace harrier::uppaal {

enum class Tok : uint8_t {
  End,
  NewLine,
  Bad,
  Identifier,
  Number,
  Real,
  String,
  // Punctuation.
  LParen,
  RParen,
  LBracket,
  RBracket,
  LBrace,
  RBrace,
  Comma,
  Semicolon,
  Colon,
  Dot,
  Question,
  Exclaim,
  Quote,
  Hash,
  Arrow,
  UncontrolledArrow,
  // Assignments; the order is that of the plain operators below.
  Assign,
  AddAssign,
  SubAssign,
  MulAssign,
  DivAssign,
  ModAssign,
  OrAssign,
  AndAssign,
  XorAssign,
  ShlAssign,
  ShrAssign,
  Plus,
  Minus,
  Star,
  Slash,
  Percent,
  Pipe,
  Amp,
  Caret,
  Shl,
  Shr,
  Increment,
  Decrement,
  Power,
  AndAnd,
  OrOr,
  Min,
  Max,
  Lt,
  Le,
  Eq,
  Ne,
  Ge,
  Gt,
  // Words.
  KwAfterUpdate,
  KwAnd,
  KwAssign,
  KwBeforeUpdate,
  KwBool,
  KwBroadcast,
  KwChan,
  KwClock,
  KwCommit,
  KwConst,
  KwDeadlock,
  KwDo,
  KwElse,
  KwExists,
  KwFalse,
  KwFor,
  KwForall,
  KwGuard,
  KwHybrid,
  KwIf,
  KwImply,
  KwInit,
  KwInt,
  KwMeta,
  KwNot,
  KwOr,
  KwProcess,
  KwReturn,
  KwScalar,
  KwSelect,
  KwState,
  KwStruct,
  KwSum,
  KwSync,
  KwSystem,
  KwTrans,
  KwTrue,
  KwTypedef,
  KwUrgent,
  KwVoid,
  KwWhile,
  KwXor,
  // Path quantifiers, in queries only.
  ExistsEventually,
  ExistsAlways,
  AllEventually,
  AllAlways,
  LeadsTo,
};

struct Token {
  Tok kind = Tok::End;
  std::string_view text;  // points into the piece
  int64_t value = 0;      // of a number; 2^31 is let through for the sake of -2147483648
  SourceRef at;
};

class Lexer {
 public:
  Lexer(const TextPiece& piece, const Sources& sources, Diagnostics& diagnostics, bool query_mode = false);

  // After too many errors there are no more tokens: whoever reads them stops.
  Token next();
  // Where the text is read next, to take the text of a query as it was written.
  size_t offset() const { return offset_; }

 private:
  void skip_blanks();
  void skip_block_comment();
  SourceRef place(size_t offset);
  Token make(Tok kind, size_t length, SourceRef at);
  Token word(SourceRef at);
  Token number(SourceRef at);
  Token symbol(SourceRef at);
  bool looking_at(std::string_view what) const { return text_.substr(offset_, what.size()) == what; }

  const TextPiece& piece_;
  std::string_view text_;
  std::string_view file_text_;
  Diagnostics& diagnostics_;
  bool query_mode_;
  size_t offset_ = 0;
  bool line_end_ = false;  // a line end was passed in query mode
  SourceRef line_end_at_;
  // The place of a file offset, moved forward as the text is read.
  size_t seen_offset_ = 0;
  SourceRef seen_;
};

// How a token kind is named in messages: "';'", "an identifier".
std::string_view describe(Tok kind);
// The same for a token that was found: "'foo'", "the end of the text".
std::string describe(const Token& token);

}  // namespace harrier::uppaal
