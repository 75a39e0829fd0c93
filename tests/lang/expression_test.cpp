// Expressions and functions, evaluated by the reference interpreter.
#include "lang/lang_support.h"

namespace harrier::testing {
namespace {

TEST(Expressions, Arithmetic) {
  EXPECT_EQ(evaluate("1 + 2 * 3"), 7);
  EXPECT_EQ(evaluate("(1 + 2) * 3"), 9);
  EXPECT_EQ(evaluate("7 / 2 - -7 / 2"), 6);
  EXPECT_EQ(evaluate("-7 % 3"), -1);
  EXPECT_EQ(evaluate("1 << 4 | 3 & 2 ^ 1"), 19);
  EXPECT_EQ(evaluate("8 <? 12 + 1"), 8);
  EXPECT_EQ(evaluate("8 >? 12 + 1"), 13);
  EXPECT_EQ(evaluate("-2147483648"), INT32_MIN);
  EXPECT_EQ(evaluate("+5"), 5);
  EXPECT_EQ(evaluate("abs(-4) + abs(3)"), 7);
}

TEST(Expressions, Logic) {
  EXPECT_EQ(evaluate("!3"), 0);
  EXPECT_EQ(evaluate("not 0 and true or false"), 1);
  EXPECT_EQ(evaluate("5 == true"), 0);
  EXPECT_EQ(evaluate("1 && 5"), 1);
  EXPECT_EQ(evaluate("0 imply 0"), 1);
  EXPECT_EQ(evaluate("1 imply 0"), 0);
  EXPECT_EQ(evaluate("3 xor 4"), 0);
  EXPECT_EQ(evaluate("3 xor 0"), 1);
  EXPECT_EQ(evaluate("1 ? 2 : 0 ? 3 : 4"), 2);
  EXPECT_EQ(evaluate("0 ? 2 : 0 ? 3 : 4"), 4);
  EXPECT_EQ(evaluate("1 < 2 == 3 > 2"), 1);
}

TEST(Expressions, ImplyAndOrHaveTheSamePrecedenceAndGoLeft) {
  // (true imply false) or true, and (false or true) imply false.
  EXPECT_EQ(evaluate("1 imply 0 or 1"), 1);
  EXPECT_EQ(evaluate("0 or 1 imply 0"), 0);
}

TEST(Expressions, ShortCircuitGuardsAFailure) {
  EXPECT_EQ(evaluate("i < 2 && a[i] == 1", "int i = 7; int a[2];"), 0);
  EXPECT_EQ(evaluate("i == 0 || 5 / i > 1", "int i;"), 1);
}

TEST(Expressions, Quantifiers) {
  const std::string d = "const int N = 4; typedef int[0,N-1] id; int a[N] = { 1, 2, 3, 4 }; int big[200];";
  EXPECT_EQ(evaluate("forall (i : id) a[i] > 0", d), 1);
  EXPECT_EQ(evaluate("exists (i : id) a[i] > 3 && i == 3", d), 1);
  EXPECT_EQ(evaluate("sum (i : id) a[i] * i", d), 2 + 6 + 12);
  EXPECT_EQ(evaluate("sum (i : int[0,199]) (big[i] + i)", d), 199 * 100);
  EXPECT_EQ(evaluate("forall (i : int[0,199]) exists (j : int[0,199]) i == j && big[j] == 0", d), 1);
}

TEST(Expressions, AssignmentsAreValues) {
  EXPECT_EQ(evaluate("(a = 3) + (b += 2)", "int a; int b = 5;"), 10);
  EXPECT_EQ(evaluate("a++ + ++a", "int a = 1;"), 4);
  EXPECT_EQ(evaluate("a-- - --a", "int a = 5;"), 2);
}

TEST(Expressions, SideEffectsOfAnIndexHappenOnce) {
  Model model(with_edge("int a[2] = { 4, 9 }; int i;", "assign a[i++] += 3;"));
  EXPECT_EQ(model.after(0, "a[0]"), 7);
  EXPECT_EQ(model.after(0, "i"), 1);
}

TEST(Expressions, ConditionalOnTheLeft) {
  Model model(with_edge("int a, b; bool c = true;", "assign (c ? a : b) = 3;"));
  EXPECT_EQ(model.after(0, "a"), 3);
  EXPECT_EQ(model.after(0, "b"), 0);
}

TEST(Expressions, BooleansAreZeroOrOne) {
  Model model(with_edge("bool b; int n = 7;", "assign b = n;"));
  EXPECT_EQ(model.after(0, "b"), 1);
}

TEST(Expressions, RunTimeErrorsKeepTheirPlace) {
  Model model(with_edge("int a[3]; int i = 5;", "assign a[i] = 1;"));
  try {
    model.after(0);
    FAIL() << "no failure";
  } catch (const model::EvalFailure& failure) {
    EXPECT_EQ(failure.fault, model::Fault::IndexOutOfBounds);
    EXPECT_EQ(failure.at.line, 2u);
  }
}

TEST(Expressions, StructuresAndArraysAreComparedAndAssigned) {
  const std::string d =
      "typedef struct { int a; int v[2]; } s_t; s_t s = { 1, { 2, 3 } }, t; s_t m[2] = { { 4, { 5, 6 } }, { 7, { 8, 9 "
      "} } };"
      "int i = 1;";
  Model model(with_edge(d, "guard s != t && m[0] != m[i]; assign t = s, s = m[i], m[0].v = t.v;"));
  EXPECT_TRUE(model.enabled(0));
  EXPECT_EQ(model.after(0, "t.v[1]"), 3);
  EXPECT_EQ(model.after(0, "s.v[0]"), 8);
  EXPECT_EQ(model.after(0, "m[0].v[1]"), 3);
}

TEST(Expressions, MultiDimensionalArrays) {
  const std::string d =
      "int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; int i = 1, j = 2; const int c[2][2] = { { 7, 8 }, { 9, 10 } };";
  EXPECT_EQ(evaluate("m[i][j] * 100 + m[0][j] * 10 + m[i][0]", d), 634);
  EXPECT_EQ(evaluate("c[i][j - 1] + c[0][1]", d), 18);
}

TEST(Expressions, ArraysIndexedByTypes) {
  const std::string d =
      "typedef int[2,4] id; int a[id] = { 20, 30, 40 }; id i = 3; typedef scalar[2] S; S s; int b[S] = { 5, 6 };";
  EXPECT_EQ(evaluate("a[i] + a[4] + b[s]", d), 75);
  Model model(with_edge(d, ""));
  EXPECT_EQ(model.initial("a[2]"), 20);
}

TEST(Functions, Loops) {
  EXPECT_EQ(run("", "int i; for (i = 0; i < 5; i++) result += i;"), 10);
  EXPECT_EQ(run("", "int i = 3; while (i > 0) { result += i; i--; }"), 6);
  EXPECT_EQ(run("", "int i = 9; do { result += i; } while (i < 5);"), 9);
  EXPECT_EQ(run("", "for (i : int[2,4]) for (j : int[1,2]) result += i * j;"), 27);
  EXPECT_EQ(run("", "if (result == 0) { result = 3; } else result = 4;"), 3);
}

TEST(Functions, LocalsInLoopsStartAfresh) {
  EXPECT_EQ(run("", "for (i : int[0,2]) { int n; n += 1; result += n; }"), 3);
  EXPECT_EQ(run("", "for (i : int[0,2]) { int[3,5] n; result += n; n = 5; }"), 9);
}

TEST(Functions, ReturnLeaves) {
  const std::string d =
      "int find(int what) { int a[4] = { 5, 6, 7, 8 }; for (i : int[0,3]) if (a[i] == what) return i; return -1; }";
  EXPECT_EQ(run(d, "result = find(7) * 10 + find(1);"), 19);
}

TEST(Functions, ReferencesToGlobals) {
  const std::string d = "int a[3] = { 1, 2, 3 }; int i = 1; void swap(int &x, int &y) { int t = x; x = y; y = t; }";
  EXPECT_EQ(run(d, "swap(a[i - 1], a[i + 1]); result = a[0] * 100 + a[1] * 10 + a[2];"), 321);
  EXPECT_EQ(run(d, "swap(a[i], a[i]); result = a[1];"), 2);
}

TEST(Functions, ReferencesToLocals) {
  const std::string d =
      "void swap(int &x, int &y) { int t = x; x = y; y = t; }\n"
      "void sort(int &a[4]) { for (i : int[0,2]) for (j : int[0,2]) if (a[j] > a[j+1]) swap(a[j], a[j+1]); }\n";
  EXPECT_EQ(run(d, "int v[4] = { 3, 1, 4, 2 }; sort(v); for (i : int[0,3]) result = result * 10 + v[i];"), 1234);
  EXPECT_EQ(run(d, "int x = 1, y = 2; swap(x, y); result = x * 10 + y;"), 21);
  EXPECT_EQ(run(d, "int v[3] = { 7, 8, 9 }; int i = 0; swap(v[i], v[i]); result = v[0];"), 7);
}

TEST(Functions, ReferencesToLocalsOfAFunctionThatAlsoChangesGlobals) {
  const std::string d = "int calls; int bump(int &x) { x += 2; calls++; return x * 10; }";
  EXPECT_EQ(run(d, "int l = 3; result = bump(l); result += l; result = result * 10 + calls;"), 551);
}

TEST(Functions, ReferencesWorkInGuards) {
  Model model(with_edge(
      "int n = 3; void twice(int &x) { x = x * 2; } bool f() { int l = n; twice(l); twice(l); return l == 12; }",
      "guard f();"));
  EXPECT_TRUE(model.enabled(0));
}

TEST(Functions, ReturnStructures) {
  const std::string d =
      "typedef struct { int a; int b; } p_t; p_t g = { 1, 2 }; int calls;\n"
      "p_t flip(p_t p) { p_t q; q.a = p.b; q.b = p.a; return q; }\n"
      "p_t count() { calls++; g.a = calls; return g; }\n";
  EXPECT_EQ(run(d, "g = flip(g); result = g.a * 10 + g.b;"), 21);
  EXPECT_EQ(run(d, "result = flip(g).a + flip(flip(g)).b * 10;"), 22);
  EXPECT_EQ(run(d, "p_t l = { 0, 0 }; l = count(); l = count(); result = l.a * 100 + l.b * 10 + calls;"), 222);
}

TEST(Functions, ArraysByValueAreCopies) {
  const std::string d = "int a[2] = { 1, 2 }; int f(int v[2]) { v[0] = 9; return v[0] + v[1]; }";
  EXPECT_EQ(run(d, "result = f(a) * 10 + a[0];"), 111);
}

TEST(Functions, ResetClocks) {
  Model model(
      with_edge("clock x, y[3]; int i = 2; void r(clock &c) { c = 4; } void all() { x = 1; for (k : int[0,2]) y[k] = "
                "k; r(y[i]); }",
                "assign all();"));
  model.after(0);
  ASSERT_EQ(model.resets.size(), 5u);
  EXPECT_EQ(model.system().clocks[model.resets[0].clock.value].name, "x");
  EXPECT_EQ(model.system().clocks[model.resets[4].clock.value].name, "y[2]");
  EXPECT_EQ(model.resets[4].value, 4);
}

TEST(Functions, RangesOfLocalsParametersAndResultsAreChecked) {
  for (const std::string& text :
       {std::string("void main() { int[0,3] l; l = n; }"), std::string("void f(int[0,3] p) { } void main() { f(n); }"),
        std::string("int[0,3] f() { return n; } void main() { n = f(); }"),
        std::string("int[0,3] v; void main() { v = n; }")}) {
    Model model(with_edge("int n = 7;\n" + text, "assign main();"));
    try {
      model.after(0);
      FAIL() << text;
    } catch (const model::EvalFailure& failure) {
      EXPECT_EQ(failure.fault, model::Fault::RangeViolation) << text;
    }
  }
}

TEST(Functions, AreEvaluatedInConstants) {
  Model model(with_edge(
      "int fact(int n) { int r = 1; int i; for (i = 2; i <= n; i++) r *= i; return r; }\n"
      "const int F = fact(5); int a[fact(3)]; const int t[3] = { 1, 2, F }; const int s = sum (i : int[0,2]) t[i];"
      "int v = s;",
      ""));
  EXPECT_EQ(model.initial("v"), 123);
  model.variable("a[5]");
}

}  // namespace
}  // namespace harrier::testing
