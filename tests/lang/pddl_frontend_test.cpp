// Planning tasks as one of the languages: how they are told from others, where the domain of a problem is looked for,
// and plans of SAS+ tasks.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harrier/harrier.h"
#include "lang/pddl/files.h"
#include "lang/pddl/operator_plan.h"
#include "lang/table.h"
#include "support/workspace.h"

namespace harrier {
namespace {

using testing_support::Workspace;

TEST(PddlFrontend, IsToldByItsContent) {
  for (const char* text : {"(define (domain d))", "; a problem\n(define (problem p))", " \n\t(DEFINE (DOMAIN d))"}) {
    EXPECT_EQ(lang::find_frontend("auto", text, "task").info.name, "pddl") << text;
  }
  EXPECT_EQ(lang::find_frontend("auto", "begin_version\n3\nend_version\n", "output").info.name, "sas");
  EXPECT_EQ(lang::find_frontend("auto", "", "m.sas").info.name, "sas");
  EXPECT_EQ(lang::find_frontend("auto", "", "m.pddl").info.name, "pddl");
}

TEST(PddlFrontend, LooksForTheDomainBesideTheProblem) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(pddl::domains_beside("a/p01.pddl"), (Names{"a/p01-domain.pddl", "a/domain_p01.pddl", "a/domain_p01",
                                                       "a/domain-p01.pddl", "a/domain-p01", "a/domain.pddl"}));
  EXPECT_EQ(pddl::domains_beside("p01-x-y.pddl"),
            (Names{"p01-x-y-domain.pddl", "p01-x-domain.pddl", "p01-domain.pddl", "domain_p01-x-y.pddl",
                   "domain_p01-x-y", "domain-p01-x-y.pddl", "domain-p01-x-y", "domain.pddl"}));
  const Names without = pddl::domains_beside("/tasks/p1");
  EXPECT_EQ(without.front(), "/tasks/p1-domain");
  EXPECT_NE(std::find(without.begin(), without.end(), "/tasks/domain"), without.end());
  EXPECT_EQ(without.back(), "/tasks/domain.pddl");
}

constexpr const char* kDomain = "(define (domain d) (:predicates (p) (q)) (:action a :effect (p)))";
constexpr const char* kProblem = "(define (problem x) (:domain d) (:init) (:goal (p)))";

TEST(PddlFrontend, TheSecondFileIsPartOfTheModel) {
  const Workspace here;
  const std::string domain = here.write("d", kDomain);
  const Model model = Model::load_text(kProblem, "problem", {.second_file = domain});
  EXPECT_EQ(model.language().name, "pddl");
  EXPECT_EQ(model.files(), (std::vector<std::string>{"problem", domain}));
  EXPECT_TRUE(model.property(0).plan);
  const CheckResult result = model.check(0, {});
  EXPECT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_EQ(result.trace_trail.rfind("(a)\n", 0), 0u) << result.trace_trail;
  EXPECT_EQ(model.validate("(a)", "plan").problem, "");
  EXPECT_EQ(model.validate("(A) ; done\n", "plan").plan_cost, 1u);
  EXPECT_NE(model.validate("", "plan").problem, "");
  EXPECT_NE(result.trace_text.find("\n  1  (a)\n"), std::string::npos) << result.trace_text;
}

TEST(PddlFrontend, AProofByGroundingIsTheAnswerOfEverySearch) {
  const Workspace here;
  const std::string domain = here.write("d", kDomain);
  const std::string problem = "(define (problem x) (:domain d) (:init) (:goal (q)))";
  const Model model = Model::load_text(problem, "problem", {.second_file = domain});
  for (const Search search : {Search::Auto, Search::BreadthFirst, Search::Greedy, Search::Walk}) {
    const CheckResult result = model.check(0, {.search = search});
    EXPECT_EQ(result.verdict, Verdict::Unreachable);
    EXPECT_EQ(result.holds, false);
  }
}

TEST(PddlFrontend, LimitsTellWhatWasDone) {
  const Workspace here;
  const std::string domain = here.write("d", kDomain);
  bool parsing = false;
  bool grounding = false;
  for (uint64_t polls = 0; polls < 200; ++polls) {
    try {
      Model::load_text(kProblem, "problem", {.second_file = domain, .poll_limit = polls});
      EXPECT_TRUE(parsing && grounding);
      return;
    } catch (const Error& e) {
      ASSERT_EQ(e.kind(), ErrorKind::Limit) << e.what();
      const std::string text = e.what();
      parsing = parsing || text.rfind("interrupted while parsing, after ", 0) == 0;
      grounding = grounding || text.rfind("interrupted while grounding, after ", 0) == 0;
    }
  }
  FAIL() << "it never ends";
}

// Two operators have the same name; an axiom computes the second variable.
pddl::FiniteTask finite_task() {
  pddl::FiniteTask task;
  task.costs = true;
  task.variables = {{"x", -1, {"0", "1", "2"}}, {"d", 0, {"no", "yes"}}};
  task.initial = {0, 0};
  task.goal = {{1, 1}};
  task.operators = {{"(go  on)", {{0, 0}}, {{{}, {0, 1}}}, 5},
                    {"(go on)", {{0, 0}}, {{{}, {0, 2}}}, 3},
                    {"(back)", {{0, 2}}, {{{{0, 1}}, {0, 2}}, {{{0, 2}}, {0, 1}}}, 4}};
  task.axioms = {{{{0, 1}}, {1, 1}}};
  return task;
}

TEST(OperatorPlan, AnyChoiceAmongOperatorsOfAName) {
  const pddl::FiniteTask task = finite_task();
  const auto played = [&](const std::string& plan) { return replay(task, pddl::plan_names(plan), Watch::none()); };
  const lang::Replayed one = played("(go on)\n");
  EXPECT_EQ(one.problem, "");
  EXPECT_EQ(one.cost, 5u) << "only the dearer one reaches the goal";
  const lang::Replayed two = played("GO ON ; then\n\n; nothing\n(back)");
  EXPECT_EQ(two.problem, "");
  EXPECT_EQ(two.cost, 7u);
  EXPECT_EQ(two.steps, 2u);
  EXPECT_EQ(played("").problem, "the goal does not hold at the end");
  EXPECT_EQ(played("(back)").problem, "step 1, (back): its precondition does not hold: x is not 2");
  EXPECT_EQ(played("(go)").problem, "step 1, (go): there is no such operator");
  EXPECT_EQ(played("(go on)\n(go on)").steps, 1u);
}

}  // namespace
}  // namespace harrier
