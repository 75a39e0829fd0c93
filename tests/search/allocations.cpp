// Blind walks allocate nothing per step, once their memory has grown. A program of its own, because it counts what all
// of it allocates.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "harrier/harrier.h"
#include "support/count_allocations.h"
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
  auto task = make_walk_task(subject.system(), subject.property(), options, budget);
  Status status = task->advance(100'000);
  while (status == Status::Found && subject.property().goal[task->path().goal_clause].room) {
    const trace::Trace start = trace::build_trace(subject.system(), subject.property(), task->path());
    subject.source.make_room(start.last().values);
    subject.source.lower(subject.diagnostics);
    task = make_walk_task(subject.system(), subject.property(), options, budget);
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
  const std::string path = std::string(HARRIER_SOURCE_DIR) + "/../shared/models/promela/giop/giop1.pr";
  if (!std::filesystem::is_regular_file(path)) GTEST_SKIP() << "no " << path;
  EXPECT_EQ(allocated(read_file(path), walk(WalkOptions::Selection::One), nothing()), 0U);
}

}  // namespace
}  // namespace harrier::search
