// Partial-order reduction: which locations are safe, and that following one process misses no goal and no deadlock.
#include "step/reduction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "random/rng.h"
#include "search/discrete_space.h"
#include "support/subject.h"
#include "support/system_builder.h"
#include "support/watch.h"

namespace harrier::step {
namespace {

using testing_support::PromelaSubject;
using testing_support::Rng;
using testing_support::Subject;
using testing_support::SystemBuilder;
using Values = std::vector<int32_t>;

const model::Property& nothing() {
  static const model::Property property{.goal = {}};
  return property;
}

// The processes that are closed alone in a state (empty: the initial one) and can make a transition, by name.
std::set<std::string> alone(const model::System& system, const model::Property& property, const Values& from = {}) {
  const Semantics semantics(system, property);
  const Independence independence(system, property.goal, true, Watch::none());
  DiscreteGenerator generator(semantics, Watch::none());
  EXPECT_TRUE(generator.load_initial());
  if (!from.empty()) generator.load(from);
  std::set<std::string> out;
  if (!independence.applies() || generator.is_transient()) return out;
  Reduction reduction(independence, Watch::none());
  for (uint32_t p = 0; p < system.processes.size(); ++p) {
    const bool closed = reduction.is_closed_alone(generator.values(), p);
    if (closed && generator.can_move(p)) out.insert(system.processes[p].name);
  }
  return out;
}

// Whether the first process is among them.
bool first_alone(const model::System& system, const model::Property& property, const Values& from = {}) {
  return alone(system, property, from).contains(system.processes[0].name);
}

bool first_alone(const std::string& model, const std::string& query = "E<> false") {
  const Subject subject(model, query);
  return first_alone(subject.system(), subject.property);
}

// A process P with an edge of these labels, and two others that share g.
std::string beside_q(const std::string& declarations, const std::string& locals, const std::string& labels) {
  return "int[0,3] g;\n" + declarations + "process P() { " + locals + " state A, B; init A; trans A -> B { " + labels +
         " }; }\nprocess Q() { state A, B; init A; trans A -> B { assign g = 1; }; }\n"
         "process R() { state A, B; init A; trans A -> B { guard g == 1; }; }\nsystem P, Q, R;\n";
}

// What an exploration meets.
struct Explored {
  size_t states = 0;
  bool goal = false;
  bool fails = false;
  std::set<Values> deadlocks;
};

enum class Order : uint8_t { Breadth, Depth };

Explored explore(const model::System& system, const model::Property& property, Order order, bool reduced,
                 bool passing = false) {
  const Semantics semantics(system, property);
  DiscreteGenerator look_out(semantics, Watch::none());
  Budget budget;
  search::DiscreteSpace space(
      semantics, budget, false,
      {.layers = {.reduce = reduced, .pass_through = passing}, .last_first = order == Order::Depth});
  Explored out;
  std::deque<uint64_t> open;
  const auto take = [&](uint64_t parent) {
    const store::Admission admission = space.admit(parent, 0);
    if (!admission.fresh) return;
    open.push_back(admission.id);
    if (space.goal()) out.goal = true;
    const Values values(space.candidate(), space.candidate() + system.variables.size());
    look_out.load(values);
    if (!look_out.can_move()) out.deadlocks.insert(values);
  };
  try {
    space.for_each_initial([&] {
      take(store::Origin::kNoParent);
      return true;
    });
    while (!open.empty()) {
      const uint64_t next = order == Order::Breadth ? open.front() : open.back();
      if (order == Order::Breadth) {
        open.pop_front();
      } else {
        open.pop_back();
      }
      space.for_each_successor(next, [&](const Firing&) {
        take(next);
        return true;
      });
    }
  } catch (const model::EvalFailure&) {
    out = {};
    out.fails = true;
  }
  out.states = space.stored();
  return out;
}

// Compares reduced explorations with the plain one; says how many states they save.
size_t expect_nothing_missed(const model::System& system, const model::Property& property) {
  const Explored plain = explore(system, property, Order::Breadth, false);
  const bool asks_for_deadlock = std::any_of(property.goal.begin(), property.goal.end(), [](const model::Clause& c) {
    return c.deadlock == model::DeadlockTest::IsDeadlock;
  });
  size_t saved = 0;
  for (const Order order : {Order::Breadth, Order::Depth}) {
    for (const bool passing : {false, true}) {
      SCOPED_TRACE(std::string(order == Order::Depth ? "last first" : "first first") + (passing ? ", passing" : ""));
      const Explored reduced = explore(system, property, order, true, passing);
      EXPECT_EQ(reduced.fails, plain.fails);
      EXPECT_EQ(reduced.goal, plain.goal);
      // Where an assertion has failed it does not matter how often.
      if (!plain.goal || asks_for_deadlock) {
        EXPECT_EQ(reduced.deadlocks, plain.deadlocks);
      }
      if (plain.fails) continue;
      EXPECT_LE(reduced.states, plain.states);
      saved += plain.states - std::min(plain.states, reduced.states);
    }
  }
  return saved;
}

size_t expect_nothing_missed(const std::string& model, const std::string& query) {
  SCOPED_TRACE(query);
  const Subject subject(model, query);
  return expect_nothing_missed(subject.system(), subject.property);
}

// ---- processes that are closed alone ----

TEST(Reduction, AProcessThatUsesOnlyWhatIsItsOwnNeedsNobody) {
  EXPECT_TRUE(first_alone(beside_q("", "int[0,3] n;", "guard n == 0; assign n = 2;")));
  EXPECT_TRUE(first_alone(beside_q("int[0,3] n;", "", "guard n == 0; assign n = 2;")))
      << "wherever a variable is declared: nobody else uses it";
  EXPECT_TRUE(first_alone(beside_q("", "", "")));
}

TEST(Reduction, WhatOthersWriteOrReadIsNeeded) {
  EXPECT_FALSE(first_alone(beside_q("", "", "guard g == 0;"))) << "Q makes it false";
  EXPECT_FALSE(first_alone(beside_q("", "", "assign g = 2;")));
  EXPECT_FALSE(first_alone(beside_q("", "int[0,3] n;", "assign n = g;")));
  EXPECT_FALSE(first_alone(beside_q("void set() { g = 2; }\n", "", "assign set();"))) << "also inside functions";
}

TEST(Reduction, WhatCannotChangeTheOutcomeIsNotNeeded) {
  EXPECT_TRUE(first_alone(beside_q("", "", "guard g < 2;"))) << "1 is as good as 0";
  EXPECT_TRUE(first_alone(beside_q("", "", "assign g = 1;"))) << "the same value";
  EXPECT_FALSE(first_alone(beside_q("", "", "assign g = g + 1;")));
}

TEST(Reduction, WhatMakesAClosedWayPossibleIsNeeded) {
  const std::string model =
      "int[0,3] g; process P() { int[0,3] n; state A, B, C; init A; trans A -> B { }, A -> C { guard g == 3; }; }"
      "process Q() { state A, B; init A; trans A -> B { assign g = VALUE; }; } system P, Q;";
  const auto with = [&](const std::string& value) { return std::string(model).replace(model.find("VALUE"), 5, value); };
  EXPECT_FALSE(first_alone(with("3")));
  EXPECT_TRUE(first_alone(with("1")));
}

TEST(Reduction, WhereAProcessHasLeftWhatMattersItIsNotNeeded) {
  const Subject subject(beside_q("", "", "assign g = 2;"), "E<> false");
  Values values = subject.system().initial_values();
  for (const size_t other : {1, 2}) values[subject.system().processes[other].location.value] = 1;
  EXPECT_TRUE(first_alone(subject.system(), subject.property, values));
}

TEST(Reduction, WhatChangesTheGoalIsVisible) {
  const std::string model = beside_q("", "int[0,3] n;", "assign n = 2;");
  EXPECT_TRUE(first_alone(model, "E<> P.n == 2")) << "nobody else changes the goal";
  EXPECT_FALSE(first_alone(model, "E<> P.n == 2 and g == 1"));
  EXPECT_FALSE(first_alone(model, "E<> P.B and Q.B"));
  EXPECT_FALSE(first_alone(model, "A[] P.n < 2 or g == 1"));
  EXPECT_TRUE(first_alone(model, "E<> Q.B and g == 1"));
}

TEST(Reduction, DeadlocksAreKeptWhateverIsVisibleInThem) {
  const std::string model = beside_q("", "int[0,3] n;", "assign n = 2;");
  EXPECT_TRUE(first_alone(model, "E<> deadlock"));
  EXPECT_TRUE(first_alone(model, "E<> deadlock and P.n == 2 and g == 1"));
  EXPECT_FALSE(first_alone(model, "E<> not deadlock"));
  EXPECT_FALSE(first_alone(model, "E<> P.n == 2 and not deadlock"));
  EXPECT_FALSE(first_alone(model, "E<> deadlock or P.n == 2 and g == 1")) << "a clause of its own";
}

TEST(Reduction, PartnersAreNeeded) {
  const auto model = [](const std::string& partner) {
    return "chan c; int[0,3] g; process P() { state A, B; init A; trans A -> B { sync c!; }; }"
           "process Q() { state A, B; init A; trans A -> B { " +
           partner + " }; } system P, Q;";
  };
  EXPECT_FALSE(first_alone(model("sync c?;")));
  const Subject subject(model("sync c?;"), "E<> false");
  EXPECT_EQ(alone(subject.system(), subject.property).size(), 0u);
}

TEST(Reduction, AnEdgeToWhereABroadcastIsHeardNeedsItsSenders) {
  const auto model = [](const std::string& channel) {
    return channel +
           " c; process P() { state A, B, C; init A; trans A -> B { }, B -> C { sync c?; }; }"
           "process Q() { state A, B; init A; trans A -> B { sync c!; }; } system P, Q;";
  };
  EXPECT_FALSE(first_alone(model("broadcast chan")));
  EXPECT_TRUE(first_alone(model("chan"))) << "a rendezvous waits for the receiver";
}

TEST(Reduction, DoesNotApplyWithClocksPrioritiesOrLocationsThatAreNotNormal) {
  const auto applies = [](const std::string& model) {
    const Subject subject(model, "E<> false");
    const bool out = Independence(subject.system(), subject.property.goal, true, Watch::none()).applies();
    EXPECT_EQ(out, !hindrance_to_reduction(subject.system(), subject.property.goal));
    return out;
  };
  const std::string q = "process Q() { state A; init A; }";
  ASSERT_TRUE(applies(beside_q("chan c;", "", "")));
  EXPECT_FALSE(applies(beside_q("clock x;", "", "")));
  EXPECT_FALSE(applies(beside_q("chan c; chan priority c < default;", "", "")));
  for (const std::string added : {"commit B;", "urgent B;"}) {
    EXPECT_FALSE(applies("process P() { state A, B; " + added + " init A; trans A -> B { }; }" + q + "system P, Q;"));
  }
  EXPECT_FALSE(
      applies("process P() { int[0,3] n; state A, B { n < 3 }; init A; trans A -> B { }; }" + q + "system P, Q;"));
  EXPECT_FALSE(applies("process P() { state A, B; init A; trans A -> B { }; }" + q + "system P < Q;"));
  for (const std::string when : {"before", "after"}) {
    EXPECT_FALSE(applies("int n; " + when + "_update { n = 0 } process P() { state A, B; init A; trans A -> B { }; }" +
                         q + "system P, Q;"));
  }
  EXPECT_FALSE(applies("process P() { state A, B; init A; trans A -> B { }; } system P;")) << "nobody to leave out";
}

TEST(Reduction, EdgesThatTakeControlBelongTogether) {
  const auto with = [](const std::function<void(SystemBuilder&, model::Edge&, model::Edge&)>& change) {
    SystemBuilder b;
    const auto shared = b.var("shared", 0, 3);
    const auto p = b.process("P", {"A", "B", "C"});
    const auto first = b.edge(p, 0, 1);
    const auto second = b.edge(p, 1, 2);
    b.edge(second).effect = {b.set(shared, 1)};
    const auto q = b.process("Q", {"A", "B"});
    b.edge(b.edge(q, 0, 1)).effect = {b.set(shared, 2)};
    b.system.control = b.var("control", 0, 2);
    change(b, b.edge(first), b.edge(second));
    return first_alone(b.system, nothing());
  };
  EXPECT_TRUE(with([](SystemBuilder&, model::Edge&, model::Edge&) {}));
  EXPECT_FALSE(with([](SystemBuilder&, model::Edge& e, model::Edge&) { e.keeps_control = true; }));
  EXPECT_TRUE(with([](SystemBuilder&, model::Edge& e, model::Edge& next) {
    e.keeps_control = true;
    next.effect.clear();
  }));
  EXPECT_FALSE(with([](SystemBuilder& b, model::Edge&, model::Edge&) { b.system.claim = b.process("claim", {"A"}); }))
      << "a claim sees every step";
}

TEST(Reduction, NothingIsLeftOutWhileSomebodyHasControl) {
  SystemBuilder b;
  const auto p = b.process("P", {"A", "B"});
  b.edge(p, 0, 1);
  b.process("Q", {"A"});
  b.system.control = b.var("control", 0, 2);
  Values values = b.system.initial_values();
  EXPECT_TRUE(first_alone(b.system, nothing(), values));
  values[b.system.control.value] = 1;
  EXPECT_FALSE(first_alone(b.system, nothing(), values));
}

TEST(Reduction, WhatStartsAProcessDoesNotShareItsVariables) {
  SystemBuilder b;
  const auto count = b.var("count", 0, 3);
  const auto parameter = b.var("parameter", 0, 3);
  const auto child = b.process("child", {"does not run", "A", "B"});
  const auto parent = b.process("parent", {"A", "B"});
  const auto run = b.edge(parent, 0, 1);
  const auto location = b.system.processes[child.value].location;
  b.edge(run).guard = {b.eq(count, 0)};
  b.edge(run).effect = {b.set(parameter, 2), b.set(location, 1), b.set(count, 1)};
  const auto e = b.edge(child, 1, 2);
  b.edge(e).guard = {b.eq(parameter, 2)};
  EXPECT_EQ(alone(b.system, nothing()), std::set<std::string>{"parent"}) << "the child needs it to be started";
  Values values = b.system.initial_values();
  values[parameter.value] = 2;
  values[location.value] = 1;
  values[count.value] = 1;
  EXPECT_TRUE(first_alone(b.system, nothing(), values));
  b.edge(run).guard.push_back(b.eq(parameter, 0));
  EXPECT_TRUE(first_alone(b.system, nothing(), values)) << "it cannot start what runs";
}

// ---- channels ----

// Whether the first of these processes is closed alone.
bool first_alone_with_channel(const std::string& text) {
  const PromelaSubject subject("chan c = [2] of { byte }; byte x = 5; " + text,
                               {.end_states = false, .assertions = false});
  return first_alone(subject.system(), nothing());
}

TEST(Reduction, TheEndsOfAChannelAreIndependent) {
  const std::string sender = "active proctype S() { c!1; c!2 }";
  const std::string receiver = "active proctype R() { byte k; c?k; c?k }";
  EXPECT_TRUE(first_alone_with_channel(sender + receiver)) << "there is room";
  EXPECT_FALSE(first_alone_with_channel(sender + receiver + "active proctype T() { c!3 }")) << "somebody else sends";
  EXPECT_FALSE(first_alone_with_channel(receiver + sender)) << "a message has to come";
  EXPECT_TRUE(first_alone_with_channel(sender + "active proctype T() { nfull(c) -> x = 1; full(c) -> x = 2 }") == false)
      << "nfull() sees what is sent";
  EXPECT_TRUE(first_alone_with_channel(sender + "active proctype T() { nempty(c) -> x = 1 }"));
  EXPECT_TRUE(first_alone_with_channel(sender + "active proctype T() { c?[1] -> x = 1 }"));
  EXPECT_FALSE(first_alone_with_channel(sender + "active proctype T() { x = len(c) }"));
  EXPECT_FALSE(first_alone_with_channel(sender + "active proctype T() { empty(c) -> x = 1 }"));
  EXPECT_FALSE(first_alone_with_channel(sender + "active proctype T() { if :: c?[1] -> x = 1 :: else fi }"));
  EXPECT_FALSE(first_alone_with_channel(sender + "active proctype T() { byte k; c??2 }"));
  EXPECT_FALSE(first_alone_with_channel("active proctype S() { c!!1 }" + receiver)) << "it looks for its place";
}

TEST(Reduction, ASortingPipelineIsASequence) {
  const PromelaSubject subject(
      "chan q0 = [2] of { byte }; chan q1 = [2] of { byte }; chan q2 = [2] of { byte };"
      "active proctype A() { q0!2; q0!1; q0!3 }"
      "active proctype B() { byte held, next; q0?held; do :: q0?next -> if :: next >= held -> q1!next"
      " :: else -> q1!held; held = next fi od }"
      "active proctype C() { byte held, next; q1?held; do :: q1?next -> if :: next >= held -> q2!next"
      " :: else -> q2!held; held = next fi od }",
      {.end_states = false});
  const size_t plain = explore(subject.system(), subject.property(), Order::Depth, false, true).states;
  const size_t reduced = explore(subject.system(), subject.property(), Order::Depth, true, true).states;
  EXPECT_LT(3 * reduced, plain);
  expect_nothing_missed(subject.system(), subject.property());
}

// ---- what waits does not wait for ever ----

TEST(Reduction, ALoopOfOneProcessDoesNotHideTheOthers) {
  const std::string model =
      "int[0,1] g; process P() { int[0,1] n; state A; init A; trans A -> A { assign n = 1 - n; }; }"
      "process Q() { state A, B; init A; trans A -> B { assign g = 1; }; } system P, Q;";
  EXPECT_TRUE(first_alone(model));
  expect_nothing_missed(model, "E<> g == 1");
  expect_nothing_missed(model, "E<> Q.B");
}

TEST(Reduction, AProcessIsNotFollowedRoundACycleWithoutBeingSeen) {
  const PromelaSubject subject(
      "byte g; active proctype P() { byte n; do :: n = 1 :: n = 0 :: n == 2 -> break od }"
      "active proctype Q() { g = 1; assert(g == 0) }");
  EXPECT_TRUE(explore(subject.system(), subject.property(), Order::Depth, true, true).goal);
  expect_nothing_missed(subject.system(), subject.property());
}

// ---- nothing is missed ----

TEST(Reduction, KeepsGoalsAndDeadlocksOfSmallModels) {
  const std::string independent =
      "int[0,4] g; process P(int[0,3] id) { int[0,3] n; state A, B, C; init A;"
      " trans A -> B { assign n = id; }, A -> B { assign n = 3 - id; }, B -> C { assign n = 0, g = g + 1; }; }"
      "system P;";
  const std::string blocking =
      "bool taken[2]; process P(int[0,1] id) { int[0,1] n; state A, B, C, D; init A;"
      " trans A -> B { guard not taken[id]; assign taken[id] = true; }, B -> C { assign n = 1; },"
      " C -> D { guard not taken[1 - id]; assign taken[1 - id] = true; },"
      " D -> A { assign taken[0] = false, taken[1] = false, n = 0; }; } system P;";
  const std::string meeting =
      "chan c; int[0,3] g; process S() { int[0,2] n; state A, B; init A;"
      " trans A -> A { guard n < 2; assign n = n + 1; }, A -> B { guard n == 2; }, B -> A { sync c!; assign n = 0; }; }"
      "process R(int[0,1] id) { int[0,1] k; state A, B, C; init A;"
      " trans A -> B { assign k = 1; }, B -> C { sync c?; assign g = g + 1; }, C -> A { guard id == 1; }; }"
      "system S, R;";
  EXPECT_GT(expect_nothing_missed(independent, "E<> g == 4"), 0u);
  EXPECT_GT(expect_nothing_missed(independent, "E<> deadlock"), 0u);
  EXPECT_GT(expect_nothing_missed(independent, "E<> P(0).B and P(0).n == 1 and g == 2"), 0u) << "not reachable";
  EXPECT_GT(expect_nothing_missed(blocking, "E<> deadlock"), 0u);
  EXPECT_GT(expect_nothing_missed(blocking, "E<> taken[0] and taken[1]"), 0u);
  EXPECT_GT(expect_nothing_missed(meeting, "E<> g == 3"), 0u);
  EXPECT_GT(expect_nothing_missed(meeting, "E<> R(0).C and R(1).B"), 0u);
  EXPECT_GT(expect_nothing_missed(meeting, "E<> deadlock"), 0u);
}

TEST(Reduction, KeepsGoalsOfTheExampleFamilies) {
  size_t untimed = 0;
  for (const families::Family& family : families::families()) {
    const Subject subject(family.generate(2));
    if (subject.system().clocks.size() > 1) continue;
    SCOPED_TRACE(family.name);
    ++untimed;
    expect_nothing_missed(subject.system(), subject.property);
  }
  EXPECT_GT(untimed, 1u);
}

// A receiver that becomes ready makes c! possible, which keeps a less urgent edge of the sender from firing.
TEST(Reduction, AReceiverThatGetsReadyMayCloseLessUrgentWays) {
  for (const std::string sender : {"{ x = 1 } unless { c!1 }", "if :: c!1 :: else -> x = 1 fi"}) {
    const PromelaSubject subject(
        "chan c = [0] of { byte }; byte x;"
        "active proctype P() { byte k; k = 1; c?k }"
        "active proctype Q() { " +
            sender + " }",
        {.goals = {"x == 1"}});
    SCOPED_TRACE(sender);
    EXPECT_TRUE(explore(subject.system(), subject.property(), Order::Breadth, false).goal);
    expect_nothing_missed(subject.system(), subject.property());
  }
}

// It may also let the sender keep control, so that nobody sees the state in which it waits.
TEST(Reduction, AReceiverThatGetsReadyMayLetOthersKeepControl) {
  const PromelaSubject subject(
      "chan c = [0] of { byte }; byte x, g;"
      "active proctype P() { byte k; k = 1; atomic { c?k; x = 0 } }"
      "active proctype Q() { atomic { x = 1; c!1 } }"
      "active proctype R() { x == 1 -> g = 1 }",
      {.goals = {"g == 1"}});
  EXPECT_TRUE(explore(subject.system(), subject.property(), Order::Breadth, false).goal);
  expect_nothing_missed(subject.system(), subject.property());
}

// What somebody in control waits for may keep it in control.
TEST(Reduction, WhatMakesAStatementPossibleMayLetOthersKeepControl) {
  const PromelaSubject subject(
      "byte x, y, g;"
      "active proctype P() { y = 1 }"
      "active proctype Q() { atomic { x = 1; y == 1; x = 0 } }"
      "active proctype R() { x == 1 -> g = 1 }",
      {.goals = {"g == 1"}});
  EXPECT_FALSE(first_alone(subject.system(), subject.property()));
  EXPECT_TRUE(explore(subject.system(), subject.property(), Order::Breadth, false).goal);
  expect_nothing_missed(subject.system(), subject.property());
}

// A broadcast takes along whom a variable lets take part.
TEST(Reduction, WhatMakesAReceiverReadyForABroadcastNeedsItsSenders) {
  const Subject subject(
      "broadcast chan c; int[0,1] y, q, g; process P() { state A, B; init A; trans A -> B { assign y = 1; }; }"
      "process Q() { state A, B; init A; trans A -> B { sync c!; assign q = 1; }; }"
      "process R() { state A, B, C; init A; trans A -> B { guard y == 1; sync c?; },"
      " A -> C { guard q == 1; assign g = 1; }; } system P, Q, R;",
      "E<> g == 1");
  EXPECT_TRUE(explore(subject.system(), subject.property, Order::Breadth, false).goal);
  EXPECT_FALSE(first_alone(subject.system(), subject.property));
  expect_nothing_missed(subject.system(), subject.property);
}

TEST(Reduction, AReceiverThatGetsReadyForAnOrdinarySendIsFollowed) {
  const PromelaSubject subject(
      "chan c = [0] of { byte }; byte x;"
      "active proctype P() { byte k; k = 1; c?k }"
      "active proctype Q() { c!1; x = 1 }",
      {.goals = {"x == 1"}});
  EXPECT_TRUE(first_alone(subject.system(), subject.property()));
  expect_nothing_missed(subject.system(), subject.property());
}

// One that changes it later is not known by what it has now.
TEST(Reduction, AChannelThatCanChangeIsNotSettled) {
  const PromelaSubject subject(
      "chan q[2] = [1] of { byte }; byte g;"
      "active proctype P() { q[0]!1; g = 1 }"
      "active proctype Q() { byte i = 1; chan c = q[i]; c!2; i = 0; c = q[i]; c!2 }",
      {.goals = {"g == 1", "q[0]??[2]"}});
  expect_nothing_missed(subject.system(), subject.property());
}

// Processes with variables of their own and a shared one, rendezvous and broadcasts, a channel with room for messages
// and an array; urgency, idleness and control.
struct RandomModel {
  explicit RandomModel(uint64_t seed) {
    Rng rng(seed);
    const bool preemptive = rng.chance(50);
    const bool meddling = rng.chance(40);  // processes have much to do with each other
    const auto shared = b.var("shared", 0, 2);
    const auto flag = b.var("flag", 0, 2);
    const bool has_queue = rng.chance(60);
    const auto room = static_cast<int32_t>(1 + rng.below(2));
    length = b.var("length", 0, room);
    slots = b.array("slots", static_cast<size_t>(room), 0, 1);
    b.system.queues.push_back({"q", length, {slots}});
    array = b.array("array", 2, 0, 1);
    const model::ChannelId channels[] = {b.channel("c"), b.channel("d"), b.channel("all", true)};
    const auto processes = static_cast<uint32_t>(2 + rng.below(3));
    if (preemptive && rng.chance(70)) b.system.control = b.var("control", 0, static_cast<int32_t>(processes));
    for (uint32_t i = 0; i < processes; ++i) {
      const auto locations = static_cast<uint32_t>(2 + rng.below(3));
      const auto own = b.var("own" + std::to_string(i), 0, 1);
      const auto p = b.process("P" + std::to_string(i), std::vector<std::string>(locations, "l"));
      for (uint32_t source = 0; source < locations; ++source) {
        const bool local = rng.chance(meddling ? 15 : 50);  // what leaves it is safe, unless there is more to it
        for (size_t n = 1 + rng.below(2); n-- > 0;) {
          const auto target =
              rng.chance(75) ? std::min(source + 1, locations - 1) : static_cast<uint32_t>(rng.below(locations));
          const bool internal = local || rng.chance(meddling ? 60 : 30);
          const model::ChannelId channel = channels[rng.chance(80) ? 0 : 1 + rng.below(2)];
          const auto e = internal         ? b.edge(p, source, target)
                         : rng.chance(50) ? b.send(p, source, target, channel)
                                          : b.receive(p, source, target, channel);
          const auto read = local || rng.chance(meddling ? 30 : 70) ? own : shared;
          const auto written = local || rng.chance(meddling ? 30 : 70) ? own : shared;
          if (rng.chance(meddling ? 60 : 30)) b.edge(e).guard = {b.eq(read, rng.between(0, 1))};
          if (rng.chance(50)) b.edge(e).effect = {b.set(written, rng.between(0, 1))};
          if (!local && internal && has_queue && rng.chance(70)) use_queue(rng, b.edge(e), own);
          if (!local && internal && rng.chance(15)) use_array(rng, b.edge(e), own);
          if (rng.chance(10)) b.edge(e).effect.push_back(b.set(flag, rng.between(1, 2)));
          if (!preemptive) continue;
          if (rng.chance(40)) b.edge(e).urgency = 1;
          if (rng.chance(5)) b.edge(e).when_idle = true;
          if (b.system.control.valid() && rng.chance(20)) b.edge(e).keeps_control = true;
        }
      }
    }
    const auto& last = b.system.processes.back();
    switch (rng.below(5)) {
      case 0: property = SystemBuilder::reachable({b.eq(shared, 1)}); break;
      case 3: property = SystemBuilder::reachable({b.op(model::Op::Ne, b.get(flag), b.num(0))}); break;
      case 1: property = SystemBuilder::reachable({b.eq(shared, 2)}); break;
      case 2: property = SystemBuilder::reachable({b.eq(last.location, 1), b.eq(shared, 0)}); break;
      default: property = SystemBuilder::reachable({}, {}, model::DeadlockTest::IsDeadlock); break;
    }
  }

