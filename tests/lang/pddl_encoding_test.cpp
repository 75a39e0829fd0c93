// Ground tasks with finite-domain variables: they mean the same, step by step.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "lang/pddl/encoding.h"
#include "lang/pddl/grounding.h"
#include "lang/pddl/invariants.h"
#include "lang/pddl/sas.h"
#include "lang/pddl_finite_support.h"

namespace harrier::testing {
namespace {

using pddl::Fact;
using pddl::FiniteTask;

FiniteTask encoded(const RandomGroundTask& random) {
  const auto groups = pddl::mutex_groups(random.ground, Watch::none());
  return pddl::encode(random.task, random.ground, groups, Watch::none());
}

// Goes through both tasks at once: what is applied in one can be applied in the other, and leads to a state of which it
// says the same.
class Comparison {
 public:
  Comparison(const RandomGroundTask& random, const FiniteTask& finite) : ground_(random.ground), finite_(finite) {
    for (uint32_t a = 0; a < ground_.atoms.size(); ++a) {
      atoms_[pddl::to_text(random.task, ground_, a)] = a;
    }
    for (const pddl::GroundOperator& op : ground_.operators) operators_[pddl::to_text(random.task, op)] = &op;
  }

  void run() {
    visit(initial_state(ground_), initial_state(finite_));
    while (!open_.empty()) {
      const auto [before, finite_before] = open_.front();
      open_.pop_front();
      for (const pddl::Operator& op : finite_.operators) {
        const auto after = successor(ground_, *operators_.at(op.name), before);
        const auto finite_after = successor(finite_, op, finite_before);
        ASSERT_EQ(after.has_value(), finite_after.has_value()) << op.name;
        if (after) visit(*after, *finite_after);
      }
    }
  }

 private:
  void visit(const GroundState& state, const FiniteState& finite) {
    if (!known_.insert({state, finite}).second) return;
    open_.emplace_back(state, finite);
    for (size_t v = 0; v < finite.size(); ++v) {
      for (uint32_t i = 0; i < finite_.variables[v].values.size(); ++i) {
        const std::string& name = finite_.variables[v].values[i];
        if (name.starts_with("Atom ")) {
          EXPECT_EQ(state[atoms_.at(name.substr(5))], finite[v] == i) << name;
        }
        if (name.starts_with("NegatedAtom ")) {
          EXPECT_EQ(state[atoms_.at(name.substr(12))], finite[v] != i) << name;
        }
      }
    }
  }

  const pddl::GroundTask& ground_;
  const FiniteTask& finite_;
  std::map<std::string, uint32_t> atoms_;
  std::map<std::string, const pddl::GroundOperator*> operators_;
  std::set<std::pair<GroundState, FiniteState>> known_;
  std::deque<std::pair<GroundState, FiniteState>> open_;
};

TEST(PddlEncoding, RandomTasksMeanTheSame) {
  size_t solvable = 0;
  size_t extra = 0;
  for (uint64_t seed = 0; seed < 3000 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomGroundTask random(seed);
    const FiniteTask finite = encoded(random);
    const auto best = cheapest_plan<GroundState>(random.ground);
    if (!finite.solvable) {
      EXPECT_FALSE(best);
      continue;
    }
    Comparison(random, finite).run();
    EXPECT_EQ(cheapest_plan<FiniteState>(finite), best);
    solvable += best && *best > 0 ? 1 : 0;
    for (const pddl::FiniteVariable& variable : finite.variables) extra += variable.values.size() > 2 ? 1 : 0;
  }
  EXPECT_GT(solvable, 600u);
  EXPECT_GT(extra, 250u);
}

TEST(PddlEncoding, WhatIsWrittenIsReadAgain) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const FiniteTask finite = encoded(RandomGroundTask(seed));
    const std::string text = pddl::to_sas(finite);
    Sources sources;
    Diagnostics diagnostics;
    const FiniteTask again = pddl::parse_sas(sources, sources.add_file("t.sas", text), diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << format_all(sources, diagnostics);
    EXPECT_EQ(pddl::to_sas(again), text) << "seed " << seed;
  }
}

// A thing at one of three places; it may be taken away.
struct Places {
  pddl::Task task;
  pddl::GroundTask ground;
  std::vector<std::vector<uint32_t>> groups{{0, 1, 2}};

