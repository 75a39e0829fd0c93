// Planning tasks: two files, plans in and out, SAS+, and everything that can be wrong with them.
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "base/sanitized.h"
#include "cli/run_harrier.h"
#include "support/json_schema.h"

namespace harrier {
namespace {

using namespace testing_support;

const std::string kModels = HARRIER_SOURCE_DIR "/models/";

constexpr const char* kDomain = R"((define (domain steps)
  (:requirements :strips :action-costs)
  (:predicates (at ?place) (next ?from ?to))
  (:functions (total-cost))
  (:action go :parameters (?from ?to) :precondition (and (at ?from) (next ?from ?to))
    :effect (and (not (at ?from)) (at ?to) (increase (total-cost) 3))))
)";

constexpr const char* kProblem = R"((define (problem three)
  (:domain steps)
  (:objects a b c d)
  (:init (at a) (next a b) (next b c) (= (total-cost) 0))
  (:goal (at c))
  (:metric minimize (total-cost)))
)";

std::string schema_problem(const nlohmann::json& document) {
  return JsonSchema(nlohmann::json::parse(read_all(HARRIER_SOURCE_DIR "/docs/result.schema.json"))).problem(document);
}

constexpr const char* kGripper = R"((define (domain gripper)
  (:predicates (room ?r) (ball ?b) (hand ?h) (in ?r) (at ?b ?r) (free ?h) (holds ?h ?b))
  (:action move :parameters (?from ?to) :precondition (and (room ?from) (room ?to) (in ?from))
    :effect (and (in ?to) (not (in ?from))))
  (:action pick :parameters (?b ?r ?h) :precondition (and (ball ?b) (room ?r) (hand ?h) (at ?b ?r) (in ?r) (free ?h))
    :effect (and (holds ?h ?b) (not (at ?b ?r)) (not (free ?h))))
  (:action drop :parameters (?b ?r ?h) :precondition (and (ball ?b) (room ?r) (hand ?h) (holds ?h ?b) (in ?r))
    :effect (and (at ?b ?r) (free ?h) (not (holds ?h ?b)))))
)";

// All balls are in one room and are to be in the other. A plan is found at once; no search in states proves soon that
// none is shorter, if the balls are many.
std::string balls(int count) {
  std::string names;
  std::string init;
  std::string goal;
  for (int i = 0; i < count; ++i) {
    const std::string name = "b" + std::to_string(i);
    names += " " + name;
    init += " (ball " + name + ") (at " + name + " here)";
    goal += " (at " + name + " there)";
  }
  return "(define (problem balls) (:domain gripper) (:objects here there left right" + names +
         ") (:init (room here) (room there) (hand left) (hand right) (in here) (free left) (free right)" + init +
         ") (:goal (and" + goal + ")))";
}

// With another goal.
std::string problem_with_goal(const std::string& goal) {
  std::string text = kProblem;
  return text.replace(text.find("(at c))"), 6, goal);
}

TEST(Planning, ADomainAndAProblemInAnyOrder) {
  const Workspace here;
  const std::string domain = here.write("one", kDomain);
  const std::string problem = here.write("other", kProblem);
  for (const auto& files : {std::pair(domain, problem), std::pair(problem, domain)}) {
    for (const char* command : {"check", "analyse", "print"}) {
      const Outcome run = harrier({command, files.first, files.second});
      EXPECT_EQ(run.exit_code, command == std::string("check") ? 10 : 0) << command << run.err;
      EXPECT_EQ(run.err, "");
    }
  }
  EXPECT_EQ(harrier({"check", problem, "--domain", domain}).exit_code, 10);
}

TEST(Planning, TheDomainIsFoundBesideTheProblem) {
  for (const char* name : {"p01-net-domain.pddl", "p01-domain.pddl", "domain_p01-net.pddl", "domain_p01-net",
                           "domain-p01-net.pddl", "domain.pddl"}) {
    const Workspace here;
    here.write(name, kDomain);
    EXPECT_EQ(harrier({"check", here.write("p01-net.pddl", kProblem), "--quiet"}).exit_code, 10) << name;
  }
  const Workspace here;
  here.write("domain.pddl", "(define (domain other) (:predicates (p)))");
  here.write("domain_p.pddl", kDomain);
  EXPECT_EQ(harrier({"check", here.write("p.pddl", kProblem), "--quiet"}).exit_code, 10) << "its own comes first";
}

