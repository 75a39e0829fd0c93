// What models for statistical queries and games have: it is read, and means nothing or a free choice.
#include "lang/lang_support.h"
#include "model/ranges.h"

namespace harrier::testing {
namespace {

TEST(Foreign, RatesAreReadAndNoted) {
  Model model(
      "clock x; process P() { state A { ; 3 }, B { x <= 5; 1:2 }, C { x <= 4 ; 0.5 }; init A; } "
      "process Q() { state A { ; 7 }; init A; } system P, Q;");
  ASSERT_EQ(model.diagnostics.all().size(), 1u) << "one note is enough";
  EXPECT_EQ(model.diagnostics.all()[0].severity, Severity::Warning);
  const auto& locations = model.system().processes[0].locations;
  EXPECT_TRUE(locations[0].clock_invariant.empty());
  EXPECT_EQ(locations[1].clock_invariant.size(), 1u);
}

TEST(Foreign, UncontrollableEdgesAreEdges) {
  Model model("process P() { state A, B; init A; trans A -u-> B { }, B -> A { }, -u-> B { }; } system P;");
  EXPECT_EQ(model.system().edges.size(), 3u);
  EXPECT_EQ(model.diagnostics.all().size(), 1u);
}

TEST(Foreign, InXml) {
  Model model(
      "<nta><declaration>int n;</declaration><template><name>P</name>"
      "<location id='a'><name>A</name><label kind='exponentialrate'>1:4</label></location>"
      "<location id='b'><name>B</name><label kind='exponentialrate'></label></location>"
      "<branchpoint id='c'/><init ref='a'/>"
      "<transition controllable='false'><source ref='a'/><target ref='c'/><label kind='assignment'>n = 1</label>"
      "</transition>"
      "<transition><source ref='c'/><target ref='a'/><label kind='probability'>2</label></transition>"
      "<transition><source ref='c'/><target ref='b'/><label kind='assignment'>n = n + 4</label>"
      "<label kind='probability'>1</label></transition>"
      "</template><system>system P;</system></nta>",
      "model.xml");
  EXPECT_EQ(model.diagnostics.all().size(), 3u);
  ASSERT_EQ(model.system().edges.size(), 2u);
  EXPECT_EQ(model.system().edges[0].target, 0u);
  EXPECT_EQ(model.after(0, "n"), 1);
  EXPECT_EQ(model.system().edges[1].target, 1u);
  EXPECT_EQ(model.after(1, "n"), 5);
}

TEST(Foreign, BranchesGoOnInTheSameStep) {
  Model model(
      "int n; const int k = 7; chan c; process P() { state A, B, C; branchpoint b, d; init A;\n"
      "trans A -> b { select k : int[1,2]; guard n < 9; sync c!; assign n = k; },\n"
      "b -> B { assign n = n * 10 + k; probability 3; }, b -> d { assign n++; }, d -> C { assign n = -n; },\n"
      "B -> A { }; } system P;");
  const auto& edges = model.system().edges;
  ASSERT_EQ(edges.size(), 5u);
  EXPECT_EQ(model.after(0, "n"), 17) << "the selected k is unknown behind the branch point";
  EXPECT_EQ(model.after(1, "n"), 27);
  EXPECT_EQ(model.after(2, "n"), -2) << "two branch points";
  EXPECT_EQ(edges[0].target, 1u);
  EXPECT_EQ(edges[2].target, 2u);
  EXPECT_EQ(edges[2].direction, model::Direction::Send);
  EXPECT_EQ(edges[2].guard.size(), 1u);
}

TEST(Foreign, FreeScalarParametersStandForAllElements) {
  Model model(
      "typedef scalar[3] pid_t; pid_t id; process P(const pid_t pid, const int[0,1] k) { state A, B; init A; "
      "trans A -> B { assign id = pid; }; } system P;");
  ASSERT_EQ(model.system().processes.size(), 6u);
  EXPECT_EQ(model.system().processes[5].name, "P(2,1)");
  EXPECT_EQ(model.after(5, "id"), 2);
  EXPECT_EQ(model.goal("E<> forall (i : pid_t) P(i, 0).B").size(), 1u);
}

TEST(Foreign, AnIntOfAFunctionBoundsAClock) {
  Model model(
      "int a; process P() { clock x; int f() { int c = 0; for (j : int[0,2]) c += (a >> j) & 1; return c; } "
      "state A, B; init A; trans A -> B { guard x >= f() && x < 2 + f(); assign x = f(); }; } system P;");
  for (const auto& constraint : model.system().edges[0].clock_guard) {
    const model::Interval range = model::range_of(model.system(), constraint.bound);
    EXPECT_GE(range.lo, -32770);
    EXPECT_LE(range.hi, 32770);
  }
}

}  // namespace
}  // namespace harrier::testing