  Places() {
    task.predicates = {{.name = "at"}, {.name = "seen"}};
    for (const char* name : {"x", "y", "z"}) task.objects.push_back({.name = name});
    for (uint32_t i = 0; i < 3; ++i) ground.atoms.push_back({0, {i}, false, i == 0});
    ground.atoms.push_back({1, {}, false, false});
    for (uint32_t i = 0; i < 3; ++i) go(i, (i + 1) % 3, 1);
    ground.goal = {{2, true}};
  }
  void go(uint32_t from, uint32_t to, uint32_t cost) { add({{from, true}}, {{{}, from, false}, {{}, to, true}}, cost); }
  void add(std::vector<pddl::Literal> needs, std::vector<pddl::GroundEffect> effects, uint32_t cost = 1) {
    task.actions.push_back({.name = "a" + std::to_string(task.actions.size())});
    ground.operators.push_back(
        {static_cast<uint32_t>(task.actions.size()) - 1, {}, std::move(needs), std::move(effects), cost});
  }
  FiniteTask encoded() const { return pddl::encode(task, ground, groups, Watch::none()); }
};

TEST(PddlEncoding, AGroupIsAVariable) {
  const FiniteTask finite = Places().encoded();
  ASSERT_EQ(finite.variables.size(), 1u);
  EXPECT_EQ(finite.variables[0].values.size(), 3u);
  EXPECT_EQ(finite.mutexes.size(), 1u);
  EXPECT_EQ(finite.operators.size(), 3u);
  EXPECT_EQ(finite.goal, (std::vector<Fact>{{0, 2}}));
}

TEST(PddlEncoding, NoneOfThemIsAValueWhereItCanBe) {
  Places places;
  places.add({}, {{{}, 1, false}});
  const FiniteTask finite = places.encoded();
  ASSERT_EQ(finite.variables.size(), 1u);
  EXPECT_EQ(finite.variables[0].values.back(), "<none of those>");
  const pddl::Operator& op = finite.operators.back();
  EXPECT_TRUE(op.preconditions.empty());
  ASSERT_EQ(op.effects.size(), 1u);
  EXPECT_EQ(op.effects[0].conditions, (std::vector<Fact>{{0, 1}}));
  EXPECT_EQ(op.effects[0].fact, (Fact{0, 3}));
}

// One value cannot say it, so the atom has a variable of its own, too.
TEST(PddlEncoding, NegatedAtomsHaveAVariable) {
  Places places;
  places.add({{0, false}}, {{{}, 3, true}});
  places.ground.goal.push_back({3, true});
  const FiniteTask finite = places.encoded();
  ASSERT_EQ(finite.variables.size(), 3u);
  EXPECT_EQ(finite.variables[1].values, (std::vector<std::string>{"Atom seen()", "NegatedAtom seen()"}));
  EXPECT_EQ(finite.operators.back().preconditions, (std::vector<Fact>{{2, 1}}));
}

TEST(PddlEncoding, WhatAGroupExcludesIsDropped) {
  Places places;
  places.add({{0, true}, {1, true}}, {{{}, 2, true}});   // never
  places.add({{0, true}, {1, false}}, {{{}, 3, true}});  // the second condition says nothing
  places.ground.goal.push_back({3, true});
  const FiniteTask finite = places.encoded();
  EXPECT_EQ(finite.variables.size(), 2u);
  ASSERT_EQ(finite.operators.size(), 4u);
  EXPECT_EQ(finite.operators.back().preconditions, (std::vector<Fact>{{0, 0}}));
  places.ground.goal = {{0, true}, {1, true}};
  EXPECT_FALSE(places.encoded().solvable);
}

TEST(PddlEncoding, OfEqualOperatorsTheCheapestIsKept) {
  Places places;
  places.ground.costs = true;
  places.ground.operators[1].cost = 5;
  places.go(1, 2, 3);
  places.go(1, 2, 4);
  const FiniteTask finite = places.encoded();
  ASSERT_EQ(finite.operators.size(), 3u);
  const std::string cheapest = pddl::to_text(places.task, places.ground.operators[3]);
  const auto has_name = [&](const pddl::Operator& op) { return op.name == cheapest; };
  const auto kept = std::find_if(finite.operators.begin(), finite.operators.end(), has_name);
  ASSERT_NE(kept, finite.operators.end());
  EXPECT_EQ(kept->cost, 3u);
}

TEST(PddlEncoding, WhatTheGoalDoesNotDependOnIsDropped) {
  Places places;
  places.add({{2, true}}, {{{}, 3, true}});
  const FiniteTask finite = places.encoded();
  EXPECT_EQ(finite.variables.size(), 1u);
  EXPECT_EQ(finite.operators.size(), 3u);
}

TEST(PddlEncoding, AGoalThatNothingAddsIsUnsolvable) {
  Places places;
  places.ground.goal = {{3, true}};
  EXPECT_FALSE(places.encoded().solvable);
  places.ground.solvable = false;
  EXPECT_FALSE(places.encoded().solvable);
}

TEST(PddlEncoding, LayersAreThoseOfNegations) {
  Places places;
  for (uint32_t i = 0; i < 3; ++i) places.ground.atoms.push_back({1, {i}, true, false});
  places.ground.axioms = {{{{0, true}}, 4}, {{{4, false}, {5, true}}, 6}, {{{4, true}}, 5}, {{{4, false}}, 6}};
  places.ground.goal = {{5, true}, {6, true}};
  const FiniteTask finite = places.encoded();
  ASSERT_TRUE(finite.solvable);
  std::map<std::string, int32_t> layers;
  for (const pddl::FiniteVariable& variable : finite.variables) layers[variable.values[0]] = variable.layer;
  EXPECT_EQ(layers["Atom " + pddl::to_text(places.task, places.ground, 4)], 0);
  EXPECT_EQ(layers["Atom " + pddl::to_text(places.task, places.ground, 5)], 0);
  EXPECT_EQ(layers["Atom " + pddl::to_text(places.task, places.ground, 6)], 1);
}

}  // namespace
}  // namespace harrier::testing
