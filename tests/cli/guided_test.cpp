// The guided searches on our own models: shortest where they promise it, and of one opinion with breadth-first search.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

nlohmann::json result_of(const std::string& model, std::vector<std::string> options) {
  options.insert(options.begin(), {"check", model, "--json", "--quiet"});
  const Outcome run = harrier(options);
  EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 10) << run.exit_code << run.err;
  return run.json()["results"][0];
}

struct Sized {
  const char* family;
  int n;
  int length;
};
constexpr Sized kFaulty[] = {{"hanoi", 3, 22},    {"hanoi", 4, 52},    {"hanoi", 5, 114},   {"arbiter", 2, 12},
                             {"fischer-a", 4, 8}, {"fischer-b", 4, 6}, {"fischer-c", 4, 6}, {"philosophers", 4, 8}};

TEST(Guided, AStarWithAdmissibleHeuristicsIsShortest) {
  const Workspace here;
  for (const Sized& m : kFaulty) {
    const std::string model = generate(here, m.family, m.n);
    EXPECT_EQ(result_of(model, {"--search", "bfs"})["witness_length"], m.length) << m.family << m.n;
    for (const char* heuristic : {"hL", "dL", "lmcut", "pdb", "ms", "zdb"}) {
      EXPECT_EQ(result_of(model, {"--search", "astar", "--heuristic", heuristic})["witness_length"], m.length)
          << m.family << m.n << heuristic;
    }
  }
}

TEST(Guided, HanoiNeedsAllItsMoves) {
  const Workspace here;
  const int lengths[] = {22, 52, 114, 240};
  for (int n = 3; n <= 6; ++n) {
    const auto result = result_of(generate(here, "hanoi", n), {"--search", "bfs"});
    EXPECT_EQ(result["witness_length"], lengths[n - 3]) << n;
  }
}

TEST(Guided, EverySearchFindsEveryError) {
  const Workspace here;
  for (const Sized& m : kFaulty) {
    const std::string model = generate(here, m.family, m.n);
    for (const char* search : {"astar", "wastar", "greedy", "ib-process", "ib-interference"}) {
      for (const char* heuristic : {"hU", "hL"}) {
        const auto result = result_of(model, {"--search", search, "--heuristic", heuristic});
        EXPECT_EQ(result["verdict"], "reachable") << m.family << m.n << search << heuristic;
        EXPECT_GE(result["witness_length"], m.length) << m.family << m.n << search << heuristic;
      }
    }
  }
}

TEST(Guided, EveryPreferenceFindsEveryError) {
  const Workspace here;
  for (const Sized& m : kFaulty) {
    const std::string model = generate(here, m.family, m.n);
    for (const char* prefer : {"useless", "contexts", "preferred", "useless,contexts", "useless,preferred",
                               "contexts,preferred", "useless,contexts,preferred"}) {
      const auto result = result_of(model, {"--search", "greedy", "--prefer", prefer});
      EXPECT_EQ(result["verdict"], "reachable") << m.family << m.n << prefer;
    }
  }
}

TEST(Guided, EverySearchProvesWhatHolds) {
  const Workspace here;
  for (const auto& [family, n] :
       std::vector<std::pair<const char*, int>>{{"fischer", 3}, {"csma", 3}, {"train-gate", 3}}) {
    const std::string model = generate(here, family, n);
    const auto verdict = result_of(model, {"--search", "bfs"})["verdict"];
    EXPECT_EQ(verdict, "unreachable") << family;
    for (const char* search : {"dfs", "rdfs"}) {
      EXPECT_EQ(result_of(model, {"--search", search})["verdict"], verdict) << family << search;
    }
    for (const char* search : {"astar", "wastar", "greedy", "ib-process", "ib-interference"}) {
      EXPECT_EQ(result_of(model, {"--search", search})["verdict"], verdict) << family << search;
      if (std::string(search).rfind("ib-", 0) == 0) continue;  // ranks by context switches alone
      EXPECT_EQ(result_of(model, {"--search", search, "--prefer", "useless,contexts,preferred"})["verdict"], verdict)
          << family << search;
    }
  }
}

TEST(Guided, GuidanceExpandsFewerStatesThanBreadthFirst) {
  const Workspace here;
  const std::string model = generate(here, "arbiter", 3);
  const auto blind = result_of(model, {"--search", "bfs"})["statistics"]["expanded"];
  EXPECT_LT(result_of(model, {"--search", "greedy"})["statistics"]["expanded"], blind);
  EXPECT_LT(result_of(model, {"--search", "astar", "--heuristic", "hL"})["statistics"]["expanded"], blind);
}

TEST(Guided, TheHashedTableOfValuesChangesNoVerdict) {
  const Workspace here;
  const std::string model = generate(here, "hanoi", 4);
  for (const char* entries : {"1", "16", "65536"}) {
    EXPECT_EQ(result_of(model, {"--search", "greedy", "--cache", entries})["verdict"], "reachable") << entries;
  }
}

TEST(Guided, RunsAreRepeatable) {
  const Workspace here;
  const std::string model = generate(here, "fischer-a", 4);
  const auto run = [&] {
    auto result = result_of(model, {"--search", "greedy", "--prefer", "useless,contexts,preferred"});
    for (const char* of_the_machine : {"time_s", "memory_bytes"}) result["statistics"].erase(of_the_machine);
    return result;
  };
  EXPECT_EQ(run(), run());
}

TEST(Guided, ABlindSearchRefusesWhatItCannotFollow) {
  const std::string model = HARRIER_SOURCE_DIR "/models/fischer-faulty.xta";
  EXPECT_EQ(harrier({"check", model, "--search", "bfs", "--prefer", "useless"}).exit_code, 2);
  EXPECT_EQ(harrier({"check", model, "--search", "rdfs", "--prefer", "preferred"}).exit_code, 2);
  EXPECT_EQ(harrier({"check", model, "--search", "ib-process", "--prefer", "contexts"}).exit_code, 2);
  EXPECT_EQ(harrier({"check", model, "--search", "bfs", "--prefer", "contexts"}).exit_code, 10);
}

}  // namespace
}  // namespace harrier
