// Blind walks allocate nothing per step, generators nothing per successor, heuristics nothing per estimate, once their
// memory has grown. A program of its own, because it counts what all of it allocates.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>

#include "families/families.h"
#include "harrier/harrier.h"
#include "heur/heur_support.h"
#include "heur/table.h"
#include "lang/uppaal/uppaal.h"
#include "step/generator.h"
#include "support/count_allocations.h"
#include "support/shared_models.h"
#include "support/system_builder.h"
#include "support/watch.h"
#include "trace/trace.h"

namespace harrier::search {
namespace {

using testing_support::PromelaSubject;
using testing_support::walk_options;

// Allocations by 100,000 attempts to make a step, after as many.
uint64_t allocated(const std::string& text, const CheckOptions& options, const promela::Options& load) {
  PromelaSubject subject(text, load);
  Budget budget;
  auto semantics = std::make_unique<step::Semantics>(subject.system(), subject.property());
  auto task = make_walk_task(*semantics, options, budget);
  Status status = task->advance(100'000);
  while (status == Status::Found && subject.property().goal[task->path().goal_clause].incomplete) {
    const trace::Trace start = trace::build_trace(subject.system(), subject.property(), task->path());
    subject.source.make_room(start.last().values);
    subject.source.lower(subject.diagnostics);
    task.reset();
    semantics = std::make_unique<step::Semantics>(subject.system(), subject.property());
    task = make_walk_task(*semantics, options, budget);
    status = task->advance(100'000);
  }
  EXPECT_EQ(status, Status::Running);
  const uint64_t before = allocations;
  EXPECT_EQ(task->advance(100'000), Status::Running);
  EXPECT_GT(task->statistics().steps, 150'000U);
  return allocations - before;
}

CheckOptions walk(WalkOptions::Selection selection, bool trails = false) {
  CheckOptions options = walk_options();
  options.walk.depth = 500;
  options.walk.selection = selection;
  options.walk.trails = trails;
  return options;
}

// Nothing is looked for, so that nothing ends the walk.
promela::Options nothing() {
  promela::Options options;
  options.end_states = options.assertions = false;
  return options;
}

TEST(Allocations, AreCounted) {
  const uint64_t before = allocations;
  const std::string text(1000, 'x');
  EXPECT_GT(allocations, before) << text.size();
}

TEST(Allocations, NoneByBlindWalksOfPhilosophers) {
  promela::Options load = nothing();
  load.defines = {{"N", "50"}};
  const std::string text = read_file(std::string(HARRIER_SOURCE_DIR) + "/models/philosophers.pml");
  EXPECT_EQ(allocated(text, walk(WalkOptions::Selection::One), load), 0U);
  EXPECT_EQ(allocated(text, walk(WalkOptions::Selection::All), load), 0U);
  EXPECT_EQ(allocated(text, walk(WalkOptions::Selection::One, true), load), 0U);
}

TEST(Allocations, NoneByBlindWalksOfGiop) {
  HARRIER_NEEDS_SHARED("promela/giop/giop1.pr");
  const std::string path = testing_support::shared_model("promela/giop/giop1.pr");
  EXPECT_EQ(allocated(read_file(path), walk(WalkOptions::Selection::One), nothing()), 0U);
}

// Allocations while the successors of a state are generated, after they were generated before.
template <class Generator>
uint64_t allocated_by_successors(const std::string& text) {
  Diagnostics diagnostics;
  uppaal::Loaded loaded = uppaal::load(text, "test.xta", diagnostics);
  const std::vector<model::Property> properties = uppaal::parse_queries(loaded, "E<> n == 9", "query", diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  const step::Semantics semantics(*loaded.system, properties.at(0));
  Generator generator(semantics, Watch::none());
  uint64_t count = 0;
  const auto look = [&](const step::Firing& firing) {
    count += firing.edges.size();
    return generator.words() != nullptr;
  };
  generator.initial([&] {
    generator.keep();
    return false;
  });
  generator.successors(look);
  EXPECT_GT(count, 9u);
  const uint64_t before = allocations;
  generator.successors(look);
  return allocations - before;
}

// A broadcast with two alternatives for each receiver, a pair and an internal edge.
std::string broadcast(const std::string& clock, const std::string& guard) {
  return clock + R"(
    broadcast chan b; chan c; int[0, 9] n;
    process S() { state s; init s; trans s -> s { sync b!; }, s -> s { )" +
         guard + R"( assign n := 1; }, s -> s { sync c!; }; }
    process R() { state s, t; init s; trans s -> t { sync b?; }, s -> s { sync b?; assign n := 2; }, s -> t { sync c?; }; }
    A = S(); B = R(); C = R(); D = R();
    system A, B, C, D;)";
}

TEST(Allocations, NoneBySuccessors) {
  EXPECT_EQ(allocated_by_successors<step::DiscreteGenerator>(broadcast("", "")), 0U);
  EXPECT_EQ(allocated_by_successors<step::ZoneGenerator>(broadcast("clock x;", "guard x > 2;")), 0U);
}

// What holds on a ring of variables as far as it is closed, and whether all does.
TEST(Allocations, NoneByDerivedVariables) {
  constexpr int32_t kSize = 20;
  testing_support::SystemBuilder b;
  const auto p = b.process("P", {"A"});
  const auto closed = b.array("closed", kSize, 0, 1);
  const auto reached = b.array("reached", kSize, 0, 1);
  const auto all = b.var("all", 0, 1);
  const auto at = [](model::VarId first, int32_t i) { return model::VarId(first.value + static_cast<uint32_t>(i)); };
  model::Axiom whole{all, 1, 1, {}, {}};
  for (int32_t i = 0; i < kSize; ++i) {
    const model::VarId before = at(reached, (i + kSize - 1) % kSize);
    b.system.axioms.push_back({at(reached, i), 1, 0, {b.eq(before, 1), b.eq(at(closed, i), 1)}, {}});
    whole.body.push_back(b.eq(at(reached, i), 1));
    const auto toggle = b.edge(p, 0, 0);
    b.edge(toggle).effect = {b.run(b.store(at(closed, i), b.op(model::Op::Sub, b.num(1), b.get(at(closed, i)))))};
  }
  b.system.axioms.push_back({at(reached, 0), 1, 0, {}, {}});
  b.system.axioms.push_back(whole);
  const auto property = testing_support::SystemBuilder::reachable({b.eq(all, 1)});
  const step::Semantics semantics(b.system, property);
  step::DiscreteGenerator generator(semantics, Watch::none());
  ASSERT_TRUE(generator.load_initial());
  uint64_t before = 0;
  for (int round = 0; round < 2; ++round) {
    before = allocations;
    for (uint32_t i = 0; i < kSize; ++i) {
      generator.successors([&](const step::Firing&) { return generator.words() != nullptr; });
      ASSERT_TRUE(generator.make(std::array{i}));
      generator.keep();
    }
    EXPECT_EQ(generator.goal().has_value(), round == 0);
  }
  EXPECT_EQ(allocations - before, 0U);
}

// All states are estimated twice; only the first time may memory grow.
TEST(Allocations, NoneByEstimates) {
  const families::Generated hanoi = families::find_family("hanoi")->generate(3);
  const testing_support::Example example(hanoi.model, hanoi.query);
  const auto graph = testing_support::StateGraph::explore(example.system(), example.property(), 10'000).value();
  for (const char* name : {"lmcut", "lmcount", "ms", "pdb", "spdb", "pa"}) {
    const auto heuristic = heur::get(name).make(example.system(), example.property().goal);
    uint64_t sum = 0;
    for (const auto& state : graph.states) sum += heuristic->evaluate(state.data());
    const uint64_t before = allocations;
    for (const auto& state : graph.states) sum -= heuristic->evaluate(state.data());
    EXPECT_EQ(allocations - before, 0U) << name;
    EXPECT_EQ(sum, 0U) << name;
    std::vector<uint64_t> memory(heuristic->memory_words());
    const uint64_t with_paths = allocations;
    for (const auto& state : graph.states) heuristic->evaluate_after(memory.data(), state.data(), memory.data());
    EXPECT_EQ(allocations - with_paths, 0U) << name;
  }
}

TEST(Allocations, NoneByZoneDatabases) {
  Diagnostics diagnostics;
  uppaal::Loaded loaded = uppaal::load(broadcast("clock x;", "guard x > 2;"), "test.xta", diagnostics);
  const std::vector<model::Property> properties = uppaal::parse_queries(loaded, "E<> n == 9", "query", diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  const auto h = heur::find("zdb")->make(*loaded.system, properties.at(0).goal, heur::Clocks::Use);
  const step::Semantics semantics(*loaded.system, properties.at(0));
  step::ZoneGenerator generator(semantics, Watch::none());
  uint64_t count = 0;
  generator.initial([&] {
    const uint64_t before = allocations;
    for (int i = 0; i < 100; ++i) h->evaluate({generator.values(), generator.zone()});
    count += allocations - before;
    return true;
  });
  EXPECT_EQ(count, 0U);
}

}  // namespace
}  // namespace harrier::search
