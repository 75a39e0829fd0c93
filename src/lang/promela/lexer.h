// The tokens of Promela as they stand in one file, before the preprocessor.
//
// Words are `Name`s here, keywords too, because any word may be a macro; `keyword` tells them apart later. What is no
// token becomes a `Bad` one with the reason as its text: only who uses it has to report it, not who skips it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/source.h"

namespace harrier::promela {

enum class Tok : uint8_t {
  End,
  Bad,
  Name,
  Number,
  String,
  // Punctuation.
  LParen,
  RParen,
  LBracket,
  RBracket,
  LBrace,
  RBrace,
  Comma,
  Semi,
  Arrow,
  Colon,
  ColonColon,
  Dot,
  DotDot,
  At,
  Hash,
  HashHash,
  Assign,
  Increment,
  Decrement,
  Tilde,
  Exclaim,
  SortedSend,
  Question,
  RandomReceive,
  Plus,
  Minus,
  Star,
  Slash,
  Percent,
  Amp,
  Pipe,
  Caret,
  Shl,
  Shr,
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  AndAnd,
  OrOr,
  Wedge,
  Vee,
  // Words.
  KwActive,
  KwAssert,
  KwAtomic,
  KwBit,
  KwBreak,
  KwByte,
  KwCCode,
  KwCDecl,
  KwCExpr,
  KwCState,
  KwCTrack,
  KwChan,
  KwDProctype,
  KwDStep,
  KwDo,
  KwElse,
  KwEmpty,
  KwEnabled,
  KwEval,
  KwFi,
  KwFor,
  KwFull,
  KwGetPriority,
  KwGoto,
  KwHidden,
  KwIf,
  KwInit,
  KwInline,
  KwInt,
  KwLen,
  KwLocal,
  KwLtl,
  KwMtype,
  KwNempty,
  KwNever,
  KwNfull,
  KwNotrace,
  KwNonProgress,
  KwOd,
  KwOf,
  KwPcValue,
  KwPid,
  KwPrintf,
  KwPrintm,
  KwPriority,
  KwProctype,
  KwProvided,
  KwReturn,
  KwRun,
  KwSelect,
  KwSetPriority,
  KwShort,
  KwShow,
  KwTimeout,
  KwTrace,
  KwTypedef,
  KwUnless,
  KwUnsigned,
  KwXr,
  KwXs,
};

struct Token {
  Tok kind = Tok::End;
  bool line_start = false;    // the first one in its line
  bool blank_before = false;  // or a comment
  bool painted = false;       // the name of a macro that is not expanded any more
  bool implied = false;       // a semicolon that stands for a line end
  std::string text;           // of a Bad one: what is wrong
  int64_t value = 0;          // of a number; too large ones are INT64_MAX
  SourceRef at;
};

class Lexer {
 public:
  Lexer(const Sources& sources, uint32_t file, Diagnostics& diagnostics);

  Token next();
  // The text up to the end of the line, which is skipped.
  std::string rest_of_line();
  uint32_t file() const { return file_; }

 private:
  // The table of sources may move its texts when it grows, so that no view is kept.
  std::string_view text() const { return sources_.text(file_); }
  bool looking_at(std::string_view what) const { return text().substr(offset_, what.size()) == what; }
  void advance(size_t count);
  void skip_blanks(Token& token);
  bool skip_continuation();
  void skip_comment();
  void word(Token& token);
  void number(Token& token);
  void string(Token& token);
  void character(Token& token);
  void symbol(Token& token);
  void finish(Token& token, Tok kind, size_t length);
  void bad(Token& token, size_t length, std::string reason);

  const Sources& sources_;
  uint32_t file_;
  Diagnostics& diagnostics_;
  size_t offset_ = 0;
  SourceRef place_;  // of offset_
  bool line_start_ = true;
};

// Makes keywords of names, and numbers of `true`, `false` and `skip`.
void classify(Token& token);

// How a token kind is named in messages: "';'", "a name".
std::string describe(Tok kind);
// The same for a token that was found: "'foo'", "the end of the text".
std::string describe(const Token& token);

}  // namespace harrier::promela
