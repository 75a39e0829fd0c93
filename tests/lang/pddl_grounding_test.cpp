#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "lang/pddl/grounding.h"
#include "lang/pddl_ground_support.h"
#include "lang/pddl_support.h"

namespace harrier::testing {
namespace {

using pddl::GroundAxiom;
using pddl::GroundOperator;
using pddl::GroundTask;
using pddl::Literal;

// A domain of the parts of one, and a problem likewise.
struct Grounded {
  PddlTask text;
  GroundTask task;

  Grounded(const std::string& domain, const std::string& problem)
      : text("(define (domain d) (:requirements :adl :derived-predicates :action-costs)" + domain + ")",
             "(define (problem p) (:domain d)" + problem + ")") {
    EXPECT_EQ(text.said(), "");
    if (!text.diagnostics.has_errors()) task = pddl::ground(text.task, text.diagnostics);
  }

  std::string name(const Literal& literal) const {
    return (literal.positive ? "" : "-") + pddl::to_text(text.task, task, literal.atom);
  }
  std::string names(const std::vector<Literal>& literals) const {
    std::set<std::string> sorted;
    for (const Literal& literal : literals) sorted.insert(name(literal));
    std::string out;
    for (const std::string& one : sorted) out += (out.empty() ? "" : " ") + one;
    return out;
  }
  // "(move a b): preconditions => effects", sorted.
  std::vector<std::string> operators() const {
    std::vector<std::string> out;
    for (const GroundOperator& op : task.operators) {
      std::set<std::string> effects;
      for (const pddl::GroundEffect& effect : op.effects) {
        effects.insert((effect.conditions.empty() ? "" : "[" + names(effect.conditions) + "]") +
                       name({effect.atom, effect.adds}));
      }
      std::string line = pddl::to_text(text.task, op) + ": " + names(op.preconditions) + " =>";
      for (const std::string& effect : effects) line += " " + effect;
      out.push_back(line);
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  std::vector<std::string> axioms() const {
    std::vector<std::string> out;
    for (const GroundAxiom& axiom : task.axioms) {
      out.push_back(pddl::to_text(text.task, task, axiom.head) + " <- " + names(axiom.body));
    }
    std::sort(out.begin(), out.end());
    return out;
  }
  std::vector<std::string> atoms() const {
    std::vector<std::string> out;
    for (uint32_t a = 0; a < task.atoms.size(); ++a) out.push_back(pddl::to_text(text.task, task, a));
    return out;
  }
  std::optional<uint64_t> distance() const { return GroundStates(task).distance(false); }
  std::optional<uint64_t> cost() const { return GroundStates(task).distance(true); }
};

using Lines = std::vector<std::string>;

const char* const kMove =
    "(:types place) (:predicates (at ?p - place) (road ?p ?q - place))"
    "(:action move :parameters (?p ?q - place) :precondition (and (at ?p) (road ?p ?q))"
    "  :effect (and (not (at ?p)) (at ?q)))";

TEST(PddlGrounding, OnlyWhatCanBeReached) {
  const Grounded g(kMove,
                   "(:objects a b c d e - place) (:init (at a) (road a b) (road b c) (road d e)) (:goal (at c))");
  EXPECT_EQ(g.atoms(), (Lines{"at(a)", "at(b)", "at(c)"}));
  EXPECT_EQ(g.operators(), (Lines{"(move a b): at(a) => -at(a) at(b)", "(move b c): at(b) => -at(b) at(c)"}));
  EXPECT_EQ(g.names(g.task.goal), "at(c)");
  EXPECT_TRUE(g.task.solvable);
  EXPECT_EQ(g.distance(), 2U);
}

TEST(PddlGrounding, WhatDoesNotMatterIsLeftOut) {
  const Grounded g(kMove, "(:objects a b c - place) (:init (at a) (road a b) (road a c)) (:goal (at b))");
  EXPECT_EQ(g.operators(), (Lines{"(move a b): at(a) => -at(a) at(b)"}));
  EXPECT_EQ(g.atoms(), (Lines{"at(a)", "at(b)"}));
  EXPECT_EQ(g.task.reachable.operators, 2U);
  EXPECT_EQ(g.task.reachable.atoms, 3U);
}

TEST(PddlGrounding, GoalThatCannotBeReached) {
  const Grounded g(kMove, "(:objects a b c - place) (:init (at a) (road a b)) (:goal (at c))");
  EXPECT_FALSE(g.task.solvable);
  const Grounded never("(:predicates (p) (q)) (:action a :effect (p))", "(:init) (:goal (q))");
  EXPECT_FALSE(never.task.solvable);
  const Grounded always("(:predicates (p) (q)) (:action a :effect (p))", "(:init (q)) (:goal (not (q)))");
  EXPECT_FALSE(always.task.solvable);
}

TEST(PddlGrounding, GoalThatAlwaysHolds) {
  const Grounded g("(:predicates (p) (q)) (:action a :effect (p))", "(:init (q)) (:goal (q))");
  EXPECT_TRUE(g.task.solvable);
  EXPECT_TRUE(g.task.goal.empty());
  EXPECT_TRUE(g.task.operators.empty());
  EXPECT_TRUE(g.task.atoms.empty());
}

TEST(PddlGrounding, TypesAndEither) {
  const Grounded g(
      "(:types vehicle - object car ship plane - vehicle) (:constants k - car)"
      "(:predicates (clean ?v - vehicle))"
      "(:action wash :parameters (?v - (either car plane)) :effect (clean ?v))"
      "(:action polish :parameters (?v - ship) :effect (clean ?v))",
      "(:objects c - car s - ship p - plane) (:init) (:goal (forall (?v - vehicle) (clean ?v)))");
  EXPECT_EQ(g.operators(), (Lines{"(polish s):  => clean(s)", "(wash c):  => clean(c)", "(wash k):  => clean(k)",
                                  "(wash p):  => clean(p)"}));
}

TEST(PddlGrounding, ConstantsAndEquality) {
  const Grounded g(
      "(:constants hub) (:predicates (at ?x) (seen ?x ?y))"
      "(:action fly :parameters (?x ?y) :precondition (and (at ?x) (not (= ?x ?y)) (or (= ?x hub) (= ?y hub)))"
      "  :effect (and (at ?y) (not (at ?x)) (seen ?x ?y)))",
      "(:objects a b) (:init (at a)) (:goal (and (seen a hub) (seen hub b)))");
  EXPECT_EQ(g.operators(),
            (Lines{"(fly a hub): at(a) => -at(a) at(hub) seen(a, hub)", "(fly b hub): at(b) => -at(b) at(hub)",
                   "(fly hub a): at(hub) => -at(hub) at(a)", "(fly hub b): at(hub) => -at(hub) at(b) seen(hub, b)"}));
}

TEST(PddlGrounding, EqualityGivesAVariableItsValue) {
  const Grounded g(
      "(:types t) (:predicates (p ?x ?y))"
      "(:action a :parameters (?x - t ?y) :precondition (= ?x ?y) :effect (p ?x ?y))",
      "(:objects u v - t w) (:init) (:goal (and (p u u) (p v v)))");
  EXPECT_EQ(g.operators(), (Lines{"(a u u):  => p(u, u)", "(a v v):  => p(v, v)"}));
  const Grounded wrong(
      "(:types t) (:predicates (p ?x ?y))"
      "(:action a :parameters (?x - t ?y) :precondition (= ?y ?x) :effect (p ?x ?y))",
      "(:objects u v - t w) (:init) (:goal (p w w))");
  EXPECT_FALSE(wrong.task.solvable);
}

TEST(PddlGrounding, TheSameVariableTwice) {
  const Grounded g(
      "(:predicates (edge ?x ?y) (loop ?x))"
      "(:action a :parameters (?x) :precondition (edge ?x ?x) :effect (loop ?x))"
      "(:action b :parameters (?x ?y) :effect (edge ?x ?y))",
      "(:objects u v) (:init (edge u v)) (:goal (and (loop u) (loop v)))");
  EXPECT_EQ(g.operators(), (Lines{"(a u): edge(u, u) => loop(u)", "(a v): edge(v, v) => loop(v)",
                                  "(b u u):  => edge(u, u)", "(b v v):  => edge(v, v)"}));
}

TEST(PddlGrounding, NegativePreconditions) {
  const Grounded g(
      "(:predicates (p ?x) (fixed ?x) (q))"
      "(:action a :parameters (?x) :precondition (and (not (p ?x)) (not (fixed ?x))) :effect (p ?x))"
      "(:action b :parameters (?x) :precondition (p ?x) :effect (and (not (p ?x)) (q)))",
      "(:objects u v w) (:init (fixed u) (p v)) (:goal (and (q) (p w) (not (p v))))");
  // What b does to w is never needed; what a does to v is: b can take away what is not there otherwise.
  EXPECT_EQ(g.operators(), (Lines{"(a v): -p(v) => p(v)", "(a w): -p(w) => p(w)", "(b v): p(v) => -p(v) q()",
                                  "(b w): p(w) => -p(w) q()"}));
  EXPECT_EQ(g.distance(), 2U);
}

TEST(PddlGrounding, WhatIsNeverTakenAwayStays) {
  const Grounded g(
      "(:predicates (p) (q) (r))"
      "(:action a :precondition (not (p)) :effect (q))"
      "(:action b :effect (p))"
      "(:action c :precondition (p) :effect (r))",
      "(:init (p)) (:goal (r))");
  EXPECT_EQ(g.operators(), (Lines{"(c):  => r()"}));
  EXPECT_EQ(g.task.reachable.operators, 1U);
}

TEST(PddlGrounding, NegationIsReachedOnlyByOperatorsThatAreReached) {
  // Nothing deletes p but what cannot happen, so that a cannot happen either.
  const Grounded g(
      "(:predicates (p) (q) (r))"
      "(:action never :precondition (r) :effect (not (p)))"
      "(:action a :precondition (not (p)) :effect (q))",
      "(:init (p)) (:goal (q))");
  EXPECT_FALSE(g.task.solvable);
}

TEST(PddlGrounding, DisjunctionsAreSplit) {
  const Grounded g(
      "(:predicates (p) (q) (r) (s)) (:action p :effect (p)) (:action q :effect (q))"
      "(:action a :precondition (or (and (p) (q)) (r) (not (s))) :effect (s))",
      "(:init (s)) (:goal (not (s)))");
  EXPECT_FALSE(g.task.solvable);
  const Grounded h(
      "(:predicates (p) (q) (r) (s)) (:action p :effect (p)) (:action q :effect (q))"
      "(:action a :precondition (or (p) (and (q) (r)) (and (q) (not (p)))) :effect (s))",
      "(:init) (:goal (s))");
  EXPECT_EQ(h.operators(), (Lines{"(a): -p() q() => s()", "(a): p() => s()", "(p):  => p()", "(q):  => q()"}));
}

// (p0 or q0) and (p1 or q1) and …
std::string choices(int count) {
  std::string out = "(and";
  for (int i = 0; i < count; ++i) out += " (or (p o" + std::to_string(i) + ") (q o" + std::to_string(i) + "))";
  return out + ")";
}

TEST(PddlGrounding, ManyDisjunctionsGetAtomsOfTheirOwn) {
  std::string objects;
  for (int i = 0; i < 40; ++i) objects += " o" + std::to_string(i);
  const std::string actions = "(:predicates (p ?x) (q ?x) (done)) (:constants" + objects +
                              ")"
                              "(:action p :parameters (?x) :precondition (not (q ?x)) :effect (p ?x))"
                              "(:action q :parameters (?x) :precondition (not (p ?x)) :effect (q ?x))";
  const Grounded g(actions + "(:action a :precondition " + choices(40) + " :effect (done))", "(:init) (:goal (done))");
  EXPECT_LE(g.task.operators.size(), 80U + 16U);
  EXPECT_GE(g.task.axioms.size(), 72U);
  const Grounded few(actions + "(:action a :precondition " + choices(8) + " :effect (done))",
                     "(:init (p o3)) (:goal (done))");
  EXPECT_EQ(few.distance(), 8U);
  const Grounded goal(actions, "(:init (p o3)) (:goal " + choices(7) + ")");
  EXPECT_EQ(goal.distance(), 6U);
}

TEST(PddlGrounding, GoalsOfSeveralAlternatives) {
  const Grounded g(
      "(:predicates (p) (q) (r)) (:action p :precondition (r) :effect (p))"
      "(:action q :precondition (p) :effect (q)) (:action r :effect (r))",
      "(:init) (:goal (or (p) (q)))");
  EXPECT_EQ(g.task.goal.size(), 1U);
  EXPECT_EQ(g.task.axioms.size(), 2U);
  EXPECT_EQ(g.distance(), 2U);
  const Grounded one("(:predicates (p) (q)) (:action p :effect (p))", "(:init) (:goal (or (p) (q)))");
  EXPECT_EQ(one.names(one.task.goal), "p()");
  EXPECT_TRUE(one.task.axioms.empty());
}

TEST(PddlGrounding, ExistentialVariablesChooseAmongOperators) {
  const Grounded g(
      "(:predicates (has ?x) (key ?x ?d) (open ?d))"
      "(:action take :parameters (?k) :effect (has ?k))"
      "(:action open :parameters (?d) :precondition (exists (?k) (and (key ?k ?d) (has ?k))) :effect (open ?d))",
      "(:objects k l m d e) (:init (key k d) (key l d) (key m m)) (:goal (open d))");
  EXPECT_EQ(g.operators(), (Lines{"(open d): has(k) => open(d)", "(open d): has(l) => open(d)", "(take k):  => has(k)",
                                  "(take l):  => has(l)"}));
}

TEST(PddlGrounding, ExistentialVariablesOfWhatNeverChangesMakeNoCopies) {
  const Grounded g(
      "(:predicates (key ?x ?d) (open ?d))"
      "(:action open :parameters (?d) :precondition (exists (?k) (key ?k ?d)) :effect (open ?d))",
      "(:objects k l d) (:init (key k d) (key l d)) (:goal (open d))");
  EXPECT_EQ(g.operators(), (Lines{"(open d):  => open(d)"}));
}

TEST(PddlGrounding, UniversalConditionsSpeakOnlyOfWhatTheyMust) {
  const Grounded g(
      "(:types block) (:predicates (before ?x ?y - block) (placed ?x - block))"
      "(:action place :parameters (?y - block)"
      "  :precondition (forall (?x - block) (imply (before ?x ?y) (placed ?x))) :effect (placed ?y))",
      "(:objects a b c d - block) (:init (before a c) (before b c)) (:goal (and (placed c) (placed d)))");
  EXPECT_EQ(g.operators(), (Lines{"(place a):  => placed(a)", "(place b):  => placed(b)",
                                  "(place c): placed(a) placed(b) => placed(c)", "(place d):  => placed(d)"}));
}

TEST(PddlGrounding, NestedQuantifiers) {
  // Every child needs some toy that is not broken.
  const Grounded g(
      "(:types child toy) (:predicates (has ?c - child ?t - toy) (broken ?t - toy) (happy))"
      "(:action give :parameters (?c - child ?t - toy) :precondition (forall (?d - child) (not (has ?d ?t)))"
      "  :effect (has ?c ?t))"
      "(:action laugh :precondition (forall (?c - child) (exists (?t - toy) (and (has ?c ?t) (not (broken ?t)))))"
      "  :effect (happy))",
      "(:objects c d - child s t u - toy) (:init (broken s) (has c s)) (:goal (happy))");
  EXPECT_EQ(g.distance(), 3U);
  EXPECT_EQ(std::count_if(g.task.operators.begin(), g.task.operators.end(),
                          [](const GroundOperator& op) { return op.arguments.empty(); }),
            4);  // which of the two toys is whose; that both have the same is not known to be impossible
}

TEST(PddlGrounding, QuantifiersOverNoObjects) {
  const Grounded g(
      "(:types none) (:predicates (p) (q) (r) (at ?x - none))"
      "(:action a :precondition (forall (?x - none) (at ?x)) :effect (p))"
      "(:action b :precondition (exists (?x - none) (not (at ?x))) :effect (q))"
      "(:action c :effect (forall (?x - none) (r)))",
      "(:init) (:goal (p))");
  EXPECT_EQ(g.operators(), (Lines{"(a):  => p()"}));
  EXPECT_EQ(g.task.reachable.operators, 1U);
}

TEST(PddlGrounding, ConditionalEffects) {
  const Grounded g(
      "(:predicates (on ?x) (near ?x ?y) (dark))"
      "(:action press :parameters (?x) :effect (and (when (on ?x) (not (on ?x))) (when (not (on ?x)) (on ?x))"
      "  (forall (?y) (when (and (near ?x ?y) (on ?y)) (dark)))))",
      "(:objects a b) (:init (on a) (near a b)) (:goal (and (dark) (not (on a))))");
  EXPECT_EQ(g.operators(), (Lines{"(press a):  => [-on(a)]on(a) [on(a)]-on(a) [on(b)]dark()",
                                  "(press b):  => [-on(b)]on(b) [on(b)]-on(b)"}));
  EXPECT_EQ(g.distance(), 2U);
}

TEST(PddlGrounding, ConditionalEffectsOfDisjunctionsAndUniversals) {
  const Grounded g(
      "(:types part) (:predicates (in ?x - part) (all) (any) (spare ?x - part))"
      "(:action put :parameters (?x - part) :effect (and (in ?x)"
      "  (when (forall (?y - part) (or (= ?x ?y) (in ?y) (spare ?y))) (all))"
      "  (when (exists (?y - part) (and (in ?y) (not (= ?x ?y)))) (any))))",
      "(:objects a b c - part) (:init (spare c)) (:goal (and (all) (any)))");
  EXPECT_EQ(g.operators(), (Lines{"(put a):  => [in(b)]all() [in(b)]any() [in(c)]any() in(a)",
                                  "(put b):  => [in(a)]all() [in(a)]any() [in(c)]any() in(b)",
                                  "(put c):  => [in(a) in(b)]all() [in(a)]any() [in(b)]any() in(c)"}));
}

TEST(PddlGrounding, AddingBeatsDeleting) {
  const Grounded g(
      "(:predicates (p) (q)) (:action a :precondition (p) :effect (and (not (p)) (p) (q)))"
      "(:action b :precondition (not (p)) :effect (q))",
      "(:init (p)) (:goal (q))");
  EXPECT_EQ(g.operators(), (Lines{"(a):  => q()"}));
}

TEST(PddlGrounding, OperatorsWithoutEffectAreLeftOut) {
  const Grounded g(
      "(:predicates (p ?x) (q)) (:action a :parameters (?x ?y) :precondition (p ?x) :effect (and (not (p ?x)) (p ?y)))"
      "(:action idle :precondition (q) :effect (and (q) (not (p z)))) (:constants z)",
      "(:objects u v) (:init (p u) (q)) (:goal (p v))");
  EXPECT_EQ(g.task.reachable.operators, 7U);  // a of different objects, and what deletes p(z)
  const auto same = [](const GroundOperator& op) {
    return !op.arguments.empty() && op.arguments[0] == op.arguments[1];
  };
  EXPECT_TRUE(std::none_of(g.task.operators.begin(), g.task.operators.end(), same));
}

TEST(PddlGrounding, DerivedPredicates) {
  const Grounded g(
      "(:types block) (:predicates (on ?x ?y - block) (above ?x ?y - block) (free ?x - block))"
      "(:derived (above ?x ?y - block) (or (on ?x ?y) (exists (?z - block) (and (on ?x ?z) (above ?z ?y)))))"
      "(:derived (free ?x - block) (not (exists (?y - block) (above ?y ?x))))"
      "(:action drop :parameters (?x ?y - block) :precondition (and (on ?x ?y) (free ?x)) :effect (not (on ?x ?y)))",
      "(:objects a b c - block) (:init (on a b) (on b c)) (:goal (free c))");
  EXPECT_EQ(g.axioms(),
            (Lines{"above(a, b) <- on(a, b)", "above(a, c) <- above(b, c) on(a, b)", "above(b, c) <- on(b, c)",
                   "free(b) <- -above(a, b)", "free(c) <- -above(a, c) -above(b, c)"}));
  EXPECT_EQ(g.operators(), (Lines{"(drop a b): on(a, b) => -on(a, b)", "(drop b c): free(b) on(b, c) => -on(b, c)"}));
  EXPECT_EQ(g.distance(), 2U);
}

TEST(PddlGrounding, WhatIsAlwaysDerivedIsPutIn) {
  const Grounded g(
      "(:predicates (s) (d) (e) (p) (q)) (:derived (d) (s)) (:derived (e) (and (d) (s)))"
      "(:action a :precondition (e) :effect (p)) (:action b :precondition (not (e)) :effect (q))",
      "(:init (s)) (:goal (or (p) (q)))");
  EXPECT_EQ(g.operators(), (Lines{"(a):  => p()"}));
  EXPECT_TRUE(g.task.axioms.empty());
}

TEST(PddlGrounding, DerivedPredicatesThatDependOnThemselvesOnly) {
  const Grounded g(
      "(:predicates (d) (e) (p)) (:derived (d) (e)) (:derived (e) (d))"
      "(:action a :precondition (not (d)) :effect (p))",
      "(:init) (:goal (p))");
  EXPECT_EQ(g.operators(), (Lines{"(a):  => p()"}));
}

TEST(PddlGrounding, Costs) {
  const Grounded g(
      "(:types place) (:predicates (at ?p - place)) (:functions (total-cost) - number (way ?p ?q - place) - number)"
      "(:action move :parameters (?p ?q - place) :precondition (and (at ?p) (not (= ?p ?q)))"
      "  :effect (and (not (at ?p)) (at ?q) (increase (total-cost) (way ?p ?q)) (increase (total-cost) 2)))",
      "(:objects a b c - place) (:init (at a) (= (total-cost) 0) (= (way a a) 0) (= (way a b) 1) (= (way a c) 9)"
      " (= (way b a) 0) (= (way b b) 0) (= (way b c) 3) (= (way c a) 0) (= (way c b) 0) (= (way c c) 0))"
      "(:goal (at c)) (:metric minimize (total-cost))");
  EXPECT_TRUE(g.task.costs);
  EXPECT_EQ(g.cost(), 8U);
  EXPECT_EQ(g.distance(), 1U);
}

TEST(PddlGrounding, CostsThatAreNotAskedForAreOne) {
  const Grounded g(
      "(:predicates (p)) (:functions (total-cost) - number)"
      "(:action a :effect (and (p) (increase (total-cost) 7)))",
      "(:init (= (total-cost) 0)) (:goal (p))");
  EXPECT_FALSE(g.task.costs);
  EXPECT_EQ(g.task.operators.at(0).cost, 1U);
}

TEST(PddlGrounding, CostsThatAreTooLarge) {
  for (const char* last : {"0", "1"}) {
    PddlTask text(
        "(define (domain d) (:requirements :action-costs) (:predicates (p)) (:functions (total-cost) - number)\n"
        "(:action a :effect (and (p) (increase (total-cost) 2147483647) (increase (total-cost) " +
            std::string(last) + "))))",
        "(define (problem p) (:domain d) (:init (= (total-cost) 0)) (:goal (p)) (:metric minimize (total-cost)))");
    ASSERT_EQ(text.said(), "");
    pddl::ground(text.task, text.diagnostics);
    EXPECT_EQ(text.said(), *last == '0' ? "" : "d 2:10 - a cost above 2,147,483,647, of the action 'a'");
  }
}

TEST(PddlGrounding, CostsThatAreNotDefined) {
  PddlTask text(
      "(define (domain d) (:predicates (p)) (:functions (total-cost) - number (way ?x) - number)\n"
      "(:action a :parameters (?x) :effect (and (p) (increase (total-cost) (way ?x)))))",
      "(define (problem p) (:domain d) (:objects u v) (:init (= (way u) 3)) (:goal (p)) (:metric minimize "
      "total-cost))");
  ASSERT_EQ(text.said(), "");
  pddl::ground(text.task, text.diagnostics);
  EXPECT_EQ(text.said(), "d 2:70 the initial state gives no value to (way v)");
}

TEST(PddlGrounding, StopsWhenItIsTold) {
  // 2^30 instances.
  std::string parameters, objects;
  for (int i = 0; i < 30; ++i) parameters += " ?x" + std::to_string(i);
  PddlTask text("(define (domain d) (:predicates (p ?x) (q)) (:action a :parameters (" + parameters +
                    ") :precondition (and (p ?x0) (p ?x29)) :effect (q)))",
                "(define (problem p) (:domain d) (:objects u v) (:init (p u) (p v)) (:goal (q)))");
  ASSERT_EQ(text.said(), "");
  for (const uint64_t polls : {0, 1, 10, 1000, 100'000}) {
    Watch watch({.polls = polls});
    Diagnostics diagnostics(watch);
    EXPECT_THROW(pddl::ground(text.task, diagnostics), Error) << polls;
  }
}

TEST(PddlGrounding, ManyParametersAreJoinedNotEnumerated) {
  // A chain of 12 steps through 60 places, of which there are 60^12 tuples.
  std::string parameters, steps, objects, init;
  for (int i = 0; i <= 12; ++i) parameters += " ?x" + std::to_string(i);
  for (int i = 0; i < 12; ++i) steps += " (next ?x" + std::to_string(i) + " ?x" + std::to_string(i + 1) + ")";
  for (int i = 0; i < 60; ++i) objects += " o" + std::to_string(i);
  for (int i = 0; i + 1 < 60; ++i) init += " (next o" + std::to_string(i) + " o" + std::to_string(i + 1) + ")";
  const Grounded g("(:predicates (next ?x ?y) (at ?x)) (:action leap :parameters (" + parameters +
                       ") :precondition (and (at ?x0)" + steps + ") :effect (and (at ?x12) (not (at ?x0))))",
                   "(:objects" + objects + ") (:init (at o0)" + init + ") (:goal (at o48))");
  EXPECT_EQ(g.task.operators.size(), 4U);
  EXPECT_EQ(g.distance(), 4U);
}

TEST(PddlGrounding, LongConjunctionsThatManyShareGetAnAtom) {
  std::string objects;
  for (int i = 0; i < 200; ++i) objects += " o" + std::to_string(i);
  const Grounded g(
      "(:predicates (ready ?x) (done ?x)) (:action prepare :parameters (?x) :effect (ready ?x))"
      "(:action use :parameters (?x) :precondition (forall (?y) (ready ?y)) :effect (done ?x))",
      "(:objects" + objects + ") (:init) (:goal (forall (?x) (done ?x)))");
  ASSERT_EQ(g.task.axioms.size(), 1U);
  EXPECT_EQ(g.task.axioms[0].body.size(), 200U);
  EXPECT_EQ(g.task.operators.size(), 400U);
}

// Small tasks of random actions: types, comparisons, negation.
std::pair<std::string, std::string> random_strips(std::mt19937& rng) {
  const auto below = [&](int n) { return static_cast<int>(rng() % n); };
  const auto some = [&](const std::vector<std::string>& from) { return from[below(static_cast<int>(from.size()))]; };
  const auto atom = [&](const std::vector<std::string>& terms) {
    const int p = below(4);
    std::string out = "(p" + std::to_string(p);
    for (int i = 0; i < p % 3; ++i) out += " " + some(terms);
    return out + ")";
  };
  const auto literal = [&](const std::vector<std::string>& terms, int negative) {
    return below(10) < negative ? "(not " + atom(terms) + ")" : atom(terms);
  };
  std::string domain = " (:types s t) (:constants k - s) (:predicates (p0) (p1 ?x) (p2 ?x ?y) (p3))";
  for (int a = 0; a < 3; ++a) {
    std::vector<std::string> terms{"k"};
    std::string parameters;
    for (int i = below(4); i > 0; --i) {
      terms.push_back("?v" + std::to_string(i));
      parameters += " " + terms.back() + " - " + some({"s", "t", "object", "(either s t)"});
    }
    std::string condition, effect;
    for (int i = below(4); i > 0; --i) condition += " " + literal(terms, 3);
    if (below(3) == 0) condition += " (not (= " + some(terms) + " " + some(terms) + "))";
    for (int i = 1 + below(3); i > 0; --i) effect += " " + literal(terms, 4);
    domain += " (:action a" + std::to_string(a) + " :parameters (" + parameters + ") :precondition (and" + condition +
              ") :effect (and" + effect + "))";
  }
  std::string initial;
  const std::vector<std::string> objects{"k", "b", "c", "d"};
  for (int i = below(5); i > 0; --i) initial += " " + atom(objects);
  return {domain, " (:objects b - s c - t d) (:init" + initial + ") (:goal " + literal(objects, 3) + ")"};
}

// What can be true and what can be false, and which actions can be carried out with what they do, by looking at all
// tuples of objects again and again.
class Enumeration {
 public:
  explicit Enumeration(const pddl::Task& task) : task_(task) {
    for (const pddl::Atom& atom : task.initial) initial_.insert(ground(atom, {}));
    while (round()) {
    }
  }

  bool can_be(const std::string& atom, bool value) const {
    return value ? initial_.contains(atom) || added_.contains(atom)
                 : !initial_.contains(atom) || deleted_.contains(atom);
  }
  size_t changing() const {
    std::set<std::string> all = initial_;
    all.insert(added_.begin(), added_.end());
    return std::count_if(all.begin(), all.end(), [&](const auto& a) { return can_be(a, true) && can_be(a, false); });
  }
  // Those with an effect.
  size_t actions() const { return actions_.size(); }

 private:
  using Objects = std::vector<uint32_t>;

  std::string ground(const pddl::Atom& atom, const Objects& objects) const {
    std::string out = std::to_string(atom.predicate);
    for (const pddl::Term& term : atom.arguments) {
      out += " " + std::to_string(term.variable ? objects[term.index] : term.index);
    }
    return out;
  }
  bool possible(const pddl::Condition& condition, bool value, const Objects& objects) const {
    using Kind = pddl::Condition::Kind;
    if (condition.kind == Kind::Not) return possible(condition.parts[0], !value, objects);
    if (condition.kind == Kind::Holds) return can_be(ground(condition.atom, objects), value);
    if (condition.kind == Kind::Equal) {
      const auto object = [&](size_t i) {
        const pddl::Term& term = condition.atom.arguments[i];
        return term.variable ? objects[term.index] : term.index;
      };
      return (object(0) == object(1)) == value;
    }
    return std::all_of(condition.parts.begin(), condition.parts.end(),
                       [&](const auto& part) { return possible(part, value, objects); });
  }
  // Of a conjunction of literals.
  void collect(const pddl::Condition& condition, bool value, const Objects& objects, std::set<std::string>& hold,
               std::set<std::string>& fail) const {
    using Kind = pddl::Condition::Kind;
    if (condition.kind == Kind::Not) collect(condition.parts[0], !value, objects, hold, fail);
    if (condition.kind == Kind::Holds) (value ? hold : fail).insert(ground(condition.atom, objects));
    if (condition.kind == Kind::And) {
      for (const auto& part : condition.parts) collect(part, value, objects, hold, fail);
    }
  }
  bool round() {
    bool news = false;
    actions_.clear();
    for (const pddl::Action& action : task_.actions) {
      for (Objects objects = first(action); !objects.empty(); next(objects)) {
        objects.pop_back();
        news = carry_out(action, objects) || news;
        objects.push_back(0);
      }
    }
    return news;
  }
  // All tuples, with one more at the end that counts how often they were through.
  Objects first(const pddl::Action& action) const { return Objects(action.variables.size() + 1); }
  void next(Objects& objects) const {
    size_t i = 0;
    while (i + 1 < objects.size() && ++objects[i] == task_.objects.size()) objects[i++] = 0;
    if (i + 1 == objects.size()) objects.clear();
  }
  bool carry_out(const pddl::Action& action, const Objects& objects) {
    for (size_t i = 0; i < objects.size(); ++i) {
      if (!task_.fits(objects[i], action.variables[i])) return false;
    }
    if (!possible(action.precondition, true, objects)) return false;
    std::set<std::string> hold, fail, adds, deletes;
    collect(action.precondition, true, objects, hold, fail);
    for (const std::string& atom : hold) {
      if (fail.contains(atom)) return false;
    }
    for (const pddl::Effect& effect : action.effects) {
      (effect.adds ? adds : deletes).insert(ground(effect.atom, objects));
    }
    const size_t before = added_.size() + deleted_.size();
    bool works = false;
    for (const std::string& atom : adds) {
      added_.insert(atom);
      works = works || (!hold.contains(atom) && can_be(atom, false));
    }
    for (const std::string& atom : deletes) {
      if (adds.contains(atom)) continue;
      deleted_.insert(atom);
      works = works || (!fail.contains(atom) && can_be(atom, true));
    }
    if (works) actions_.insert({action.name, objects});
    return added_.size() + deleted_.size() != before;
  }

  const pddl::Task& task_;
  std::set<std::string> initial_, added_, deleted_;
  std::set<std::pair<std::string, Objects>> actions_;
};

TEST(PddlGrounding, AsManyAsEnumerationFinds) {
  std::mt19937 rng(1);
  size_t solvable = 0;
  for (int i = 0; i < 3000; ++i) {
    const auto [domain, problem] = random_strips(rng);
    const Grounded g(domain, problem);
    const Enumeration all(g.text.task);
    ASSERT_EQ(g.task.reachable.atoms, all.changing()) << domain << problem;
    ASSERT_EQ(g.task.reachable.operators, all.actions()) << domain << problem;
    solvable += g.task.solvable ? 1 : 0;
  }
  EXPECT_GT(solvable, 500U);
  EXPECT_LT(solvable, 2900U);
}

}  // namespace
}  // namespace harrier::testing
