// Malformed and unsupported PDDL gives these diagnostics, at these places; nothing hangs.
#include "lang/pddl_support.h"

namespace harrier::testing {
namespace {

struct Case {
  const char* text;
  const char* said;  // PddlTask::said
};

// Sections of a domain, on its second line.
constexpr Case kSections[] = {
    {"(:action a :effect (q c))", ""},
    {"(:action a :effect (r))", "d 2:21 the predicate 'r' is not declared"},
    {"(:action a :effect (lita c))", "d 2:21 the predicate 'lita' is not declared; did you mean 'lit'?"},
    {"(:action a :effect (q))", "d 2:21 'q' takes 1 argument, not 0"},
    {"(:action a :effect (q c c))", "d 2:21 'q' takes 1 argument, not 2"},
    {"(:action a :effect (q e))", "d 2:23 argument 1 of 'q' is of type 't', but 'e' is of type 's'"},
    {"(:action a :effect (q f))", "d 2:23 the object 'f' is not declared"},
    {"(:action a :effect (q ?x))", "d 2:23 the variable '?x' is not declared"},
    {"(:action a :parameters (?x - s) :effect (q ?x))",
     "d 2:44 argument 1 of 'q' is of type 't', but '?x' is of type 's'"},
    {"(:action a :parameters (?x) :effect (q ?x))", ""},
    {"(:action a :parameters (?from) :effect (far ?form))",
     "d 2:45 the variable '?form' is not declared; did you mean '?from'?"},
    {"(:action a :parameters (?x - r) :effect (q ?x))", "d 2:30 the type 'r' is not declared"},
    {"(:action a :parameters (?x ?x) :effect (q ?x))", "d 2:28 the variable '?x' is declared twice"},
    {"(:action a :parameters (x) :effect (q ?x))", "d 2:25 expected a variable, but found 'x'"},
    {"(:action a :parameters (?) :effect (q ?x))", "d 2:25 expected a variable, but found '?'"},
    {"(:action a :parameters (- s) :effect (p))", "d 2:25 there is nothing that this type is of"},
    {"(:action a :parameters (?x -) :effect (p))", "d 2:29 expected the name of a type, but found ')'"},
    {"(:action a :parameters (?x - (either)) :effect (p))", "d 2:31 'either' without types"},
    {"(:action a :parameters (?x - (or s t)) :effect (p))", "d 2:31 expected 'either', but found 'or'"},
    {"(:action a :parameters ?x :effect (p))", "d 2:24 expected '(' before the parameters, but found '?x'"},
    {"(:action a :effect (p) :effect (p))", "d 2:24 a second ':effect'"},
    {"(:action a :effect (p) :parameters ())", ""},
    {"(:action a :precondition (p) :foo (p))",
     "d 2:30 expected ':parameters', ':precondition' or ':effect', but found ':foo'"},
    {"(:action a :precondition (p) foo)",
     "d 2:30 expected ':parameters', ':precondition' or ':effect', but found 'foo'"},
    {"(:action a (p))", "d 2:12 expected ':parameters', ':precondition' or ':effect', but found '('"},
    {"(:action (p))", "d 2:10 expected the name of an action, but found '('"},
    {"(:action)", "d 2:9 expected the name of an action, but found ')'"},
    {"(:action a :effect p)", "d 2:20 expected '(' before an effect, but found 'p'"},
    {"(:action a :effect ((p)))", "d 2:21 expected a predicate, 'and', 'not', …, but found '('"},
    {"(:action a :effect (or (p) (p)))", "d 2:21 'or' cannot be an effect"},
    {"(:action a :effect (= c c))", "d 2:21 '=' cannot be an effect"},
    {"(:action a :effect (not (not (p))))", "d 2:26 the predicate 'not' is not declared"},
    {"(:action a :effect (not p))", "d 2:25 expected '(' before the atom in 'not', but found 'p'"},
    {"(:action a :effect (not (p) (p)))", "d 2:29 expected ')' after the atom in 'not', but found '('"},
    {"(:action a :effect (when (p) (p) (p)))", "d 2:34 expected ')' after the effect in 'when', but found '('"},
    {"(:action a :effect (forall ?x (p)))", "d 2:28 expected '(' before the variables of 'forall', but found '?x'"},
    {"(:action a :effect (forall (?x) (p) (p)))", "d 2:37 expected ')' after the effect in 'forall', but found '('"},
    {"(:action a :precondition (not))", "d 2:30 expected '(' before a condition, but found ')'"},
    {"(:action a :precondition (not (p) (p)))", "d 2:35 expected ')' after the condition in 'not', but found '('"},
    {"(:action a :precondition (imply (p)))", "d 2:36 expected '(' before a condition, but found ')'"},
    {"(:action a :precondition (exists (?x) (far ?x) (p)))",
     "d 2:48 expected ')' after the condition in 'exists', but found '('"},
    {"(:action a :precondition (and (exists (?x) (p)) (far ?x)))", "d 2:54 the variable '?x' is not declared"},
    {"(:action a :precondition (= c))", "d 2:30 expected the two sides of '=', but found ')'"},
    {"(:action a :precondition (= c c c))", "d 2:33 expected ')' after the two sides of '=', but found 'c'"},
    {"(:action a :precondition (when (p) (p)))", "d 2:27 the predicate 'when' is not declared"},
    {"(:action a :precondition (and p))", "d 2:31 expected '(' before a condition, but found 'p'"},
    {"(:action a :precondition (far (far c)))", "d 2:31 - a function as an argument: object fluents"},
    {"(:action a :precondition (far :c))", "d 2:31 the object ':c' is not declared"},
    {"(:action a :precondition (< (way c c) 3))", "d 2:27 - a comparison of numbers ('<')"},
    {"(:action a :precondition (= (way c c) 3))", "d 2:27 - a comparison of numbers or of functions to objects ('=')"},
    {"(:action a :precondition (preference n (p)))", "d 2:27 - preferences and constraints ('preference')"},
    {"(:action a :precondition (sometime (p)))", "d 2:27 - preferences and constraints ('sometime')"},
    {"(:action a :effect (assign (way c c) 3))", "d 2:21 - an effect on a number ('assign')"},
    {"(:action a :effect (decrease (total-cost) 3))", "d 2:21 - an effect on a number ('decrease')"},
    {"(:action a :effect (increase (way c c) 3))", "d 2:21 - an effect on a number other than 'total-cost'"},
    {"(:action a :effect (increase (total-cost) -3))", "d 2:43 - negative costs"},
    {"(:action a :effect (increase (total-cost) 2.5))", "d 2:43 - costs that are not whole numbers"},
    {"(:action a :effect (increase (total-cost) 99999999999))", "d 2:43 - a number of more than 31 bits"},
    {"(:action a :effect (increase (total-cost) 3x))", "d 2:43 expected a number, but found '3x'"},
    {"(:action a :effect (increase (total-cost) (wya c c)))",
     "d 2:44 the function 'wya' is not declared; did you mean 'way'?"},
    {"(:action a :effect (increase (total-cost) (way c e)))",
     "d 2:50 argument 2 of 'way' is of type 't', but 'e' is of type 's'"},
    {"(:action a :effect (increase (total-cost) (way c)))", "d 2:44 'way' takes 2 arguments, not 1"},
    {"(:action a :effect (increase (total-cost) (* 2 (way c c))))", "d 2:44 - a cost that is calculated by '*'"},
    {"(:action a :effect (increase (total-cost) (total-cost)))", "d 2:44 - a cost that depends on 'total-cost'"},
    {"(:action a :effect (when (p) (increase (total-cost) 1)))", "d 2:31 - costs that depend on a condition"},
    {"(:action a :effect (p)) (:action a :effect (p))", "d 2:34 the action 'a' is declared twice"},
    {"(:durative-action a :parameters ())", "d 2:2 - durative actions (':durative-action')"},
    {"(:derived (r) (p))", "d 2:12 the predicate 'r' is not declared"},
    {"(:derived (q ?x ?y) (p))", "d 2:12 'q' takes 1 argument, not 2"},
    {"(:derived (q ?x - s) (p))", "d 2:14 the predicate 'q' is about 't' there, not 's'"},
    {"(:derived (q c) (p))", "d 2:14 expected a variable, but found 'c'"},
    {"(:derived (p))", "d 2:14 expected '(' before a condition, but found ')'"},
    {"(:derived (p) (not (p)))", "d 2:11 the derived predicate 'p' depends on its own negation"},
    {"(:derived (p) (forall (?x) (far ?x))) (:derived (far ?x) (imply (p) (q c)))",
     "d 2:49 the derived predicate 'far' depends on its own negation"},
    {"(:derived (p) (far c)) (:action a :effect (p))", "d 2:44 an action cannot change the derived predicate 'p'"},
    {"(:predicates (p))", "d 3:2 a second ':predicates'"},
    {"(:requirements :typing foo)", "d 2:24 expected a requirement such as ':typing', but found 'foo'"},
    {"(:requirements :durative-actions :preferences)",
     "d 2:16 - the requirement ':durative-actions'\nd 2:34 - the requirement ':preferences'"},
    {"(:requirements :preferences) (:action a :effect (r)) (:durative-action b)",
     "d 2:55 - durative actions (':durative-action')\nd 2:16 - the requirement ':preferences'\n"
     "d 2:50 the predicate 'r' is not declared"},
    {"(:foo)", "d 2:2 ':foo' is no section of a domain"},
    {"(foo)", "d 2:2 'foo' is no section of a domain"},
    {"foo", "d 2:1 expected '(' and the keyword of a section, but found 'foo'"},
    {"(:constraints (p))", "d 2:2 - constraints (':constraints')"},
    {"(:constants c - s)", "d 2:2 a second ':constants'"},
};

// Whole domains.
constexpr Case kDomains[] = {
    {"(define (domain d) (:types a - a) (:predicates (p)))", "d 1:28 the type 'a' is above itself"},
    {"(define (domain d) (:types a - b b - c c - a d - a) (:predicates (p)))", "d 1:40 the type 'c' is above itself"},
    {"(define (domain d) (:types a - x) (:predicates (p)))", "d 1:32 the type 'x' is not declared"},
    {"(define (domain d) (:types a a) (:predicates (p)))", "d 1:30 the type 'a' is declared twice"},
    {"(define (domain d) (:types object - a) (:predicates (p)))",
     "d 1:28 'object' is the type of everything, and of no other type"},
    {"(define (domain d) (:types ?a) (:predicates (p)))", "d 1:28 expected the name of a type, but found '?a'"},
    {"(define (domain d) (:types truck) (:constants c - trick) (:predicates (p)))",
     "d 1:51 the type 'trick' is not declared; did you mean 'truck'?"},
    {"(define (domain d) (:predicates (p) (p)))", "d 1:38 the predicate 'p' is declared twice"},
    {"(define (domain d) (:predicates (p) and))", "d 1:37 expected '(' before a predicate, but found 'and'"},
    {"(define (domain d) (:predicates (p) (and)))", "d 1:38 a predicate cannot be called 'and'"},
    {"(define (domain d) (:predicates (p) (q ?x - t)))", "d 1:45 the type 't' is not declared"},
    {"(define (domain d) (:predicates (p) (q x)))", "d 1:40 expected a variable, but found 'x'"},
    {"(define (domain d) (:predicates (p)) (:functions (f) (f)))", "d 1:55 the function 'f' is declared twice"},
    {"(define (domain d) (:predicates (p)) (:functions (f) - object))",
     "d 1:56 - functions to objects: object fluents"},
    {"(define (domain d) (:types t t t) (:constants c - x) (:predicates (p)))",
     "d 1:30 the type 't' is declared twice\nd 1:32 the type 't' is declared twice"},
    {"(define (domain d) (:predicates (p))", "d 1:37 the '(' of 'define' is not closed"},
    {"(define (domain d) (:predicates (p) (:action a :effect (p)))", "d 1:20 this '(' is not closed before ':action'"},
    {"(define (domain d) (:action a :effect (and (p) (:predicates (p)))",
     "d 1:39 this '(' is not closed before ':predicates'"},
    {"(define (domain d) (:predicates (p))))", "d 1:38 this ')' has no '('"},
    {"(define (domain d) (:predicates (p))) foo", "d 1:39 expected the end of the text, but found 'foo'"},
    {"(define (domain d)", "d 1:19 the '(' of 'define' is not closed"},
    {"(define (domain)", "d 1:16 expected the name of the domain, but found ')'"},
    {"(define domain d)", "d 1:9 expected '(define (domain …' at the beginning, but found 'domain'"},
    {"(define (problem d))", "d 1:10 expected '(define (domain …' at the beginning, but found 'problem'"},
    {"define", "d 1:1 expected '(define (domain …' at the beginning, but found 'define'"},
    {"", "d 1:1 expected '(define (domain …' at the beginning, but found the end of the text"},
    {"; only a comment", "d 1:17 expected '(define (domain …' at the beginning, but found the end of the text"},
    {"(define (domain d) (:predicates (p)) (:action a", "d 1:38 this '(' is not closed before the end of the text"},
};

// Whole problems.
constexpr Case kProblems[] = {
    {"(define (problem x) (:domain d) (:init) (:goal (p)))", ""},
    {"(define (problem x) (:domain e) (:init) (:goal (p)))",
     "p 1:30 this problem is of the domain 'e', but the domain is 'd'"},
    {"(define (problem x))",
     "p 1:18 this problem has no '(:domain …)'\np 1:18 this problem has no '(:init …)'\n"
     "p 1:18 this problem has no '(:goal …)'"},
    {"(define (problem x) (:domain d) (:goal (p)))", "p 1:18 this problem has no '(:init …)'"},
    {"(define (problem x) (:domain d) (:init))", "p 1:18 this problem has no '(:goal …)'"},
    {"(define (problem x) (:domain d) (:init) (:goal))", "p 1:47 expected '(' before a condition, but found ')'"},
    {"(define (problem x) (:domain d) (:init) (:goal (p) (p)))", "p 1:52 expected ')' after the goal, but found '('"},
    {"(define (problem x) (:domain d) (:init) (:init) (:goal (p)))", "p 1:42 a second ':init'"},
    {"(define (problem x) (:domain d) (:objects o - t o - s) (:init) (:goal (p)))",
     "p 1:49 the object 'o' is declared twice, with different types"},
    {"(define (problem x) (:domain d) (:objects c - s) (:init) (:goal (p)))",
     "p 1:43 the object 'c' is declared twice, with different types"},
    {"(define (problem x) (:domain d) (:objects o - u) (:init) (:goal (p)))", "p 1:47 the type 'u' is not declared"},
    {"(define (problem x) (:domain d) (:objects o - (either s t)) (:init (q o) (lit o) (q e)) (:goal (p)))",
     "p 1:85 argument 1 of 'q' is of type 't', but 'e' is of type 's'"},
    {"(define (problem x) (:domain d) (:init (r)) (:goal (p)))", "p 1:41 the predicate 'r' is not declared"},
    {"(define (problem x) (:domain d) (:init (p) (not (p))) (:goal (p)))", "p 1:50 (p) is both true and false"},
    {"(define (problem x) (:domain d) (:init (q ?x)) (:goal (p)))", "p 1:43 there cannot be a variable here"},
    {"(define (problem x) (:domain d) (:init (dd)) (:goal (p)))",
     "p 1:41 the initial state cannot say what the derived predicate 'dd' is"},
    {"(define (problem x) (:domain d) (:init (at 5 (p))) (:goal (p)))",
     "p 1:41 - timed initial literals ('at' with a number)"},
    {"(define (problem x) (:domain d) (:init p) (:goal (p)))", "p 1:40 expected '(' before an atom, but found 'p'"},
    {"(define (problem x) (:domain d) (:init (= c e)) (:goal (p)))", "p 1:41 different objects are never the same"},
    {"(define (problem x) (:domain d) (:init (= (way c c) 3) (= (way c c) 4)) (:goal (p)))",
     "p 1:60 this value was already said to be 3"},
    {"(define (problem x) (:domain d) (:init (= (way c c) c)) (:goal (p)))",
     "p 1:53 - functions to objects: object fluents"},
    {"(define (problem x) (:domain d) (:init (= (way c c) x)) (:goal (p)))", "p 1:53 expected a number, but found 'x'"},
    {"(define (problem x) (:domain d) (:init (= (wax c c) 1)) (:goal (p)))",
     "p 1:44 the function 'wax' is not declared; did you mean 'way'?"},
    {"(define (problem x) (:domain d) (:init (= way 1)) (:goal (p)))", "p 1:43 'way' takes 2 arguments, not 0"},
    {"(define (problem x) (:domain d) (:init (= (total-cost) 1)) (:goal (p)))",
     "p 1:56 - a total cost that does not begin with 0"},
    {"(define (problem x) (:domain d) (:init (= (way c c) 1.5)) (:goal (p)))",
     "p 1:53 - costs that are not whole numbers"},
    {"(define (problem x) (:domain d) (:init (or (p) (p))) (:goal (p)))",
     "p 1:41 the predicate 'or' is not declared; did you mean 'on'?"},
    {"(define (problem x) (:domain d) (:init) (:goal (p)) (:metric maximize (total-cost)))",
     "p 1:62 - a metric that is maximized"},
    {"(define (problem x) (:domain d) (:init) (:goal (p)) (:metric minimize (total-time)))",
     "p 1:71 - a metric other than 'total-cost'"},
    {"(define (problem x) (:domain d) (:init) (:goal (p)) (:metric minimize (+ (total-cost) 1)))",
     "p 1:71 - a metric other than 'total-cost'"},
    {"(define (problem x) (:domain d) (:init) (:goal (p)) (:metric foo (total-cost)))",
     "p 1:62 expected 'minimize', but found 'foo'"},
    {"(define (problem x) (:domain d) (:init) (:goal (preference g (p))))",
     "p 1:49 - preferences and constraints ('preference')"},
    {"(define (problem x) (:domain d) (:init) (:goal (forall (?x - t) (lit ?x))))",
     "p 1:70 argument 1 of 'lit' is of type 's', but '?x' is of type 't'"},
    {"(define (problem x) (:domain d) (:init) (:goal (q ?y)))", "p 1:51 the variable '?y' is not declared"},
    {"(define (problem x) (:domain d) (:init) (:goal (p)) (:constraints (p)))",
     "p 1:54 - constraints (':constraints')"},
    {"(define (problem x) (:domain d) (:init) (:goal (p)) (:predicates (p)))",
     "p 1:54 ':predicates' is no section of a problem"},
    {"(define (problem x) (:domain d) (:init (p) (:goal (p)))", "p 1:33 this '(' is not closed before ':goal'"},
    {"(define (problem x) (:domain d) (:init (q c)", "p 1:33 this '(' is not closed before the end of the text"},
    {"(define (domain x) (:domain d) (:init) (:goal (p)))",
     "p 1:10 expected '(define (problem …' at the beginning, but found 'domain'"},
};

constexpr const char* kProblem = "(define (problem x) (:domain d) (:init) (:goal (p)))";

// With two types, two constants, predicates and costs, behind those sections that are given.
std::string domain_with(const std::string& sections, const std::string& more_predicates = "") {
  return "(define (domain d) (:types s t) (:constants c - t e - s)\n" + sections +
         "\n(:predicates (p) (q ?x - t) (on ?x ?y) (lit ?x - s) (far ?x)" + more_predicates +
         ") (:functions (total-cost) (way ?x ?y - t) - number))";
}

TEST(PddlMalformed, Sections) {
  for (const Case& c : kSections) EXPECT_EQ(PddlTask(domain_with(c.text), kProblem).said(), c.said) << c.text;
}

TEST(PddlMalformed, Domains) {
  for (const Case& c : kDomains) EXPECT_EQ(PddlTask(c.text, kProblem).said(), c.said) << c.text;
}

TEST(PddlMalformed, Problems) {
  const std::string domain = domain_with("(:derived (dd) (p))", " (dd)");
  for (const Case& c : kProblems) EXPECT_EQ(PddlTask(domain, c.text).said(), c.said) << c.text;
}

TEST(PddlMalformed, SaysNoMoreThanEnough) {
  std::string effects;
  for (int i = 0; i < 1000; ++i) effects += " (r" + std::to_string(i) + ")";
  const PddlTask task(domain_with("(:action a :effect (and" + effects + "))"), "(define");
  EXPECT_EQ(task.diagnostics.all().size(), Diagnostics::kMaxErrors);
}

TEST(PddlMalformed, TextThatIsNoText) {
  EXPECT_EQ(PddlTask(domain_with("(:action \x80 :effect (p))"), kProblem).diagnostics.all().size(), 1U);
  EXPECT_EQ(PddlTask(std::string(1000, '\0'), kProblem).diagnostics.all().size(), 1U);
  EXPECT_EQ(PddlTask(domain_with(""), "\x1b[31m\xff").said(),
            "p 1:1 expected '(define (problem …' at the beginning, but found '?[31m?'");
  EXPECT_EQ(PddlTask(domain_with("(:action " + std::string(20'000, 'a') + " :effect (p))"), kProblem).said(),
            "d 2:10 - a name of so many characters");
}

// A message, or what was meant, and soon.
TEST(PddlMalformed, LargeInputs) {
  constexpr size_t kMany = 300'000;
  const std::string deep(kMany, '(');
  EXPECT_EQ(PddlTask(deep, kProblem).said(), "d 1:2 expected '(define (domain …' at the beginning, but found '('");
  EXPECT_EQ(PddlTask(domain_with("(:action a :precondition " + deep), kProblem).said(),
            "d 2:525 parentheses nested too deeply");
  EXPECT_EQ(PddlTask(domain_with(std::string(kMany, ')')), kProblem).said(), "d 2:2 this ')' has no '('");

  std::string chain = "(:types a0 - object";
  for (size_t i = 1; i < kMany; ++i) chain += " a" + std::to_string(i) + " - a" + std::to_string(i - 1);
  EXPECT_NE(PddlTask("(define (domain d) " + chain + "))", kProblem).said().find("- types nested so deeply"),
            std::string::npos);

  std::string variables;
  for (size_t i = 0; i < kMany; ++i) variables += " ?x" + std::to_string(i);
  EXPECT_NE(PddlTask(domain_with("(:action a :parameters (" + variables + "))"), kProblem)
                .said()
                .find("- so many variables at one place"),
            std::string::npos);

  std::string either;
  for (size_t i = 0; i < kMany; ++i) either += " s";
  EXPECT_EQ(PddlTask(domain_with("(:action a :parameters (?x - (either" + either + ")))"), kProblem).said(),
            "d 2:31 - 'either' of so many types");

  // Conditions that would be there once for each effect.
  std::string conditions;
  std::string effects;
  for (size_t i = 0; i < 10'000; ++i) {
    conditions += " (p)";
    effects += " (q c)";
  }
  EXPECT_NE(PddlTask(domain_with("(:action a :effect (when (and" + conditions + ") (and" + effects + ")))"), kProblem)
                .said()
                .find("- so many effects with so long conditions"),
            std::string::npos);

  std::string objects;
  std::string atoms;
  for (size_t i = 0; i < kMany; ++i) {
    objects += " o" + std::to_string(i);
    atoms += " (on o" + std::to_string(i / 2) + " c)";
  }
  const PddlTask large(domain_with(""),
                       "(define (problem x) (:domain d) (:objects" + objects + ") (:init" + atoms + ") (:goal (p)))");
  EXPECT_EQ(large.said(), "");
  EXPECT_EQ(large.task.objects.size(), kMany + 2);
  EXPECT_EQ(large.task.initial.size(), kMany / 2);
}

TEST(PddlMalformed, EndsWithItsWatch) {
  const Watch watch({.polls = 100});
  Diagnostics diagnostics(watch);
  Sources sources;
  const uint32_t domain = sources.add_file("domain.pddl", domain_with(""));
  const uint32_t problem = sources.add_file("problem.pddl", kProblem);
  EXPECT_THROW(pddl::parse(sources, domain, problem, diagnostics), Error);
}

}  // namespace
}  // namespace harrier::testing
