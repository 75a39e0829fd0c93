// Statements as one line of text: operators with blanks around them, `q!one(nr)` and `a[i].b` without.
#include "lang/promela/parser_impl.h"

namespace harrier::promela {

namespace {

bool word(const Token& token) {
  return token.kind == Tok::Name || token.kind == Tok::Number || token.kind == Tok::String ||
         token.kind >= Tok::KwActive;
}

bool ends_operand(const Token& token) {
  return token.kind == Tok::RParen || token.kind == Tok::RBracket || (word(token) && token.kind < Tok::KwActive);
}

bool binary(Tok kind) {
  return kind == Tok::Assign || kind == Tok::Arrow || kind == Tok::DotDot || (kind >= Tok::Plus && kind <= Tok::Vee);
}

}  // namespace

void LinePrinter::clear() {
  text_.clear();
  last_ = {};
  blank_wanted_ = keeping_ = false;
}

void LinePrinter::add(const Token& token) {
  bool before = word(token) && word(last_);
  if (last_.kind == Tok::KwAssert && token.kind != Tok::LParen) before = true;
  bool after = false;
  if (token.kind == Tok::Lt && (last_.kind == Tok::Question || last_.kind == Tok::RandomReceive)) {
    keeping_ = true;
  } else if (token.kind == Tok::Gt && keeping_) {
    keeping_ = false;
  } else if (token.kind == Tok::Minus && !ends_operand(last_)) {
    // A sign.
  } else if (binary(token.kind)) {
    before = after = true;
  } else if (token.kind == Tok::Comma) {
    after = true;
  } else if (token.kind == Tok::Colon || last_.kind == Tok::Colon || token.kind == Tok::LBrace ||
             token.kind == Tok::RBrace || last_.kind == Tok::LBrace) {
    before |= token.blank_before;
  } else if (token.kind == Tok::KwOf || last_.kind == Tok::KwOf) {
    before = true;
  }
  if (!text_.empty() && (before || blank_wanted_)) text_ += ' ';
  text_ += token.text;
  blank_wanted_ = after;
  last_ = token;
}

}  // namespace harrier::promela
