// Partial-order reduction: which locations are safe, and that following one process misses no goal and no deadlock.
#include "step/reduction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "model/analysis.h"
#include "random/rng.h"
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

// The process that is followed from a state (empty: the initial one) if all states are new; "": nobody.
std::string followed(const model::System& system, const model::Property& property, const Values& from = {}) {
  const Semantics semantics(system, property);
  DiscreteGenerator generator(semantics, Watch::none());
  EXPECT_TRUE(generator.load_initial());
  if (!from.empty()) generator.load(from);
  const Values before = generator.all_values();
  const auto p = Reduction(system, property.goal).process_to_follow(generator, [](const uint64_t*) { return true; });
  EXPECT_EQ(generator.all_values(), before) << "the state is left as it was";
  return p ? system.processes[*p].name : "";
}

std::string followed(const std::string& model, const std::string& query = "E<> false") {
  const Subject subject(model, query);
  return followed(subject.system(), subject.property);
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
  std::set<Values> deadlocks;
  std::set<Values> views;  // the values of the variables that the goal reads
};

enum class Order : uint8_t { Breadth, Depth };

Explored explore(const model::System& system, const model::Property& property, Order order, bool reduced) {
  const Semantics semantics(system, property);
  DiscreteGenerator generator(semantics, Watch::none());
  const Reduction reduction(system, property.goal);
  std::set<model::VarId> visible;
  for (const model::Clause& clause : property.goal) {
    if (clause.deadlock == model::DeadlockTest::IsDeadlock) continue;
    for (const model::VarId v : model::Accesses(system).of(clause).reads) visible.insert(v);
  }
  Explored out;
  std::set<Values> seen;
  std::deque<Values> open;
  const auto take = [&] {
    if (!seen.insert(generator.all_values()).second) return;
    open.push_back(generator.all_values());
    Values view;
    for (const model::VarId v : visible) view.push_back(generator.values()[v.value]);
    out.views.insert(view);
    if (generator.goal()) out.goal = true;
    if (!generator.can_move()) out.deadlocks.insert(generator.all_values());
  };
  const auto is_new = [&](const uint64_t* words) {
    Values values(system.variables.size());
    semantics.layout().unpack(words, values.data());
    return !seen.contains(values);
  };
  generator.initial([&] {
    take();
    return true;
  });
  while (!open.empty()) {
    const Values next = order == Order::Breadth ? open.front() : open.back();
    if (order == Order::Breadth) {
      open.pop_front();
    } else {
      open.pop_back();
    }
    generator.load(next);
    const auto sink = [&](const Firing&) {
      take();
      return true;
    };
    const auto alone = reduced ? reduction.process_to_follow(generator, is_new) : std::nullopt;
    if (alone) {
      generator.successors_of(*alone, sink);
    } else {
      generator.successors(sink);
    }
  }
  out.states = seen.size();
  return out;
}

// Compares the reduced exploration with the plain one; says how many states each order saves.
size_t expect_nothing_missed(const model::System& system, const model::Property& property) {
  const Explored plain = explore(system, property, Order::Breadth, false);
  size_t saved = 0;
  for (const Order order : {Order::Breadth, Order::Depth}) {
    const Explored reduced = explore(system, property, order, true);
    EXPECT_EQ(reduced.goal, plain.goal);
    EXPECT_EQ(reduced.deadlocks, plain.deadlocks);
    EXPECT_EQ(reduced.views, plain.views);
    EXPECT_LE(reduced.states, plain.states);
    saved += plain.states - reduced.states;
  }
  return saved;
}

size_t expect_nothing_missed(const std::string& model, const std::string& query) {
  SCOPED_TRACE(query);
  const Subject subject(model, query);
  return expect_nothing_missed(subject.system(), subject.property);
}

// ---- safe locations ----

TEST(Reduction, FollowsAProcessThatUsesOnlyWhatIsItsOwn) {
  EXPECT_EQ(followed(beside_q("", "int[0,3] n;", "guard n == 0; assign n = 2;")), "P");
  EXPECT_EQ(followed(beside_q("int[0,3] n;", "", "guard n == 0; assign n = 2;")), "P")
      << "wherever a variable is declared: nobody else uses it";
  EXPECT_EQ(followed(beside_q("", "", "")), "P");
}

