#include "lang/promela/preprocessor.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace harrier::promela {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxIncludeDepth = 64;
constexpr size_t kMaxIncludes = 10'000;

}  // namespace

std::shared_ptr<const Macro> Macros::find(const std::string& name) const {
  const auto found = table_.find(name);
  return found == table_.end() ? nullptr : found->second;
}

void Macros::define(const std::string& name, Macro macro) {
  table_[name] = std::make_shared<const Macro>(std::move(macro));
}

Preprocessor::Preprocessor(Sources& sources, uint32_t file, Macros macros, Diagnostics& diagnostics)
    : sources_(sources), macros_(std::move(macros)), diagnostics_(diagnostics) {
  files_.push_back({Lexer(sources_, file, diagnostics_), {}, 0});
}

void Preprocessor::predefine(const std::string& name, const std::string& value) {
  Sources scratch;
  Lexer names(scratch, scratch.add_file(name, name), diagnostics_);
  Token first = names.next();
  if (first.kind != Tok::Name || names.next().kind != Tok::End) {
    return diagnostics_.error({}, "'" + name + "' cannot be defined: it is no name");
  }
  Macro macro;
  Lexer values(scratch, scratch.add_file(name, value), diagnostics_);
  for (Token token = values.next(); token.kind != Tok::End; token = values.next()) macro.body.push_back(token);
  macros_.define(name, std::move(macro));
}

Token Preprocessor::lexer_token() {
  File& file = files_.back();
  if (!file.ahead) return file.lexer.next();
  Token token = std::move(*file.ahead);
  file.ahead.reset();
  return token;
}

Token Preprocessor::line_token() {
  Token token = lexer_token();
  if (!token.line_start) return token;
  Token end;
  end.at = token.at;
  files_.back().ahead = std::move(token);
  return end;
}

std::vector<Token> Preprocessor::line_tokens() {
  std::vector<Token> line;
  for (Token token = line_token(); token.kind != Tok::End; token = line_token()) line.push_back(std::move(token));
  return line;
}

void Preprocessor::close_file() {
  const size_t before = files_.back().conditions;
  if (conditions_.size() > before) {
    diagnostics_.error(conditions_[before].at, "this condition is not closed: #endif is missing");
    conditions_.erase(conditions_.begin() + static_cast<std::ptrdiff_t>(before), conditions_.end());
  }
  if (files_.size() > 1) files_.pop_back();
}

Token Preprocessor::file_token() {
  for (;;) {
    if (diagnostics_.full()) stopped_ = true;
    if (stopped_) return {};
    Token token = lexer_token();
    if (token.kind == Tok::Hash && token.line_start) {
      directive(token.at);
    } else if (token.kind == Tok::End) {
      const bool last = files_.size() == 1;
      close_file();
      if (last) return token;
    } else if (active()) {
      return token;
    }
  }
}

void Preprocessor::directive(SourceRef at) {
  const Token word = line_token();
  if (word.kind == Tok::End) return;  // a lone # does nothing
  const std::string& name = word.text;
  if (word.kind == Tok::Name &&
      (name == "if" || name == "ifdef" || name == "ifndef" || name == "elif" || name == "else" || name == "endif")) {
    conditional(name, word.at);
  } else if (!active()) {
    // Nothing else counts there.
  } else if (name == "define") {
    definition(word.at);
  } else if (name == "undef") {
    const Token what = line_token();
    if (what.kind != Tok::Name) {
      diagnostics_.error(what.kind == Tok::End ? word.at : what.at, "expected the name of a macro after #undef");
    }
    macros_.undefine(what.text);
  } else if (name == "include") {
    return include(word.at);
  } else if (name == "error") {
    diagnostics_.error(at, "#error " + files_.back().lexer.rest_of_line());
  } else if (word.kind != Tok::Number && name != "line" && name != "ident" && name != "pragma" && name != "warning") {
    diagnostics_.error(word.at, "unknown preprocessor directive" + (word.kind == Tok::Name ? " '#" + name + "'" : ""));
  }
  line_tokens();
}

std::optional<bool> Preprocessor::defined(SourceRef at, const char* directive) {
  const Token name = line_token();
  if (name.kind == Tok::Name) return macros_.find(name.text) != nullptr;
  diagnostics_.error(name.kind == Tok::End ? at : name.at,
                     "expected the name of a macro after #" + std::string(directive));
  return {};
}

