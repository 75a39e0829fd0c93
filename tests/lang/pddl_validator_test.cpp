// Plans carried out on the task as it was written.
#include "lang/pddl/plan_validator.h"
#include "lang/pddl_support.h"

namespace harrier::testing {
namespace {

// What the validator says of a plan: "valid, 2 steps, cost 3", or what is wrong after how many steps.
std::string verdict(const std::string& domain, const std::string& problem, const std::string& plan) {
  PddlTask task("(define (domain d) " + domain + ")", "(define (problem x) (:domain d) " + problem + ")");
  EXPECT_EQ(task.said(), "");
  if (task.diagnostics.has_errors()) return "";
  const pddl::PlanVerdict found = task.run(plan);
  EXPECT_EQ(task.said(), "");
  EXPECT_EQ(found.valid, found.problem.empty());
  const std::string counts = std::to_string(found.steps) + " steps, cost " + std::to_string(found.cost);
  return found.valid ? "valid, " + counts : counts + ": " + found.problem;
}

constexpr const char* kRoads =
    "(:types town) (:constants home - town) (:predicates (at ?x - town) (road ?x ?y - town) (seen ?x))"
    "(:action move :parameters (?x ?y - town) :precondition (and (at ?x) (road ?x ?y) (not (= ?x ?y)))"
    " :effect (and (at ?y) (not (at ?x)) (seen ?y)))";
constexpr const char* kTowns =
    "(:objects a b - town thing) (:init (at home) (road home a) (road a b) (road a a)) (:goal (and (at b) (seen a)))";

TEST(PddlValidator, Steps) {
  EXPECT_EQ(verdict(kRoads, kTowns, "(move home a) (move a b)"), "valid, 2 steps, cost 2");
  EXPECT_EQ(verdict(kRoads, kTowns, ""), "0 steps, cost 0: the goal does not hold at the end: (at b)");
  EXPECT_EQ(verdict(kRoads, kTowns, "(move home a)"), "1 steps, cost 1: the goal does not hold at the end: (at b)");
  EXPECT_EQ(verdict(kRoads, kTowns, "(move home b)"),
            "0 steps, cost 0: step 1, (move home b): its precondition does not hold: (road home b)");
  EXPECT_EQ(verdict(kRoads, kTowns, "(move home a) (move home a)"),
            "1 steps, cost 1: step 2, (move home a): its precondition does not hold: (at home)");
  EXPECT_EQ(verdict(kRoads, kTowns, "(move home a) (move a a)"),
            "1 steps, cost 1: step 2, (move a a): its precondition does not hold: (not (= a a))");
}

TEST(PddlValidator, NamesAndTypes) {
  EXPECT_EQ(verdict(kRoads, kTowns, "(fly home a)"), "0 steps, cost 0: step 1, (fly home a): there is no action 'fly'");
  EXPECT_EQ(verdict(kRoads, kTowns, "(move home)"),
            "0 steps, cost 0: step 1, (move home): 'move' takes 2 arguments, not 1");
  EXPECT_EQ(verdict(kRoads, kTowns, "(move home c)"), "0 steps, cost 0: step 1, (move home c): there is no object 'c'");
  EXPECT_EQ(verdict(kRoads, kTowns, "(move home thing)"),
            "0 steps, cost 0: step 1, (move home thing): 'thing' is not of the type that ?y has");
}

TEST(PddlValidator, WhatIsDeletedAndAddedHolds) {
  const char* const domain =
      "(:predicates (p) (q)) (:action a :effect (and (p) (not (p))))"
      "(:action b :effect (and (not (p)) (when (p) (q))))";
  EXPECT_EQ(verdict(domain, "(:init) (:goal (p))", "(a)"), "valid, 1 steps, cost 1");
  // Conditions of effects are about the state before.
  EXPECT_EQ(verdict(domain, "(:init) (:goal (and (q) (not (p))))", "(a) (b)"), "valid, 2 steps, cost 2");
  EXPECT_EQ(verdict(domain, "(:init) (:goal (and (q) (not (p))))", "(b) (a)"),
            "2 steps, cost 2: the goal does not hold at the end: (q)");
}

TEST(PddlValidator, QuantifiedEffects) {
  const char* const domain =
      "(:types t) (:predicates (p ?x) (r ?x ?y))"
      "(:action all :effect (forall (?x - t) (when (exists (?y) (r ?x ?y)) (not (p ?x)))))"
      "(:action pairs :effect (forall (?x ?y) (when (and (p ?x) (p ?y) (not (= ?x ?y))) (r ?x ?y))))";
  const std::string init = "(:objects a b - t c) (:init (p a) (p b) (p c)) (:goal ";
  EXPECT_EQ(verdict(domain, init + "(forall (?x ?y) (or (= ?x ?y) (r ?x ?y))))", "(pairs)"), "valid, 1 steps, cost 1");
  EXPECT_EQ(verdict(domain, init + "(exists (?x) (r ?x ?x)))", "(pairs)"),
            "1 steps, cost 1: the goal does not hold at the end: (exists …)");
  EXPECT_EQ(verdict(domain, init + "(and (p c) (not (exists (?x - t) (p ?x)))))", "(pairs) (all)"),
            "valid, 2 steps, cost 2");
  EXPECT_EQ(verdict(domain, init + "(not (exists (?x) (p ?x))))", "(pairs) (all)"),
            "2 steps, cost 2: the goal does not hold at the end: (not (exists …))");
  EXPECT_EQ(verdict(domain, init + "(forall (?x) (p ?x)))", "(pairs) (all)"),
            "2 steps, cost 2: the goal does not hold at the end: (forall …)");
  EXPECT_EQ(verdict(domain, init + "(imply (p c) (p a)))", "(pairs) (all)"),
            "2 steps, cost 2: the goal does not hold at the end: (or …)");
}

TEST(PddlValidator, Quantifiers) {
  const char* const domain = "(:types t none) (:predicates (p ?x) (r ?x ?y)) (:action a)";
  const std::string init = "(:objects a b - t c) (:init (p a) (p b) (r a b) (r b c) (r c c)) (:goal ";
  for (const char* goal : {
           "(exists (?x ?y) (and (r ?x ?y) (p ?y)))",
           "(forall (?x - t) (exists (?y) (and (r ?x ?y) (not (= ?x ?y)))))",
           "(exists (?x) (and (r ?x ?x) (not (p ?x))))",
           "(exists (?x) (forall (?y) (imply (r ?y ?x) (not (= ?y ?x)))))",
           "(forall (?x - none) (p c))",
           "(not (exists (?x - none) (p a)))",
           "(exists (?x) (p a))",
           "(exists (?x) (or (and (p ?x) (r ?x c)) (r ?x a)))",
           "(forall (?x) (exists (?x) (p ?x)))",
           "(not (forall (?x) (p ?x)))",
           "(not (exists (?x - t) (or (r ?x a) (not (p ?x)))))",
           "(exists (?x ?y ?z) (and (r ?x ?y) (r ?y ?z) (r ?z ?z)))",
           "(forall (?x ?y) (imply (and (r ?x ?y) (p ?y)) (= ?x a)))",
           "(and (or (p c) (p a)) (imply (p c) (p c)) (exists () (p a)))",
       }) {
    EXPECT_EQ(verdict(domain, init + goal + ")", ""), "valid, 0 steps, cost 0") << goal;
    const std::string negated = verdict(domain, init + "(not " + goal + "))", "");
    EXPECT_EQ(negated.substr(0, 50), "0 steps, cost 0: the goal does not hold at the end") << goal;
  }
}

constexpr const char* kBlocks =
    "(:predicates (on ?x ?y) (above ?x ?y) (free ?x) (lonely) (odd ?x) (even ?x))"
    "(:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y)))))"
    "(:derived (free ?x) (not (exists (?y) (above ?y ?x))))"
    "(:derived (lonely) (forall (?x) (free ?x)))"
    "(:derived (even ?x) (or (free ?x) (exists (?y) (and (on ?y ?x) (odd ?y)))))"
    "(:derived (odd ?x) (exists (?y) (and (on ?y ?x) (even ?y))))"
    "(:action put :parameters (?x ?y) :precondition (and (free ?x) (free ?y) (not (= ?x ?y)))"
    " :effect (and (on ?x ?y) (forall (?z) (when (on ?x ?z) (not (on ?x ?z))))))";

TEST(PddlValidator, Axioms) {
  const std::string init = "(:objects a b c d) (:init) (:goal ";
  EXPECT_EQ(
      verdict(kBlocks, init + "(and (above d a) (above c a) (not (above a c))))", "(put b a) (put c b) (put d c)"),
      "valid, 3 steps, cost 3");
  EXPECT_EQ(verdict(kBlocks, init + "(and (odd a) (even b) (not (even a))))", "(put b a) (put c b) (put d c)"),
            "valid, 3 steps, cost 3");
  EXPECT_EQ(verdict(kBlocks, init + "(lonely))", ""), "valid, 0 steps, cost 0");
  EXPECT_EQ(verdict(kBlocks, init + "(lonely))", "(put b a)"),
            "1 steps, cost 1: the goal does not hold at the end: (lonely)");
  // What was derived before is gone when what it came from is.
  EXPECT_EQ(verdict(kBlocks, init + "(above b a))", "(put b a) (put b c)"),
            "2 steps, cost 2: the goal does not hold at the end: (above b a)");
  EXPECT_EQ(verdict(kBlocks, init + "(lonely))", "(put b a) (put a b)"),
            "1 steps, cost 1: step 2, (put a b): its precondition does not hold: (free a)");
}

TEST(PddlValidator, LongChains) {
  std::string objects;
  std::string init;
  for (int i = 0; i < 60; ++i) {
    objects += " b" + std::to_string(i);
    if (i > 0) init += " (on b" + std::to_string(i) + " b" + std::to_string(i - 1) + ")";
  }
  const std::string problem = "(:objects" + objects + ") (:init" + init + ") (:goal ";
  EXPECT_EQ(verdict(kBlocks, problem + "(and (above b59 b0) (not (above b0 b0)) (odd b0)))", ""),
            "valid, 0 steps, cost 0");
}

// A predicate that is needed in a quantifier of its own layer.
TEST(PddlValidator, RecursionInsideQuantifiers) {
  const char* const domain =
      "(:predicates (edge ?x ?y) (safe ?x)) (:derived (safe ?x) (forall (?y) (imply (edge ?x ?y) (safe ?y))))";
  const std::string init =
      "(:objects a b c d e) (:init (edge a b) (edge b c) (edge a c) (edge d e) (edge e d)) (:goal ";
  EXPECT_EQ(verdict(domain, init + "(and (safe a) (not (safe d))))", ""), "valid, 0 steps, cost 0");
}

// As networks of switches have it: not all ways to give objects to the variables are looked at for each disjunction,
// nor all rows of a relation for each object.
TEST(PddlValidator, DisjunctionsInsideQuantifiersAreJoined) {
  std::string init;
  std::string objects;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "s" + std::to_string(i);
    const std::string next = "s" + std::to_string(i + 1);
    objects += " " + name;
    init += " (closed " + name + ") (wire " + name + " right " + next + " left) (wire " + next + " left " + name +
            " right)";
  }
  PddlTask task(
      "(define (domain d) (:types switch side) (:constants left right - side s0 s40 - switch)"
      "(:predicates (closed ?x - switch) (wire ?x - switch ?a - side ?y - switch ?b - side)"
      " (leads ?x - switch ?a - side ?y - switch ?b - side) (dark))"
      "(:derived (leads ?x - switch ?a - side ?y - switch ?b - side) (and (closed ?x)"
      " (or (and (= ?a left) (wire ?x right ?y ?b)) (and (= ?a right) (wire ?x left ?y ?b))"
      "  (exists (?z - switch) (and (closed ?z) (or (and (wire ?z left ?y ?b) (leads ?x ?a ?z right))"
      "                                             (and (wire ?z right ?y ?b) (leads ?x ?a ?z left))))))))"
      "(:action open :parameters (?x - switch) :precondition (leads s0 left ?x left) :effect (not (closed ?x))))",
      "(define (problem x) (:domain d) (:objects" + objects + " - switch) (:init" + init +
          ") (:goal (and (leads s0 left s20 left) (not (leads s0 left s21 left)) (leads s39 right s21 right))))");
  EXPECT_EQ(task.said(), "");
  const Watch watch({.polls = 1'000'000});
  EXPECT_EQ(pddl::validate_plan(task.task, task.plan("(open s20)"), watch).problem, "");
  EXPECT_EQ(pddl::validate_plan(task.task, task.plan("(open s21)"), watch).problem,
            "the goal does not hold at the end: (not (leads s0 left s21 left))");
}

// What only has to be there is not looked for again.
TEST(PddlValidator, OneWayIsEnough) {
  std::string objects;
  std::string init;
  for (int i = 0; i < 300; ++i) {
    objects += " o" + std::to_string(i);
    init += " (p o" + std::to_string(i) + ")";
  }
  PddlTask task(
      "(define (domain d) (:predicates (p ?x) (q ?x) (r))"
      "(:derived (r) (exists (?x ?y ?z) (and (p ?x) (p ?y) (p ?z))))"
      "(:action a :parameters () :effect (forall (?u) (when (exists (?x ?y ?z) (and (p ?x) (p ?y) (p ?z))) (q ?u)))))",
      "(define (problem x) (:domain d) (:objects" + objects + ") (:init" + init +
          ") (:goal (and (r) (forall (?u) (q ?u)))))");
  EXPECT_EQ(task.said(), "");
  const Watch watch({.polls = 100'000});
  EXPECT_TRUE(pddl::validate_plan(task.task, task.plan("(a)"), watch).valid);
}

TEST(PddlValidator, Costs) {
  const char* const domain =
      "(:predicates (at ?x)) (:functions (way ?x ?y) (total-cost) - number)"
      "(:action move :parameters (?x ?y) :precondition (at ?x)"
      " :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (way ?x ?y)) (increase (total-cost) 1)))"
      "(:action rest)";
  const std::string problem =
      "(:objects a b c) (:init (at a) (= (way a b) 5) (= (way b c) 2000000000) (= (way c b) 2000000000)) (:goal (at "
      "c))";
  const std::string metric = "(:metric minimize (total-cost))";
  EXPECT_EQ(verdict(domain, problem, "(move a b) (rest) (move b c)"), "valid, 3 steps, cost 3");
  EXPECT_EQ(verdict(domain, problem + metric, "(move a b) (rest) (move b c) (move c b) (move b c)"),
            "valid, 5 steps, cost 6000000009");
  EXPECT_EQ(verdict(domain, problem + metric, "(move a c)"),
            "0 steps, cost 0: step 1, (move a c): its cost is not defined: (way a c)");
}

TEST(PddlValidator, EndsWithItsWatch) {
  PddlTask task("(define (domain d) (:predicates (p ?a ?b ?c ?d ?e ?f)))",
                "(define (problem x) (:domain d) (:objects a b c d e f g h i j k l m n o p q r s t u v w x y z) (:init)"
                "(:goal (forall (?a ?b ?c ?d ?e ?f) (not (p ?a ?b ?c ?d ?e ?f)))))");
  EXPECT_TRUE(task.run("").valid);
  const Watch watch({.polls = 10});
  EXPECT_THROW(pddl::validate_plan(task.task, {}, watch), Error);
}

}  // namespace
}  // namespace harrier::testing
