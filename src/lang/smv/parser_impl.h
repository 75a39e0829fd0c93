// The parser's own declarations.
//
//   parser.cpp       modules, sections, types, specifications
//   parser_expr.cpp  expressions and temporal formulas
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lang/smv/ast.h"
#include "lang/smv/lexer.h"

namespace harrier::smv {

class Parser {
 public:
  Parser(const Sources& sources, uint32_t file, Diagnostics& diagnostics)
      : text_(sources.text(file)), lexer_(sources, file), diagnostics_(diagnostics), model_(new ModelNode) {}

  std::shared_ptr<const ModelNode> model();
  std::shared_ptr<const ModelNode> condition();

 private:
  // Thrown on a syntax error that was reported; caught where the parser can go on.
  struct Failure {};
  // A specification that is not supported: the others are read.
  struct Refused {
    std::string what;
    SourceRef at;
  };
  class Nesting;
  enum class Logic : uint8_t { None, Ctl, Ltl };

  // Tokens.
  const Token& peek(size_t ahead = 0);
  Token take();
  bool at(Tok kind) { return peek().kind == kind; }
  bool at_word(std::string_view word) { return at(Tok::Name) && peek().text == word; }
  bool at_section();
  bool accept(Tok kind);
  bool accept_word(std::string_view word);
  Token expect(Tok kind, std::string_view where);
  Token expect_name(std::string_view what);
  [[noreturn]] void fail(SourceRef at, std::string message);
  [[noreturn]] void fail_unexpected(std::string_view wanted);
  void recover();

  // Modules and sections.
  void module();
  void section(ModuleNode& module);
  template <class Item>
  void items(Item item);
  void variable(ModuleNode& module, VarClass kind);
  void assign(ModuleNode& module);
  void constraint(ModuleNode& module, ConstraintKind kind);
  void spec(ModuleNode& module, SpecKind kind, const Token& keyword);
  void skip_spec();
  std::string text_between(size_t begin, size_t end) const;
  const TypeNode* type();
  const TypeNode* instance(TypeNode node);
  const TypeNode* keep(TypeNode node);

  // Expressions.
  ExprPtr expression() { return climb(1); }
  ExprNode* climb(int lowest);
  ExprNode* prefix();
  ExprNode* postfix(ExprNode* node);
  ExprNode* primary();
  ExprNode* word_primary();
  ExprNode* case_expression();
  ExprNode* temporal_prefix();
  ExprNode* until(Temporal op);
  ExprPtr reference(std::string_view what);
  std::vector<ExprPtr> expressions(Tok end, std::string_view where);
  ExprNode* make(ExprKind kind, SourceRef at, std::vector<ExprPtr> args = {}, std::string text = {});
  void deepen(ExprNode* node, ExprPtr arg);
  struct Operator {
    ExprKind kind = ExprKind::And;
    int level = 0;  // 0: there is none
    Temporal temporal = Temporal::U;
  };
  Operator binary_operator();

  std::string_view text_;
  Lexer lexer_;
  Diagnostics& diagnostics_;
  std::shared_ptr<ModelNode> model_;
  std::deque<Token> ahead_;
  size_t end_of_last_ = 0;
  uint32_t nesting_ = 0;
  Logic logic_ = Logic::None;
};

// Refuses nesting that would exhaust the stack.
class Parser::Nesting {
 public:
  static constexpr uint32_t kMaxDepth = 500;

  explicit Nesting(Parser& parser) : parser_(parser) {
    if (parser_.nesting_ >= kMaxDepth) parser_.fail(parser_.peek().at, "expression nested too deeply");
    ++parser_.nesting_;
  }
  ~Nesting() { --parser_.nesting_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Parser& parser_;
};

}  // namespace harrier::smv
