// Queries: one a line in a `.q` file, or one a formula in XML.
#include <set>

#include "lang/uppaal/parser.h"

namespace harrier::uppaal {

void Parser::queries(const std::function<void(const QueryNode&)>& found) {
  size_t begin = 0;
  while (!at(Tok::End)) {
    if (accept(Tok::NewLine)) continue;
    QueryNode read = query_or_broken(Tok::NewLine);
    const size_t end = end_of_line();
    read.comment = comments(begin, end);
    begin = end;
    found(read);
  }
}

std::optional<QueryNode> Parser::single_query() {
  open_ = 1;  // line ends mean nothing here
  if (at(Tok::End)) return std::nullopt;
  QueryNode read = query_or_broken(Tok::End);
  read.comment = comments(0, piece_.text.size());
  return read;
}

// After an error everything up to the end belongs to the query, but not the next one: an open parenthesis hides the end
// of its line.
QueryNode Parser::query_or_broken(Tok end) {
  const Token first = peek();
  if (auto read = query(end)) return *std::move(read);
  if (end == Tok::NewLine) open_ = 0;
  const auto at_next = [&] {
    return peek().kind >= Tok::ExistsEventually && peek().kind <= Tok::AllAlways && peek().at.line != first.at.line;
  };
  while (!at(Tok::End) && !at(end) && !(end == Tok::NewLine && at_next())) take();
  QueryNode broken;
  broken.broken = true;
  broken.at = first.at;
  broken.text = text_since(first.text.empty() ? 0 : token_offset(first));
  // It may be anything, and is shown.
  constexpr size_t kLongestShown = 200;
  if (broken.text.size() > kLongestShown) broken.text = broken.text.substr(0, kLongestShown) + "…";
  for (char& c : broken.text) {
    if ((c >= 0 && c < ' ') || c == '\x7f') c = '?';
  }
  return broken;
}

std::optional<QueryNode> Parser::query(Tok end) {
  try {
    const Token first = peek();
    const size_t begin = first.text.empty() ? 0 : token_offset(first);
    QueryNode result;
    switch (first.kind) {
      case Tok::ExistsEventually: result.kind = QueryKind::Reachable; break;
      case Tok::ExistsAlways: result.kind = QueryKind::PotentiallyAlways; break;
      case Tok::AllEventually: result.kind = QueryKind::Eventually; break;
      case Tok::AllAlways: result.kind = QueryKind::Invariant; break;
      default: result.kind = QueryKind::LeadsTo; break;
    }
    if (result.kind == QueryKind::LeadsTo) {
      refuse_foreign_query();
      if (at_extrema_query()) {
        result = extrema_query();
      } else {
        result.formula = expression();
        if (!at(Tok::LeadsTo)) {
          if (at(end) || at(Tok::End)) {
            fail(first.at, "a query starts with E<>, A[], E[], A<>, sup, inf or bounds, or has the form 'p --> q'");
          }
          fail_unexpected("'-->'");
        }
        take();
        result.target = expression();
      }
    } else {
      take();
      if (at(Tok::Identifier) && (peek().text == "control" || peek().text == "control_t") &&
          (peek(1).kind == Tok::Colon || peek(1).kind == Tok::Star)) {
        refuse(peek().at, "queries about timed games ('control')");
      }
      result.formula = expression();
    }
    if (at(Tok::Identifier) && peek().text == "under") refuse(peek().at, "queries under a strategy");
    accept(Tok::Semicolon);
    result.at = first.at;
    result.text = text_since(begin);
    if (!at(end) && !at(Tok::End)) fail(peek().at, describe(peek()) + " is not expected here");
    return result;
  } catch (const Failure&) {
    return std::nullopt;
  }
}

bool Parser::at_extrema_query() {
  const Token first = peek();
  const Tok after = peek(1).kind;
  return first.kind == Tok::Identifier && (after == Tok::Colon || after == Tok::LBrace) &&
         (first.text == "sup" || first.text == "inf" || first.text == "bounds");
}

// sup: t, t   sup{p}: t, t   and the same with inf and bounds
QueryNode Parser::extrema_query() {
  QueryNode result;
  result.kind = QueryKind::Extrema;
  const std::string_view word = take().text;
  result.smallest = word != "sup";
  result.largest = word != "inf";
  if (accept(Tok::LBrace)) {
    result.formula = expression();
    expect(Tok::RBrace, "after the condition");
  }
  expect(Tok::Colon, "before the quantities");
  do {
    const size_t begin = peek().text.empty() ? last_end_ : token_offset(peek());
    result.terms.push_back(expression());
    result.term_texts.push_back(text_since(begin));
  } while (accept(Tok::Comma));
  return result;
}

void Parser::refuse_foreign_query() {
  static const std::set<std::string_view> kStatistical = {"Pr", "simulate"};
  static const std::set<std::string_view> kStrategic = {"strategy", "minE",         "maxE",        "minPr",
                                                        "maxPr",    "saveStrategy", "loadStrategy"};
  const Token first = peek();
  const Tok after = peek(1).kind;
  if (first.kind == Tok::LBrace) refuse(first.at, "queries about partially observable games");
  if (first.kind != Tok::Identifier) return;
  if (kStatistical.contains(first.text) && after != Tok::Dot) {
    refuse(first.at, "statistical queries ('" + std::string(first.text) + "')");
  }
  if (kStrategic.contains(first.text) && after != Tok::Dot) {
    refuse(first.at, "queries about strategies ('" + std::string(first.text) + "')");
  }
  if ((first.text == "control" || first.text == "control_t") && (after == Tok::Colon || after == Tok::Star)) {
    refuse(first.at, "queries about timed games ('control')");
  }
  if (first.text == "scenario" && after == Tok::Colon) refuse(first.at, "scenario queries");
  if (first.text == "E" && after == Tok::LBracket) refuse(first.at, "statistical queries ('E[...]')");
  if (first.text == "A" && after == Tok::LBracket) refuse(first.at, "'until' queries ('A[p U q]')");
}

// The text between two places, with comments, continued lines and blanks each made one blank.
std::string Parser::text_since(size_t begin) const {
  const std::string_view text(piece_.text);
  std::string result;
  bool blank = false;
  for (size_t i = begin; i < last_end_;) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), last_end_);
      blank = true;
    } else if (text.substr(i, 2) == "/*") {
      const size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? last_end_ : end + 2;
      blank = true;
    } else if (std::string_view(" \t\r\n\f\v\\").find(text[i]) != std::string_view::npos) {
      blank = true;
      ++i;
    } else {
      if (blank && !result.empty()) result += ' ';
      blank = false;
      result += text[i++];
    }
  }
  return result;
}

