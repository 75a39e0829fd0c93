// The preprocessor: files in, tokens out, macros expanded and included files read on the way.
//
// It works on tokens, so that each keeps its place. A token that comes out of a macro has the place where the macro is
// used; those of its arguments keep their own.
//
//   preprocessor.cpp         files and directives
//   preprocessor_expand.cpp  macros
//   preprocessor_if.cpp      conditions of #if
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/source.h"
#include "lang/promela/lexer.h"

namespace harrier::promela {

struct Macro {
  bool function_like = false;
  bool variadic = false;  // the last parameter is __VA_ARGS__
  std::vector<std::string> parameters;
  std::vector<Token> body;
};

class Macros {
 public:
  std::shared_ptr<const Macro> find(const std::string& name) const;
  void define(const std::string& name, Macro macro);
  void undefine(const std::string& name) { table_.erase(name); }

  // The proctypes of the model: only these names make a remote reference of `P:x`.
  std::unordered_set<std::string> processes;

 private:
  std::unordered_map<std::string, std::shared_ptr<const Macro>> table_;
};

class Preprocessor {
 public:
  Preprocessor(Sources& sources, uint32_t file, Macros macros, Diagnostics& diagnostics);

  // A macro without parameters, as by -Dname=value.
  void predefine(const std::string& name, const std::string& value);
  // At the end of the text, and after too many errors, there are `End`s only.
  Token next();
  const Macros& macros() const { return macros_; }
  // The text was given up: what misses the rest of it is no error.
  bool stopped() const { return stopped_; }

 private:
  struct File {
    Lexer lexer;
    std::optional<Token> ahead;
    size_t conditions;  // that were open when it began
  };
  struct Condition {
    bool enclosing, active, taken, seen_else;
    SourceRef at;
  };
  struct Context {
    std::shared_ptr<const Macro> macro;  // whose expansion this is, or null
    std::vector<Token> tokens;
    size_t next = 0;
  };
  class Isolated;

  // Files and directives.
  Token file_token();
  Token lexer_token();
  Token line_token();  // End at the end of the line
  std::vector<Token> line_tokens();
  bool active() const { return conditions_.empty() || conditions_.back().active; }
  void directive(SourceRef at);
  void conditional(const std::string& name, SourceRef at);
  void definition(SourceRef at);
  bool parameters(Macro& macro, Token& next);
  void include(SourceRef at);
  bool holds(std::vector<Token> line, SourceRef at);
  std::optional<bool> defined(SourceRef at, const char* directive);
  void close_file();

  // Expansion.
  Token raw();
  Token expanded();
  bool arguments(const Macro& macro, const Token& name, std::vector<std::vector<Token>>& found);
  std::vector<Token> substitute(const Macro& macro, const Token& name,
                                const std::vector<std::vector<Token>>& arguments);
  std::vector<Token> expand_all(std::vector<Token> tokens, SourceRef at);
  void paste(std::vector<Token>& onto, std::vector<Token> piece, SourceRef at);
  void begin(std::shared_ptr<const Macro> macro, const Token& name, std::vector<Token> tokens);
  void stop(SourceRef at, std::string message);

  Sources& sources_;
  Macros macros_;
  Diagnostics& diagnostics_;
  std::vector<File> files_;
  std::vector<Condition> conditions_;
  std::unordered_map<std::string, uint32_t> included_;  // file numbers by path
  size_t include_count_ = 0;

  std::vector<Context> contexts_;
  std::unordered_set<const Macro*> expanding_;
  size_t floor_ = 0;     // contexts below are out of reach
  size_t isolated_ = 0;  // how many lists of tokens are expanded on their own
  size_t produced_ = 0;  // tokens, by expansion
  bool line_start_ = false;
  bool stopped_ = false;
};

// The value of the condition of an #if whose macros are expanded; nothing after an error.
std::optional<int64_t> condition_value(const std::vector<Token>& tokens, SourceRef at, Diagnostics& diagnostics);

}  // namespace harrier::promela
