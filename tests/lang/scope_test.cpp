// What names mean: the innermost declaration before the use.
#include "lang/lang_support.h"

namespace harrier::testing {
namespace {

// The value of `result` after the one edge of a process with these declarations.
int32_t in_process(const std::string& global, const std::string& local, const std::string& expression) {
  Model model("int result;\n" + global + "\nprocess P() { " + local +
              " state A, B; init A; trans A -> B { assign result = " + expression + "; }; }\nsystem P;\n");
  return model.diagnostics.has_errors() ? INT32_MIN : model.after(0, "result");
}

TEST(Scopes, AFunctionSeesWhatIsDeclaredBeforeIt) {
  EXPECT_EQ(in_process("int x = 1;", "int f() { return x; } int x = 5;", "f() * 10 + x"), 15) << "a variable";
  EXPECT_EQ(in_process("int x = 1;", "int x = 5; int f() { return x; }", "f()"), 5);
  EXPECT_EQ(in_process("int g() { return 1; }", "int f() { return g(); } int g() { return 5; }", "f() * 10 + g()"), 15)
      << "a function";
  EXPECT_EQ(in_process("int x[2] = { 1, 2 };", "int f() { return x[1]; } int x(int a) { return a; }", "f() + x(10)"),
            12)
      << "another kind of thing";
  EXPECT_EQ(in_process("const int N = 3;", "int f() { int[0,N] a[N]; return sum (i : int[0,N-1]) 1; } const int N = 7;",
                       "f()"),
            3)
      << "in types";
}

TEST(Scopes, AFunctionThatIsCalledInAnInitialValue) {
  EXPECT_EQ(in_process("const int x = 1;", "int f() { return x; } const int x = 5; int y = f();", "y"), 1);
}

TEST(Scopes, ParametersOfFunctionsHaveTypesOfTheSurroundings) {
  EXPECT_EQ(
      in_process("const int N = 3;",
                 "int f(int N, int a[N]) { return a[2] + N; } const int N = 5; int b[3] = { 1, 2, 4 };", "f(10, b)"),
      14);
}

TEST(Scopes, AnInitialValueDoesNotSeeItsVariable) {
  EXPECT_EQ(in_process("const int N = 1;", "int y = N; const int N = N + 5; int z = N;", "y * 10 + z"), 16);
  EXPECT_EQ(run("const int x = 3;", "int x = x + 1; result = x;"), 4);
  EXPECT_EQ(run("const int n = 2;", "int n[n] = { 5, 7 }; result = n[1];"), 7) << "the size, too";
}

TEST(Scopes, TypesOfVariables) {
  Model model(
      "const int N = 1; typedef int[0,3] t; process P() { int[0,N] y; t a; const int N = 5; typedef int[0,7] t; t b; "
      "int[0,N] z; state A; init A; } system P;");
  const auto hi = [&](const std::string& name) {
    return model.system().variables[static_cast<size_t>(model.variable(name))].hi;
  };
  EXPECT_EQ(hi("P.y"), 1);
  EXPECT_EQ(hi("P.z"), 5);
  EXPECT_EQ(hi("P.a"), 3);
  EXPECT_EQ(hi("P.b"), 7);
}

TEST(Scopes, Blocks) {
  EXPECT_EQ(run("int x = 1;", "int y = x; int x = 5; { int z = x; int x = 7; result = y * 100 + z * 10 + x; }"), 157);
  EXPECT_EQ(run("int x = 1;", "{ int x = 7; result = x; } result += x;"), 8);
  EXPECT_EQ(run("int i = 2;", "for (i : int[0,1]) { int j = i; int i = 5; result += j + i; } result += i;"), 13);
  EXPECT_EQ(run("const int i = 2;", "for (i : int[0,i]) result += i;"), 3) << "the range is read before";
}

TEST(Scopes, Quantifiers) {
  EXPECT_EQ(evaluate("sum (i : int[0,i]) i + i", "const int i = 2;"), 6);
  EXPECT_EQ(evaluate("(sum (x : int[1,2]) x) + x", "int x = 10;"), 13);
  EXPECT_EQ(evaluate("sum (x : int[1,2]) sum (x : int[5,6]) x", "int x = 10;"), 22);
}

TEST(Scopes, ABoundNameMayHideAClock) {
  Model model(
      with_edge("clock a; int n = 2;", "guard (exists (a : int[1,2]) n == a) && !(forall (a : int[1,2]) n > a);"));
  EXPECT_TRUE(model.enabled(0));
  EXPECT_TRUE(model.system().edges[0].clock_guard.empty());
}

TEST(Scopes, AClockThatIsDeclaredLater) {
  Model model(
      "clock x; process P() { void r() { x = 0; } clock x; state A, B; init A; trans A -> B { guard x > 3; assign r(); "
      "}; } system P;");
  model.after(0);
  ASSERT_EQ(model.resets.size(), 1u);
  EXPECT_EQ(model.system().clocks[model.resets[0].clock.value].name, "x");
  EXPECT_EQ(model.system().clocks[model.system().edges[0].clock_guard[0].right.value].name, "P.x");
}

TEST(Scopes, SelectedValues) {
  Model model(
      "const int i = 1; int r; process P() { state A; init A; trans A -> A { select i : int[i,2]; assign r = i; }; } "
      "system P;");
  ASSERT_EQ(model.system().edges.size(), 2u);
  EXPECT_EQ(model.after(0, "r"), 1);
  EXPECT_NE(errors(with_edge("const int i = 1;", "select i : int[0,1], j : int[0,i];")).find("cannot depend on it"),
            std::string::npos);
}

TEST(Scopes, ParametersOfTemplatesHaveTypesOfTheSurroundings) {
  Model model(
      "const int N = 2; process P(const int[0,9] N, const int[0,N] k) { int y = k + N; state A; init A; } "
      "Q = P(7, 2); system Q;");
  EXPECT_EQ(model.initial("Q.y"), 9);
  EXPECT_NE(errors("process P(const int N, const int[0,N] k) { state A; init A; } Q = P(7, 2); system Q;")
                .find("unknown name 'N'"),
            std::string::npos);
}

TEST(Scopes, ALocationHidesWhatIsAroundTheTemplate) {
  EXPECT_EQ(in_process("int C = 4;", "int f() { return C; }", "f()"), 4);
  EXPECT_NE(errors("int B; process P() { state A { B == 0 }, B; init A; trans A -> B { guard B == 0; }; } system P;")
                .find("'B' is a location"),
            std::string::npos);
  Model model("int B; process P() { state A { B == 0 }, B; init A; trans A -> B { }; } system P;");
  EXPECT_EQ(model.system().processes[0].locations[0].invariant.size(), 1u);
}

TEST(Scopes, NothingIsKnownBeforeItsDeclaration) {
  const std::vector<std::string> models = {
      "int f() { return z; } int z = 3; process P() { state A; init A; } system P;",
      "int f() { return g(); } int g() { return 1; } process P() { state A; init A; } system P;",
      "process P() { state A; init A; trans A -> A { guard z == 3; }; } int z = 3; system P;",
      "process P() { t x; state A; init A; } typedef int[0,1] t; system P;",
      "Q = P(); process P() { state A; init A; } system Q;",
      "process P() { state A; init A; } Q = P(z); const int z = 1; system Q;",
      "system P; process P() { state A; init A; }",
      "before_update { z = 1 } int z; process P() { state A; init A; } system P;",
      "int y[N]; const int N = 2; process P() { state A; init A; } system P;",
  };
  for (const std::string& text : models) {
    EXPECT_NE(errors(text).find("error: "), std::string::npos) << text;
  }
  EXPECT_NE(errors(models[0]).find("unknown name 'z' here; it is declared later, in line 1"), std::string::npos);
  EXPECT_NE(errors("<nta><declaration>int a;</declaration><template><name>P</name><location id='i'/><init ref='i'/>"
                   "<transition><source ref='i'/><target ref='i'/><label kind='guard'>z == 1</label></transition>"
                   "</template><system>int z; system P;</system></nta>")
                .find("unknown name 'z'"),
            std::string::npos)
      << "the system section comes after the templates";
}

TEST(Scopes, ALocalVariableIsNotCalledLikeAParameter) {
  EXPECT_NE(errors(with_edge("int f(int a) { int a = 3; return a; }", "")).find("'a' is declared twice"),
            std::string::npos);
}

TEST(Scopes, QueriesSeeEverythingThatIsGlobal) {
  Model model("int x = 1; process P() { int x = 5; state A; init A; } system P;");
  EXPECT_EQ(model.goal("E<> x == 1"), std::vector<std::string>{"x == 1"});
  EXPECT_EQ(model.goal("E<> P.x == 1"), std::vector<std::string>{"P.x == 1"});
  EXPECT_EQ(model.goal("E<> exists (x : int[0,1]) P.x == x"), std::vector<std::string>{"(P.x == 0 || P.x == 1)"});
}

TEST(Scopes, UnknownNamesAreSuggested) {
  EXPECT_NE(
      errors(with_edge("int counter;", "guard conter == 0;")).find("unknown name 'conter'; did you mean 'counter'?"),
      std::string::npos);
  EXPECT_NE(errors(with_edge("int count() { return 1; }", "guard cuont() == 0;")).find("did you mean 'count'?"),
            std::string::npos);
  EXPECT_NE(
      errors("typedef int[0,1] id_t; idt x; process P() { state A; init A; } system P;").find("did you mean 'id_t'?"),
      std::string::npos);
  EXPECT_NE(errors("process Train() { state A; init A; } system Trian;").find("did you mean 'Train'?"),
            std::string::npos);
}

}  // namespace
}  // namespace harrier::testing
