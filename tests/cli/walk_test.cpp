// Random walks on the command line: options, what they refuse, and what is told.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

Outcome walk(const std::string& model, std::vector<std::string> options) {
  options.insert(options.begin(), {"check", model, "--search", "walk"});
  return harrier(options);
}

TEST(WalkCommand, FindsAnError) {
  const Workspace here;
  const std::string model = generate(here, "philosophers", 4);
  const Outcome run = walk(model, {"--json", "--seed", "3", "--no-polish"});
  EXPECT_EQ(run.exit_code, 10) << run.err;
  EXPECT_NE(run.err.find("seed 3"), std::string::npos);
  const auto result = run.json()["results"][0];
  EXPECT_EQ(result["verdict"], "reachable");
  const auto& statistics = result["statistics"];
  EXPECT_GE(statistics["walks"], 1);
  EXPECT_GE(statistics["steps"], statistics["walk_length"]);
  EXPECT_GT(statistics["steps_per_s"], 0);
  EXPECT_EQ(statistics["walk_length"], result["witness_length"]);
  EXPECT_EQ(statistics["stored"], 0);
  // Polished it gets no longer, and the first length is kept.
  const auto polished = walk(model, {"--json", "--seed", "3"}).json()["results"][0];
  EXPECT_EQ(polished["statistics"]["walk_length"], result["witness_length"]);
  EXPECT_LE(polished["witness_length"], result["witness_length"]);
}

TEST(WalkCommand, TheSameSeedTheSameWitness) {
  const Workspace here;
  const std::string model = generate(here, "philosophers", 6);
  for (const char* threads : {"1", "3"}) {
    const auto trace = [&](const char* name) {
      const std::string path = here.path(name);
      const Outcome run = walk(model, {"--quiet", "--seed", "8", "--threads", threads, "--trace", path});
      EXPECT_EQ(run.exit_code, 10) << run.err;
      return read_all(path);
    };
    const std::string first = trace("a");
    EXPECT_FALSE(first.empty());
    EXPECT_EQ(trace("b"), first);
  }
}

TEST(WalkCommand, ProvesNothing) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  for (const char* query : {"A[] n < 3", "E<> n == 3"}) {
    const Outcome run = walk(model, {"--json", "--quiet", "--walks", "12", "--query", query});
    EXPECT_EQ(run.exit_code, 20) << run.err;
    const auto result = run.json()["results"][0];
    EXPECT_EQ(result["verdict"], "unknown");
    EXPECT_TRUE(result["holds"].is_null());
    EXPECT_EQ(result["reason"], "no error in 12 walks");
    EXPECT_EQ(result["statistics"]["walks"], 12);
    EXPECT_FALSE(result["statistics"].contains("walk_length"));
  }
  const Outcome text = walk(model, {"--query", "A[] n < 3", "--walks", "1"});
  EXPECT_EQ(text.exit_code, 20);
  EXPECT_NE(text.out.find("unknown: no error in 1 walk\n"), std::string::npos) << text.out;
  const Outcome enough = walk(model, {"--query", "A[] n < 3", "--delta", "0.1", "--epsilon", "0.1", "--json"});
  EXPECT_EQ(enough.json()["results"][0]["statistics"]["walks"], 22);
}

TEST(WalkCommand, AModelWithoutInitialState) {
  const Workspace here;
  const std::string model =
      here.write("m.xta", "int[0,1] x; process P() { state s { x == 1 }; init s; trans s -> s { }; } system P;");
  const Outcome run = walk(model, {"--query", "E<> x == 1", "--json", "--quiet"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
}

TEST(WalkCommand, OptionsAreForWalksOnly) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::set<std::string> only_explicit = {"--selection", "--saturation"};
  for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{{"--walks", "3"},
                                                                                      {"--walk-depth", "3"},
                                                                                      {"--trails"},
                                                                                      {"--end-at-loop"},
                                                                                      {"--restart", "initial"},
                                                                                      {"--selection", "one"},
                                                                                      {"--bias", "linear"},
                                                                                      {"--temperature", "1"},
                                                                                      {"--reverse-bias"},
                                                                                      {"--delta", "0.1"},
                                                                                      {"--epsilon", "0.1"},
                                                                                      {"--saturation", "0.1"}}) {
    for (const char* search : {"bfs", "auto", "greedy"}) {
      std::vector<std::string> arguments = {"check", model, "--query", "A[] n < 3", "--search", search};
      arguments.insert(arguments.end(), option.begin(), option.end());
      const Outcome run = harrier(arguments);
      EXPECT_EQ(run.exit_code, 2) << option[0] << " " << search;
      const std::string who = only_explicit.contains(option[0]) ? "walk" : "walk, swalk";
      EXPECT_EQ(run.err,
                "error: " + option[0] + " has no effect with --search " + search + ": it is for " + who + "\n");
      EXPECT_EQ(run.out, "");
    }
  }
}

