// The recursive-descent parser of UPPAAL's textual language: from tokens to the syntax tree of `ast.h`.
//
// Old (UPPAAL 3) and new syntax are read by one grammar, because real files mix them. One parser reads one text piece:
// a whole `.xta` file, a declaration or a label of an XML file, or the queries of a `.q` file. After an error it goes
// on behind the next ';' or '}', so that one run reports several errors.
//
//   parser.cpp           tokens, recovery, types, declarations, functions and statements
//   parser_expr.cpp      expressions
//   parser_template.cpp  processes, edges, the system line
//   parser_query.cpp     queries
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "lang/uppaal/ast.h"
#include "lang/uppaal/lexer.h"

namespace harrier::uppaal {

enum class QueryKind : uint8_t { Reachable, Invariant, PotentiallyAlways, Eventually, LeadsTo, Extrema };

struct QueryNode {
  QueryKind kind = QueryKind::Reachable;
  Expr* formula = nullptr;   // may be null for Extrema
  Expr* target = nullptr;    // LeadsTo
  std::vector<Expr*> terms;  // Extrema: sup, inf or bounds
  std::vector<std::string> term_texts;
  bool smallest = false;
  bool largest = false;
  std::string text;     // as written, blanks normalised
  std::string comment;  // before it and behind it, as written
  bool broken = false;  // it has a syntax error, or is of a kind that is refused
  SourceRef at;
};

class Parser {
 public:
  Parser(Ast& ast, ModelNode& model, const TextPiece& piece, const Sources& sources, Diagnostics& diagnostics,
         bool query_mode = false);

  // Whole pieces; each reads up to the end of the text.
  void model_text();                                  // declarations, instantiations, `system`
  void template_declarations(TemplateNode& process);  // local declarations
  std::vector<Declarator> template_parameters();
  Expr* guard_label();   // also invariants; a comma means "and"
  Expr* update_label();  // null if there is nothing
  Expr* weight_label();
  void sync_label(EdgeNode& edge);
  std::vector<SelectNode> select_label();
  void queries(const std::function<void(const QueryNode&)>& found);  // one a line, broken ones too
  std::optional<QueryNode> single_query();                           // the whole text is one query; none if it is empty

 private:
  // Thrown on a syntax error that was reported; caught where the parser can go on.
  struct Failure {};

  // Tokens.
  Token peek(size_t ahead = 0);
  Token take();
  bool at(Tok kind) { return peek().kind == kind; }
  bool accept(Tok kind);
  Token expect(Tok kind, std::string_view where);
  std::string_view expect_name(std::string_view what, SourceRef* place = nullptr);
  [[noreturn]] void fail(SourceRef at, std::string message);
  [[noreturn]] void fail_unexpected(std::string_view wanted);
  [[noreturn]] void refuse(SourceRef at, std::string message);
  void expect_end();
  // Goes on behind the next ';', or before the '}' that closes the block `level` braces deep.
  void recover(uint32_t level);
  class Nesting;

  // Types and declarations.
  bool at_type();
  bool at_declaration();
  TypeNode* type();
  TypeNode* simple_type();
  std::vector<Dimension> dimensions();
  Expr* initialiser();
  void global_declaration();
  void declaration(std::vector<Declaration*>& into, bool functions_allowed);
  void typedef_declaration(std::vector<Declaration*>& into);
  void old_constants(std::vector<Declaration*>& into);
  bool at_old_constant();
  void variables(TypeNode* of, std::vector<Declaration*>& into);
  void function(TypeNode* result, Token name, std::vector<Declaration*>& into);
  std::vector<Declarator> parameters(Tok end);
  void update_block(DeclarationKind kind);
  void channel_priority();
  void instance();

  // Statements.
  Statement* statement();
  Statement* block();
  Statement* for_statement();

  // Processes and the system.
  void process();
  void process_body(TemplateNode& process);
  void states(TemplateNode& process);
  void branchpoints(TemplateNode& process);
  void location_flags(TemplateNode& process, bool committed);
  void transitions(TemplateNode& process);
  void transition(TemplateNode& process, std::optional<uint32_t>& source);
  void edge_body(EdgeNode& edge);
  std::optional<uint32_t> endpoint(TemplateNode& process, std::string_view name, SourceRef at);
  std::optional<uint32_t> location(TemplateNode& process, std::string_view name, SourceRef at);
  SelectNode select();
  void selects(std::vector<SelectNode>& into);
  void sync(EdgeNode& edge);
  void system_line();
  void skip_braces();

  // Expressions.
  Expr* expression();
  Expr* expression_list();   // with commas
  Expr* conjunction_list();  // commas mean "and"
  Expr* conditional();
  Expr* binary(int level);
  Expr* unary();
  Expr* postfix();
  Expr* primary();
  Expr* quantifier(ExprKind kind);
  Expr* weight();
  Expr* call(Expr* callee);
  Expr* node(ExprKind kind, SourceRef at, Expr* a, Expr* b = nullptr, Expr* c = nullptr);
  Expr* balanced(Operator op, const std::vector<Expr*>& parts, const std::vector<SourceRef>& places, size_t first,
                 size_t count);

  // Queries.
  QueryNode query_or_broken(Tok end);
  std::optional<QueryNode> query(Tok end);
  bool at_extrema_query();
  QueryNode extrema_query();
  void refuse_foreign_query();
  std::string text_since(size_t begin) const;
  std::string comments(size_t begin, size_t end) const;
  size_t end_of_line() const;
  size_t token_offset(const Token& token) const { return static_cast<size_t>(token.text.data() - piece_.text.data()); }

  Ast& ast_;
  ModelNode& model_;
  const TextPiece& piece_;
  Diagnostics& diagnostics_;
  Lexer lexer_;
  bool query_mode_;
  std::vector<Token> ahead_;
  size_t last_end_ = 0;                                            // where the text of the last token ended
  std::unordered_map<std::string_view, uint32_t> location_index_;  // and branch points, of the process that is read
  uint32_t depth_ = 0;
  uint32_t braces_ = 0;  // that are open
  uint32_t open_ = 0;    // parentheses, in queries: a line end inside is a blank
};

}  // namespace harrier::uppaal
