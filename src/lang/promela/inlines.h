// The tokens as the grammar sees them: with the bodies of inlines in the place of calls, and with the semicolons that
// Promela lets one leave out.
//
// Spin 6 reads the end of a line as a semicolon where a statement may end there, and adds one behind a '}' or an
// `else`. Here it is added only if a statement may begin with the next token, so that a line may start with an
// operator.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "lang/promela/lexer.h"
#include "lang/promela/preprocessor.h"

namespace harrier::promela {

class TokenStream {
 public:
  explicit TokenStream(Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  const Token& peek(size_t ahead = 0);
  Token take();
  // Whether statements are read, so that line ends count. To be said before the next token is looked at.
  void in_sequence(bool yes) { in_sequence_ = yes; }
  // After an error: those that are open do not count.
  void forget_parentheses() { parentheses_ = 0; }
  // Tokens up to the '}' that closes the '{' just taken, and with it; as they are, for later use.
  std::vector<Token> rest_of_block();
  // Reads these before the others.
  void insert(std::vector<Token> tokens);
  // Reads these instead of the others.
  void restart(std::vector<Token> tokens);

 private:
  struct Inserted {
    std::vector<Token> tokens;
    size_t next = 0;
  };
  Token raw();
  void fill();
  bool semicolon_before(const Token& token) const;

  Preprocessor& preprocessor_;
  std::vector<Inserted> inserted_;
  std::deque<Token> ahead_;
  Token last_;  // that was put into ahead_
  bool in_sequence_ = false;
  uint32_t parentheses_ = 0;
};

struct Inline {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<Token> body;  // with the braces
  SourceRef at;
};

class Inlines {
 public:
  bool define(Inline definition);  // false: there is one of this name
  const Inline* find(const std::string& name) const;
  // The body with arguments for parameters; nothing if that makes too many tokens altogether.
  std::vector<Token> expand(const Inline& called, const std::vector<std::vector<Token>>& arguments);

 private:
  std::unordered_map<std::string, Inline> table_;
  size_t produced_ = 0;
};

}  // namespace harrier::promela
