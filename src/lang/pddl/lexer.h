// The tokens of PDDL and of plans: parentheses and words. What a word means depends on where it stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace harrier::pddl {

struct Token {
  enum class Kind : uint8_t { End, Open, Close, Word };

  Kind kind = Kind::End;
  std::string_view text = {};
  size_t begin = 0;  // offset in the text

  bool is(std::string_view word) const { return kind == Kind::Word && text == word; }
  bool keyword() const { return kind == Kind::Word && text.front() == ':'; }
  bool variable() const { return kind == Kind::Word && text.front() == '?'; }
};

// Reads one text, which must not move meanwhile. A copy of it goes on from the same place.
class Lexer {
 public:
  explicit Lexer(std::string_view text);
  Token next();
  void seek(size_t offset) { offset_ = offset; }

 private:
  std::string_view text_;
  size_t offset_ = 0;
};

// PDDL does not tell upper from lower case.
std::string lower_case(std::string_view text);

// A word that something can be called: of letters, digits and signs that can be shown, without a mark at its beginning.
bool is_name(const Token& token);

// As messages have it: with three dots where it is long, and '?' for what cannot be shown.
std::string shown(std::string_view text);
// "'foo'".
std::string quoted(std::string_view text);
// "'foo'", "the end of the text".
std::string describe(const Token& token);

}  // namespace harrier::pddl
