// Macros, conditions and included files.
#include "lang/promela_support.h"
#include "support/workspace.h"

namespace harrier::testing {
namespace {

TEST(PromelaMacros, Expansion) {
  EXPECT_EQ(
      statements("x = N + F(1, (2, 3))", "#define N M\n#define M 4\n#define F(a, b) a * G b\n#define G(a, b) (a - b)"),
      "(= x (+ 4 (* 1 (- 2 3))))");
  EXPECT_EQ(statements("F = 1", "#define F(x) x"), "(= F 1)");
  EXPECT_EQ(statements("F(a)(b)", "#define F(x) G\n#define G(x) x = 1"), "(= b 1)");
  EXPECT_EQ(statements("a = b", "#define a b\n#define b a"), "(= a b)");
  EXPECT_EQ(statements("F(F(F(1)))", "#define F(x) (x + x)"), "(+ (+ (+ 1 1) (+ 1 1)) (+ (+ 1 1) (+ 1 1)))");
  EXPECT_EQ(statements("V(x, 1, 2)", "#define V(q, ...) q!__VA_ARGS__"), "(! x 1 2)");
  EXPECT_EQ(statements("A", "#define A x = 1; \\\n  y = 2"), "(= x 1) (= y 2)");
}

TEST(PromelaMacros, PasteAndQuote) {
  EXPECT_EQ(statements("P(a, 1) = N_(2)", "#define N 7\n#define P(x, y) x##_##y\n#define N_(x) N##x"), "(= a_1 N2)");
  EXPECT_EQ(statements("S(a + \"b\")", "#define S(x) printf(#x)"), "(print 'a + \\\"b\\\"')");
}

TEST(PromelaMacros, DefinesComeFirst) {
  const PromelaText text("#ifndef N\n#define N 4\n#endif\nbyte a[N];", {{"N", "2 + 1"}});
  EXPECT_EQ(dump(text.model().globals), "(byte a[(+ 2 1)])");
}

TEST(PromelaMacros, AnErrorIsReportedAtThePlaceOfUse) {
  const PromelaText text("#define BAD(x) x + * 2\ninit {\n  y = BAD(1)\n}");
  EXPECT_EQ(text.errors().substr(0, 53), "m.pml:3:7: error: expected an expression, but found '");
}

TEST(PromelaConditions, ExactlyOneBranch) {
  const auto branch = [](const std::string& condition) {
    return statements("\n#if " + condition + "\n1\n#elif 1\n2\n#else\n3\n#endif\n",
                      "#define N 3\n#define F(x) (x * 2)");
  };
  EXPECT_EQ(branch("N == 3 && !defined(M) && defined N"), "1");
  EXPECT_EQ(branch("F(N) > 6 || M"), "2");
  EXPECT_EQ(branch("(1 ? 2 : 0) - 2"), "2");
  EXPECT_EQ(branch("1 << 3 == 8 && 7 / 2 % 2 == 1 && (5 & 3 | 8 ^ 1) == 9 && ~0 == -1"), "1");
  EXPECT_EQ(branch("0 && 1 / 0"), "2");
  EXPECT_EQ(statements("\n#ifdef A\n don't \" #include\n#if 1\n#else\n#endif\n#else\nx\n#endif\n"), "x");
}

TEST(PromelaConditions, MarkersOfLinesAreSkipped) {
  EXPECT_EQ(statements("\n# 12 \"file\"\n#line 3\n#\n#pragma x\n#ident \"y\"\nx\n"), "x");
}

class PromelaIncludes : public ::testing::Test {
 protected:
  PromelaIncludes() {
    here_.write("sub/a.h", "#include \"b.h\"\nbyte a");
    here_.write("sub/b.h", "byte b;");
    here_.write("loop.h", "#include \"loop2.h\"");
    here_.write("loop2.h", "#include \"loop.h\"");
    here_.write("open.h", "#if 1\n");
  }
  PromelaText text(const std::string& model) { return PromelaText(model, {}, here_.path("m.pml")); }

  testing_support::Workspace here_;
};

TEST_F(PromelaIncludes, AreFoundBesideTheFileThatNamesThem) {
  const PromelaText model = text("#include \"sub/a.h\"\nbyte c;");
  EXPECT_EQ(dump(model.model().globals), "(byte b) (byte a) (byte c)");
  EXPECT_EQ(model.sources.file_name(model.model().globals[0].at.file), here_.path("sub/b.h"));
}

TEST_F(PromelaIncludes, MayGoInACycleThatGuardsEnd) {
  here_.write("b.h", "#ifndef B\n#define B\n#include \"c.h\"\nbyte b;\n#endif\n");
  here_.write("c.h", "#ifndef C\n#define C\n#include \"b.h\"\nbyte c;\n#endif\n");
  const PromelaText model = text("#include \"b.h\"\nbyte a;");
  EXPECT_EQ(dump(model.model().globals), "(byte c) (byte b) (byte a)");
}

TEST_F(PromelaIncludes, CyclesAndMissingFilesAreErrors) {
  EXPECT_NE(text("#include \"loop.h\"\n").errors().find("nested too deeply"), std::string::npos);
  EXPECT_NE(text("#include \"none.h\"\n").errors().find("cannot read the file"), std::string::npos);
  EXPECT_NE(text("#include \"sub\"\n").errors().find("cannot read the file"), std::string::npos);
  EXPECT_NE(text("#include \"open.h\"\nbyte x;").errors().find("#endif is missing"), std::string::npos);
  EXPECT_NE(text("#include <stdio.h>\n").errors().find("expected \"file\""), std::string::npos);
}

}  // namespace
}  // namespace harrier::testing
