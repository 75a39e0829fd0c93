// The recursive-descent parser of Promela: from tokens to the syntax tree of `ast.h`.
//
// After an error it goes on behind the next separator, before the end of the enclosing block, or at the next proctype,
// so that one run reports several errors.
//
//   parser.cpp        the interface; tokens, recovery, what stands at the top of a model
//   parser_decl.cpp   declarations of variables, channels and types
//   parser_stmt.cpp   statements
//   parser_loops.cpp  `for` and `select`, written out; calls of inlines
//   parser_expr.cpp   expressions, and ltl formulas
//   parser_text.cpp   statements as one line of text
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/source.h"
#include "lang/promela/ast.h"
#include "lang/promela/inlines.h"
#include "lang/promela/lexer.h"
#include "lang/promela/preprocessor.h"

namespace harrier::promela {

// Prints tokens as one line, with blanks around operators.
class LinePrinter {
 public:
  void add(const Token& token);
  void clear();
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  Token last_;
  bool blank_wanted_ = false;
  bool keeping_ = false;  // inside q?<…>
};

class Parser {
 public:
  Parser(Preprocessor& preprocessor, Diagnostics& diagnostics);

  ModelNode model();
  // The whole text.
  ExprPtr expression_text();
  ExprPtr formula_text();
  const std::unordered_set<std::string>& processes() const { return processes_; }

 private:
  // Thrown on a syntax error that was reported; caught where the parser can go on.
  struct Failure {};
  class Nesting;

  // Tokens.
  const Token& peek(size_t ahead = 0) { return stream_.peek(ahead); }
  Token take();
  bool at(Tok kind) { return peek().kind == kind; }
  bool accept(Tok kind);
  Token expect(Tok kind, std::string_view where);
  Token expect_name(std::string_view what);
  [[noreturn]] void fail(SourceRef at, std::string message);
  [[noreturn]] void fail_unexpected(std::string_view wanted);
  void report(SourceRef at, std::string message);
  void report_unexpected(std::string_view wanted);
  bool at_separator() { return at(Tok::Semi) || at(Tok::Arrow); }
  bool at_sequence_end();
  void recover();
  void skip_to_unit(bool declaration);

  // The top of a model.
  void unit();
  void proctype();
  void init();
  void never();
  void trace();
  void body(ProctypeNode& process);
  void structure();
  void inline_definition();
  void ltl();
  void ltl_formulas();
  void c_fragment();

  // Declarations.
  bool at_type(size_t ahead = 0);
  bool at_declaration();
  void global_declaration();
  void mtype_names();
  std::vector<DeclNode> declaration();
  std::vector<DeclNode> parameters();
  DeclNode declarator(const DeclNode& base);
  void initialiser(DeclNode& declared);
  std::unique_ptr<ChannelInit> channel();
  ChannelInit::Field field();
  ExprPtr optional_priority();

  // Statements.
  Sequence sequence();
  Sequence block(std::string_view what);
  void step(Sequence& into);
  StmtPtr labelled(Sequence& into);
  StmtPtr statement(Sequence& into);
  StmtPtr simple(Sequence& into);
  StmtPtr from_reference(ExprPtr target, SourceRef at);
  void send(StmtNode& node);
  void receive(StmtNode& node);
  void receive_arguments(std::vector<ExprPtr>& into);
  StmtPtr choice(StmtKind kind);
  StmtPtr braced(StmtKind kind);
  StmtPtr print();
  StmtPtr exclusive();
  StmtPtr return_statement();
  StmtPtr make(StmtKind kind, SourceRef at);

  // Statements that are written out.
  StmtPtr for_loop(Sequence& into);
  ExprPtr counter(SourceRef at);
  StmtPtr select(Sequence& into);
  StmtPtr inline_call(Sequence& into, ExprPtr result);
  std::vector<std::vector<Token>> inline_arguments();

  // Expressions.
  ExprPtr expression();
  ExprPtr binary(int level);
  ExprPtr unary();
  ExprPtr primary();
  ExprPtr parenthesised();
  ExprPtr call(ExprKind kind);
  ExprPtr run();
  ExprPtr variable();
  ExprPtr name_expression();
  void more_parts(ExprNode& node);
  RefPart part(std::string_view what);
  ExprPtr poll(ExprPtr channel);
  ExprPtr receive_argument();
  ExprPtr constant(const Token& number);
  ExprPtr node(ExprKind kind, SourceRef at, ExprPtr a = nullptr, ExprPtr b = nullptr, ExprPtr c = nullptr);
  void operators_fit(const ExprNode& made);
  std::vector<ExprPtr> expressions(Tok end);
  struct BinaryOperator {
    int level = -1;
    Op op = Op::Add;
    std::optional<Temporal> temporal = std::nullopt;
    size_t tokens = 1;
  };
  BinaryOperator binary_operator();
  std::optional<std::pair<Temporal, size_t>> temporal_prefix();
  ExprPtr whole(bool formula);

  struct Formula {
    LtlNode node;
    std::vector<Token> tokens;
  };
  struct Call {
    const Inline* called;
    ExprPtr result;  // what `return` assigns to
    std::string result_text;
  };

  Preprocessor& preprocessor_;
  Diagnostics& diagnostics_;
  TokenStream stream_;
  Inlines inlines_;
  ModelNode model_;
  std::vector<Formula> formulas_;
  std::unordered_set<std::string> processes_;
  std::unordered_set<std::string> structs_;
  std::unordered_set<std::string> structured_;  // variables that are structures
  std::vector<DeclNode> counters_;              // of the loops over channels in this body
  std::vector<Call> calls_;                     // that are open
  LinePrinter line_;
  uint32_t depth_ = 0;
  uint32_t loops_ = 0;
  uint32_t choices_ = 0;  // conditional expressions that wait for their ':'
  bool in_formula_ = false;
  bool free_ = false;   // a goal: every P:x is a remote reference
  uint64_t taken_ = 0;  // tokens
  bool quiet_ = false;  // what goes wrong now is the consequence of an error
};

ExprPtr clone(const ExprNode& node);

// Refuses nesting that would exhaust the stack.
class Parser::Nesting {
 public:
  static constexpr uint32_t kMaxDepth = 500;

  explicit Nesting(Parser& parser, const char* what) : parser_(parser) {
    if (parser_.depth_ >= kMaxDepth) parser_.fail(parser_.peek().at, std::string(what) + " nested too deeply");
    ++parser_.depth_;
  }
  ~Nesting() { --parser_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Parser& parser_;
};

}  // namespace harrier::promela
