// Macro expansion. The tokens of an expansion are pushed as a context and read again; a macro is not expanded inside
// its own expansion, and a name that was passed over for that reason is painted and never expanded later.
#include <algorithm>

#include "lang/promela/preprocessor.h"

namespace harrier::promela {

namespace {

constexpr size_t kMaxProduced = 4'000'000;  // tokens of all expansions together
constexpr size_t kMaxIsolated = 200;

Token stringified(const std::vector<Token>& tokens) {
  std::string quoted = "\"";
  for (const Token& token : tokens) {
    if (token.blank_before && quoted.size() > 1) quoted += ' ';
    for (const char c : token.text) {
      if ((c == '"' || c == '\\') && (token.kind == Tok::String || token.kind == Tok::Number)) quoted += '\\';
      quoted += c;
    }
  }
  Token result;
  result.kind = Tok::String;
  result.text = quoted + '"';
  return result;
}

}  // namespace

// Expands tokens on their own: what comes after them is out of reach.
class Preprocessor::Isolated {
 public:
  explicit Isolated(Preprocessor& preprocessor) : preprocessor_(preprocessor), floor_(preprocessor.floor_) {
    preprocessor_.floor_ = preprocessor_.contexts_.size();
    ++preprocessor_.isolated_;
  }
  ~Isolated() {
    preprocessor_.floor_ = floor_;
    --preprocessor_.isolated_;
  }
  Isolated(const Isolated&) = delete;
  Isolated& operator=(const Isolated&) = delete;

