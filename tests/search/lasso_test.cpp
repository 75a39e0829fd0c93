// Walks that come back to a state, with an accepting one in between: violations of properties about infinite paths.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "base/error.h"
#include "harrier/harrier.h"
#include "support/watch.h"

namespace harrier {
namespace {

using testing_support::walk_options;

constexpr uint64_t kWalks = 1000;
const std::filesystem::path kModels = std::filesystem::path(HARRIER_SOURCE_DIR) / "tests/promela/liveness";

struct Question {
  std::string name;
  LoadOptions load;
};

// The claims of the models, and the two kinds of cycles without one.
std::vector<Question> questions() {
  std::vector<Question> out;
  for (const auto& entry : std::filesystem::directory_iterator(kModels)) {
    const std::string path = entry.path();
    const std::string text = read_file(path);
    const std::regex claim("(^|\n)(ltl|never) (\\w+)");
    for (auto i = std::sregex_iterator(text.begin(), text.end(), claim); i != std::sregex_iterator(); ++i) {
      out.push_back({path, {}});
      out.back().load.options = {{"--ltl", (*i)[3]}};
    }
    for (const char* cycles : {"--non-progress", "--acceptance"}) {
      out.push_back({path, {.options = {{"--no-claim", ""}, {cycles, ""}}}});
    }
  }
  return out;
}

CheckResult walk(const Model& model, CheckOptions options) {
  options.walk.walks = kWalks;
  options.walk.depth = 150;
  CheckResult result = model.check(0, options);
  if (result.witness_length) {
    EXPECT_EQ(model.validate(result.trace_json, "trace").problem, "");
  }
  return result;
}

TEST(Lasso, WhatDepthFirstSearchFindsAndNothingElse) {
  uint64_t cycles = 0;
  uint64_t proved = 0;
  for (const Question& question : questions()) {
    SCOPED_TRACE(question.name + " " + question.load.options.back().first + " " + question.load.options.back().second);
    const Model model = Model::load_file(question.name, question.load);
    CheckOptions depth_first;
    depth_first.search = Search::DepthFirst;
    const CheckResult expected = model.check(0, depth_first);
    for (const bool trails : {false, true}) {
      CheckOptions options = walk_options();
      options.walk.trails = trails;
      const CheckResult found = walk(model, options);
      if (expected.verdict == Verdict::Unreachable) {
        ++proved;
        if (found.verdict == Verdict::Unreachable) {
          EXPECT_EQ(found.statistics.walks, 1u) << "only where nothing can be walked";
          continue;
        }
        EXPECT_EQ(found.verdict, Verdict::Unknown);
        EXPECT_FALSE(found.holds);
        EXPECT_EQ(found.statistics.walks, kWalks);
      } else {
        EXPECT_EQ(found.verdict, Verdict::Reachable);
        cycles += found.loop_start.has_value();
      }
    }
  }
  EXPECT_GT(cycles, 10U);
  EXPECT_GT(proved, 5U);
}

TEST(Lasso, OneProcessOrAllGuidedOrFromThePreviousWalk) {
  for (const auto& [name, formula] : std::vector<std::pair<const char*, const char*>>{
           {"unfair.pml", "stops"}, {"unfair.pml", "counts"}, {"philosophers.pml", "eats"}}) {
    const Model model = Model::load_file(kModels / name, {.options = {{"--ltl", formula}}});
    CheckOptions options = walk_options(2);
    options.walk.selection = WalkOptions::Selection::All;
    EXPECT_EQ(walk(model, options).verdict, Verdict::Reachable) << name;
    options.walk.restart = WalkOptions::Restart::Previous;
    EXPECT_EQ(walk(model, options).verdict, Verdict::Reachable) << name;
    options.heuristic = "hc";
    EXPECT_EQ(walk(model, options).verdict, Verdict::Reachable) << name;
    options.walk.restart = WalkOptions::Restart::Initial;
    options.walk.threads = 3;
    options.walk.end_at_loop = true;
    EXPECT_EQ(walk(model, options).verdict, Verdict::Reachable) << name;
  }
}

TEST(Lasso, ASelfLoopAndStandingStill) {
  const LoadOptions load{.options = {{"--ltl", "<> (x == 2)"}}};
  const Model loop = Model::load_text("bit x; active proctype P() { x = 1; do :: x == 1 od }", "model.pml", load);
  EXPECT_EQ(walk(loop, walk_options()).verdict, Verdict::Reachable);
  const Model still = Model::load_text("bit x; active proctype P() { x = 1; false }", "model.pml", load);
  EXPECT_EQ(walk(still, walk_options()).verdict, Verdict::Reachable);
}

TEST(Lasso, FairnessIsRefused) {
  const LoadOptions load{.options = {{"--ltl", "stops"}, {"--fairness", ""}}};
  const Model model = Model::load_file(kModels / "unfair.pml", load);
  try {
    model.check(0, walk_options());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
  }
}

}  // namespace
}  // namespace harrier
