// What is read of PDDL: types, objects, predicates, actions with their effects, axioms and costs; and all shared tasks.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "lang/pddl/parser.h"
#include "lang/pddl_support.h"
#include "support/shared_models.h"

namespace harrier::testing {
namespace {

constexpr const char* kDomain = R"(; comments (and what is in them ( do not count
(define (domain Blocks)
  (:requirements :adl :derived-predicates :action-costs)
  (:action put :parameters (?x - block ?y - (either block table))
    :precondition (and (clear ?x) (not (= ?x ?y)) (imply (clear ?x) (exists (?z - block) (above ?z ?y))))
    :effect (and (on ?x ?y) (increase (total-cost) (+ (weight ?x) 2))
                 (forall (?z - thing) (when (on ?x ?z) (and (not (on ?x ?z)) (when (clear ?y) (forall (?w) (seen ?w ?z))))))))
  (:derived (above ?a ?b - thing) (or (on ?a ?b) (exists (?c - block) (and (on ?a ?c) (above ?c ?b)))))
  (:action nothing)
  (:predicates (on ?x - block ?y - thing) (above ?x ?y - thing) (clear ?x) (seen ?x ?y) (= ?x ?y))
  (:functions (total-cost) (weight ?x - block) - number)
  (:constants floor - table Big - big)
  (:types block table - thing big - (either block heavy) heavy thing object))
)";

constexpr const char* kProblem = R"((DEFINE (PROBLEM one) (:DOMAIN blocks)
  (:goal (forall (?x - block) (exists (?x - table ?y) (and (seen ?x ?y) ()))))
  (:init (on a FLOOR) (= total-cost 0) (= (weight a) 3.00) (on a floor) (not (on a b)) (= a a) (= (weight b) 0) (on b floor))
  (:objects a b - block thing - object floor - table both - (either big table))
  (:metric minimize (total-cost)))
)";

TEST(PddlParser, TypesAndObjects) {
  const PddlTask read(kDomain, kProblem);
  ASSERT_EQ(read.said(), "");
  const pddl::Task& task = read.task;
  EXPECT_EQ(task.domain, "blocks");
  EXPECT_EQ(task.problem, "one");
  std::string types;
  for (const pddl::Type& type : task.types) {
    types += type.name + ":";
    for (const uint32_t parent : type.parents) types += " " + task.types[parent].name;
    types += "\n";
  }
  EXPECT_EQ(types, "object:\nblock: thing\ntable: thing\nbig: block heavy\nheavy: object\nthing: object\n");
  std::string objects;
  for (const pddl::Object& object : task.objects) {
    objects += object.name + ":";
    for (const uint32_t type : object.types) objects += " " + task.types[type].name;
    objects += "\n";
  }
  EXPECT_EQ(objects, "floor: table\nbig: big\na: block\nb: block\nthing: object\nboth: table big\n");
  const pddl::Variable& y = task.actions[0].variables[1];
  const char* const fitting[] = {"floor", "big", "a", "b", "both"};
  for (uint32_t o = 0; o < task.objects.size(); ++o) {
    const bool fits = std::find(std::begin(fitting), std::end(fitting), task.objects[o].name) != std::end(fitting);
    EXPECT_EQ(task.fits(o, y), fits) << task.objects[o].name;
  }
}

TEST(PddlParser, Predicates) {
  const PddlTask read(kDomain, kProblem);
  std::string predicates;
  for (const pddl::Predicate& predicate : read.task.predicates) {
    predicates += (predicate.derived ? "derived " : "") + predicate.name + "/" +
                  std::to_string(predicate.parameters.size()) + "\n";
  }
  EXPECT_EQ(predicates, "on/2\nderived above/2\nclear/1\nseen/2\n");
}

TEST(PddlParser, ActionsWithTheirEffects) {
  const PddlTask read(kDomain, kProblem);
  ASSERT_EQ(read.task.actions.size(), 2U);
  const pddl::Action& put = read.task.actions[0];
  EXPECT_EQ(put.name, "put");
  EXPECT_EQ(put.parameters, 2U);
  EXPECT_EQ(put.variables.size(), 5U);
  EXPECT_EQ(to_text(read.task, put.precondition, put.variables),
            "(and (clear ?x) (not (= ?x ?y)) (imply (clear ?x) (exists ?z (above ?z ?y))))");
  std::string effects;
  for (const pddl::Effect& effect : put.effects) {
    for (const uint32_t v : effect.variables) effects += std::to_string(v) + " ";
    effects += to_text(read.task, effect.condition, put.variables) + (effect.adds ? " + " : " - ") +
               pddl::to_text(read.task, effect.atom, put.variables) + "\n";
  }
  EXPECT_EQ(effects,
            "(and) + (on ?x ?y)\n"
            "3 (on ?x ?z) - (on ?x ?z)\n"
            "3 4 (and (on ?x ?z) (clear ?y)) + (seen ?w ?z)\n");
  ASSERT_EQ(put.costs.size(), 2U);
  EXPECT_FALSE(put.costs[0].constant);
  EXPECT_EQ(put.costs[0].function.predicate, 1U);
  EXPECT_EQ(put.costs[1].value, 2);
  const pddl::Action& nothing = read.task.actions[1];
  EXPECT_TRUE(nothing.variables.empty() && nothing.effects.empty() && nothing.costs.empty());
  EXPECT_EQ(to_text(read.task, nothing.precondition, {}), "(and)");
}

