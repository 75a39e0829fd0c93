// `harrier check`: verdicts, exit codes, the text and the JSON it prints, and where queries come from.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

// Time and memory differ from run to run.
std::string without_measurements(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9.]+ s, [0-9.]+ MB"), "T s, M MB");
}

// The keys of an object among `wanted`, in their order: further ones may be added, those may not go.
std::vector<std::string> keys(const nlohmann::ordered_json& object, const std::vector<std::string>& wanted) {
  std::vector<std::string> names;
  for (const auto& [key, value] : object.items()) {
    if (std::find(wanted.begin(), wanted.end(), key) != wanted.end()) names.push_back(key);
  }
  return names;
}

TEST(Check, ReachableGoalIsAWitness) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const Outcome run = harrier({"check", model, "--search", "bfs", "--query", "E<> n == 2"});
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(without_measurements(run.verdicts()),
            "E<> n == 2\n"
            "  holds: a witness of 3 steps, validated\n"
            "  by bfs\n"
            "  expanded 3, generated 3, stored 4, T s, M MB\n"
            "\n"
            "E<> n == 2: reached in 3 steps\n"
            "\n"
            "  0  at P.idle\n"
            "     n = 0\n"
            "  1  P: idle -> busy  [n := n + 1]  (" +
                model +
                ":5:9)\n"
                "     n = 1\n"
                "  2  P: busy -> idle  (" +
                model +
                ":6:9)\n"
                "  3  P: idle -> busy  [n := n + 1]  (" +
                model +
                ":5:9)\n"
                "     n = 2\n"
                "\n");
}

TEST(Check, UnreachableGoalIsProved) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const Outcome run = harrier({"check", model, "--search", "bfs", "--query", "E<> n == 3"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(without_measurements(run.verdicts()),
            "E<> n == 3\n"
            "  does not hold: proved, no such state is reachable\n"
            "  by bfs\n"
            "  expanded 5, generated 4, stored 5, T s, M MB\n"
            "\n");
}

TEST(Check, InvariantThatHolds) {
  const Workspace here;
  const Outcome run =
      harrier({"check", here.write("m.xta", kCounter), "--search", "bfs", "--query", "A[] n < 3", "--quiet"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.verdicts(), "A[] n < 3\n  holds: proved, no violation is reachable\n");
  EXPECT_EQ(run.err, "");
}

TEST(Check, InvariantThatIsViolated) {
  const Workspace here;
  const Outcome run =
      harrier({"check", here.write("m.xta", kCounter), "--search", "bfs", "--query", "A[] n == 0", "--quiet"});
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_EQ(run.verdicts(), "A[] n == 0\n  does not hold: a witness of 1 step, validated\n");
}

TEST(Check, AWitnessOfAnyPropertyDecidesTheExitCode) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  EXPECT_EQ(harrier({"check", model, "--query", "E<> n == 3", "--query", "E<> n == 1"}).exit_code, 10);
  EXPECT_EQ(harrier({"check", model, "--query", "E<> n == 1", "--query", "E<> n == 3"}).exit_code, 10);
  EXPECT_EQ(harrier({"check", model, "--query", "E<> n == 3", "--query", "A[] n < 3"}).exit_code, 0);
  // Depth 1 does not decide the first, but reaches the second.
  EXPECT_EQ(harrier({"check", model, "--depth", "1", "--query", "E<> n == 2", "--query", "A[] true"}).exit_code, 20);
  EXPECT_EQ(harrier({"check", model, "--depth", "1", "--query", "E<> n == 2", "--query", "E<> n == 1"}).exit_code, 10);
}

TEST(Check, JsonHasTheDocumentedShape) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const Outcome run =
      harrier({"check", model, "--search", "bfs", "--json", "--query", "E<> n == 2", "--query", "A[] n < 3"});
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_EQ(run.err, "");
  const auto out = nlohmann::ordered_json::parse(run.out);
  const std::vector<std::string> top = {"schema", "model", "results"};
  const std::vector<std::string> of_result = {"property",       "verdict",   "holds",
                                              "witness_length", "validated", "statistics"};
  const std::vector<std::string> of_statistics = {"expanded",  "generated", "stored",
                                                  "transient", "time_s",    "memory_bytes"};
  EXPECT_EQ(keys(out, top), top);
  EXPECT_EQ(out["schema"], "harrier-result/1");
  EXPECT_EQ(out["model"], model);
  ASSERT_EQ(out["results"].size(), 2u);
  for (const auto& result : out["results"]) {
    EXPECT_EQ(keys(result, of_result), of_result);
    const auto& statistics = result["statistics"];
    EXPECT_EQ(keys(statistics, of_statistics), of_statistics);
    for (const char* count : {"expanded", "generated", "stored", "memory_bytes"}) {
      EXPECT_TRUE(statistics[count].is_number_unsigned()) << count;
    }
    EXPECT_TRUE(statistics["time_s"].is_number_float());
    EXPECT_GE(statistics["time_s"], 0.0);
  }
  const auto& found = out["results"][0];
  EXPECT_EQ(found["property"], "E<> n == 2");
  EXPECT_EQ(found["verdict"], "reachable");
  EXPECT_EQ(found["holds"], true);
  EXPECT_EQ(found["witness_length"], 3);
  EXPECT_EQ(found["validated"], true);
  EXPECT_EQ(found["statistics"]["expanded"], 3);
  EXPECT_EQ(found["statistics"]["generated"], 3);
  EXPECT_EQ(found["statistics"]["stored"], 4);
  const auto& proved = out["results"][1];
  EXPECT_EQ(proved["property"], "A[] n < 3");
  EXPECT_EQ(proved["verdict"], "unreachable");
  EXPECT_EQ(proved["holds"], true);
  EXPECT_TRUE(proved["witness_length"].is_null());
  EXPECT_TRUE(proved["validated"].is_null());
}