  void use_queue(Rng& rng, model::Edge& e, model::VarId own) {
    using model::Op;
    const int32_t room = b.system.variable(length).hi;
    const auto compared = [&](Op op, int32_t value) { return b.op(op, b.get(length), b.num(value)); };
    switch (rng.below(9)) {
      case 0:
      case 1:
      case 2:
        e.guard.push_back(compared(Op::Lt, room));
        e.effect.push_back(b.run(b.store(slots, static_cast<uint32_t>(room), b.get(length), b.get(own))));
        e.effect.push_back(b.run(b.store(length, b.op(Op::Add, b.get(length), b.num(1)))));
        break;
      case 3:
      case 4:
      case 5:
        e.guard.push_back(compared(Op::Gt, 0));
        if (rng.chance(40)) e.guard.push_back(b.eq(slots, rng.between(0, 1)));
        if (rng.chance(60)) e.effect.push_back(b.run(b.store(own, b.get(slots))));
        if (room == 2) e.effect.push_back(b.run(b.store(slots, b.get(model::VarId(slots.value + 1)))));
        e.effect.push_back(b.set(model::VarId(slots.value + static_cast<uint32_t>(room) - 1), 0));
        e.effect.push_back(b.run(b.store(length, b.op(Op::Sub, b.get(length), b.num(1)))));
        break;
      case 6: e.guard.push_back(compared(rng.chance(50) ? Op::Lt : Op::Ge, rng.between(1, room))); break;
      case 7:
        if (rng.chance(50)) e.guard.push_back(compared(Op::Gt, 0));
        e.guard.push_back(b.eq(slots, rng.between(0, 1)));
        break;
      default: e.effect.push_back(b.run(b.store(own, b.op(Op::Gt, b.get(length), b.num(0))))); break;
    }
  }
  // The index may be outside.
  void use_array(Rng& rng, model::Edge& e, model::VarId own) {
    const auto index = rng.chance(50) ? b.get(own) : b.op(model::Op::Add, b.get(own), b.get(length));
    if (rng.chance(50)) {
      e.guard.push_back(b.op(model::Op::Eq, b.load(array, 2, index), b.num(rng.between(0, 1))));
    } else {
      e.effect.push_back(b.run(b.store(array, 2, index, b.num(rng.between(0, 1)))));
    }
  }

  SystemBuilder b;
  model::VarId length, slots, array;
  model::Property property;
};

TEST(Reduction, KeepsGoalsAndDeadlocksOfRandomModels) {
  size_t reduced = 0;
  for (uint64_t seed = 1; seed <= 10000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomModel model(seed);
    if (expect_nothing_missed(model.b.system, model.property) > 0) ++reduced;
  }
  EXPECT_GT(reduced, 300u);
}

}  // namespace
}  // namespace harrier::step
