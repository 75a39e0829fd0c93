// Landmarks and their count: examples worked out by hand, and on random models that landmarks are landmarks, and all of
// them.
#include "heur/landmark_count.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>

#include "families/families.h"
#include "heur_support.h"
#include "random_models.h"
#include "support/options.h"

namespace harrier {
namespace {

using heur::kDeadEnd;
using heur::LandmarkCount;
using heur::Landmarks;
using heur::RelaxedTask;
using testing_support::Example;
using testing_support::StateGraph;
using Memory = std::vector<uint64_t>;

std::shared_ptr<const RelaxedTask> relaxed(const Example& example) {
  return std::make_shared<RelaxedTask>(std::make_shared<const task::Task>(example.system(), example.property().goal));
}

// The count along a path of states, each with some variables set.
class Walk {
 public:
  explicit Walk(const Example& example) : example_(example), count_(relaxed(example)) {}

  uint32_t go(const std::map<std::string, int32_t>& state) {
    Memory after(count_.memory_words());
    const uint32_t h =
        count_.evaluate_after(memory_ ? memory_->data() : nullptr, example_.state(state).data(), after.data());
    memory_ = after;
    return h;
  }
  LandmarkCount& count() { return count_; }

 private:
  const Example& example_;
  LandmarkCount count_;
  std::optional<Memory> memory_;
};

TEST(LandmarkCount, CountsWhatIsAhead) {
  const Example example(
      "process P() { state a, b, c, d; init a; trans a -> b { }, b -> c { }, c -> d { }; }\nsystem P;\n", "E<> P.d");
  Walk walk(example);
  EXPECT_EQ(walk.count().landmarks().size(), 4u);
  EXPECT_EQ(walk.go({}), 3u);
  EXPECT_EQ(walk.go({{"P", 1}}), 2u);
  EXPECT_EQ(walk.go({{"P", 2}}), 1u);
  EXPECT_EQ(walk.go({{"P", 3}}), 0u);
}

// The same state by two ways: one has been at b, which every path to g has to.
TEST(LandmarkCount, DependsOnThePath) {
  const Example example(
      "process P() { state a, b, d, m1, m2, m3, m4, m5, g; init a;\n"
      "  trans a -> b { }, b -> d { }, a -> d { }, d -> b { }, b -> m1 { }, b -> m2 { }, b -> m3 { }, b -> m4 { },\n"
      "  b -> m5 { }, m1 -> g { }, m2 -> g { }, m3 -> g { }, m4 -> g { }, m5 -> g { }; }\n"
      "system P;\n",
      "E<> P.g");
  Walk with(example);
  EXPECT_EQ(with.go({}), 2u);
  EXPECT_EQ(with.go({{"P", 1}}), 1u);
  EXPECT_EQ(with.go({{"P", 2}}), 1u);
  Walk without(example);
  EXPECT_EQ(without.go({}), 2u);
  EXPECT_EQ(without.go({{"P", 2}}), 2u);
  // By the state alone: a path from d leads to g through b.
  EXPECT_EQ(without.count().evaluate(example.state({{"P", 2}}).data()), 2u);
  EXPECT_EQ(without.count().evaluate(example.state({{"P", 3}}).data()), 1u);
}

// Before d there is b or c.
TEST(LandmarkCount, CountsAlternatives) {
  const Example example(
      "process P() { state a, b, c, d; init a; trans a -> b { }, a -> c { }, b -> d { }, c -> d { }; }\nsystem P;\n",
      "E<> P.d");
  Walk walk(example);
  EXPECT_EQ(walk.go({}), 2u);
  EXPECT_EQ(walk.go({{"P", 2}}), 1u);
  EXPECT_EQ(walk.count().evaluate(example.initial().data()), 2u);
  EXPECT_EQ(walk.count().evaluate(example.state({{"P", 1}}).data()), 1u);
}

// P has to leave its place for Q, and to come back.
TEST(LandmarkCount, CountsWhatIsNeededAgain) {
  const Example example(
      "int[0,1] x;\nprocess P() { state a, b; init a; trans a -> b { assign x = 1; }, b -> a { }; }\n"
      "process Q() { state s, t; init s; trans s -> t { guard x == 1; }; }\nsystem P, Q;\n",
      "E<> P.a and Q.t");
  Walk walk(example);
  EXPECT_EQ(walk.go({}), 2u);                              // x == 1, t
  EXPECT_EQ(walk.go({{"P", 1}, {"x", 1}}), 2u);            // t, and a again
  EXPECT_EQ(walk.go({{"P", 1}, {"x", 1}, {"Q", 1}}), 1u);  // a
  EXPECT_EQ(walk.go({{"P", 0}, {"x", 1}, {"Q", 1}}), 0u);
}

// x = 1 should come before a, for setting it later loses a.
TEST(LandmarkCount, DoesNotAcceptWhatComesTooEarly) {
  const Example example(
      "int[0,1] x;\nprocess P() { state i, a, b; init i;\n"
      "  trans i -> a { }, i -> b { assign x = 1; }, a -> b { assign x = 1; }, b -> a { }; }\n"
      "process Q() { state s, t; init s; trans s -> t { guard x == 1; }; }\nsystem P, Q;\n",
      "E<> P.a and Q.t");
  Walk early(example);
  EXPECT_EQ(early.go({}), 3u);          // a, x == 1, t
  EXPECT_EQ(early.go({{"P", 1}}), 3u);  // the same
  Walk late(example);
  EXPECT_EQ(late.go({}), 3u);
  EXPECT_EQ(late.go({{"P", 2}, {"x", 1}}), 2u);
}

TEST(LandmarkCount, TakesTheNearestGoal) {
  const Example example(
      "process P() { state a, b, c; init a; trans a -> b { }, b -> c { }; }\n"
      "process Q() { state s, t; init s; trans s -> t { }; }\nsystem P, Q;\n",
      "E<> P.c or Q.t");
  Walk walk(example);
  EXPECT_EQ(walk.count().landmarks().goal_count(), 3u);  // c; a and t; b and t
  EXPECT_EQ(walk.go({}), 1u);
  EXPECT_EQ(walk.go({{"P", 1}}), 1u);
}

TEST(LandmarkCount, CountsRepeatedSteps) {
  const Example example(
      "int[0,30000] n;\nprocess P() { state a, b; init a; trans a -> a { assign n = n + 10; }, a -> b { guard n >= "
      "20000; };"
      " }\nsystem P;\n",
      "E<> P.b");
  Walk walk(example);
  EXPECT_EQ(walk.go({}), 2001u);
  EXPECT_EQ(walk.go({{"n", 15000}}), 501u);
  EXPECT_EQ(walk.go({{"n", 20000}}), 1u);
}

TEST(LandmarkCount, FindsDeadEndsAndPrefersByTheState) {
  const Example example(
      "process P() { state a, b, c, d; init a; trans a -> b { }, b -> c { }, a -> d { }; }\nsystem P;\n", "E<> P.c");
  LandmarkCount count(relaxed(example));
  EXPECT_EQ(count.evaluate(example.state({{"P", 3}}).data()), kDeadEnd);
  EXPECT_EQ(count.evaluate(example.initial().data()), 2u);
  const std::vector<uint32_t> good{example.edge("P", "a", "b")};
  const std::vector<uint32_t> bad{example.edge("P", "a", "d")};
  EXPECT_TRUE(count.prefers(good));
  EXPECT_FALSE(count.prefers(bad));
  EXPECT_EQ(count.evaluate_without(example.initial().data(), good, 100), kDeadEnd);
}

TEST(LandmarkCount, SearchesRememberPathsAlsoInCombination) {
  const Example example(
      "process P() { state a, b, d, m, n, g; init a;\n"
      "  trans a -> b { }, b -> d { }, a -> d { }, d -> b { }, b -> m { }, b -> n { }, m -> g { }, n -> g { }; }\n"
      "system P;\n",
      "E<> P.g");
  for (const char* heuristic :
       {"lmcount", "max(hL, lmcount)", "sum(lmcount, lmcount)", "lmcount, hff", "hL, lmcount"}) {
    for (const bool cache : {false, true}) {
      CheckOptions options;
      options.search = Search::Greedy;
      options.heuristic = heuristic;
      if (cache) options.cache_entries = 16;
      EXPECT_EQ(search::run(example.system(), example.property(), options).verdict, Verdict::Reachable) << heuristic;
    }
  }
}

// Which facts can be reached in the abstraction without some.
std::vector<bool> reached_without(const RelaxedTask& task, const std::vector<int32_t>& state,
                                  std::span<const uint32_t> without) {
  const auto left_out = [&](uint32_t f) { return std::find(without.begin(), without.end(), f) != without.end(); };
  std::vector<bool> facts(task.fact_count(), false);
  std::vector<uint32_t> initial(task.fact_count());
  initial.resize(task.facts_of(state.data(), initial.data()));
  for (const uint32_t f : initial) facts[f] = !left_out(f);
  for (bool changed = true; changed;) {
    changed = false;
    for (const RelaxedTask::Rule& rule : task.rules()) {
      const auto needs = task.preconditions(rule);
      if (!std::all_of(needs.begin(), needs.end(), [&](auto f) { return facts[f]; })) continue;
      for (const uint32_t f : task.effects(rule)) {
        if (facts[f] || left_out(f)) continue;
        facts[f] = changed = true;
      }
    }
  }
  return facts;
}

// The landmarks of all facts, by propagation of sets (Zhu and Givan 2003). No set: not reached.
std::vector<std::optional<std::set<uint32_t>>> propagated(const RelaxedTask& task, const std::vector<int32_t>& state) {
  std::vector<std::optional<std::set<uint32_t>>> sets(task.fact_count());
  std::vector<uint32_t> initial(task.fact_count());
  initial.resize(task.facts_of(state.data(), initial.data()));
  for (const uint32_t f : initial) sets[f] = {f};
  for (bool changed = true; changed;) {
    changed = false;
    for (const RelaxedTask::Rule& rule : task.rules()) {
      const auto needs = task.preconditions(rule);
      if (!std::all_of(needs.begin(), needs.end(), [&](auto f) { return sets[f].has_value(); })) continue;
      std::set<uint32_t> all;
      for (const uint32_t p : needs) all.insert(sets[p]->begin(), sets[p]->end());
      for (const uint32_t f : task.effects(rule)) {
        std::set<uint32_t> common;
        for (const uint32_t l : all) {
          if (!sets[f] || sets[f]->contains(l)) common.insert(l);
        }
        common.insert(f);
        if (sets[f] == common) continue;
        sets[f] = common;
        changed = true;
      }
    }
  }
  return sets;
}

bool is_of_all_goals(const Landmarks& landmarks, size_t landmark) {
  bool all = true;
  for (size_t g = 0; g < landmarks.goal_count(); ++g) all = all && landmarks.of_goal().has(g, landmark);
  return all;
}

// The goal cannot be reached without them, nor what they come before.
void expect_landmarks(const Landmarks& landmarks, const RelaxedTask& task, const std::vector<int32_t>& initial,
                      const std::string& name) {
  for (size_t i = 0; i < landmarks.size(); ++i) {
    const auto without = reached_without(task, initial, landmarks.facts(i));
    ASSERT_TRUE(!is_of_all_goals(landmarks, i) || !without[task.goal_fact()]) << name;
    for (size_t j = 0; j < landmarks.size(); ++j) {
      const auto facts = landmarks.facts(j);
      const bool reached = std::any_of(facts.begin(), facts.end(), [&](uint32_t f) { return without[f]; });
      ASSERT_EQ(landmarks.natural().has(j, i), i != j && !reached) << name;
      // What has to hold just before another has to hold before it.
      ASSERT_TRUE(!landmarks.greedy_necessary().has(j, i) || landmarks.natural().has(j, i)) << name;
    }
  }
}

TEST(Landmarks, AlternativesAreAmongThem) {
  const families::Generated hanoi = families::find_family("hanoi")->generate(3);
  const Example example(hanoi.model, hanoi.query);
  const auto task = relaxed(example);
  const Landmarks landmarks(*task, heur::FlatRules(*task, Watch::none()));
  expect_landmarks(landmarks, *task, example.initial(), "hanoi");
  size_t several = 0;
  for (size_t i = 0; i < landmarks.size(); ++i) several += landmarks.facts(i).size() > 1;
  EXPECT_GT(several, 3u);
}

TEST(Landmarks, AreAllThatThereAre) {
  size_t landmarks_seen = 0;
  testing_support::for_random_models(60, [&](Example& example, const StateGraph&, const std::string& name) {
    const auto task = relaxed(example);
    if (task->fact_count() > 400) return;
    const heur::FlatRules rules(*task, Watch::none());
    const Landmarks landmarks(*task, rules);
    const auto initial = example.initial();
    const auto meanings = task->meanings();
    const auto sets = propagated(*task, initial);
    // All goals together have those of the fact "goal", besides it.
    const auto& of_goal = sets[task->goal_fact()];
    ASSERT_EQ(of_goal.has_value(), landmarks.goal_count() != 0) << name;
    if (!of_goal) return;
    std::set<uint32_t> expected = *of_goal;
    std::erase_if(expected, [&](uint32_t f) { return meanings[f] == RelaxedTask::kHidden; });
    std::set<uint32_t> found;
    for (size_t i = 0; i < landmarks.size(); ++i) {
      if (is_of_all_goals(landmarks, i) && landmarks.facts(i).size() == 1) found.insert(landmarks.facts(i)[0]);
    }
    // A condition that was taken apart is none of theirs, though all of them satisfy it.
    if (landmarks.goal_count() > 1) std::erase_if(expected, [&](uint32_t f) { return task->is_auxiliary(f); });
    if (landmarks.goal_count() > 1) std::erase_if(found, [&](uint32_t f) { return task->is_auxiliary(f); });
    ASSERT_EQ(found, expected) << name;
    expect_landmarks(landmarks, *task, initial, name);
    for (size_t i = 0; i < landmarks.size(); ++i) landmarks_seen += is_of_all_goals(landmarks, i);
  });
  EXPECT_GT(landmarks_seen, 300u);
}

// On the way of breadth-first search to every state: what is not accepted has never held, apart from what should come
// later, and the count is 0 in goal states only.
TEST(Landmarks, AreMetOnThePathsToGoals) {
  testing_support::for_random_models(60, [&](Example& example, const StateGraph& graph, const std::string& name) {
    LandmarkCount count(relaxed(example));
    const Landmarks& landmarks = count.landmarks();
    std::vector<Memory> memory(graph.states.size());
    std::vector<bool> known(graph.states.size(), false);
    const auto visit = [&](const Memory* before, uint64_t id) {
      known[id] = true;
      memory[id].resize(count.memory_words());
      const uint32_t h = count.evaluate_after(before != nullptr ? before->data() : nullptr, graph.states[id].data(),
                                              memory[id].data());
      ASSERT_TRUE(!graph.goal[id] || h == 0) << name;
      ASSERT_EQ(h == 0, example.estimate("hL", graph.states[id]) == 0) << name;
      if (!graph.goal[id]) return;
      // A path to the goal has met all that waits for nothing.
      bool all = landmarks.goal_count() == 0;
      for (size_t g = 0; g < landmarks.goal_count(); ++g) {
        bool met = true;
        for (size_t i = 0; i < landmarks.size(); ++i) {
          const auto reasonable = landmarks.reasonable()[i];
          const bool waits = std::any_of(reasonable.begin(), reasonable.end(), [](uint64_t w) { return w != 0; });
          const bool accepted = (memory[id][i / 64] >> (i % 64) & 1) != 0;
          met = met && (!landmarks.of_goal().has(g, i) || accepted || waits);
        }
        all = all || met;
      }
      ASSERT_TRUE(all) << name << ", state " << id;
    };
    visit(nullptr, 0);
    for (uint64_t id = 0; id < graph.states.size(); ++id) {
      for (const StateGraph::Step& step : graph.steps[id]) {
        if (!known[step.target]) visit(&memory[id], step.target);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  });
}

}  // namespace
}  // namespace harrier
