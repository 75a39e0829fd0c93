// Files of SAS+ tasks: what is read is written again, and what is wrong is said with its place.
#include <gtest/gtest.h>

#include <string>

#include "lang/pddl/sas.h"

namespace harrier::testing {
namespace {

using pddl::FiniteTask;

// A lamp that can be carried and lit, with costs, conditional effects, an axiom in each of two layers.
constexpr const char* kLamp = R"(begin_version
3
end_version
begin_metric
1
end_metric
4
begin_variable
var0
-1
3
Atom at(hall)
Atom at(attic)
<none of those>
end_variable
begin_variable
var1
-1
2
Atom lit()
NegatedAtom lit()
end_variable
begin_variable
var2
0
2
Atom bright(attic)
NegatedAtom bright(attic)
end_variable
begin_variable
var3
1
2
Atom gloomy()
NegatedAtom gloomy()
end_variable
1
begin_mutex_group
2
0 0
0 1
end_mutex_group
begin_state
0
1
1
1
end_state
begin_goal
2
0 1
2 0
end_goal
3
begin_operator
carry hall attic
1
1 1
1
0 0 0 1
7
end_operator
begin_operator
light
0
2
0 1 1 0
2 0 2 1 0 0 -1 2
0
end_operator
begin_operator
drop
0
1
1 1 1 0 -1 2
1
end_operator
2
begin_rule
2
0 1
1 0
2 1 0
end_rule
begin_rule
1
2 1
3 1 0
end_rule
)";

struct Reading {
  Sources sources;
  Diagnostics diagnostics;
  FiniteTask task;

  explicit Reading(const std::string& text) {
    task = pddl::parse_sas(sources, sources.add_file("t.sas", text), diagnostics);
  }
  // "line:column message", one a line; what is not supported with a '-' before it.
  std::string said() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) {
      if (!out.empty()) out += "\n";
      out += std::to_string(d.at.line) + ":" + std::to_string(d.at.column) + " ";
      if (d.severity == Severity::Unsupported) out += "- ";
      out += d.message;
    }
    return out;
  }
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(PddlSas, IsRead) {
  const Reading reading(kLamp);
  EXPECT_EQ(reading.said(), "");
  const FiniteTask& task = reading.task;
  EXPECT_TRUE(task.costs);
  ASSERT_EQ(task.variables.size(), 4u);
  EXPECT_EQ(task.variables[0].values[1], "Atom at(attic)");
  EXPECT_EQ(task.variables[2].layer, 0);
  EXPECT_EQ(task.variables[3].layer, 1);
  EXPECT_EQ(task.mutexes, (std::vector<std::vector<pddl::Fact>>{{{0, 0}, {0, 1}}}));
  EXPECT_EQ(task.initial, (std::vector<uint32_t>{0, 1, 1, 1}));
  EXPECT_EQ(task.goal, (std::vector<pddl::Fact>{{0, 1}, {2, 0}}));
  ASSERT_EQ(task.operators.size(), 3u);
  EXPECT_EQ(task.operators[0].name, "(carry hall attic)");
  EXPECT_EQ(task.operators[0].preconditions, (std::vector<pddl::Fact>{{0, 0}, {1, 1}}));
  EXPECT_EQ(task.operators[0].cost, 7u);
  ASSERT_EQ(task.operators[1].effects.size(), 2u);
  EXPECT_EQ(task.operators[1].effects[1].conditions, (std::vector<pddl::Fact>{{0, 2}, {1, 0}}));
  EXPECT_EQ(task.operators[1].effects[1].fact, (pddl::Fact{0, 2}));
  ASSERT_EQ(task.axioms.size(), 2u);
  EXPECT_EQ(task.axioms[0].body, (std::vector<pddl::Fact>{{0, 1}, {1, 0}}));
  EXPECT_EQ(task.axioms[1].head, (pddl::Fact{3, 0}));
}

TEST(PddlSas, WhatIsWrittenIsTheSameText) {
  const Reading first(kLamp);
  EXPECT_EQ(pddl::to_sas(first.task), kLamp);
}

TEST(PddlSas, LinesMayEndAsElsewhere) {
  std::string text;
  for (const char* c = kLamp; *c != '\0'; ++c) text += *c == '\n' ? "\r\n" : std::string(1, *c);
  const Reading reading(text);
  EXPECT_EQ(reading.said(), "");
  EXPECT_EQ(pddl::to_sas(reading.task), kLamp);
}

TEST(PddlSas, WithoutMetricEverythingCostsOne) {
  const Reading reading(replaced(kLamp, "metric\n1", "metric\n0"));
  EXPECT_FALSE(reading.task.costs);
  EXPECT_EQ(reading.task.operators[0].cost, 1u);
}

TEST(PddlSas, NeedsOfOneVariableMayBeSaidAgain) {
  const Reading reading(replaced(kLamp, "2\n0 1 1 0\n2 0 2 1 0 0 -1 2", "2\n0 1 1 0\n1 0 0 1 1 1"));
  EXPECT_EQ(reading.said(), "");
  EXPECT_EQ(reading.task.operators[1].preconditions, (std::vector<pddl::Fact>{{1, 1}}));
}

// A task without a goal, or one that was proved to have no plan, is written as one that others can read.
TEST(PddlSas, WithoutAGoalThereIsOneThatHolds) {
  FiniteTask task;
  const Reading reading(pddl::to_sas(task));
  EXPECT_EQ(reading.said(), "");
  ASSERT_EQ(reading.task.goal.size(), 1u);
  EXPECT_EQ(reading.task.initial[reading.task.goal[0].variable], reading.task.goal[0].value);
  task.solvable = false;
  const Reading unsolvable(pddl::to_sas(task));
  EXPECT_EQ(unsolvable.said(), "");
  ASSERT_EQ(unsolvable.task.goal.size(), 1u);
  EXPECT_NE(unsolvable.task.initial[0], unsolvable.task.goal[0].value);
  EXPECT_TRUE(unsolvable.task.operators.empty());
}

