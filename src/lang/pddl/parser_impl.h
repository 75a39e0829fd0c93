// The parser's own declarations. No tree of the text is made: a first pass finds where sections begin, and whether
// parentheses match; then each kind of section is read in its turn, so that what is declared is known before it is
// used, in whatever order it stands.
//
//   parser.cpp               files, sections and tokens
//   parser_declarations.cpp  types, objects, predicates, functions, actions and axioms
//   parser_problem.cpp       the sections of a problem
//   parser_conditions.cpp    conditions, effects, terms
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/suggest.h"
#include "lang/pddl/lexer.h"
#include "lang/pddl/parser.h"

namespace harrier::pddl {

template <size_t N>
bool has(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// "'at' takes 2 arguments, not 3".
std::string wrong_count(std::string_view name, size_t wanted, size_t given);

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
    void (Parser::*read)() = nullptr;
    bool repeats = false;
    bool declares = false;  // after an error in it, others would only follow
    bool required = false;
  };
  struct Section {
    size_t at = 0;
    size_t begin = 0;  // behind the keyword
  };
  // By the kinds of sections.
  using Sections = std::vector<std::vector<Section>>;
  // Some names with one type.
  struct Group {
    std::vector<Token> names;
    std::vector<Token> types;  // none is written: of objects
  };
  // What the variables of a schema stand for where the parser is.
  struct Scope {
    explicit Scope(std::vector<Variable>& all) : variables(&all) {}
    std::vector<Variable>* variables;
    Names visible = {};
    size_t inside = 0;  // variables, with those that others hide
  };
  // Variables that a quantifier makes, and what they hide.
  struct Bound {
    std::vector<uint32_t> variables;
    std::vector<std::pair<std::string_view, uint32_t>> hidden;
  };
  // What surrounds an effect.
  struct Surroundings {
    std::vector<uint32_t> variables;
    std::vector<const Condition*> conditions;
    size_t size = 0;  // of the conditions
    bool conditional() const { return !variables.empty() || !conditions.empty(); }
  };

  // Tokens.
  Token peek() const { return Lexer(lexer_).next(); }
  Token take();
  bool accept(Token::Kind kind);
  bool accept_close() { return accept(Token::Kind::Close); }
  void expect_open(std::string_view what);
  void expect_close(std::string_view what);
  Token expect_word(std::string_view what);
  Token expect_name(std::string_view what);
  Token expect_variable();
  void skip_list();
  SourceRef place(size_t offset) const { return sources_.ref_at(file_, offset); }
  SourceRef place(const Token& token) const { return place(token.begin); }
  void error(const Token& at, std::string message);
  void unsupported(const Token& at, std::string message);
  [[noreturn]] void fail(const Token& at, std::string message);
  [[noreturn]] void refuse(const Token& at, std::string message);
  [[noreturn]] void fail_unexpected(const Token& found, std::string_view wanted);

  // Files and sections.
  void open(uint32_t file);
  void header(std::string_view what, std::string& name);
  bool read_file(std::span<const SectionKind> kinds, std::string_view what, std::string& name);
  Sections find_sections(std::span<const SectionKind> kinds, std::string_view what);
  void find_section(std::span<const SectionKind> kinds, std::string_view what, Sections& sections);
  void skip_section(std::span<const SectionKind> kinds, size_t at);
  void unknown_section(std::string_view what, const Token& keyword);
  void read_section(const SectionKind& kind, const Section& section);

  // Declarations.
  void requirements();
  void types();
  uint32_t declared_type(const Token& name);
  void check_hierarchy();
  void objects();
  void declare_object(const Token& name, const std::vector<uint32_t>& types);
  void predicates();
  void predicate();
  void functions();
  void axiom();
  void axiom_head(Axiom& axiom, Scope& scope);
  void action();
  void action_part(Action& action, Scope& scope, const Token& keyword);
  template <class Expect, class Take>
  void typed_list(Expect expect, Take group);
  std::vector<Token> type_names();
  std::vector<uint32_t> resolve_types(const std::vector<Token>& names);
  std::vector<Variable> parameters();
  bool declare(Names& names, const Token& name, size_t number, std::string_view what);
  void check_layers();

  // Problems.
  void problem_domain();
  void initial();
  void initial_fact();
  void initial_atom(const Token& name, bool holds);
  void initial_equation(const Token& equals);
  bool is_timed(const Token& name);
  void goal();
  void metric();
  void length();
  bool is_total_cost();
  int64_t number(const Token& token);
  void finish_initial();
  void finish_amounts();
  void finish_costs();

  // Conditions, effects, terms.
  Condition condition(Scope& scope);
  void condition_of(Condition& out, const Token& word, Scope& scope);
  void equality(Condition& out, const Token& word, Scope& scope);
  Bound enter(Scope& scope);
  static void leave(Scope& scope, const Bound& bound);
  void effect(Action& action, Scope& scope, Surroundings& around);
  void effect_of(Action& action, const Token& word, Scope& scope, Surroundings& around);
  void atom_effect(Action& action, const Token& word, bool adds, Scope& scope, const Surroundings& around);
  void increase(Action& action, const Token& word, Scope& scope, const Surroundings& around);
  void summand(Action& action, Scope& scope);
  bool atom(Atom& out, const Token& name, Scope* scope);
  bool function(Atom& out, const Token& name, Scope* scope);
  bool arguments(Atom& out, const Token& name, const std::vector<Variable>& parameters, Scope* scope);
  bool term(Term& out, const Token& token, Scope* scope);
  bool check_argument(const Token& token, const Term& term, const Token& of, const Variable& parameter, size_t number,
                      Scope* scope);
  bool may_fit(const std::vector<uint32_t>& types, const Variable& parameter);
  bool may_be(uint32_t type, uint32_t of);
  std::string type_text(const std::vector<uint32_t>& types) const;
  // "the type 'tuck' is not declared; did you mean 'truck'?"
  template <class Named>
  static std::string not_declared(const Token& name, std::string_view what, const std::vector<Named>& known) {
    constexpr size_t kMost = 10'000;  // more are not compared with
    std::vector<std::string> names;
    for (size_t i = 0; i < known.size() && i < kMost; ++i) names.push_back(known[i].name);
    const std::string hint = suggestion(name.text, names);
    return "the " + std::string(what) + " " + describe(name) + " is not declared" + (hint.empty() ? "" : "; " + hint);
  }

  const Sources& sources_;
  Diagnostics& diagnostics_;
  std::string texts_[2];  // of the domain and of the problem, in lower case; names point into them
  size_t opened_ = 0;
  uint32_t file_ = 0;
  Lexer lexer_{""};

  Task task_;
  Names types_, objects_, predicates_, functions_, actions_;
  std::unordered_map<uint64_t, bool> may_be_;  // what is known already, by two types
  std::vector<Atom> absent_;                   // said to be false in the initial state
  SourceRef name_at_;                          // of the domain or problem at hand
  size_t copied_ = 0;                          // conditions, from `when` to the effects in it
};

}  // namespace harrier::pddl