TEST(Reduction, AVariableOfTwoProcessesIsShared) {
  EXPECT_EQ(followed(beside_q("", "", "guard g == 0;")), "");
  EXPECT_EQ(followed(beside_q("", "", "assign g = 2;")), "");
  EXPECT_EQ(followed(beside_q("", "int[0,3] n;", "assign n = g;")), "");
  EXPECT_EQ(followed(beside_q("void set() { g = 2; }\n", "", "assign set();")), "") << "also inside functions";
}

TEST(Reduction, OneUnsafeEdgeIsEnoughAndOtherLocationsStaySafe) {
  const Subject subject(
      "int[0,3] g;"
      "process P() { int[0,3] n; state A, B, C; init A;"
      " trans A -> B { assign n = 1; }, A -> C { guard g == 3; }, B -> C { assign n = 2; }; }"
      "process Q() { state A, B; init A; trans A -> B { assign g = 1; }; }"
      "system P, Q;",
      "E<> false");
  EXPECT_EQ(followed(subject.system(), subject.property), "") << "from A another edge reads g, though it is closed";
  Values values = subject.system().initial_values();
  values[subject.system().processes[0].location.value] = 1;
  EXPECT_EQ(followed(subject.system(), subject.property, values), "P");
  values[subject.system().processes[0].location.value] = 2;
  EXPECT_EQ(followed(subject.system(), subject.property, values), "") << "nothing leaves C";
}

TEST(Reduction, WhatTheGoalReadsIsVisible) {
  const std::string model = beside_q("", "int[0,3] n;", "assign n = 2;");
  EXPECT_EQ(followed(model, "E<> P.n == 2"), "");
  EXPECT_EQ(followed(model, "E<> P.B"), "");
  EXPECT_EQ(followed(model, "A[] P.n < 2 or g == 1"), "");
  EXPECT_EQ(followed(model, "E<> Q.B and g == 1"), "P");
}

TEST(Reduction, DeadlocksAreKeptWhateverIsVisibleInThem) {
  const std::string model = beside_q("", "int[0,3] n;", "assign n = 2;");
  EXPECT_EQ(followed(model, "E<> deadlock"), "P");
  EXPECT_EQ(followed(model, "E<> deadlock and P.n == 2"), "P");
  EXPECT_EQ(followed(model, "E<> not deadlock"), "");
  EXPECT_EQ(followed(model, "E<> P.n == 2 and not deadlock"), "");
  EXPECT_EQ(followed(model, "E<> deadlock or P.n == 2"), "") << "a clause of its own";
}

TEST(Reduction, SynchronisationsAreNotSafe) {
  EXPECT_EQ(followed(beside_q("chan c;", "", "sync c!;")), "");
  EXPECT_EQ(followed(beside_q("chan c;", "", "sync c?;")), "");
  EXPECT_EQ(followed(beside_q("broadcast chan c;", "", "sync c!;")), "");
}

TEST(Reduction, AnEdgeToWhereABroadcastIsHeardIsNotSafe) {
  const auto model = [](const std::string& channel) {
    return channel +
           " c; process P() { state A, B, C; init A; trans A -> B { }, B -> C { sync c?; }; }"
           "process Q() { state A, B; init A; trans A -> B { sync c!; }; } system P, Q;";
  };
  EXPECT_EQ(followed(model("broadcast chan")), "");
  EXPECT_EQ(followed(model("chan")), "P") << "a rendezvous waits for the receiver";
}

TEST(Reduction, NothingIsSafeWithClocksPrioritiesOrLocationsThatAreNotNormal) {
  ASSERT_EQ(followed(beside_q("chan c;", "", "")), "P");
  EXPECT_EQ(followed(beside_q("clock x;", "", "")), "");
  EXPECT_EQ(followed(beside_q("chan c; chan priority c < default;", "", "")), "");
  for (const std::string added : {"commit B;", "urgent B;"}) {
    EXPECT_EQ(followed("process P() { state A, B; " + added + " init A; trans A -> B { }; } system P;"), "") << added;
  }
  EXPECT_EQ(followed("process P() { int[0,3] n; state A, B { n < 3 }; init A; trans A -> B { }; } system P;"), "");
  EXPECT_EQ(followed("process P() { state A, B; init A; trans A -> B { }; }"
                     "process Q() { state A; init A; } system P < Q;"),
            "");
  EXPECT_EQ(followed("int n; before_update { n = 0 } process P() { state A, B; init A; trans A -> B { }; } system P;"),
            "");
  EXPECT_EQ(followed("int n; after_update { n = 0 } process P() { state A, B; init A; trans A -> B { }; } system P;"),
            "");
}