struct Case {
  const char* what;  // of the text above
  const char* by;
  const char* said;
};

constexpr Case kCases[] = {
    {"begin_version\n3", "begin_version\n2", "2:1 - a SAS+ file of version 2: only version 3 is read"},
    {"begin_version\n3", "begin_version\n4", "2:1 - a SAS+ file of version 4: only version 3 is read"},
    {"begin_version\n3\nend_version\n", "", "1:1 - a SAS+ file of version 1 or 2: only version 3 is read"},
    {"begin_version", "version", "1:1 expected 'begin_version', but found 'version'"},
    {"metric\n1", "metric\n2", "5:1 the metric is a number from 0 to 1, not '2'"},
    {"metric\n1", "metric\nx", "5:1 expected the metric, but found 'x'"},
    {"end_metric\n4", "end_metric\n2147483647", "7:1 there are not so many variables in the rest of the file"},
    {"end_metric\n4", "end_metric\n99999999999999999999",
     "7:1 the number of variables is a number from 0 to 2147483647, not '99999999999999999999'"},
    {"end_metric\n4", "end_metric\n-1", "7:1 the number of variables is a number from 0 to 2147483647, not '-1'"},
    {"end_metric\n4", "end_metric\n4x", "7:1 expected the number of variables, but found '4x'"},
    {"end_metric\n4", "end_metric\n3", "30:1 expected the number of mutex groups, but found 'begin_variable'"},
    {"var1", "var0", "17:1 a second variable 'var0'"},
    {"var1\n-1", "var1\n-2", "18:1 the axiom layer is a number from -1 to 2147483647, not '-2'"},
    {"-1\n3\nAtom", "-1\n0\nAtom", "11:1 a variable has at least one value"},
    {"-1\n3\nAtom", "-1\n2000000000\nAtom", "11:1 there are not so many values in the rest of the file"},
    {"-1\n3\nAtom", "-1\n4\nAtom", "16:1 expected 'end_variable', but found 'begin_variable'"},
    {"0 0\n0 1\nend_mutex", "0 0\n4 1\nend_mutex", "41:1 there is no variable 4, only 4 of them, counted from 0"},
    {"0 0\n0 1\nend_mutex", "0 0\n0 3\nend_mutex", "41:3 a value of 'var0' is a number from 0 to 2, not '3'"},
    {"begin_state\n0", "begin_state\n3", "44:1 a value of 'var0' is a number from 0 to 2, not '3'"},
    {"begin_state\n0\n", "begin_state\n", "47:1 expected a value of 'var3', but found 'end_state'"},
    {"0 1\n2 0\nend_goal", "0 1\n0 0\nend_goal", "50:1 the goal wants two values of 'var0'"},
    {"1 1\n1\n0 0 0 1", "1 1\n1\n0 2 0 1", "60:3 an operator changes 'var2', which axioms compute"},
    {"1 1\n1\n0 0 0 1", "0 1\n1\n0 0 0 1", "56:1 this operator wants two values of 'var0'"},
    {"1 1\n1\n0 0 0 1", "1 1\n1\n0 0 -2 1", "60:5 a value of 'var0' is a number from -1 to 2, not '-2'"},
    {"2 0 2 1 0 0 -1 2", "2 0 2 0 1 0 -1 2", "68:1 this effect wants two values of 'var0'"},
    {"\n7\nend", "\n-7\nend", "61:1 a cost is a number from 0 to 2147483647, not '-7'"},
    {"\n7\nend", "\n7\n7\nend", "62:1 expected 'end_operator', but found '7'"},
    {"2 1 0\nend_rule", "1 1 0\nend_rule", "83:1 an axiom for 'var1', which has no layer"},
    {"2 1 0\nend_rule", "2 0 1\nend_rule",
     "83:3 an axiom starts from the value that its variable has at first: here from 1"},
    {"2 1 0\nend_rule", "2 -1 1\nend_rule", "83:6 an axiom gives its variable another value than it has at first"},
    {"2\n0 1\n1 0\n2 1 0", "2\n3 0\n1 0\n2 1 0", "81:1 'var3' is of a later layer than what the axiom computes"},
    {"2\n0 1\n1 0\n2 1 0", "2\n2 1\n1 0\n2 1 0",
     "81:1 'var2' is of the same layer, and may not be read as not computed"},
    {"3 1 0\nend_rule\n", "3 1 0\nend_rule\nbegin_SG", "90:1 expected the end of the file, but found 'begin_SG'"},
    {"3 1 0\nend_rule\n", "3 1 0", "88:6 expected 'end_rule', but found the end of the file"},
};

TEST(PddlSas, WhatIsWrongHasAPlace) {
  for (const Case& c : kCases) {
    const Reading reading(replaced(kLamp, c.what, c.by));
    EXPECT_EQ(reading.said(), c.said) << c.what << " -> " << c.by;
  }
  EXPECT_EQ(Reading("").said(), "1:1 expected 'begin_version', but found the end of the file");
}

// Whatever is cut off, something is said.
TEST(PddlSas, NoPrefixIsATask) {
  const std::string text = kLamp;
  for (size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_TRUE(Reading(text.substr(0, size)).diagnostics.has_errors()) << size;
  }
}

}  // namespace
}  // namespace harrier::testing