 private:
  Preprocessor& preprocessor_;
  size_t floor_;
};

Token Preprocessor::next() {
  Token token = expanded();
  if (stopped_) {
    Token end;
    end.at = token.at;
    end.line_start = true;
    return end;
  }
  return token;
}

void Preprocessor::stop(SourceRef at, std::string message) {
  if (!stopped_) diagnostics_.error(at, std::move(message));
  stopped_ = true;
}

Token Preprocessor::raw() {
  diagnostics_.poll();
  while (contexts_.size() > floor_) {
    Context& top = contexts_.back();
    if (top.next < top.tokens.size()) return std::move(top.tokens[top.next++]);
    if (top.macro) expanding_.erase(top.macro.get());
    contexts_.pop_back();
  }
  if (isolated_ != 0 || stopped_) return {};
  return file_token();
}

void Preprocessor::begin(std::shared_ptr<const Macro> macro, const Token& name, std::vector<Token> tokens) {
  produced_ += tokens.size() + 1;
  if (produced_ > kMaxProduced) return stop(name.at, "the macros of this model expand to too many tokens");
  if (tokens.empty()) {
    line_start_ |= name.line_start;
  } else {
    tokens.front().line_start = name.line_start;
    tokens.front().blank_before = name.blank_before;
  }
  expanding_.insert(macro.get());
  contexts_.push_back({std::move(macro), std::move(tokens), 0});
}

Token Preprocessor::expanded() {
  for (;;) {
    Token token = raw();
    if (line_start_ && isolated_ == 0) {
      token.line_start = true;
      line_start_ = false;
    }
    if (token.kind != Tok::Name || token.painted) return token;
    auto macro = macros_.find(token.text);
    if (!macro) return token;
    if (expanding_.count(macro.get()) != 0) {
      token.painted = true;
      return token;
    }
    std::vector<std::vector<Token>> found;
    if (macro->function_like) {
      Token next = raw();
      if (next.kind != Tok::LParen) {
        if (next.kind != Tok::End) contexts_.push_back({nullptr, {std::move(next)}, 0});
        return token;
      }
      if (!arguments(*macro, token, found)) {
        token.painted = true;  // stands for what cannot be expanded
        return token;
      }
    }
    std::vector<Token> tokens = substitute(*macro, token, found);
    begin(std::move(macro), token, std::move(tokens));
  }
}

bool Preprocessor::arguments(const Macro& macro, const Token& name, std::vector<std::vector<Token>>& found) {
  found.emplace_back();
  for (size_t depth = 0;;) {
    Token token = raw();
    if (++produced_ > kMaxProduced) stop(name.at, "the macros of this model expand to too many tokens");
    if (token.kind == Tok::End) {
      if (!stopped_) diagnostics_.error(name.at, "the arguments of the macro '" + name.text + "' are not closed");
      return false;
    }
    token.blank_before |= token.line_start;
    token.line_start = false;
    if (token.kind == Tok::LParen) ++depth;
    if (token.kind == Tok::RParen && depth-- == 0) break;
    const bool rest = macro.variadic && found.size() == macro.parameters.size();
    if (token.kind == Tok::Comma && depth == 0 && !rest) {
      found.emplace_back();
    } else {
      found.back().push_back(std::move(token));
    }
  }
  if (macro.parameters.empty() && found.size() == 1 && found[0].empty()) found.clear();
  if (macro.variadic && found.size() + 1 == macro.parameters.size()) found.emplace_back();
  if (found.size() == macro.parameters.size()) return true;
  diagnostics_.error(name.at, "the macro '" + name.text + "' has " + std::to_string(macro.parameters.size()) +
                                  " parameter(s), but " + std::to_string(found.size()) + " argument(s) are given");
  return false;
}

std::vector<Token> Preprocessor::expand_all(std::vector<Token> tokens, SourceRef at) {
  std::vector<Token> result;
  if (isolated_ >= kMaxIsolated) {
    stop(at, "the arguments of macros are nested too deeply");
    return result;
  }
  Isolated isolated(*this);
  contexts_.push_back({nullptr, std::move(tokens), 0});
  for (Token token = expanded(); token.kind != Tok::End && !stopped_; token = expanded()) {
    result.push_back(std::move(token));
  }
  return result;
}

void Preprocessor::paste(std::vector<Token>& onto, std::vector<Token> piece, SourceRef at) {
  if (piece.empty()) return;
  if (!onto.empty()) {
    const std::string text = onto.back().text + piece.front().text;
    Sources scratch;
    Diagnostics unseen;
    Lexer lexer(scratch, scratch.add_file("", text), unseen);
    Token glued = lexer.next();
    if (glued.kind == Tok::Bad || lexer.next().kind != Tok::End) {
      return diagnostics_.error(at, "'##' makes '" + text + "', which is no token");
    }
    glued.at = at;
    glued.line_start = false;
    glued.blank_before = onto.back().blank_before;
    onto.pop_back();
    piece.front() = std::move(glued);
  }
  onto.insert(onto.end(), std::make_move_iterator(piece.begin()), std::make_move_iterator(piece.end()));
}

std::vector<Token> Preprocessor::substitute(const Macro& macro, const Token& name,
                                            const std::vector<std::vector<Token>>& arguments) {
  const auto parameter = [&](const Token& token) -> size_t {
    if (token.kind != Tok::Name || arguments.empty()) return SIZE_MAX;
    const auto found = std::find(macro.parameters.begin(), macro.parameters.end(), token.text);
    return found == macro.parameters.end() ? SIZE_MAX : static_cast<size_t>(found - macro.parameters.begin());
  };
  const std::vector<Token>& body = macro.body;
  std::vector<Token> out;
  std::vector<std::optional<std::vector<Token>>> cache(arguments.size());
  bool pasting = false;
  for (size_t i = 0; i < body.size() && !stopped_; ++i) {
    if (body[i].kind == Tok::HashHash) {
      pasting = true;
      continue;
    }
    std::vector<Token> piece;
    const size_t index = parameter(body[i]);
    if (body[i].kind == Tok::Hash && i + 1 < body.size() && parameter(body[i + 1]) != SIZE_MAX) {
      piece.push_back(stringified(arguments[parameter(body[i + 1])]));
      piece.back().at = name.at;
      piece.back().blank_before = body[i].blank_before;
      ++i;
    } else if (index == SIZE_MAX) {
      piece.push_back(body[i]);
      piece.back().at = name.at;
      piece.back().line_start = false;
    } else {
      const bool as_written = pasting || (i + 1 < body.size() && body[i + 1].kind == Tok::HashHash);
      if (!as_written && !cache[index]) cache[index] = expand_all(arguments[index], name.at);
      piece = as_written ? arguments[index] : *cache[index];
      if (!piece.empty()) piece.front().blank_before = body[i].blank_before;
    }
    produced_ += piece.size();
    if (produced_ > kMaxProduced) stop(name.at, "the macros of this model expand to too many tokens");
    if (pasting) {
      paste(out, std::move(piece), name.at);
    } else {
      out.insert(out.end(), std::make_move_iterator(piece.begin()), std::make_move_iterator(piece.end()));
    }
    pasting = false;
  }
  return out;
}

}  // namespace harrier::promela
