// What Spin writes out: `for`, `select` and calls of inlines.
//
// As in Spin, the first assignment of a `for` comes before the loop as a statement of its own. So a label in front of
// the `for` belongs to the loop behind it, and an `unless` does not cover it. There is no other extra step.
//
// A `select` from one number to another, at most 32 larger, is a choice among assignments, and else a loop. Spin does
// so outside of inlines and for names without an underscore only; so state spaces have the same size.
#include <algorithm>

#include "lang/promela/parser_impl.h"

namespace harrier::promela {

namespace {

constexpr int64_t kLargestChoice = 32;

bool plain(const std::string& name) { return name.find('_') == std::string::npos; }

StmtPtr statement_of(StmtKind kind, SourceRef at, std::string source) {
  auto made = std::make_unique<StmtNode>();
  made->kind = kind;
  made->at = at;
  made->source = std::move(source);
  return made;
}

ExprPtr number(int64_t value, SourceRef at) {
  auto made = std::make_unique<ExprNode>();
  made->value = value;
  made->at = at;
  return made;
}

ExprPtr compare(Op op, const ExprNode& a, ExprPtr b) {
  auto made = std::make_unique<ExprNode>();
  made->kind = ExprKind::Binary;
  made->op = op;
  made->at = a.at;
  made->a = clone(a);
  made->b = std::move(b);
  return made;
}

StmtPtr assignment(const ExprNode& target, ExprPtr value, std::string source) {
  StmtPtr made = statement_of(StmtKind::Assign, target.at, std::move(source));
  made->target = clone(target);
  made->expr = std::move(value);
  return made;
}

StmtPtr increment(const ExprNode& target, const std::string& text) {
  return assignment(target, compare(Op::Add, target, number(1, target.at)), text + "++");
}

StmtPtr condition(ExprPtr expr, std::string source) {
  StmtPtr made = statement_of(StmtKind::Expr, expr->at, std::move(source));
  made->expr = std::move(expr);
  return made;
}

}  // namespace

StmtPtr Parser::for_loop(Sequence& into) {
  const SourceRef place = take().at;
  const auto text_of = [this](ExprPtr& expr, auto&& read) {
    line_.clear();
    expr = read();
    return line_.text();
  };
  expect(Tok::LParen, "after 'for'");
  ExprPtr index, first, last, channel;
  std::string name = text_of(index, [this] { return variable(); });
  std::string from = "0", to;
  if (accept(Tok::Colon)) {
    from = text_of(first, [this] { return expression(); });
    expect(Tok::DotDot, "between the bounds of 'for'");
    to = text_of(last, [this] { return expression(); });
  } else if (at(Tok::Name) && peek().text == "in") {
    take();
    ExprPtr row;
    const SourceRef in = peek().at;
    to = text_of(row, [this] { return variable(); });
    first = number(0, in);
    if (index->parts.size() == 1 && structured_.contains(name)) {
      channel = std::move(row);
    } else {
      to = "last(" + to + ")";
      last = node(ExprKind::LastIndex, in, std::move(row));
    }
  } else {
    fail_unexpected("':' or 'in' after the variable of 'for'");
  }
  expect(Tok::RParen, "after the range of 'for'");
  accept(Tok::Semi);

  StmtPtr content = statement_of(StmtKind::Block, peek().at, "{ }");
  content->spliced = true;
  ++loops_;
  content->body = block("before the body of 'for'");
  --loops_;

  StmtPtr loop = statement_of(StmtKind::Do, place, "for");
  loop->options.resize(2);
  auto& round = loop->options[0].statements;
  if (channel) {
    // Each message is taken out and put in again; a counter tells when all of them have been.
    const auto transfer = [&](StmtKind kind, const char* sign) {
      StmtPtr made = statement_of(kind, place, to + sign + name);
      made->target = clone(*channel);
      made->arguments.push_back(clone(*index));
      return made;
    };
    StmtPtr take_out = transfer(StmtKind::Receive, "?");
    StmtPtr put_in = transfer(StmtKind::Send, "!");
    index = counter(place);
    name = index->parts[0].name;
    round.push_back(condition(compare(Op::Lt, *index, node(ExprKind::Len, place, std::move(channel))),
                              name + " < len(" + to + ")"));
    round.push_back(std::move(take_out));
    round.push_back(std::move(put_in));
  } else {
    round.push_back(condition(compare(Op::Le, *index, std::move(last)), name + " <= " + to));
  }
  round.push_back(std::move(content));
  round.push_back(increment(*index, name));
  auto& leave = loop->options[1].statements;
  leave.push_back(statement_of(StmtKind::Else, place, "else"));
  leave.push_back(statement_of(StmtKind::Break, place, "break"));
  into.statements.push_back(assignment(*index, std::move(first), name + " = " + from));
  return loop;
}

// A new local variable.
ExprPtr Parser::counter(SourceRef at) {
  DeclNode& made = counters_.emplace_back();
  made.type = BaseType::Byte;
  made.name = "_for" + std::to_string(counters_.size());
  made.at = at;
  ExprPtr ref = node(ExprKind::Ref, at);
  ref->parts.push_back({made.name, nullptr, at});
  return ref;
}

StmtPtr Parser::select(Sequence& into) {
  const SourceRef place = take().at;
  expect(Tok::LParen, "after 'select'");
  line_.clear();
  const ExprPtr index = variable();
  const std::string name = line_.text();
  expect(Tok::Colon, "after the variable of 'select'");
  line_.clear();
  const bool first_plain = at(Tok::Number) && peek(1).kind == Tok::DotDot;
  ExprPtr first = expression();
  const std::string from = line_.text();
  expect(Tok::DotDot, "between the bounds of 'select'");
  line_.clear();
  const bool numbers = first_plain && at(Tok::Number) && peek(1).kind == Tok::RParen;
  ExprPtr last = expression();
  const std::string to = line_.text();
  expect(Tok::RParen, "after the range of 'select'");

  const bool single = index->parts.size() == 1 && !index->parts[0].index && plain(name);
  if (numbers && single && calls_.empty()) {
    if (first->value > last->value) fail(place, "the range of this 'select' is empty");
    if (last->value - first->value <= kLargestChoice) {
      StmtPtr choice = statement_of(StmtKind::If, place, "select");
      for (int64_t value = first->value; value <= last->value; ++value) {
        choice->options.emplace_back().statements.push_back(
            assignment(*index, number(value, first->at), name + " = " + std::to_string(value)));
      }
      return choice;
    }
  }
  StmtPtr loop = statement_of(StmtKind::Do, place, "select");
  loop->options.resize(2);
  auto& round = loop->options[0].statements;
  round.push_back(condition(compare(Op::Lt, *index, std::move(last)), name + " < " + to));
  round.push_back(increment(*index, name));
  loop->options[1].statements.push_back(statement_of(StmtKind::Break, place, "break"));
  into.statements.push_back(assignment(*index, std::move(first), name + " = " + from));
  return loop;
}

std::vector<std::vector<Token>> Parser::inline_arguments() {
  std::vector<std::vector<Token>> all;
  expect(Tok::LParen, "after the name of the inline");
  for (size_t depth = 0; !at(Tok::RParen) || depth > 0;) {
    if (at(Tok::End) || at(Tok::RBrace)) fail_unexpected("')' after the arguments of the inline");
    Token token = take();
    if (all.empty()) all.emplace_back();
    if (token.kind == Tok::LParen || token.kind == Tok::LBracket) ++depth;
    if ((token.kind == Tok::RParen || token.kind == Tok::RBracket) && depth > 0) --depth;
    if (token.kind == Tok::Comma && depth == 0) {
      all.emplace_back();
    } else {
      all.back().push_back(std::move(token));
    }
  }
  // The token behind is not looked at: the body comes before it.
  take();
  return all;
}

StmtPtr Parser::inline_call(Sequence& into, ExprPtr result) {
  std::string result_text = result ? line_.text() : "";
  if (result) result_text.resize(result_text.rfind(" ="));
  const Token name = take();
  const Inline& called = *inlines_.find(name.text);
  const auto arguments = inline_arguments();
  if (arguments.size() != called.parameters.size()) {
    fail(name.at, "the inline " + name.text + " has " + std::to_string(called.parameters.size()) +
                      " parameter(s), but " + std::to_string(arguments.size()) + " argument(s) are given");
  }
  for (const auto& argument : arguments) {
    if (argument.empty()) fail(name.at, "an argument of the inline " + name.text + " is missing");
  }
  if (std::any_of(calls_.begin(), calls_.end(), [&](const Call& call) { return call.called == &called; })) {
    fail(name.at, "the inline " + name.text + " calls itself");
  }
  std::vector<Token> body = inlines_.expand(called, arguments);
  if (body.empty()) fail(name.at, "the inlines of this model expand to too many tokens");
  stream_.insert(std::move(body));
  calls_.push_back({&called, std::move(result), std::move(result_text)});
  struct Close {
    std::vector<Call>& calls;
    ~Close() { calls.pop_back(); }
  } close{calls_};
  StmtPtr made = statement(into);
  made->source = name.text;
  return made;
}

}  // namespace harrier::promela
