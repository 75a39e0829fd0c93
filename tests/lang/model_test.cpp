// Declarations, templates, edges and constraints as they arrive in the intermediate model.
#include <set>

#include "lang/lang_support.h"

namespace harrier::testing {
namespace {

std::vector<std::string> names(const std::vector<model::Process>& processes) {
  std::vector<std::string> out;
  for (const auto& p : processes) out.push_back(p.name);
  return out;
}

std::string guard_text(Model& model, size_t edge) {
  const model::Edge& e = model.system().edges[edge];
  std::string out;
  for (const auto id : e.guard) out += (out.empty() ? "" : " && ") + model::to_text(model.system(), id);
  for (const auto& c : e.clock_guard) out += (out.empty() ? "" : " && ") + model::to_text(model.system(), c);
  return out;
}

TEST(Declarations, Ranges) {
  Model model(with_edge("int a; int[3,5] b; bool c = true; const int N = 2; int[-N,N*N] d; meta int m = 4;", ""));
  const auto& a = model.system().variables[static_cast<size_t>(model.variable("a"))];
  EXPECT_EQ(a.lo, -32768);
  EXPECT_EQ(a.hi, 32767);
  EXPECT_EQ(model.initial("b"), 3) << "the value of the range nearest to 0";
  EXPECT_EQ(model.initial("c"), 1);
  const auto& d = model.system().variables[static_cast<size_t>(model.variable("d"))];
  EXPECT_EQ(d.lo, -2);
  EXPECT_EQ(d.hi, 4);
  EXPECT_EQ(model.initial("m"), 4);
}

TEST(Declarations, ConstantsAreNoVariables) {
  Model model(
      with_edge("const int N = 100000; const int t[2] = { 1, 2 }; const bool b = true;", "guard t[0] + N > 1 && b;"));
  EXPECT_EQ(model.system().variables.size(), 1u);
  EXPECT_EQ(guard_text(model, 0), "");
}

TEST(Declarations, IndexedConstantsBecomeTables) {
  Model model(with_edge("const int t[2] = { 7, 8 }; int i = 1;", "guard t[i] == 8;"));
  const auto& cell = model.system().variables[static_cast<size_t>(model.variable("t[1]"))];
  EXPECT_EQ(cell.lo, 8);
  EXPECT_EQ(cell.hi, 8);
  EXPECT_TRUE(model.enabled(0));
}

TEST(Declarations, StructuresWithFieldNames) {
  Model model(with_edge("struct { int a; bool b; int c[2]; } s = { c : { 3, 4 }, a : 1, b : true };", ""));
  EXPECT_EQ(model.initial("s.c[1]"), 4);
  EXPECT_EQ(model.initial("s.a"), 1);
}

TEST(Declarations, ClocksAndChannels) {
  Model model(with_edge("clock x, y[2]; struct { clock c; int n; } s[2]; urgent broadcast chan ub; chan c[2][2];", ""));
  std::vector<std::string> clocks;
  for (const auto& c : model.system().clocks) clocks.push_back(c.name);
  EXPECT_EQ(clocks, (std::vector<std::string>{"0", "x", "y[0]", "y[1]", "s[0].c", "s[1].c"}));
  EXPECT_TRUE(model.system().channels[0].urgent);
  EXPECT_TRUE(model.system().channels[0].broadcast);
  EXPECT_EQ(model.system().channels[4].name, "c[1][1]");
}

TEST(Declarations, ScopesHide) {
  Model model(
      "int a = 1; process P() { int a = 2; int f(int a) { { int a = 4; a++; } return a; } state S; init S;\n"
      "trans S -> S { assign a = f(7); }; } system P;");
  EXPECT_EQ(model.after(0, "P.a"), 7);
  EXPECT_EQ(model.after(0, "a"), 1);
}

TEST(OldSyntax, IsRead) {
  Model model(
      "const N 5, M 6; const T[2] { 1, 2 }; int[0,9] x := 0; chan go; clock c;\n"
      "process P(const id, k; int v; chan a) { state A { c<=N, c<7 }, B; commit B; init A;\n"
      "trans A -> B { guard c=<M, v == 0; sync a!; assign v := id, c:=0; }, -> A { guard v => k; }, B -> A { }; }\n"
      "process Q { state S; init S; trans S -> S { sync go?; }; }\n"
      "P1 := P(1, 2, x, go);\nsystem P1, Q;\n");
  const auto& system = model.system();
  EXPECT_EQ(names(system.processes), (std::vector<std::string>{"P1", "Q"}));
  ASSERT_EQ(system.edges.size(), 4u);
  EXPECT_EQ(system.edges[1].source, 0u) << "the source of the edge before";
  EXPECT_EQ(system.processes[0].locations[1].kind, model::LocationKind::Committed);
  EXPECT_EQ(system.processes[0].locations[0].clock_invariant.size(), 2u);
  EXPECT_EQ(model.after(0, "x"), 1) << "variables are passed by reference";
}

TEST(Templates, FreeParametersMakeOneProcessEach) {
  Model model(
      "typedef int[0,1] b; process P(b i, const int[3,4] j) { int n = 10 * i + j; state S; init S; } system P;");
  EXPECT_EQ(names(model.system().processes), (std::vector<std::string>{"P(0,3)", "P(0,4)", "P(1,3)", "P(1,4)"}));
  EXPECT_EQ(model.initial("P(1,4).n"), 14);
}

TEST(Templates, PartialInstantiation) {
  Model model(
      "process P(int &x, int y, const int n, const int m) { state S; init S; trans S -> S { assign x = y + n * m; }; "
      "}\n"
      "int v, u; const struct { int a, b, c; } data[2] = { { 1, 2, 3 }, { 4, 5, 6 } };\n"
      "Q(int &x, const int i) = P(x, data[i].a, data[i].b, 2 * data[i].c);\nQ1 = Q(v, 0);\nQ2 = Q(u, 1);\n"
      "R(const int[0,1] k) = P(v, k, k, k);\nsystem Q1, Q2, R;\n");
  EXPECT_EQ(names(model.system().processes), (std::vector<std::string>{"Q1", "Q2", "R(0)", "R(1)"}));
  EXPECT_EQ(model.after(0, "v"), 1 + 2 * 6);
  EXPECT_EQ(model.after(1, "u"), 4 + 5 * 12);
  EXPECT_EQ(model.after(3, "v"), 2);
}

TEST(Templates, ValueParametersThatChangeAreVariables) {
  Model model(
      "process P(int[0,5] n) { state S; init S; trans S -> S { guard n > 0; assign n--; }; } P1 = P(3); system P1;");
  EXPECT_EQ(model.initial("P1.n"), 3);
  EXPECT_EQ(model.after(0, "P1.n"), 2);
}

TEST(Templates, ReferencesToElementsAndArrays) {
  Model model(
      "int a[2][2]; clock x[2]; chan c[2];\n"
      "process P(int &row[2], clock &y, chan &d[2], int &one) { state S { y <= 3 }; init S;\n"
      "trans S -> S { sync d[1]!; assign row[1] = 5, y = 0, one = 6; }; }\n"
      "P1 = P(a[1], x[1], c, a[0][0]);\nsystem P1;");
  EXPECT_EQ(model.after(0, "a[1][1]"), 5);
  EXPECT_EQ(model.after(0, "a[0][0]"), 6);
  EXPECT_EQ(model.system().edges[0].channel.value, 1u);
  EXPECT_EQ(model.system().clocks[model.system().processes[0].locations[0].clock_invariant[0].left.value].name, "x[1]");
}

TEST(Templates, TheLocationIsAVariable) {
  Model model("process P() { state A, B, C; urgent C; init B; } system P;");
  const auto& location = model.system().variables[0];
  EXPECT_EQ(location.name, "P");
  EXPECT_EQ(location.kind, model::VarKind::Location);
  EXPECT_EQ(location.initial, 1);
  EXPECT_EQ(location.hi, 2);
  EXPECT_EQ(model.system().processes[0].locations[2].kind, model::LocationKind::Urgent);
}

TEST(Edges, SelectIsExpanded) {
  Model model(with_edge("int a[3];", "select i : int[0,2], j : int[0,1]; guard i != 2 || j == 0; assign a[i] = j;"));
  ASSERT_EQ(model.system().edges.size(), 5u) << "the edge with i = 2, j = 1 can never be taken";
  EXPECT_EQ(model.system().edges[0].label, "i = 0, j = 0");
  EXPECT_EQ(model.after(3, "a[1]"), 1);
}

TEST(Edges, VaryingChannelIndicesAreExpanded) {
  Model model(with_edge("chan c[4]; int[1,2] i = 1; int k;", "guard k == 0; sync c[i]!;"));
  ASSERT_EQ(model.system().edges.size(), 2u) << "only the values of the index's range";
  EXPECT_EQ(model.system().channel(model.system().edges[1].channel).name, "c[2]");
  EXPECT_TRUE(model.enabled(0));
  EXPECT_FALSE(model.enabled(1));
  EXPECT_EQ(model.system().edges[1].label, "c[2]");
}

TEST(Edges, AChannelIndexOutOfBoundsFailsAtRunTime) {
  Model model(with_edge("chan c[2]; int i = 5;", "sync c[i]?;"));
  ASSERT_EQ(model.system().edges.size(), 2u);
  EXPECT_THROW(model.enabled(0), model::EvalFailure);
}

TEST(Edges, GuardsAreSplit) {
  Model model(with_edge("int a, b; clock x, y;", "guard a == 1 && (b > 2 && x <= 5) && x - y > 2 && y == 4;"));
  const auto& edge = model.system().edges[0];
  EXPECT_EQ(edge.guard.size(), 2u);
  EXPECT_EQ(edge.clock_guard.size(), 4u);
  EXPECT_EQ(guard_text(model, 0), "a == 1 && b > 2 && x <= 5 && y - x < -2 && y <= 4 && y >= 4");
}

TEST(Constraints, Diagonals) {
  Model model(with_edge("clock x, y; int n = 3;", "guard x < y, x - y <= n, 3 < x - y, x >= y + 2, n + 1 > x;"));
  const auto& clocks = model.system().edges[0].clock_guard;
  ASSERT_EQ(clocks.size(), 5u);
  EXPECT_EQ(clocks[0].left.value, 1u);
  EXPECT_EQ(clocks[0].right.value, 2u);
  EXPECT_TRUE(clocks[0].strict);
  EXPECT_EQ(clocks[2].left.value, 2u) << "y - x < -3";
  EXPECT_EQ(model.system().constant(clocks[2].bound), -3);
  EXPECT_EQ(model.system().constant(clocks[3].bound), -2);
  EXPECT_EQ(clocks[4].right.value, 0u);
}

TEST(Constraints, ConditionalAndQuantified) {
  Model model(
      "clock x[3]; int n; process P() { state A { (n > 0 imply x[0] <= 5) && (n == 2 || x[1] < 4) &&\n"
      "forall (i : int[0,2]) (i > 0 imply x[i] <= 10 + i) && n < 5 }; init A; } system P;");
  const auto& location = model.system().processes[0].locations[0];
  ASSERT_EQ(location.clock_invariant.size(), 4u);
  EXPECT_EQ(model::to_text(model.system(), location.clock_invariant[0].condition), "n > 0");
  EXPECT_EQ(model::to_text(model.system(), location.clock_invariant[1].condition), "!(n == 2)");
  EXPECT_FALSE(location.clock_invariant[2].condition.valid()) << "a constant condition goes away";
  EXPECT_EQ(model.system().constant(location.clock_invariant[3].bound), 12);
}

TEST(Constraints, VaryingClockIndices) {
  Model model(with_edge("clock x[2]; int[0,1] i;", "guard x[i] <= 5; assign x[i] = 3;"));
  const auto& clocks = model.system().edges[0].clock_guard;
  ASSERT_EQ(clocks.size(), 2u);
  EXPECT_EQ(model::to_text(model.system(), clocks[1].condition), "i == 1");
  EXPECT_EQ(clocks[1].left.value, 2u);
  model.after(0);
  ASSERT_EQ(model.resets.size(), 1u);
  EXPECT_EQ(model.resets[0].value, 3);
}

TEST(Constraints, InvariantsMayHaveLowerBounds) {
  Model model("clock x; process P() { state A { x >= 0 && x == 0 }; init A; } system P;");
  EXPECT_EQ(model.system().processes[0].locations[0].clock_invariant.size(), 3u);
}

TEST(Priorities, OfChannelsAndProcesses) {
  Model model(
      "chan a, b, c, d[2], e[2];\nchan priority a, d[0] < default < b, e;\nchan late;\n"
      "process A() { state S; init S; } process B() { state S; init S; } process C() { state S; init S; }\n"
      "system A < B, C;");
  const auto& system = model.system();
  EXPECT_EQ(system.internal_priority, 1);
  const std::vector<int> expected = {0, 2, 1, 0, 1, 2, 2, 1};
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(system.channels[i].priority, expected[i]) << system.channels[i].name;
  EXPECT_EQ(system.processes[0].priority, 0);
  EXPECT_EQ(system.processes[2].priority, 1);
}

TEST(Updates, BeforeAndAfter) {
  Model blocks(
      "int a, b; before_update { a = 1, b = 2 } after_update { a++; b++; } process P() { state S; init S; } system P;");
  EXPECT_EQ(blocks.system().before_update.size(), 2u);
  EXPECT_EQ(blocks.system().after_update.size(), 2u);
  Model functions("int a; void before_update() { a = 1; } process P() { state S; init S; } system P;");
  EXPECT_EQ(functions.system().before_update.size(), 1u);
}

TEST(Updates, ConditionalUpdates) {
  Model model(with_edge("clock x, y; int n = 1;", "assign n > 0 ? x = 3 : y = 4, n = 2;"));
  EXPECT_EQ(model.after(0, "n"), 2);
  ASSERT_EQ(model.resets.size(), 1u);
  EXPECT_EQ(model.resets[0].value, 3);
}

TEST(Unused, LeavesNoTrace) {
  Model model(
      "int a; int f(int &x) { x = 1; return x; }\nprocess U(clock &c, const int n) { int l; state S { c <= n }; init "
      "S;\n"
      "trans S -> S { assign l = f(a); }; }\nprocess P() { state S; init S; }\nsystem P;");
  EXPECT_EQ(model.system().variables.size(), 2u);
  EXPECT_EQ(model.system().clocks.size(), 1u);
  EXPECT_TRUE(model.system().functions.empty());
  EXPECT_EQ(model.system().processes.size(), 1u);
}

TEST(Loading, SetsTheIdentity) {
  Model a("process P() { state S; init S; } system P;", "a.xta");
  Model b("process P() { state S; init S; } system P;", "b.xta");
  EXPECT_EQ(a.system().name, "a.xta");
  EXPECT_EQ(a.system().language, "uppaal");
  EXPECT_EQ(a.system().content_hash, b.system().content_hash);
  EXPECT_NE(a.system().content_hash, 0u);
}

TEST(Loading, NoTwoVariablesHaveTheSameName) {
  Model f(R"(
clock c;
void reduce(int[0,3] &b) { b = b / 2; c = 0; }
process T() {
  void g() { int[0,3] n = 3; reduce(n); reduce(n); }
  state A, B; init A;
  trans A -> B { assign g(); };
}
P = T(); Q = T();
system P, Q;)");
  std::set<std::string> seen;
  for (const model::Variable& v : f.system().variables) EXPECT_TRUE(seen.insert(v.name).second) << v.name;
}

TEST(Loading, LongConjunctionsStayShallow) {
  std::string guard = "a == 0";
  for (int i = 1; i < 20000; ++i) guard += " && a < " + std::to_string(i);
  Model model(with_edge("int a;", "guard " + guard + ";"));
  EXPECT_EQ(model.system().edges[0].guard.size(), 20000u);
}

TEST(Loading, ManyLinesAreReadInLinearTime) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "int v" + std::to_string(i) + " = " + std::to_string(i % 100) + ";\n";
  text += "process P() {\nstate L0";
  for (int i = 1; i < 20000; ++i) text += ",\nL" + std::to_string(i);
  text += ";\ninit L0;\ntrans\nL0 -> L1 { }";
  for (int i = 1; i < 20000; ++i) {
    text += ",\nL" + std::to_string(i) + " -> L0 { guard v" + std::to_string(i) + " == 1; assign v0 = v1; }";
  }
  Model model(text + ";\n}\nsystem P;\n");
  EXPECT_EQ(model.system().edges.size(), 20000u);
}

}  // namespace
}  // namespace harrier::testing