TEST(Reduction, EdgesThatDependOnOthersOrTakeControlAreNotSafe) {
  const auto with = [](const std::function<void(SystemBuilder&, model::Edge&)>& change) {
    SystemBuilder b;
    const auto p = b.process("P", {"A", "B"});
    const auto e = b.edge(p, 0, 1);
    change(b, b.edge(e));
    return followed(b.system, nothing());
  };
  EXPECT_EQ(with([](SystemBuilder&, model::Edge&) {}), "P");
  EXPECT_EQ(with([](SystemBuilder&, model::Edge& e) { e.urgency = 1; }), "");
  EXPECT_EQ(with([](SystemBuilder&, model::Edge& e) { e.when_idle = true; }), "");
  EXPECT_EQ(with([](SystemBuilder& b, model::Edge& e) {
              e.keeps_control = true;
              b.system.control = b.var("control", 0, 1);
            }),
            "");
  EXPECT_EQ(with([](SystemBuilder& b, model::Edge&) {
              b.system.control = b.var("control", 0, 2);
              b.system.claim = b.process("claim", {"A"});
            }),
            "")
      << "a claim sees every step";
}

TEST(Reduction, NobodyIsFollowedWhileSomebodyHasControl) {
  SystemBuilder b;
  const auto p = b.process("P", {"A", "B"});
  b.edge(p, 0, 1);
  b.system.control = b.var("control", 0, 1);
  Values values = b.system.initial_values();
  EXPECT_EQ(followed(b.system, nothing(), values), "P");
  values[b.system.control.value] = 1;
  EXPECT_EQ(followed(b.system, nothing(), values), "");
}

TEST(Reduction, WhatStartsAProcessDoesNotShareItsVariables) {
  SystemBuilder b;
  const auto parameter = b.var("parameter", 0, 3);
  const auto child = b.process("child", {"does not run", "A", "B"});
  const auto parent = b.process("parent", {"A", "B"});
  const auto run = b.edge(parent, 0, 1);
  const auto location = b.system.processes[child.value].location;
  b.edge(run).effect = {b.set(parameter, 2), b.set(location, 1)};
  const auto e = b.edge(child, 1, 2);
  b.edge(e).guard = {b.eq(parameter, 2)};
  EXPECT_EQ(followed(b.system, nothing()), "") << "the start itself is not safe";
  Values values = b.system.initial_values();
  values[parameter.value] = 2;
  values[location.value] = 1;
  EXPECT_EQ(followed(b.system, nothing(), values), "child");
  b.edge(run).guard = {b.eq(parameter, 0)};
  EXPECT_EQ(followed(b.system, nothing(), values), "") << "a parent that reads it shares it";
}

// ---- the proviso ----

TEST(Reduction, AProcessIsFollowedOnlyIntoStatesThatAreNew) {
  SystemBuilder b;
  const auto p = b.process("P", {"A", "B", "C"});
  b.edge(p, 0, 1);
  b.edge(p, 0, 2);
  const auto q = b.process("Q", {"A", "B"});
  b.edge(q, 0, 1);
  const Semantics semantics(b.system, nothing());
  DiscreteGenerator generator(semantics, Watch::none());
  const Reduction reduction(b.system, {});
  // The states that are seen, by the locations of P and Q.
  const auto follow = [&](const std::set<Values>& seen) {
    EXPECT_TRUE(generator.load_initial());
    return reduction.process_to_follow(generator, [&](const uint64_t* words) {
      Values values(b.system.variables.size());
      semantics.layout().unpack(words, values.data());
      EXPECT_NE(values, b.system.initial_values());
      return !seen.contains(values);
    });
  };
  EXPECT_EQ(follow({}), 0u);
  EXPECT_EQ(follow({{1, 0}}), 1u) << "one of P's two states is known";
  EXPECT_EQ(follow({{2, 0}}), 1u);
  EXPECT_EQ(follow({{0, 1}}), 0u);
  EXPECT_EQ(follow({{2, 0}, {0, 1}}), std::nullopt);
}