TEST(WalkCommand, ThreadsAreForWalksAndBreadthFirstSearch) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const auto with_threads = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"check", model, "--query", "A[] n < 3", "--threads"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return harrier(arguments);
  };
  for (const char* search : {"dfs", "greedy", "astar", "swalk", "sbfs"}) {
    const Outcome run = with_threads({"2", "--search", search});
    EXPECT_EQ(run.exit_code, 2) << search;
    EXPECT_EQ(run.err,
              std::string("error: --threads has no effect with --search ") + search + ": it is for auto, bfs, walk\n");
  }
  EXPECT_EQ(with_threads({"2", "--search", "bfs", "--prefer", "contexts"}).err,
            "error: --threads needs a search without --prefer and --compress, and one without --depth if it has "
            "--reduction on\n");
  const Outcome one = with_threads({"1", "--search", "bfs", "--prefer", "contexts", "--quiet"});
  const Outcome two = with_threads({"2", "--search", "bfs", "--quiet"});
  EXPECT_EQ(one.exit_code, two.exit_code);
  EXPECT_EQ(with_threads({"2", "--quiet"}).exit_code, two.exit_code);
  EXPECT_EQ(with_threads({"2", "--search", "bfs", "--reduction", "on", "--depth", "9"}).exit_code, 2);
  EXPECT_EQ(one.err, "");
  EXPECT_EQ(two.err, "");
}

TEST(WalkCommand, BadValuesAreRefused) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--selection", "two"},
                                             {"--restart", "anywhere"},
                                             {"--bias", "strong"},
                                             {"--walks", "many"},
                                             {"--walks", "-1"},
                                             {"--walk-depth", "-1"},
                                             {"--walk-depth", "x"},
                                             {"--temperature", "0"},
                                             {"--temperature", "-1"},
                                             {"--temperature", "nan"},
                                             {"--delta", "0.1"},
                                             {"--epsilon", "0.1"},
                                             {"--delta", "2", "--epsilon", "0.1"},
                                             {"--delta", "0", "--epsilon", "0.1"},
                                             {"--delta", "0.1", "--epsilon", "1"},
                                             {"--delta", "nan", "--epsilon", "0.5"},
                                             {"--saturation", "1.5"},
                                             {"--saturation", "nan"},
                                             {"--saturation", "-0.5"},
                                             {"--threads", "0"},
                                             {"--threads", "100000"},
                                             {"--threads", "-1"},
                                             {"--restart", "best"},
                                             {"--depth", "5"},
                                             {"--prefer", "useless", "--heuristic", "hU"},
                                             {"--heuristic", "nonsense"}}) {
    std::vector<std::string> arguments = {"--query", "A[] n < 3", "--walks", "1", "--quiet"};
    if (options[0] == "--walks") arguments.erase(arguments.begin() + 2, arguments.begin() + 4);
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome run = walk(model, arguments);
    EXPECT_EQ(run.exit_code, 2) << options[0] << " " << options.back() << ": " << run.out << run.err;
    EXPECT_FALSE(run.err.empty()) << options[0];
  }
  const std::string message = walk(model, {"--query", "A[] n < 3", "--selection", "two"}).err;
  for (const char* part : {"--selection", "two", "one", "all"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(WalkCommand, FairnessIsRefused) {
  const Workspace here;
  const std::string model = here.write("m.pml", "byte x; active proctype P() { do :: x = (x + 1) % 4 od }");
  const Outcome run = walk(model, {"--ltl", "<> (x == 5)", "--fairness"});
  EXPECT_EQ(run.exit_code, 2) << run.err;
  const Outcome lasso = walk(model, {"--ltl", "<> (x == 5)", "--quiet"});
  EXPECT_EQ(lasso.exit_code, 10) << lasso.err;
}

}  // namespace
}  // namespace harrier
