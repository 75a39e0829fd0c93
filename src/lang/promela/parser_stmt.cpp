// Statements and sequences of them.
#include "lang/promela/parser_impl.h"

namespace harrier::promela {

namespace {

bool is_braced(const StmtNode& s) {
  return s.kind == StmtKind::Block || s.kind == StmtKind::Atomic || s.kind == StmtKind::DStep;
}

}  // namespace

StmtPtr Parser::make(StmtKind kind, SourceRef at) {
  auto made = std::make_unique<StmtNode>();
  made->kind = kind;
  made->at = at;
  return made;
}

Sequence Parser::sequence() {
  Nesting nesting(*this, "blocks are");
  Sequence made;
  bool any = false;
  const uint32_t loops = loops_;
  for (;;) {
    while (at_separator()) take();
    if (at_sequence_end()) break;
    try {
      any = true;
      step(made);
      if (!at_separator() && !at_sequence_end()) fail_unexpected("';' between statements");
    } catch (const Failure&) {
      loops_ = loops;
      choices_ = 0;
      recover();
      if (quiet_) break;
    }
  }
  if (!any) report_unexpected("a statement");
  return made;
}

Sequence Parser::block(std::string_view what) {
  expect(Tok::LBrace, what);
  Sequence made = sequence();
  expect(Tok::RBrace, "at the end of the block");
  return made;
}

void Parser::step(Sequence& into) {
  line_.clear();
  if (at_declaration()) {
    StmtPtr made = make(StmtKind::Declare, peek().at);
    made->declarations = declaration();
    made->source = line_.text();
    into.statements.push_back(std::move(made));
    return;
  }
  if (at(Tok::KwXr) || at(Tok::KwXs)) {
    into.statements.push_back(exclusive());
    return;
  }
  StmtPtr made = labelled(into);
  if (at(Tok::KwUnless)) {
    // The sequences of an unless are blocks anyway.
    const auto as_sequence = [](StmtPtr one) {
      if (one->kind == StmtKind::Block && one->labels.empty()) return std::move(one->body);
      Sequence single;
      single.statements.push_back(std::move(one));
      return single;
    };
    StmtPtr both = make(StmtKind::Unless, take().at);
    both->source = "unless";
    StmtPtr outer;
    if (made->kind == StmtKind::Block || (is_braced(*made) && !made->labels.empty())) {
      // With labels the unless goes into the block that they stand at.
      if (!made->labels.empty()) {
        outer = make(made->kind, made->at);
        outer->labels = std::move(made->labels);
        outer->source = made->source;
      }
      both->body = std::move(made->body);
    } else {
      both->bare = true;
      both->body.statements.push_back(std::move(made));
    }
    Sequence escape;
    StmtPtr last = labelled(escape);
    if (escape.statements.empty()) {
      both->escape = as_sequence(std::move(last));
    } else {
      escape.statements.push_back(std::move(last));
      both->escape = std::move(escape);
    }
    if (at(Tok::KwUnless)) fail(peek().at, "a second 'unless' needs braces around the first one");
    if (outer) outer->body.statements.push_back(std::move(both));
    made = outer ? std::move(outer) : std::move(both);
  }
  into.statements.push_back(std::move(made));
}

StmtPtr Parser::labelled(Sequence& into) {
  std::vector<Label> labels;
  while (at(Tok::Name) && peek(1).kind == Tok::Colon && processes_.count(peek().text) == 0) {
    const Token name = take();
    take();
    labels.push_back({name.text, name.at});
  }
  line_.clear();
  if (!labels.empty() && (at_separator() || at_sequence_end())) {
    StmtPtr skip = make(StmtKind::Expr, labels.back().at);
    skip->expr = node(ExprKind::Number, labels.back().at);
    skip->expr->value = 1;
    skip->labels = std::move(labels);
    skip->source = "skip";
    return skip;
  }
  if (!labels.empty() && (at_declaration() || at(Tok::KwXr) || at(Tok::KwXs))) {
    fail(labels.back().at, "the label " + labels.back().name + " stands before a declaration, not before a statement");
  }
  StmtPtr made = statement(into);
  made->labels.insert(made->labels.begin(), labels.begin(), labels.end());
  return made;
}

StmtPtr Parser::statement(Sequence& into) {
  switch (peek().kind) {
    case Tok::KwIf: return choice(StmtKind::If);
    case Tok::KwDo: return choice(StmtKind::Do);
    case Tok::KwAtomic: return braced(StmtKind::Atomic);
    case Tok::KwDStep: return braced(StmtKind::DStep);
    case Tok::LBrace: return braced(StmtKind::Block);
    case Tok::KwFor: return for_loop(into);
    case Tok::KwSelect: return select(into);
    case Tok::Name:
      if (inlines_.find(peek().text) != nullptr && peek(1).kind == Tok::LParen) return inline_call(into, nullptr);
      break;
    default: break;
  }
  StmtPtr made = simple(into);
  if (made->source.empty()) made->source = line_.text();
  return made;
}

StmtPtr Parser::simple(Sequence& into) {
  const Token first = peek();
  switch (first.kind) {
    case Tok::KwPrintf:
    case Tok::KwPrintm: return print();
    case Tok::KwReturn: return return_statement();
    case Tok::KwElse: take(); return make(StmtKind::Else, first.at);
    case Tok::KwAssert: {
      take();
      StmtPtr made = make(StmtKind::Assert, first.at);
      made->expr = expression();
      return made;
    }
    case Tok::KwBreak:
      take();
      if (loops_ == 0) fail(first.at, "'break' outside of a loop");
      return make(StmtKind::Break, first.at);
    case Tok::KwGoto: {
      take();
      StmtPtr made = make(StmtKind::Goto, first.at);
      made->text = expect_name("a label after 'goto'").text;
      return made;
    }
    case Tok::KwCCode:
    case Tok::KwCDecl: {
      c_fragment();
      StmtPtr made = make(StmtKind::Expr, first.at);
      made->expr = node(ExprKind::Number, first.at);
      made->expr->value = 1;
      return made;
    }
    case Tok::KwInline:
    case Tok::KwTypedef:
      fail(first.at, "'" + first.text + "' belongs to the top of the model: is a '}' missing above?");
    default: break;
  }
  ExprPtr value = expression();
  if (first.kind == Tok::Name && value->kind == ExprKind::Ref) {
    if (at(Tok::Assign) && peek(1).kind == Tok::Name && inlines_.find(peek(1).text) != nullptr &&
        peek(2).kind == Tok::LParen) {
      take();
      return inline_call(into, std::move(value));
    }
    return from_reference(std::move(value), first.at);
  }
  StmtPtr made = make(StmtKind::Expr, first.at);
  made->expr = std::move(value);
  return made;
}

StmtPtr Parser::from_reference(ExprPtr target, SourceRef at) {
  StmtPtr made = make(StmtKind::Assign, at);
  const Token op = peek();
  switch (op.kind) {
    case Tok::Assign:
      take();
      made->expr = expression();
      break;
    case Tok::Increment:
    case Tok::Decrement: {
      take();
      ExprPtr one = node(ExprKind::Number, op.at);
      one->value = 1;
      made->expr = node(ExprKind::Binary, op.at, clone(*target), std::move(one));
      made->expr->op = op.kind == Tok::Increment ? Op::Add : Op::Sub;
      break;
    }
    case Tok::SortedSend:
    case Tok::Exclaim: send(*made); break;
    case Tok::RandomReceive:
    case Tok::Question: receive(*made); break;
    default:
      made->kind = StmtKind::Expr;
      made->expr = std::move(target);
      return made;
  }
  made->target = std::move(target);
  return made;
}

void Parser::send(StmtNode& made) {
  made.kind = StmtKind::Send;
  made.sorted = take().kind == Tok::SortedSend;
  made.arguments.push_back(expression());
  if (accept(Tok::LParen)) {
    for (ExprPtr& argument : expressions(Tok::RParen)) made.arguments.push_back(std::move(argument));
    expect(Tok::RParen, "after the fields of the message");
    return;
  }
  while (accept(Tok::Comma)) made.arguments.push_back(expression());
}

void Parser::receive(StmtNode& made) {
  made.kind = StmtKind::Receive;
  made.random = take().kind == Tok::RandomReceive;
  made.keep = accept(Tok::Lt);
  receive_arguments(made.arguments);
  if (made.keep) expect(Tok::Gt, "after the fields of the message");
}

// `a,b,c`, `a(b,c)` and `(a,b,c)` mean the same.
void Parser::receive_arguments(std::vector<ExprPtr>& into) {
  Nesting nesting(*this, "message is");
  if (accept(Tok::LParen)) {
    receive_arguments(into);
    expect(Tok::RParen, "after the fields of the message");
    return;
  }
  into.push_back(receive_argument());
  if (at(Tok::LParen)) return receive_arguments(into);
  if (accept(Tok::Comma)) receive_arguments(into);
}

ExprPtr Parser::receive_argument() {
  const Token first = peek();
  if (first.kind == Tok::KwEval) return call(ExprKind::Eval);
  if (first.kind == Tok::Number) return constant(take());
  if (first.kind == Tok::Minus && peek(1).kind == Tok::Number) return unary();
  if (first.kind == Tok::Name) return variable();
  fail_unexpected("a variable, a constant or eval(…) to receive into");
}

StmtPtr Parser::choice(StmtKind kind) {
  StmtPtr made = make(kind, peek().at);
  made->source = take().text;
  const bool loop = kind == StmtKind::Do;
  loops_ += loop ? 1 : 0;
  if (!at(Tok::ColonColon)) {
    report_unexpected("'::' after '" + made->source + "'");
    if (!at_sequence_end()) sequence();
  }
  while (accept(Tok::ColonColon)) made->options.push_back(sequence());
  loops_ -= loop ? 1 : 0;
  if (at(loop ? Tok::KwFi : Tok::KwOd)) {
    report(peek().at, describe(peek()) + " closes this, but it began with '" + made->source + "'");
    take();
  } else {
    expect(loop ? Tok::KwOd : Tok::KwFi, "or '::'");
  }
  return made;
}

StmtPtr Parser::braced(StmtKind kind) {
  StmtPtr made = make(kind, peek().at);
  if (kind != StmtKind::Block) made->source = take().text;
  made->body = block(kind == StmtKind::Block ? "" : "after '" + made->source + "'");
  if (kind == StmtKind::Block) made->source = "{ }";
  return made;
}

StmtPtr Parser::print() {
  const Token word = take();
  StmtPtr made = make(StmtKind::Print, word.at);
  expect(Tok::LParen, "after '" + word.text + "'");
  if (word.kind == Tok::KwPrintf) {
    const std::string quoted = expect(Tok::String, "as the format").text;
    made->text = quoted.substr(1, quoted.size() - 2);
    if (accept(Tok::Comma)) made->arguments = expressions(Tok::RParen);
  } else {
    made->arguments.push_back(expression());
  }
  expect(Tok::RParen, "after the arguments of '" + word.text + "'");
  return made;
}

StmtPtr Parser::exclusive() {
  StmtPtr made = make(StmtKind::Exclusive, peek().at);
  take();
  do {
    made->arguments.push_back(variable());
  } while (accept(Tok::Comma));
  made->source = line_.text();
  return made;
}

StmtPtr Parser::return_statement() {
  const SourceRef place = take().at;
  if (calls_.empty() || !calls_.back().result) {
    fail(place, calls_.empty() ? "'return' outside of an inline"
                               : "'return' in an inline whose result is not assigned to a variable");
  }
  StmtPtr made = make(StmtKind::Assign, place);
  made->target = clone(*calls_.back().result);
  line_.clear();
  made->expr = expression();
  made->source = calls_.back().result_text + " = " + line_.text();
  return made;
}

}  // namespace harrier::promela