void Preprocessor::conditional(const std::string& name, SourceRef at) {
  if (name == "if" || name == "ifdef" || name == "ifndef") {
    const bool enclosing = active();
    bool value = false;
    if (enclosing) value = name == "if" ? holds(line_tokens(), at) : defined(at, name.c_str()) == (name == "ifdef");
    line_tokens();
    conditions_.push_back({enclosing, value, value, false, at});
    return;
  }
  if (conditions_.size() <= files_.back().conditions) {
    diagnostics_.error(at, "#" + name + " without #if");
    line_tokens();
    return;
  }
  if (name == "endif") {
    conditions_.pop_back();
  } else if (conditions_.back().seen_else) {
    diagnostics_.error(at, "#" + name + " after #else");
  } else if (name == "else") {
    Condition& open = conditions_.back();
    open.seen_else = true;
    open.active = open.enclosing && !open.taken;
  } else {
    // Only one branch is active; a condition behind it is not even looked at.
    const bool asked = conditions_.back().enclosing && !conditions_.back().taken;
    const bool value = asked && holds(line_tokens(), at);
    conditions_.back().active = value;
    conditions_.back().taken |= value;
  }
  line_tokens();
}

bool Preprocessor::holds(std::vector<Token> line, SourceRef at) {
  // `defined` is answered before the macros are expanded.
  std::vector<Token> asked;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i].kind != Tok::Name || line[i].text != "defined") {
      asked.push_back(line[i]);
      continue;
    }
    const bool open = i + 1 < line.size() && line[i + 1].kind == Tok::LParen;
    const size_t name = i + (open ? 2 : 1);
    const size_t last = name + (open ? 1 : 0);
    if (last >= line.size() || line[name].kind != Tok::Name || (open && line[last].kind != Tok::RParen)) {
      diagnostics_.error(line[i].at, "expected the name of a macro after 'defined'");
      return false;
    }
    Token value = line[i];
    value.kind = Tok::Number;
    value.value = macros_.find(line[name].text) != nullptr ? 1 : 0;
    asked.push_back(value);
    i = last;
  }
  return condition_value(expand_all(std::move(asked), at), at, diagnostics_).value_or(0) != 0;
}

bool Preprocessor::parameters(Macro& macro, Token& next) {
  next = line_token();
  if (next.kind == Tok::RParen) return true;
  for (;; next = line_token()) {
    if (next.kind == Tok::DotDot) {
      next = line_token();
      if (next.kind != Tok::Dot) return false;
      macro.variadic = true;
      macro.parameters.push_back("__VA_ARGS__");
      next = line_token();
      return next.kind == Tok::RParen;
    }
    if (next.kind != Tok::Name) return false;
    macro.parameters.push_back(next.text);
    next = line_token();
    if (next.kind == Tok::RParen) return true;
    if (next.kind != Tok::Comma) return false;
  }
}

void Preprocessor::definition(SourceRef at) {
  const Token name = line_token();
  if (name.kind != Tok::Name || name.text == "defined") {
    return diagnostics_.error(name.kind == Tok::End ? at : name.at, "expected the name of a macro after #define");
  }
  Macro macro;
  Token next = line_token();
  if (next.kind == Tok::LParen && !next.blank_before) {
    macro.function_like = true;
    if (!parameters(macro, next)) {
      return diagnostics_.error(next.kind == Tok::End ? name.at : next.at,
                                "malformed parameters of the macro '" + name.text + "': names and commas are expected");
    }
    next = line_token();
  }
  for (; next.kind != Tok::End; next = line_token()) macro.body.push_back(next);
  if (!macro.body.empty() && (macro.body.front().kind == Tok::HashHash || macro.body.back().kind == Tok::HashHash)) {
    return diagnostics_.error(name.at, "'##' at the end of the macro '" + name.text + "' has nothing to paste");
  }
  macros_.define(name.text, std::move(macro));
}

void Preprocessor::include(SourceRef at) {
  const std::vector<Token> line = expand_all(line_tokens(), at);
  if (line.size() != 1 || line[0].kind != Tok::String) {
    return diagnostics_.error(line.empty() ? at : line[0].at, "expected \"file\" after #include");
  }
  const std::string name = line[0].text.substr(1, line[0].text.size() - 2);
  const SourceRef place = line[0].at;
  if (files_.size() >= kMaxIncludeDepth) return stop(place, "includes are nested too deeply");
  if (++include_count_ > kMaxIncludes) return stop(place, "too many included files");

  const fs::path folder = fs::path(sources_.file_name(files_.back().lexer.file())).parent_path();
  const std::string path = (folder / name).lexically_normal().string();
  auto known = included_.find(path);
  if (known == included_.end()) {
    std::error_code ignored;
    std::ifstream in(path, std::ios::binary);
    if (!in || !fs::is_regular_file(path, ignored)) {
      return diagnostics_.error(place, "cannot read the file '" + path + "'");
    }
    std::string text(std::istreambuf_iterator<char>(in), {});
    known = included_.emplace(path, sources_.add_file(path, std::move(text))).first;
  }
  files_.push_back({Lexer(sources_, known->second, diagnostics_), {}, conditions_.size()});
}

}  // namespace harrier::promela
