// Projections of models: what goes, what stays and what is relaxed. tests/abstraction/ compares the runs of random
// models with those of their projections.
#include "transform/model_projection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/source.h"
#include "lang/uppaal/uppaal.h"
#include "model/printer.h"
#include "support/system_builder.h"

namespace harrier::transform {
namespace {

using Names = std::vector<std::string>;

// A model projected to the things of these names: variables, processes and clocks.
class Projected {
 public:
  Projected(const std::string& text, const std::string& query, const Names& names)
      : loaded_(uppaal::load(text, "test.xta", diagnostics_)) {
    properties_ = uppaal::parse_queries(loaded_, query, "query", diagnostics_);
    EXPECT_FALSE(diagnostics_.has_errors()) << text << query;
    const model::System& system = *loaded_.system;
    Kept kept = Kept::nothing(system);
    const auto named = [&](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (size_t v = 0; v < kept.variables.size(); ++v) kept.variables[v] = named(system.variables[v].name);
    for (size_t c = 1; c < kept.clocks.size(); ++c) kept.clocks[c] = named(system.clocks[c].name);
    for (const model::Process& p : system.processes) kept.variables[p.location.value] = named(p.name);
    projection_ = ModelProjector(system, properties_.at(0).goal).project(kept);
  }

  const model::System& system() const { return projection_.system; }
  const ModelProjection& projection() const { return projection_; }

  // The edges of a process, as "source target: guards effects", channel and direction first.
  Names edges(const std::string& process) const {
    Names out;
    for (const model::Process& p : system().processes) {
      if (p.name != process) continue;
      for (const model::EdgeId id : p.edges) {
        const model::Edge& e = system().edge(id);
        std::string text;
        if (e.direction != model::Direction::Internal) {
          text = system().channel(e.channel).name + (e.direction == model::Direction::Send ? "! " : "? ");
        }
        text += p.locations[e.source].name + " " + p.locations[e.target].name + ":";
        for (const model::ExprId g : e.guard) text += " " + model::to_text(system(), g);
        for (const model::ClockConstraint& c : e.clock_guard) text += " " + model::to_text(system(), c);
        for (const model::StmtId s : e.effect) text += " " + model::to_text(system(), s);
        out.push_back(text);
      }
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  const model::Location& location(const std::string& process, size_t number) const {
    for (const model::Process& p : system().processes) {
      if (p.name == process) return p.locations.at(number);
    }
    throw std::runtime_error("no process " + process);
  }
  bool keeps(const std::string& variable) const {
    for (size_t v = 0; v < system().variables.size(); ++v) {
      if (system().variables[v].name == variable) return projection_.kept.variables[v];
    }
    throw std::runtime_error("no variable " + variable);
  }

 private:
  Diagnostics diagnostics_;
  uppaal::Loaded loaded_;
  std::vector<model::Property> properties_;
  ModelProjection projection_;
};

TEST(ModelProjection, ConjunctsGoAndEdgesOfDroppedProcessesBecomeLoops) {
  const Projected p(
      "clock x, y; int[0,3] a, b;\n"
      "process P() { state A, B { x <= 5 && y <= 6 }; init A;\n"
      "  trans A -> B { guard a == 1 && b == 2 && x > 1 && y > 2; assign a = 2, b = a, x = 0, y = 0; }; }\n"
      "process Q() { state C, D; init C; trans C -> D { guard b == 1; assign a = 3; }, D -> C { assign a = 3; },\n"
      "  C -> C { assign b = 0; }, D -> D { guard a == 2 && x < 4; assign x = 0; }; }\n"
      "system P, Q;\n",
      "E<> P.B and b == 1 and x > 7 and y > 8", {"a", "x", "P"});
  EXPECT_EQ(p.edges("P"), (Names{"A B: a == 1 x > 1 a := 2; x := 0;"}));
  EXPECT_EQ(p.edges("Q"), (Names{"C C: a := 3;", "C C: a == 2 x < 4 x := 0;"}));
  EXPECT_EQ(p.location("P", 1).clock_invariant.size(), 1u);
  EXPECT_EQ(p.projection().property.goal.at(0).conditions.size(), 1u);
  EXPECT_EQ(p.projection().property.goal.at(0).clocks.size(), 1u);
}

TEST(ModelProjection, UnknownValuesAreChosen) {
  const std::string text =
      "int[0,2] a; int[0,99] wide; int[0,2] b; int[0,99] c;\n"
      "process P() { state A; init A; trans A -> A { assign a = 1; }, A -> A { assign a = b; }, A -> A { assign wide = "
      "5; },\n"
      "  A -> A { assign wide = c; }, A -> A { assign b = (b + 1) % 3; }, A -> A { assign c = (c + 1) % 100; }; }\n"
      "system P;\n";
  const Projected p(text, "E<> a == 2 and wide == 3", {"a", "wide", "P"});
  EXPECT_EQ(p.edges("P"), (Names{"A A: a := 0;", "A A: a := 1;", "A A: a := 2;"}));
  EXPECT_TRUE(p.keeps("a"));
  EXPECT_FALSE(p.keeps("wide"));
  EXPECT_EQ(p.projection().property.goal.at(0).conditions.size(), 1u);
}

TEST(ModelProjection, WhoMeetsNobodyIsGone) {
  const std::string text =
      "chan c, d; int[0,1] n;\n"
      "process P() { state A, B; init A; trans A -> B { sync c!; }; }\n"
      "process Q() { state A, B; init A; trans A -> B { sync c?; }, B -> A { sync c?; }, A -> A { sync d!; }; }\n"
      "process R() { state A; init A; trans A -> A { sync d?; assign n = 1; }; }\n"
      "system P, Q, R;\n";
  const Projected p(text, "E<> P.B", {"P"});
  EXPECT_EQ(p.edges("Q"), (Names{"c? A A:"}));
  EXPECT_EQ(p.edges("R"), Names{});
  const Projected n(text, "E<> P.B", {"n"});
  EXPECT_EQ(n.edges("P"), Names{});
  EXPECT_EQ(n.edges("Q"), (Names{"d! A A:"}));
  EXPECT_EQ(n.edges("R"), (Names{"d? A A: n := 1;"}));
}

TEST(ModelProjection, WeakenedReceiversMayStayAway) {
  const std::string text =
      "broadcast chan b; int[0,1] n; int[0,1] m;\n"
      "process P() { state A; init A; trans A -> A { sync b!; assign n = 1 - n; }; }\n"
      "process Q() { state A, B; init A; trans A -> B { guard n == 1; sync b?; }; }\n"
      "system P, Q;\n";
  const Projected weak(text, "E<> Q.B", {"Q"});
  EXPECT_EQ(weak.edges("Q"), (Names{"b? A A:", "b? A B:"}));
  const Projected exact(text, "E<> Q.B", {"Q", "P", "n"});
  EXPECT_EQ(exact.edges("Q"), (Names{"b? A B: n == 1"}));
}

TEST(ModelProjection, HurryIsKeptWhereItIsSound) {
  const std::string text =
      "urgent chan u, w; int[0,1] n, m;\n"
      "process P() { state A, B, C; commit B; urgent C; init A;\n"
      "  trans A -> B { sync u!; }, B -> C { guard n == 1; }, C -> A { sync w!; }; }\n"
      "process Q() { state A; init A; trans A -> A { sync u?; }, A -> A { guard m == 1; sync w?; }; }\n"
      "process R() { state A, B; commit B; init A; trans A -> B { assign m = 1; }, B -> A { assign n = 1 - n; }; }\n"
      "system P, Q, R;\n";
  const Projected without_m(text, "E<> P.C", {"P", "Q", "R", "n"});
  EXPECT_EQ(without_m.location("P", 1).kind, model::LocationKind::Committed);
  EXPECT_EQ(without_m.location("P", 2).kind, model::LocationKind::Urgent);
  EXPECT_TRUE(without_m.system().channels[0].urgent);
  EXPECT_FALSE(without_m.system().channels[1].urgent);
  // An edge that left a committed location must be able to go before P.
  const Projected without_r(text, "E<> P.C", {"P", "Q", "n", "m"});
  EXPECT_EQ(without_r.location("P", 1).kind, model::LocationKind::Urgent);
  EXPECT_EQ(without_r.location("R", 0).kind, model::LocationKind::Normal);
  // Without n it does nothing.
  const Projected without_n(text, "E<> P.C", {"P", "Q", "m"});
  EXPECT_EQ(without_n.location("P", 1).kind, model::LocationKind::Committed);
}

TEST(ModelProjection, EverythingStaysAsItIs) {
  Diagnostics diagnostics;
  uppaal::Loaded loaded = uppaal::load(
      "chan c; clock x; int[0,3] n;\n"
      "process P() { state A, B; init A; trans A -> B { guard x > n; sync c!; assign n = n + 1; }, B -> B { }; }\n"
      "process Q() { state A; init A; trans A -> A { sync c?; }; }\nsystem P, Q;\n",
      "test.xta", diagnostics);
  const auto properties = uppaal::parse_queries(loaded, "E<> deadlock", "query", diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  const ModelProjector projector(*loaded.system, properties.at(0).goal);
  const ModelProjection p = projector.project(Kept::everything(*loaded.system));
  EXPECT_EQ(model::to_text(p.system), model::to_text(*loaded.system));
  EXPECT_EQ(p.property.goal.at(0).deadlock, model::DeadlockTest::IsDeadlock);
  Kept less = Kept::everything(*loaded.system);
  less.clocks[1] = false;
  EXPECT_EQ(projector.project(less).property.goal.at(0).deadlock, model::DeadlockTest::Ignore);
}

// x, y, what follows from x, and what follows from that and y.
TEST(ModelProjection, DerivedVariablesStayWithAllThatTheyFollowFrom) {
  testing_support::SystemBuilder b;
  const auto p = b.process("P", {"A"});
  const auto x = b.var("x", 0, 1);
  const auto y = b.var("y", 0, 1);
  const auto first = b.var("first", 0, 1);
  const auto second = b.var("second", 0, 1);
  b.system.axioms.push_back({first, 1, 0, {b.eq(x, 1)}, {}});
  b.system.axioms.push_back({second, 1, 0, {b.eq(first, 1), b.eq(y, 1)}, {}});
  const auto e = b.edge(p, 0, 0);
  b.edge(e).effect = {b.set(x, 1)};
  const auto goal = testing_support::SystemBuilder::reachable({b.eq(second, 1), b.eq(first, 1)});
  const ModelProjector projector(b.system, goal.goal);
  const auto without = [&](model::VarId v) {
    Kept kept = Kept::everything(b.system);
    kept.variables[v.value] = false;
    return projector.project(kept);
  };
  const ModelProjection of_x = without(y);
  ASSERT_EQ(of_x.system.axioms.size(), 1u);
  EXPECT_EQ(of_x.system.axioms[0].head, first);
  EXPECT_TRUE(of_x.kept.has(first));
  EXPECT_FALSE(of_x.kept.has(second));
  EXPECT_EQ(of_x.property.goal[0].conditions.size(), 1u);
  const ModelProjection of_y = without(x);
  EXPECT_TRUE(of_y.system.axioms.empty());
  EXPECT_FALSE(of_y.kept.has(first) || of_y.kept.has(second));
}

}  // namespace
}  // namespace harrier::transform