TEST(Planning, AFileThatIsMissingOrOneTooManyIsAMistakeOfUsage) {
  const Workspace here;
  const std::string domain = here.write("d/domain.pddl", kDomain);
  const std::string other_domain = here.write("d/other.pddl", kDomain);
  const std::string problem = here.write("p/problem.pddl", kProblem);
  const std::string other_problem = here.write("p/other.pddl", kProblem);
  const std::string promela = here.write("m.pml", "active proctype P() { skip }\n");
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{problem}, "no domain for '" + problem + "': there is none beside it ('problem-domain.pddl', "},
      {{domain}, "'" + domain + "' is a domain; its problem is missing"},
      {{domain, other_domain}, "'" + domain + "' and '" + other_domain + "' are both a domain"},
      {{problem, other_problem}, "'" + problem + "' and '" + other_problem + "' are both a problem"},
      {{problem, domain, "--domain", domain}, "--domain '" + domain + "' and two files"},
      {{problem, "--domain", other_problem}, "--domain '" + other_problem + "' is a problem, not a domain"},
      {{domain, "--domain", other_domain}, "are both a domain"},
      {{promela, problem}, "'" + problem + "': '" + promela + "' is one of Promela, whose models take no queries"},
      {{promela, "--domain", domain}, "--domain is for PDDL models; '"},
      {{problem, domain, "--query", "E<> true"}, "--query is for UPPAAL"},
      {{problem, domain, "--trail", here.path("t")}, "--trail is for Promela"},
      {{promela, "--plan", here.path("t")}, "--plan is for PDDL, SAS+ models; '"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> arguments = c.arguments;
    arguments.insert(arguments.begin(), "check");
    const Outcome run = harrier(arguments);
    EXPECT_EQ(run.exit_code, 2) << c.message;
    EXPECT_EQ(run.err.rfind("error: ", 0), 0u) << run.err;
    EXPECT_NE(run.err.find(c.message), std::string::npos) << c.message << "\n" << run.err;
    EXPECT_EQ(run.out, "");
  }
  const Outcome neither = harrier({"check", here.write("n.pddl", "(hello)")});
  EXPECT_EQ(neither.exit_code, 2);
  EXPECT_NE(neither.err.find("n.pddl:1:1: error: expected '(define (domain …'"), std::string::npos) << neither.err;
  const Outcome missing = harrier({"check", problem, here.path("missing.pddl")});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.err.find("cannot read '" + here.path("missing.pddl")), std::string::npos) << missing.err;
}

TEST(Planning, WhatEndsTheImprovementLeavesTheBestPlan) {
  const Workspace here;
  here.write("domain.pddl", kGripper);
  Child child({"check", here.write("balls.pddl", balls(20)), "--json", "--progress", "0.1"});
  while (child.err_so_far().find("auto: astar lmcut") == std::string::npos) std::this_thread::yield();
  ASSERT_EQ(kill(child.pid(), SIGINT), 0);
  const Outcome run = child.wait();
  EXPECT_EQ(run.exit_code, 10) << run.err;
  const auto result = run.json()["results"][0];
  EXPECT_EQ(result["validated"], true);
  EXPECT_GE(result["witness_length"], 59);
  EXPECT_TRUE(result["shortest"].is_null());
}

TEST(Planning, ASiblingGuidesAuto) {
  const Workspace here;
  here.write("domain.pddl", kGripper);
  const std::string large = here.write("large.pddl", balls(6));
  const std::string small = here.write("small.pddl", balls(4));
  const auto members = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"check", large, "--json", "--first"});
    const Outcome run = harrier(more);
    EXPECT_EQ(run.exit_code, 10) << run.err;
    const std::string reason = run.json()["results"][0]["search_reason"];
    return std::stoi(reason.substr(std::string("It was the first of ").size()));
  };
  EXPECT_EQ(members({"--guide-from", small}), members({}) + 1);
}

