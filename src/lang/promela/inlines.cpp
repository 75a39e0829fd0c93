#include "lang/promela/inlines.h"

#include <algorithm>

namespace harrier::promela {

namespace {

constexpr size_t kMaxProduced = 4'000'000;  // tokens of all expansions together

// A statement may end with it.
bool may_end(Tok kind) {
  switch (kind) {
    case Tok::RBrace:
    case Tok::RParen:
    case Tok::RBracket:
    case Tok::KwOd:
    case Tok::KwFi:
    case Tok::KwElse:
    case Tok::KwBreak:
    case Tok::Name:
    case Tok::Number:
    case Tok::Increment:
    case Tok::KwTimeout:
    case Tok::KwNonProgress:
    case Tok::Decrement: return true;
    default: return false;
  }
}

// A statement may begin with it.
bool may_begin(Tok kind) {
  switch (kind) {
    case Tok::Name:
    case Tok::Number:
    case Tok::LParen:
    case Tok::LBrace:
    case Tok::Minus:
    case Tok::Tilde:
    case Tok::Exclaim: return true;
    case Tok::KwFi:
    case Tok::KwOd:
    case Tok::KwOf:
    case Tok::KwPriority:
    case Tok::KwProvided:
    case Tok::KwUnless: return false;
    default: return kind >= Tok::KwActive;
  }
}

}  // namespace

Token TokenStream::raw() {
  while (!inserted_.empty()) {
    Inserted& top = inserted_.back();
    if (top.next < top.tokens.size()) return std::move(top.tokens[top.next++]);
    inserted_.pop_back();
  }
  Token token = preprocessor_.next();
  classify(token);
  return token;
}

bool TokenStream::semicolon_before(const Token& token) const {
  if (!in_sequence_ || !may_begin(token.kind)) return false;
  if (last_.kind == Tok::RBrace || last_.kind == Tok::KwElse) return true;
  return token.line_start && parentheses_ == 0 && may_end(last_.kind);
}

void TokenStream::fill() {
  Token token = raw();
  const bool semicolon_wanted = semicolon_before(token);
  if (token.kind == Tok::LParen) ++parentheses_;
  if (token.kind == Tok::RParen && parentheses_ > 0) --parentheses_;
  if (semicolon_wanted) {
    Token semicolon;
    semicolon.kind = Tok::Semi;
    semicolon.text = ";";
    semicolon.implied = true;
    semicolon.at = last_.at;
    semicolon.at.column += static_cast<uint32_t>(last_.text.size());
    ahead_.push_back(std::move(semicolon));
  }
  last_ = token;
  ahead_.push_back(std::move(token));
}

const Token& TokenStream::peek(size_t ahead) {
  while (ahead_.size() <= ahead) fill();
  return ahead_[ahead];
}

Token TokenStream::take() {
  peek();
  Token token = std::move(ahead_.front());
  ahead_.pop_front();
  return token;
}

std::vector<Token> TokenStream::rest_of_block() {
  std::vector<Token> block;
  for (size_t depth = 1; depth > 0;) {
    Token token;
    if (ahead_.empty()) {
      token = raw();
    } else {
      token = std::move(ahead_.front());
      ahead_.pop_front();
    }
    if (token.kind == Tok::LBrace) ++depth;
    if (token.kind == Tok::RBrace) --depth;
    if (token.kind == Tok::End) {
      ahead_.push_back(std::move(token));
      break;
    }
    block.push_back(std::move(token));
  }
  last_ = {};
  last_.kind = Tok::RBrace;
  return block;
}

void TokenStream::insert(std::vector<Token> tokens) {
  last_ = {};
  inserted_.push_back({std::move(tokens), 0});
}

void TokenStream::restart(std::vector<Token> tokens) {
  ahead_.clear();
  inserted_.clear();
  parentheses_ = 0;
  insert(std::move(tokens));
}

bool Inlines::define(Inline definition) {
  const std::string name = definition.name;
  return table_.emplace(name, std::move(definition)).second;
}

const Inline* Inlines::find(const std::string& name) const {
  const auto found = table_.find(name);
  return found == table_.end() ? nullptr : &found->second;
}

std::vector<Token> Inlines::expand(const Inline& called, const std::vector<std::vector<Token>>& arguments) {
  std::vector<Token> out;
  for (const Token& token : called.body) {
    const auto found = token.kind != Tok::Name
                           ? called.parameters.end()
                           : std::find(called.parameters.begin(), called.parameters.end(), token.text);
    if (found == called.parameters.end()) {
      out.push_back(token);
    } else {
      const auto& argument = arguments[static_cast<size_t>(found - called.parameters.begin())];
      const size_t begin = out.size();
      out.insert(out.end(), argument.begin(), argument.end());
      for (size_t i = begin; i < out.size(); ++i) out[i].line_start = i == begin && token.line_start;
    }
    if (produced_ + out.size() > kMaxProduced) return {};
  }
  produced_ += out.size();
  return out;
}

}  // namespace harrier::promela
