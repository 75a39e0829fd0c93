// Plans as competitions write them.
#include "lang/pddl/plan.h"
#include "lang/pddl_support.h"

namespace harrier::testing {
namespace {

struct Read {
  Sources sources;
  Diagnostics diagnostics;
  std::vector<pddl::PlanStep> plan;

  explicit Read(const std::string& text) {
    plan = pddl::parse_plan(sources, sources.add_file("plan", text), diagnostics);
  }
  std::string said() const { return format_all(sources, diagnostics); }
  std::string steps() const {
    std::string out;
    for (const pddl::PlanStep& step : plan) {
      out += step.action;
      for (const std::string& argument : step.arguments) out += " " + argument;
      out += "\n";
    }
    return out;
  }
};

TEST(PddlPlan, IsRead) {
  const Read read("; a comment\n(MOVE a B)\n(wait) (move\nb c)\n; cost = 3 (unit cost)");
  EXPECT_EQ(read.said(), "");
  EXPECT_EQ(read.steps(), "move a b\nwait\nmove b c\n");
  ASSERT_EQ(read.plan.size(), 3U);
  EXPECT_EQ(read.plan[0].at.line, 2U);
  EXPECT_EQ(read.plan[2].at.column, 9U);
  EXPECT_TRUE(Read("").plan.empty());
  EXPECT_EQ(Read("; cost = 0").said(), "");
}

TEST(PddlPlan, IsWritten) {
  EXPECT_EQ(pddl::plan_text({"(move a b)", "(wait)"}, 2, true), "(move a b)\n(wait)\n; cost = 2 (unit cost)\n");
  EXPECT_EQ(pddl::plan_text({"(wait)"}, 30, false), "(wait)\n; cost = 30 (general cost)\n");
  EXPECT_EQ(pddl::plan_text({}, 0, true), "; cost = 0 (unit cost)\n");
}

TEST(PddlPlan, Malformed) {
  const std::pair<const char*, const char*> cases[] = {
      {"move a b", "plan:1:1: error: expected '(' before the name of an action, but found 'move'"},
      {"(move a", "plan:1:8: error: expected the name of an object or ')', but found the end of the text"},
      {"()", "plan:1:2: error: expected the name of an action, but found ')'"},
      {"(move (a))", "plan:1:7: error: expected the name of an object or ')', but found '('"},
      {"(move ?a)", "plan:1:7: error: expected the name of an object or ')', but found '?a'"},
      {"(move a))", "plan:1:9: error: expected '(' before the name of an action, but found ')'"},
      {"(wait)\n0: (wait)", "plan:2:1: error: expected '(' before the name of an action, but found '0:'"},
      {"(\x80)", "plan:1:2: error: expected the name of an action, but found "},
  };
  for (const auto& [text, said] : cases) EXPECT_EQ(Read(text).said().substr(0, std::string(said).size()), said) << text;
}

}  // namespace
}  // namespace harrier::testing