TEST(Planning, APlanIsWrittenAndValidated) {
  const Workspace here;
  const std::string domain = here.write("domain.pddl", kDomain);
  const std::string problem = here.write("problem.pddl", kProblem);
  const std::string plan = here.path("plan");
  const std::string trace = here.path("trace.json");
  const Outcome run = harrier({"check", problem, "--plan", plan, "--trace", trace, "--search", "bfs"});
  EXPECT_EQ(run.exit_code, 10) << run.err;
  EXPECT_NE(run.out.find("holds: a plan of 2 steps"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\n  1  (go a b)\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("translated in "), std::string::npos) << run.out;
  EXPECT_EQ(read_all(plan).rfind("(go a b)\n(go b c)\n;", 0), 0u) << read_all(plan);
  for (const std::string& file : {plan, trace}) {
    const Outcome valid = harrier({"validate", problem, file});
    EXPECT_EQ(valid.exit_code, 0) << valid.out << valid.err;
    EXPECT_NE(valid.out.find("valid: the property is satisfied, in 2 steps"), std::string::npos) << valid.out;
    EXPECT_EQ(harrier({"validate", domain, problem, file}).out, valid.out);
  }
  const std::pair<const char*, const char*> wrong[] = {
      {"(go a b)\n", "invalid: "},
      {"(go a c)\n", "invalid: step 1, (go a c): "},
      {"(go a b)\n(go b c)\n(go c d)\n", "invalid: step 3, (go c d): "},
      {"(fly a b)\n", "invalid: step 1, (fly a b): "},
      {"", "invalid: "},
  };
  for (const auto& [text, message] : wrong) {
    const Outcome invalid = harrier({"validate", problem, here.write("wrong", text)});
    EXPECT_EQ(invalid.exit_code, 2) << text;
    EXPECT_NE(invalid.out.find(message), std::string::npos) << text << invalid.out;
  }
  EXPECT_EQ(harrier({"validate", problem, here.write("bad", "(go a b\n")}).exit_code, 2);
  EXPECT_EQ(harrier({"polish", domain, problem, trace}).exit_code, 10);
}

TEST(Planning, SasPlusIsWrittenAndReadBack) {
  const Workspace here;
  for (const char* name : {"parcels", "locks", "locks-ordered"}) {
    const std::string model = kModels + name + ".pddl";
    const Outcome printed = harrier({"print", "--sas", model});
    ASSERT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_EQ(printed.out.rfind("begin_version\n3\nend_version\n", 0), 0u);
    const std::string sas = here.write(std::string(name) + ".sas", printed.out);
    EXPECT_EQ(harrier({"print", "--sas", sas}).out, printed.out);
    const Outcome from_sas = harrier({"check", sas, "--search", "bfs", "--json", "--plan", here.path("plan")});
    const Outcome from_pddl = harrier({"check", model, "--search", "bfs", "--json"});
    EXPECT_EQ(from_sas.exit_code, from_pddl.exit_code) << from_sas.err;
    const auto one = from_sas.json()["results"][0];
    const auto other = from_pddl.json()["results"][0];
    EXPECT_EQ(one["witness_length"], other["witness_length"]);
    EXPECT_EQ(one["statistics"]["stored"], other["statistics"]["stored"]);
    EXPECT_EQ(one["statistics"]["generated"], other["statistics"]["generated"]);
    if (from_sas.exit_code != 10) continue;
    for (const std::string& task : {sas, model}) {
      const Outcome valid = harrier({"validate", task, here.path("plan")});
      EXPECT_EQ(valid.exit_code, 0) << valid.out << valid.err;
    }
    const Outcome invalid = harrier({"validate", sas, here.write("wrong", "(nothing)\n")});
    EXPECT_EQ(invalid.exit_code, 2);
    EXPECT_NE(invalid.out.find("invalid: step 1, "), std::string::npos) << invalid.out;
  }
  const std::string other = here.write("m.xta", kCounter);
  const Outcome refused = harrier({"print", "--sas", other});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("'" + other + "' is one of UPPAAL, whose models are no planning tasks"), std::string::npos)
      << refused.err;
}

TEST(Planning, AGoalThatCannotBeReachedIsProved) {
  const Workspace here;
  here.write("domain.pddl", kDomain);
  // No road leads there; for the second, what is deleted has to be seen; for the third, only a search will do.
  const std::string far = here.write("far.pddl", problem_with_goal("(at d)"));
  const std::string both = here.write("both.pddl", problem_with_goal("(and (at b) (at c))"));
  for (const std::string& problem : {far, both, kModels + "locks-ordered.pddl"}) {
    for (const char* search : {"auto", "bfs", "greedy", "astar"}) {
      const Outcome run = harrier({"check", problem, "--search", search});
      EXPECT_EQ(run.exit_code, 0) << search << run.err;
      EXPECT_NE(run.out.find("does not hold: proved, there is no plan"), std::string::npos) << run.out;
      EXPECT_EQ(run.out.find("by translation: It proves that the goal cannot be reached.") != std::string::npos,
                problem.rfind(kModels, 0) != 0)
          << run.out;
    }
  }
  const auto result = harrier({"check", far, "--json"}).json()["results"][0];
  EXPECT_EQ(result["verdict"], "unreachable");
  EXPECT_EQ(result["search"], "translation");
}

