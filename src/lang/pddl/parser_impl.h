// The parser's own declarations. No tree of the text is made: a first pass finds where sections begin, and whether
// parentheses match; then each kind of section is read in its turn, so that what is declared is known before it is
// used, in whatever order it stands.
//
//   parser.cpp             files, sections and declarations
//   parser_problem.cpp     the sections of a problem, but its goal
//   parser_conditions.cpp  conditions, effects, terms
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lang/pddl/lexer.h"
#include "lang/pddl/parser.h"

namespace harrier::pddl {

class Parser {
 public:
  Parser(const Sources& sources, Diagnostics& diagnostics) : sources_(sources), diagnostics_(diagnostics) {}

  Task parse(uint32_t domain_file, uint32_t problem_file);

 private:
  // Thrown where an error that was reported keeps the parser from going on in a section.
  struct Failure {};
  using Names = std::unordered_map<std::string_view, uint32_t>;
  struct SectionKind {
    std::string_view keyword;
    void (Parser::*read)();
    bool repeats = false;
    bool declares = false;  // after an error in it, others would only follow
  };
  struct Section {
    size_t begin = 0;  // behind the keyword
    size_t at = 0;
  };
  // What the variables of a schema stand for where the parser is.
  struct Scope {
    std::vector<Variable>* variables = nullptr;
    Names visible = {};
  };
  // What surrounds an effect.
  struct Surroundings {
    std::vector<uint32_t> variables;
    std::vector<const Condition*> conditions;
    bool conditional() const { return !variables.empty() || !conditions.empty(); }
  };

  // Tokens.
  Token peek() const { return Lexer(lexer_).next(); }
  Token take() { return lexer_.next(); }
  bool accept_close();
  void expect_open(std::string_view what);
  void expect_close(std::string_view what);
  Token expect_word(std::string_view what);
  Token expect_name(std::string_view what);
  void skip_list();
  SourceRef place(size_t offset) const { return sources_.ref_at(file_, offset); }
  SourceRef place(const Token& token) const { return place(token.begin); }
  void error(const Token& at, std::string message);
  void unsupported(const Token& at, std::string message);
  [[noreturn]] void fail(const Token& at, std::string message);
  [[noreturn]] void fail_unexpected(const Token& found, std::string_view wanted);

  // Files and sections.
  std::string_view open(uint32_t file);
  Token header(std::string_view what);
  void read_file(std::span<const SectionKind> kinds, std::string_view what, std::string& name);
  std::vector<std::vector<Section>> find_sections(std::span<const SectionKind> kinds, std::string_view what);
  void find_section(std::span<const SectionKind> kinds, std::string_view what,
                    std::vector<std::vector<Section>>& sections);
  void unknown_section(std::span<const SectionKind> kinds, std::string_view what, const Token& keyword);
  void read_section(const SectionKind& kind, const Section& section);
  void require(const std::vector<Section>& found, std::string_view keyword);

  // Declarations.
  void requirements();
  void types();
  void parents(uint32_t type, const std::vector<Token>& written);
  void check_hierarchy();
  void objects();
  void declare_object(const Token& name, const std::vector<uint32_t>& types);
  void predicates();
  void functions();
  void axiom_head();
  void axiom_body();
  void action();
  void action_part(Action& action, Scope& scope, const Token& keyword);
  template <class Take>
  void typed_list(bool variables, Take group);
  std::vector<Token> type_names();
  std::vector<uint32_t> resolve_types(const std::vector<Token>& names);
  std::vector<uint32_t> variables(std::vector<Variable>& into);
  bool declare(Names& names, const Token& name, size_t number, std::string_view what);
  void check_layers();

  // Problems.
  void problem_domain();
  void initial();
  void initial_atom(std::vector<Atom>& absent);
  bool timed_literal(const Token& open);
  void amount(const Token& at);
  void check_initial(const std::vector<Atom>& absent);
  void check_amounts();
  void goal();
  void metric();
  bool is_total_cost();
  int64_t number(const Token& token);

  // Conditions, effects, terms.
  Condition condition(Scope& scope);
  void condition_of(Condition& out, const Token& word, Scope& scope);
  std::vector<uint32_t> enter(Scope& scope, std::vector<std::pair<std::string_view, uint32_t>>& hidden);
  void leave(Scope& scope, const std::vector<uint32_t>& variables,
             const std::vector<std::pair<std::string_view, uint32_t>>& hidden);
  void effect(Action& action, Scope& scope, Surroundings& around);
  void effect_of(Action& action, const Token& word, Scope& scope, Surroundings& around);
  void atom_effect(Action& action, Atom atom, bool adds, const Surroundings& around);
  void increase(Action& action, const Token& word, Scope& scope, const Surroundings& around);
  void summands(Action& action, Scope& scope);
  bool atom(Atom& out, const Token& name, Scope* scope);
  bool function(Atom& out, const Token& name, Scope* scope);
  bool arguments(Atom& out, const Token& name, const std::vector<Variable>& parameters, Scope* scope);
  bool term(Term& out, const Token& token, Scope* scope);
  void check_argument(const Token& token, const Term& term, const Variable& parameter, const Token& of, size_t number,
                      const Scope* scope);
  bool may_fit(const std::vector<uint32_t>& types, const Variable& parameter) const;
  std::string type_text(const std::vector<uint32_t>& types) const;

  const Sources& sources_;
  Diagnostics& diagnostics_;
  std::string texts_[2];  // of the domain and of the problem, in lower case; names point into them
  size_t opened_ = 0;
  uint32_t file_ = 0;
  Lexer lexer_{""};

  Task task_;
  Names types_, objects_, predicates_, functions_, actions_;
  std::vector<Scope> axiom_scopes_;
  Token name_;  // of the domain or problem at hand
};

}  // namespace harrier::pddl