// Where the line of the last token ends, and comments that begin in it.
size_t Parser::end_of_line() const {
  const std::string_view text(piece_.text);
  size_t i = last_end_;
  while (i < text.size() && text[i] != '\n') {
    if (text.substr(i, 2) == "//") return std::min(text.find('\n', i), text.size());
    if (text.substr(i, 2) != "/*") {
      ++i;
      continue;
    }
    const size_t end = text.find("*/", i + 2);
    i = end == std::string_view::npos ? text.size() : end + 2;
  }
  return i;
}

// What the comments between two places say, blanks normalised.
std::string Parser::comments(size_t begin, size_t end) const {
  const std::string_view text = std::string_view(piece_.text).substr(0, end);
  std::string result;
  const auto add = [&](std::string_view comment) {
    for (const char c : comment) {
      const bool blank = std::string_view(" \t\r\n\f\v").find(c) != std::string_view::npos;
      if (!blank) {
        result += c;
      } else if (!result.empty() && result.back() != ' ') {
        result += ' ';
      }
    }
    if (!result.empty() && result.back() != ' ') result += ' ';
  };
  for (size_t i = begin; i < end;) {
    const bool line = text.substr(i, 2) == "//";
    if (!line && text.substr(i, 2) != "/*") {
      ++i;
      continue;
    }
    const size_t stop = std::min(text.find(line ? "\n" : "*/", i + 2), end);
    add(text.substr(i + 2, stop - i - 2));
    i = stop + (line ? 1 : 2);
  }
  if (!result.empty()) result.pop_back();
  return result;
}

}  // namespace harrier::uppaal