TEST(Planning, AGoalThatHoldsAtTheStartNeedsNoAction) {
  const Workspace here;
  here.write("domain.pddl", kDomain);
  const std::string problem = here.write("problem.pddl", problem_with_goal("(at a)"));
  const Outcome run = harrier({"check", problem, "--plan", here.path("plan")});
  EXPECT_EQ(run.exit_code, 10) << run.err;
  EXPECT_NE(run.out.find("a plan of 0 steps"), std::string::npos) << run.out;
  EXPECT_EQ(harrier({"validate", problem, here.path("plan")}).exit_code, 0);
}

// Two steps lead to the goal, three for less: what shortens paths must leave that alone.
TEST(Planning, ACheapPlanIsNotMadeShorter) {
  const Workspace here;
  here.write("domain.pddl", R"((define (domain paint)
    (:predicates (wet) (red) (dry))
    (:functions (total-cost))
    (:action dip :parameters () :precondition (and) :effect (and (wet) (not (dry))))
    (:action paint :parameters () :precondition (wet) :effect (and (red) (not (wet))))
    (:action wait :parameters () :precondition (red) :effect (dry))
    (:action buy :parameters () :precondition (and) :effect (and (red) (increase (total-cost) 1)))))");
  const std::string problem = here.write("problem.pddl", R"((define (problem p) (:domain paint)
    (:init (= (total-cost) 0)) (:goal (and (red) (dry))) (:metric minimize (total-cost))))");
  for (const char* search : {"auto", "anytime"}) {
    const auto result = harrier({"check", problem, "--search", search, "--json"}).json()["results"][0];
    EXPECT_EQ(result["witness_cost"], 0) << search;
    EXPECT_EQ(result["witness_length"], 3) << search;
    EXPECT_EQ(result["cheapest"], true) << search;
  }
}

TEST(Planning, TheTranslationIsPartOfTheStatistics) {
  const auto document = harrier({"check", kModels + "parcels.pddl", "--json"}).json();
  EXPECT_EQ(schema_problem(document), "");
  const auto& translation = document["translation"];
  for (const char* key : {"parsing_s", "grounding_s", "invariants_s", "encoding_s", "lowering_s"}) {
    EXPECT_TRUE(translation.contains(key)) << key;
  }
  for (const char* key : {"reachable_facts", "reachable_actions", "mutex_groups", "variables", "operators"}) {
    EXPECT_GT(translation[key], 0) << key;
  }
}

struct Wrong {
  const char* name;
  const char* domain;   // beside what all domains have
  const char* problem;  // likewise
  int exit_code;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.name; }

class WrongTask : public testing::TestWithParam<Wrong> {};

TEST_P(WrongTask, IsRefusedWithItsPlace) {
  const Wrong& wrong = GetParam();
  const Workspace here;
  const std::string domain = here.write("domain.pddl", std::string("(define (domain d)\n") + wrong.domain + ")\n");
  const std::string problem =
      here.write("problem.pddl", std::string("(define (problem p) (:domain d)\n") + wrong.problem + ")\n");
  const Outcome run = harrier({"check", problem});
  EXPECT_EQ(run.exit_code, wrong.exit_code) << run.err;
  EXPECT_NE(run.err.find(wrong.message), std::string::npos) << run.err;
  EXPECT_NE(run.err.find('^'), std::string::npos) << run.err;
  EXPECT_EQ(run.out, "");
  const auto document = harrier({"check", problem, "--json"}).json();
  EXPECT_EQ(document["error"]["kind"], wrong.exit_code == 3 ? "unsupported" : "input");
}

constexpr const char* kPredicates = "(:predicates (p) (q ?x))";
constexpr const char* kEnd = "(:init) (:goal (p))";

