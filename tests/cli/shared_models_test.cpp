// Public models with known answers, beside the project; skipped where they are not.
#include "support/shared_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

class SharedModels : public testing::Test {
 protected:
  void SetUp() override { HARRIER_NEEDS_SHARED(""); }

  static std::string path(const std::string& name) { return shared_model(name); }
  static nlohmann::json results_of(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"check", "--json", "--quiet"});
    const Outcome run = harrier(arguments);
    EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 10) << run.exit_code << " " << run.err;
    return run.out.empty() ? nlohmann::json::array() : run.json()["results"];
  }
  static void expect_all_hold(const std::string& model, const std::string& queries, size_t count) {
    const auto results = results_of({path(model), path(queries)});
    EXPECT_EQ(results.size(), count) << model;
    for (const auto& result : results) {
      EXPECT_EQ(result["holds"], true) << model << ": " << result["property"];
      const bool witness = result["property"].get<std::string>().rfind("E<>", 0) == 0;
      EXPECT_EQ(result["verdict"], witness ? "reachable" : "unreachable") << model << ": " << result["property"];
    }
  }
};

TEST_F(SharedModels, ShortestPathsOfTheBenchmarkSet) {
  struct Known {
    const char* model;
    int length;
  };
  const Known known[] = {{"dmc/arbiter/A2.xml", 12}, {"dmc/arbiter/A3.xml", 14}, {"dmc/mutex/M1.xml", 47},
                         {"dmc/mutex/M2.xml", 50},   {"dmc/mutex/M3.xml", 50},   {"dmc/mutex/M4.xml", 53},
                         {"dmc/mutex/N1.xml", 49},   {"dmc/mutex/N2.xml", 52},   {"dmc/mutex/N3.xml", 52},
                         {"dmc/mutex/N4.xml", 55},   {"dmc/stls/S1.xml", 54}};
  for (const Known& k : known) {
    const auto results = results_of({path(k.model), "--search", "bfs"});
    ASSERT_GE(results.size(), 1u) << k.model;
    EXPECT_EQ(results[0]["witness_length"], k.length) << k.model;
    EXPECT_EQ(results[0]["validated"], true) << k.model;
  }
}

TEST_F(SharedModels, AStarIsAsShort) {
  for (const auto& [model, length] : std::vector<std::pair<const char*, int>>{
           {"dmc/arbiter/A3.xml", 14}, {"dmc/mutex/M1.xml", 47}, {"dmc/stls/S1.xml", 54}}) {
    EXPECT_EQ(results_of({path(model), "--search", "astar", "--heuristic", "hL"})[0]["witness_length"], length)
        << model;
  }
}

TEST_F(SharedModels, GuidedSearchesFindTheErrors) {
  for (const char* model : {"dmc/arbiter/A4.xml", "dmc/mutex/M4.xml", "dmc/mutex/N4.xml", "dmc/stls/S1.xml"}) {
    EXPECT_EQ(results_of({path(model), "--search", "greedy", "--prefer", "useless"})[0]["verdict"], "reachable")
        << model;
  }
}

TEST_F(SharedModels, StateCountsOfTheArbiter) {
  const auto results = results_of({path("dmc/arbiter/A3.xml"), "--search", "bfs", "--query", "A[] true"});
  EXPECT_EQ(results.back()["statistics"]["stored"], 248075);
  EXPECT_EQ(results.back()["statistics"]["generated"], 1070542);
}

TEST_F(SharedModels, Fischer) {
  for (int n = 2; n <= 8; ++n) {
    expect_all_hold("uppaal/fischer/fischer-" + std::to_string(n) + "-32-64.xta", "uppaal/fischer/fischer.q", 1);
  }
}

TEST_F(SharedModels, CsmaCd) {
  for (int n = 2; n <= 10; ++n) {
    expect_all_hold("uppaal/csma/csma-" + std::to_string(n) + ".xta", "uppaal/csma/csma.q", 1);
  }
}

TEST_F(SharedModels, BangOlufsen) {
  expect_all_hold("uppaal/BangOlufsen/bocdpFIXED.xta", "uppaal/BangOlufsen/bocdpFIXED.q", 1);
  const auto faulty = results_of({path("uppaal/BangOlufsen/bocdp.xta"), path("uppaal/BangOlufsen/bocdp.q")});
  ASSERT_EQ(faulty.size(), 1u);
  EXPECT_EQ(faulty[0]["verdict"], "reachable");
  EXPECT_EQ(faulty[0]["holds"], false);
  EXPECT_EQ(faulty[0]["validated"], true);
}

TEST_F(SharedModels, GearBoxController) { expect_all_hold("uppaal/engine/engine.xta", "uppaal/engine/engine.q", 46); }

TEST_F(SharedModels, ReachableGoals) {
  for (const char* name : {"maler/maler", "mutex/mutex", "soldiers/soldiers"}) {
    expect_all_hold(std::string("uppaal/") + name + ".xta", std::string("uppaal/") + name + ".q", 1);
  }
  expect_all_hold("uppaal/critical/critical-3-25-50.xta", "uppaal/critical/critical.q", 1);
}

TEST_F(SharedModels, EveryFileIsRead) {
  size_t count = 0;
  for (const char* folder : {"dmc", "uppaal", "speed"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path(folder))) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".xta" && extension != ".xml" && extension != ".ta") continue;
      if (entry.path().filename() == "critical-2-25-50.xta") continue;  // see below
      const Outcome run = harrier({"print", entry.path().string()});
      EXPECT_EQ(run.exit_code, 0) << run.err;
      EXPECT_NE(run.out, "") << entry.path();
      ++count;
    }
  }
  EXPECT_GE(count, 50u);
}

TEST_F(SharedModels, AStraySignIsRefusedAtItsPlace) {
  const std::string model = path("uppaal/critical/critical-2-25-50.xta");
  const Outcome run = harrier({"print", model});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err.rfind(model + ":42:82: error: ", 0), 0u) << run.err;
}

}  // namespace
}  // namespace harrier
