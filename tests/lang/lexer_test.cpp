// Tokens and their places.
#include "lang/uppaal/lexer.h"

#include <gtest/gtest.h>

#include <vector>

namespace harrier::uppaal {
namespace {

struct Lexed {
  Sources sources;
  Diagnostics diagnostics;
  TextPiece piece;
  std::vector<Token> tokens;

  explicit Lexed(const std::string& text, bool query = false) {
    piece.file = sources.add_file("t", text);
    piece.text = text;
    Lexer lexer(piece, sources, diagnostics, query);
    do {
      tokens.push_back(lexer.next());
    } while (tokens.back().kind != Tok::End);
  }
  std::vector<Tok> kinds() const {
    std::vector<Tok> out;
    for (const Token& t : tokens) out.push_back(t.kind);
    return out;
  }
};

TEST(Lexer, TakesTheLongestSymbol) {
  const Lexed lexed("a<<=b<=c<?d<<e := f == g -- -> -u->");
  const std::vector<Tok> expected = {Tok::Identifier, Tok::ShlAssign, Tok::Identifier, Tok::Le,
                                     Tok::Identifier, Tok::Min,       Tok::Identifier, Tok::Shl,
                                     Tok::Identifier, Tok::Assign,    Tok::Identifier, Tok::Eq,
                                     Tok::Identifier, Tok::Decrement, Tok::Arrow,      Tok::UncontrolledArrow,
                                     Tok::End};
  EXPECT_EQ(lexed.kinds(), expected);
}

TEST(Lexer, KnowsOldComparisons) {
  const Lexed lexed("x =< 3 => 4");
  EXPECT_EQ(lexed.tokens[1].kind, Tok::Le);
  EXPECT_EQ(lexed.tokens[3].kind, Tok::Ge);
}

TEST(Lexer, CountsLinesAndColumns) {
  const Lexed lexed("int a;\n  /* two\n lines */ b // rest\nc");
  EXPECT_EQ(lexed.tokens[3].at.line, 3u);
  EXPECT_EQ(lexed.tokens[3].at.column, 11u);
  EXPECT_EQ(lexed.tokens[4].at.line, 4u);
  EXPECT_EQ(lexed.tokens[4].at.column, 1u);
}

TEST(Lexer, ReadsNumbers) {
  const Lexed lexed("007 2147483648 1.5 2e3 4294967296");
  EXPECT_EQ(lexed.tokens[0].value, 7);
  EXPECT_EQ(lexed.tokens[1].value, int64_t{1} << 31);
  EXPECT_EQ(lexed.tokens[2].kind, Tok::Real);
  EXPECT_EQ(lexed.tokens[3].kind, Tok::Real);
  ASSERT_EQ(lexed.diagnostics.all().size(), 1u);
  EXPECT_EQ(lexed.diagnostics.all()[0].at.column, 24u);
}

TEST(Lexer, EndsLinesInQueries) {
  const Lexed lexed("E<> a \\\n and b\n\n// nothing\nA[] c --> d", true);
  const std::vector<Tok> expected = {Tok::ExistsEventually, Tok::Identifier, Tok::KwAnd,      Tok::Identifier,
                                     Tok::NewLine,          Tok::AllAlways,  Tok::Identifier, Tok::LeadsTo,
                                     Tok::Identifier,       Tok::End};
  EXPECT_EQ(lexed.kinds(), expected);
}

TEST(Lexer, ReportsARunOfStrangeBytesOnce) {
  const Lexed lexed("a \x01\x02\x80\xff b");
  EXPECT_EQ(lexed.diagnostics.all().size(), 1u);
  EXPECT_EQ(lexed.tokens[2].text, "b");
}

TEST(Lexer, MapsDecodedTextToTheFile) {
  // "a &amp;&amp; b" in a file is "a && b" when decoded.
  Sources sources;
  Diagnostics diagnostics;
  TextPiece piece;
  piece.file = sources.add_file("t.xml", "<l>a &amp;&amp; b</l>");
  piece.text = "a && b";
  piece.runs = {{0, 3}, {3, 10}, {4, 15}};
  Lexer lexer(piece, sources, diagnostics);
  EXPECT_EQ(lexer.next().at.column, 4u);
  EXPECT_EQ(lexer.next().kind, Tok::AndAnd);
  EXPECT_EQ(lexer.next().at.column, 17u);
}

}  // namespace
}  // namespace harrier::uppaal