TEST(Reduction, AProcessThatCannotMoveIsNotFollowed) {
  EXPECT_EQ(followed("process P() { int[0,3] n; state A, B; init A; trans A -> B { guard n == 1; }; }"
                     "process Q() { state A, B; init A; trans A -> B { }; } system P, Q;"),
            "Q");
  EXPECT_EQ(followed("process P() { int[0,3] n; state A, B; init A; trans A -> B { assign n = n - 1; }; }"
                     "process Q() { state A, B; init A; trans A -> B { }; } system P, Q;"),
            "Q")
      << "P would leave a range";
}

TEST(Reduction, ALoopOfOneProcessDoesNotHideTheOthers) {
  const std::string model =
      "int[0,1] g; process P() { int[0,1] n; state A; init A; trans A -> A { assign n = 1 - n; }; }"
      "process Q() { state A, B; init A; trans A -> B { assign g = 1; }; } system P, Q;";
  EXPECT_EQ(followed(model), "P");
  expect_nothing_missed(model, "E<> g == 1");
  expect_nothing_missed(model, "E<> Q.B");
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

TEST(Reduction, AReceiverThatGetsReadyForAnOrdinarySendIsFollowed) {
  const PromelaSubject subject(
      "chan c = [0] of { byte }; byte x;"
      "active proctype P() { byte k; k = 1; c?k }"
      "active proctype Q() { c!1; x = 1 }",
      {.goals = {"x == 1"}});
  EXPECT_NE(followed(subject.system(), subject.property()), "");
  expect_nothing_missed(subject.system(), subject.property());
}

// Processes with variables of their own and a shared one, rendezvous and broadcasts; urgency, idleness and control.
struct RandomModel {
  explicit RandomModel(uint64_t seed) {
    Rng rng(seed);
    const bool preemptive = rng.chance(50);
    const auto shared = b.var("shared", 0, 2);
    const model::ChannelId channels[] = {b.channel("c"), b.channel("d"), b.channel("all", true)};
    const auto processes = static_cast<uint32_t>(2 + rng.below(3));
    if (preemptive && rng.chance(70)) b.system.control = b.var("control", 0, static_cast<int32_t>(processes));
    for (uint32_t i = 0; i < processes; ++i) {
      const auto locations = static_cast<uint32_t>(2 + rng.below(3));
      const auto own = b.var("own" + std::to_string(i), 0, 1);
      const auto p = b.process("P" + std::to_string(i), std::vector<std::string>(locations, "l"));
      for (uint32_t source = 0; source < locations; ++source) {
        const bool local = rng.chance(50);  // what leaves it is safe, unless there is more to it
        for (size_t n = 1 + rng.below(2); n-- > 0;) {
          const auto target =
              rng.chance(75) ? std::min(source + 1, locations - 1) : static_cast<uint32_t>(rng.below(locations));
          const bool internal = local || rng.chance(30);
          const model::ChannelId channel = channels[rng.chance(80) ? 0 : 1 + rng.below(2)];
          const auto e = internal         ? b.edge(p, source, target)
                         : rng.chance(50) ? b.send(p, source, target, channel)
                                          : b.receive(p, source, target, channel);
          const auto read = local || rng.chance(70) ? own : shared;
          const auto written = local || rng.chance(70) ? own : shared;
          if (rng.chance(30)) b.edge(e).guard = {b.eq(read, rng.between(0, 1))};
          if (rng.chance(50)) b.edge(e).effect = {b.set(written, rng.between(0, 1))};
          if (!preemptive) continue;
          if (rng.chance(40)) b.edge(e).urgency = 1;
          if (rng.chance(5)) b.edge(e).when_idle = true;
          if (b.system.control.valid() && rng.chance(20)) b.edge(e).keeps_control = true;
        }
      }
    }
    const auto& last = b.system.processes.back();
    switch (rng.below(3)) {
      case 0: property = SystemBuilder::reachable({b.eq(shared, 1)}); break;
      case 1: property = SystemBuilder::reachable({b.eq(last.location, 1), b.eq(shared, 0)}); break;
      default: property = SystemBuilder::reachable({}, {}, model::DeadlockTest::IsDeadlock); break;
    }
  }

  SystemBuilder b;
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