TEST(PddlParser, Axioms) {
  const PddlTask read(kDomain, kProblem);
  ASSERT_EQ(read.task.axioms.size(), 1U);
  const pddl::Axiom& above = read.task.axioms[0];
  EXPECT_EQ(read.task.predicates[above.head].name, "above");
  EXPECT_EQ(above.parameters, 2U);
  EXPECT_EQ(to_text(read.task, above.condition, above.variables),
            "(or (on ?a ?b) (exists ?c (and (on ?a ?c) (above ?c ?b))))");
}

TEST(PddlParser, InitialStateAndGoal) {
  const PddlTask read(kDomain, kProblem);
  std::string initial;
  for (const pddl::Atom& atom : read.task.initial) initial += pddl::to_text(read.task, atom);
  EXPECT_EQ(initial, "(on a floor)(on b floor)");
  ASSERT_EQ(read.task.amounts.size(), 3U);
  EXPECT_EQ(read.task.amounts[1].value, 3);
  EXPECT_TRUE(read.task.costs);
  // The inner ?x hides the outer one, and is a variable of its own.
  ASSERT_EQ(read.task.goal_variables.size(), 3U);
  EXPECT_EQ(to_text(read.task, read.task.goal, read.task.goal_variables),
            "(forall ?x (exists ?x ?y (and (seen ?x ?y) (and))))");
  EXPECT_EQ(read.task.goal.parts[0].parts[0].parts[0].atom.arguments[0].index, 1U);
}

TEST(PddlParser, CostsOnlyCountWhereTheMetricSaysSo) {
  const std::string domain =
      "(define (domain d) (:functions (total-cost)) (:predicates (p)) (:action a :effect"
      " (and (p) (increase (total-cost) 7))))";
  const std::string problem = "(define (problem x) (:domain d) (:init) (:goal (p))";
  const PddlTask without(domain, problem + ")");
  EXPECT_FALSE(without.task.costs);
  EXPECT_TRUE(without.task.actions[0].costs.empty());
  for (const char* metric : {"(:metric minimize (total-cost))", "(:metric minimize total-cost)"}) {
    const PddlTask with(domain, problem + metric + ")");
    EXPECT_EQ(with.said(), "");
    EXPECT_TRUE(with.task.costs);
    EXPECT_EQ(with.task.actions[0].costs.at(0).value, 7);
  }
}

TEST(PddlParser, WhatFilesOfCompetitionsHave) {
  const std::string problem = "(define (problem x) (:domain d) (:init) (:goal (p)))";
  // Nothing is required, sections are empty, a variable is of a more general type than the predicate.
  const PddlTask untyped(
      "\xef\xbb\xbf(define (domain d)\r\n(:predicates (p)(q ?x - s)) (:types s) (:constants)"
      "(:action a :parameters () :precondition () :effect ())"
      "(:action b :parameters (?x) :precondition (q ?x) :effect (and (p))))",
      problem);
  EXPECT_EQ(untyped.said(), "");
  EXPECT_EQ(untyped.task.actions.size(), 2U);
  // Constants are objects once more; numbers are announced, though there are only costs; a hint on the length.
  const PddlTask repeated("(define (domain d) (:requirements :fluents) (:constants c) (:predicates (at ?x ?y) (p)))",
                          "(define (problem x) (:domain d) (:objects c 10) (:init (at 10 c) (at 10 c)) (:goal (p))"
                          "(:length (:serial 7) (:parallel 3)))");
  EXPECT_EQ(repeated.said(), "");
  EXPECT_EQ(repeated.task.objects.size(), 2U);
  EXPECT_EQ(repeated.task.initial.size(), 1U);
}

TEST(PddlParser, KindOfFile) {
  EXPECT_EQ(pddl::kind_of("; a comment\n ( Define(DOMAIN d)"), pddl::FileKind::Domain);
  EXPECT_EQ(pddl::kind_of("(define (problem"), pddl::FileKind::Problem);
  EXPECT_EQ(pddl::kind_of("(define (situation"), pddl::FileKind::Unknown);
  EXPECT_EQ(pddl::kind_of("(:action"), pddl::FileKind::Unknown);
  EXPECT_EQ(pddl::kind_of(""), pddl::FileKind::Unknown);
}

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// "domain.pddl", "domain_p01.pddl" or "p01-domain.pddl" beside "p01….pddl".
std::filesystem::path domain_of(const std::filesystem::path& problem) {
  const std::string name = problem.filename().string();
  for (const std::string& domain :
       {std::string("domain.pddl"), "domain_" + name, name.substr(0, name.find('-')) + "-domain.pddl"}) {
    if (std::filesystem::exists(problem.parent_path() / domain)) return problem.parent_path() / domain;
  }
  return {};
}

TEST(PddlParser, EverySharedTask) {
  HARRIER_NEEDS_SHARED("pddl");
  size_t tasks = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing_support::shared_model("pddl"))) {
    const std::filesystem::path& problem = entry.path();
    if (problem.extension() != ".pddl" || problem.filename().string().find("domain") != std::string::npos) continue;
    const PddlTask read(text_of(domain_of(problem)), text_of(problem));
    EXPECT_EQ(read.said(), "") << problem;
    EXPECT_FALSE(read.task.actions.empty()) << problem;
    EXPECT_FALSE(read.task.initial.empty()) << problem;
    ++tasks;
  }
  EXPECT_EQ(tasks, 388U);
}

}  // namespace
}  // namespace harrier::testing