INSTANTIATE_TEST_SUITE_P(
    Table, WrongTask,
    testing::Values(Wrong{"UndeclaredPredicate", "(:predicates (p))\n(:action a :effect (r))", kEnd, 2,
                          "domain.pddl:3:21: error: "},
                    Wrong{"WrongArity", "(:predicates (p) (q ?x))\n(:action a :precondition (q) :effect (p))", kEnd, 2,
                          "domain.pddl:3:27: error: "},
                    Wrong{"CyclicTypes", "(:requirements :typing)\n(:types a - b b - a)\n(:predicates (p))", kEnd, 2,
                          "domain.pddl:3:"},
                    Wrong{"UndeclaredObject", kPredicates, "(:init (q z)) (:goal (p))", 2, "problem.pddl:2:"},
                    Wrong{"UndeclaredPredicateInTheGoal", kPredicates, "(:init) (:goal (r))", 2, "problem.pddl:2:"},
                    Wrong{"NoGoal", kPredicates, "(:init)", 2, "problem.pddl:"},
                    Wrong{"Unbalanced", "(:predicates (p)\n(:action a", kEnd, 2, "domain.pddl:"},
                    Wrong{"Durations", "(:predicates (p))\n(:durative-action a :duration (= ?duration 1) :effect (p))",
                          kEnd, 3, "unsupported: "},
                    Wrong{"Numbers",
                          "(:predicates (p)) (:functions (fuel))\n(:action a :effect (and (p) (increase (fuel) 1)))",
                          kEnd, 3, "unsupported: "},
                    Wrong{"CyclicNegation",
                          "(:requirements :derived-predicates)\n(:predicates (p) (r))\n(:derived (r) (not (r)))", kEnd,
                          2, "domain.pddl:4:"}),
    [](const testing::TestParamInfo<Wrong>& parameter) { return parameter.param.name; });

TEST(Planning, AnotherDomainsProblemIsRefused) {
  const Workspace here;
  here.write("domain.pddl", "(define (domain other) (:predicates (at ?x) (next ?x ?y)))");
  const Outcome run = harrier({"check", here.write("problem.pddl", kProblem)});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("problem.pddl:2:"), std::string::npos) << run.err;
}

// Actions of six parameters that nothing ties to each other.
std::string wide_domain() {
  return "(define (domain wide) (:predicates (p ?a ?b ?c ?d ?e ?f) (o ?a))\n"
         "(:action make :parameters (?a ?b ?c ?d ?e ?f)\n"
         "  :precondition (and (o ?a) (o ?b) (o ?c) (o ?d) (o ?e) (o ?f)) :effect (p ?a ?b ?c ?d ?e ?f)))\n";
}

TEST(Planning, GroundingObeysTheLimits) {
  const Workspace here;
  here.write("domain.pddl", wide_domain());
  std::string objects;
  std::string facts;
  for (int i = 0; i < 100; ++i) {
    objects += " x" + std::to_string(i);
    facts += " (o x" + std::to_string(i) + ")";
  }
  const std::string problem =
      here.write("problem.pddl", "(define (problem p) (:domain wide) (:objects" + objects + ") (:init" + facts +
                                     ")\n(:goal (and (p x1 x2 x3 x4 x5 x6) (not (p x1 x1 x1 x1 x1 x1)))))");
  const Outcome time = harrier({"check", problem, "--time-limit", "0.3"});
  EXPECT_EQ(time.exit_code, 20) << time.err;
  EXPECT_NE(time.err.find("not loaded: time limit while grounding, after "), std::string::npos) << time.err;
  if (kSanitized) return;  // memory is not looked at
  const Outcome memory = harrier({"check", problem, "--memory-limit", "50", "--json"});
  EXPECT_EQ(memory.exit_code, 20) << memory.err;
  EXPECT_NE(memory.err.find("not loaded: memory limit while grounding, after "), std::string::npos) << memory.err;
  EXPECT_EQ(memory.json()["error"]["kind"], "limit");
  EXPECT_EQ(schema_problem(memory.json()), "");
}

TEST(Planning, HugeTextsAreReadOrRefusedSoon) {
  const Workspace here;
  here.write("domain.pddl", kDomain);
  std::string text = kProblem;
  std::string deep;
  deep.resize(20'000'000, '(');
  const Outcome nested =
      harrier({"check", here.write("deep.pddl", text.substr(0, text.find("(:goal")) + "(:goal " + deep)});
  EXPECT_EQ(nested.exit_code, 2) << nested.err.substr(0, 500);
  std::string facts;
  for (int i = 0; i < 500'000; ++i) facts += "(next a b) ; the same again and again\n";
  text.insert(text.find("(= (total-cost)"), facts);
  EXPECT_EQ(harrier({"check", here.write("long.pddl", text), "--quiet"}).exit_code, 10);
}

}  // namespace
}  // namespace harrier