TEST(Check, JsonOfAViolationAndOfAnUnknown) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const auto violated =
      harrier({"check", model, "--json", "--search", "bfs", "--query", "A[] n == 0"}).json()["results"][0];
  EXPECT_EQ(violated["verdict"], "reachable");
  EXPECT_EQ(violated["holds"], false);
  EXPECT_EQ(violated["witness_length"], 1);
  const auto unknown = harrier({"check", model, "--json", "--search", "bfs", "--query", "E<> n == 2", "--depth", "2"})
                           .json()["results"][0];
  EXPECT_EQ(unknown["verdict"], "unknown");
  EXPECT_TRUE(unknown["holds"].is_null());
  EXPECT_TRUE(unknown["witness_length"].is_null());
  EXPECT_TRUE(unknown["validated"].is_null());
  EXPECT_EQ(unknown["reason"], "depth limit");
}

TEST(Check, JsonOfAGuidedSearchCountsEvaluations) {
  const Workspace here;
  const Outcome run = harrier({"check", generate(here, "hanoi", 3), "--json", "--quiet", "--search", "greedy"});
  const auto statistics = run.json()["results"][0]["statistics"];
  EXPECT_TRUE(statistics["evaluated"].is_number_unsigned());
  EXPECT_TRUE(statistics["dead_ends"].is_number_unsigned());
  EXPECT_TRUE(statistics["deferred_expanded"].is_number_unsigned());
  ASSERT_TRUE(statistics["queues"].is_array());
  for (const auto& queue : statistics["queues"]) EXPECT_GE(queue["pushed"], queue["popped"]);
}

TEST(Check, JsonStaysValidWhenNamesAreNotText) {
  const Workspace here;
  const Outcome run = harrier({"check", here.write("m\xff.xta", kCounter), "--json", "--query", "E<> n == 2"});
  EXPECT_EQ(run.exit_code, 10);
  EXPECT_EQ(run.json()["schema"], "harrier-result/1");
}

TEST(Check, QueriesComeFromTheFileBeside) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::string queries = here.write("m.q", "// a comment\nE<> n == 1\n\nA[] n < 3\n");
  const Outcome run = harrier({"check", model, "--json"});
  EXPECT_EQ(run.err, "queries from " + queries + "\n");
  ASSERT_EQ(run.json()["results"].size(), 2u);
  EXPECT_EQ(run.json()["results"][1]["property"], "A[] n < 3");
}

TEST(Check, QueriesComeFromANamedFileAndTheCommandLine) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  here.write("m.q", "E<> n == 3\n");
  const std::string other = here.write("other.q", "E<> n == 1\n");
  const Outcome run = harrier({"check", model, other, "--json", "--query", "E<> n == 2"});
  EXPECT_EQ(run.err, "");
  ASSERT_EQ(run.json()["results"].size(), 2u);
  EXPECT_EQ(run.json()["results"][0]["property"], "E<> n == 1");
  EXPECT_EQ(run.json()["results"][1]["property"], "E<> n == 2");
}

TEST(Check, QueriesComeFromTheXmlFile) {
  const Outcome run = harrier({"check", HARRIER_SOURCE_DIR "/models/train-gate.xml", "--json"});
  EXPECT_GE(run.json()["results"].size(), 1u);
}

TEST(Check, WarningsGoToStandardError) {
  const Workspace here;
  const std::string model =
      here.write("m.xta", "int n;\nprogress { n; }\nprocess P() { state s; init s; }\nsystem P;\n");
  const Outcome run = harrier({"check", model, "--quiet", "--query", "E<> P.s"});
  EXPECT_EQ(run.verdicts(), "E<> P.s\n  holds: a witness of 0 steps, validated\n");
  EXPECT_NE(run.err.find(model + ":2:1: warning: "), std::string::npos) << run.err;
}

TEST(Check, TheSameSeedGivesTheSameRun) {
  const Workspace here;
  const std::string model = generate(here, "hanoi", 4);
  const auto run = [&](const std::string& seed) {
    const Outcome outcome = harrier({"check", model, "--json", "--search", "rdfs", "--seed", seed});
    EXPECT_NE(outcome.err.find("seed " + seed + "\n"), std::string::npos);
    auto result = outcome.json()["results"][0];
    for (const char* of_the_machine : {"time_s", "memory_bytes"}) result["statistics"].erase(of_the_machine);
    return result;
  };
  EXPECT_EQ(run("7"), run("7"));
  EXPECT_NE(run("7"), run("8"));
}

TEST(Check, TheExampleModels) {
  const std::string models = HARRIER_SOURCE_DIR "/models/";
  EXPECT_EQ(harrier({"check", models + "fischer-faulty.xta", "--quiet"}).exit_code, 10);
  EXPECT_EQ(harrier({"check", models + "bridge.xta", "--quiet"}).exit_code, 10);
}

}  // namespace
}  // namespace harrier
