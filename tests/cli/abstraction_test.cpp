// Abstractions from the command line: options, files, what is said about them, bad input.
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

class Abstractions : public testing::Test {
 protected:
  Abstractions() : model_(generate(here_, "hanoi", 3)) {}

  Outcome check(std::vector<std::string> options, const std::string& model = "") const {
    options.insert(options.begin(), {"check", model.empty() ? model_ : model, "--search", "astar"});
    return harrier(options);
  }
  // What is said where nothing is answered.
  std::string refusal(std::vector<std::string> options, const std::string& model = "") const {
    const Outcome run = check(std::move(options), model);
    EXPECT_EQ(run.exit_code, 2) << run.out << run.err;
    return run.err;
  }

  Workspace here_;
  std::string model_;
};

const char* const kAbstracting[] = {"pdb", "spdb", "ms", "pa", "zdb"};

TEST_F(Abstractions, AreReported) {
  for (const std::string heuristic : kAbstracting) {
    const Outcome run = check({"--heuristic", heuristic, "--json"});
    ASSERT_EQ(run.exit_code, 10) << run.err;
    const auto reports = run.json()["results"][0]["abstractions"];
    ASSERT_EQ(reports.size(), 1u) << heuristic;
    EXPECT_EQ(reports[0]["heuristic"], heuristic);
    EXPECT_GT(reports[0]["states"], 0) << heuristic;
    EXPECT_GT(reports[0]["bytes"], 0) << heuristic;
    EXPECT_EQ(reports[0]["loaded"], false) << heuristic;
    EXPECT_FALSE(reports[0]["details"].empty()) << heuristic;
    EXPECT_NE(check({"--heuristic", heuristic}).out.find("  " + heuristic + " built: "), std::string::npos);
  }
  EXPECT_FALSE(check({"--heuristic", "hL", "--json"}).json()["results"][0].contains("abstractions"));
}

TEST_F(Abstractions, AreSavedAndLoaded) {
  for (const std::string heuristic : kAbstracting) {
    const std::string file = here_.path(heuristic + ".db");
    const Outcome saved = check({"--heuristic", heuristic, "--save-abstraction", file, "--json"});
    ASSERT_EQ(saved.exit_code, 10) << saved.err;
    const Outcome loaded = check({"--heuristic", heuristic, "--load-abstraction", file, "--json"});
    ASSERT_EQ(loaded.exit_code, 10) << loaded.err;
    const auto before = saved.json()["results"][0];
    const auto after = loaded.json()["results"][0];
    EXPECT_EQ(before["statistics"]["expanded"], after["statistics"]["expanded"]) << heuristic;
    EXPECT_EQ(before["witness_length"], after["witness_length"]) << heuristic;
    EXPECT_EQ(after["abstractions"][0]["loaded"], true);
    EXPECT_EQ(before["abstractions"][0]["states"], after["abstractions"][0]["states"]) << heuristic;
  }
}

TEST_F(Abstractions, FilesThatDoNotFitAreRefused) {
  for (const std::string heuristic : kAbstracting) {
    const std::string file = here_.path("a.db");
    ASSERT_EQ(check({"--heuristic", heuristic, "--save-abstraction", file}).exit_code, 10);
    const std::string whole = read_all(file);
    EXPECT_NE(refusal({"--heuristic", heuristic, "--load-abstraction", file}, generate(here_, "hanoi", 4))
                  .find("was built for another model or property"),
              std::string::npos);
    const std::string other = heuristic == "pdb" ? "ms" : "pdb";
    EXPECT_NE(refusal({"--heuristic", other, "--load-abstraction", file}).find("it has no abstraction for"),
              std::string::npos);
    const auto with = [&](const std::string& content) {
      return refusal({"--heuristic", heuristic, "--load-abstraction", here_.write("bad.db", content)});
    };
    EXPECT_NE(with(whole.substr(0, whole.size() / 2)).find("it is cut off"), std::string::npos);
    EXPECT_NE(with("").find("it is no file of abstractions"), std::string::npos);
    std::string edited = whole;
    edited[whole.size() / 2] = static_cast<char>(edited[whole.size() / 2] ^ 1);
    EXPECT_NE(with(edited).find("the checksum does not fit"), std::string::npos);
  }
}

TEST_F(Abstractions, FilesAreNotOverwrittenAndMustBeWritable) {
  const std::string before = read_all(model_);
  EXPECT_NE(refusal({"--heuristic", "pdb", "--save-abstraction", model_}), "");
  EXPECT_EQ(read_all(model_), before);
  EXPECT_NE(refusal({"--heuristic", "pdb", "--save-abstraction", here_.path("no/such/folder/a.db")}), "");
  EXPECT_NE(refusal({"--heuristic", "pdb", "--load-abstraction", here_.path("nothing.db")}), "");
}

TEST_F(Abstractions, OptionsThatHaveNoEffectAreRefused) {
  EXPECT_NE(refusal({"--heuristic", "hL", "--pattern", "x"}).find("--pattern needs a heuristic that heeds it"),
            std::string::npos);
  EXPECT_NE(refusal({"--heuristic", "pdb", "--merge-states", "50"}).find("--merge-states needs"), std::string::npos);
  EXPECT_NE(refusal({"--heuristic", "hL", "--save-abstraction", here_.path("a.db")}).find("--save-abstraction needs"),
            std::string::npos);
  const std::string file = here_.path("a.db");
  ASSERT_EQ(check({"--heuristic", "pdb", "--save-abstraction", file}).exit_code, 10);
  EXPECT_NE(refusal({"--heuristic", "pdb", "--load-abstraction", file, "--patterns", "cone"})
                .find("--load-abstraction needs"),
            std::string::npos);
  const Outcome run = harrier({"analyse", model_, "--pattern", "x"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("--pattern needs a heuristic"), std::string::npos);
}

// With clocks, a pattern database has the zone graph of the projection beside its tables.
TEST_F(Abstractions, PatternsTakeClocksIn) {
  const std::string timed = here_.write("timed.xta",
                                        "clock x; int[0,3] n;\n"
                                        "process P() { state A { x <= 5 }, B, C; init A;\n"
                                        "  trans A -> A { guard n < 3 && x > 1; assign n = n + 1, x = 0; },\n"
                                        "        A -> B { guard x > 6; }, B -> C { }; }\n"
                                        "system P;\n");
  const auto stored = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"--query", "E<> P.C", "--heuristic", "pdb", "--json"});
    const Outcome run = check(options, timed);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.json()["results"][0]["statistics"]["stored"].get<int>();
  };
  EXPECT_GT(stored({}), 1);
  EXPECT_LE(stored({"--heuristic-clocks"}), 1);
  EXPECT_LE(stored({"--heuristic-clocks", "--pattern", "P", "--abstraction-zones", "100"}), 1);
  const std::string refused = refusal({"--query", "E<> P.C", "--heuristic", "pdb", "--abstraction-zones", "5"}, timed);
  EXPECT_NE(refused.find("--abstraction-zones needs a heuristic that heeds it"), std::string::npos) << refused;
  EXPECT_NE(refusal({"--query", "E<> P.C", "--heuristic", "zdb", "--pattern", "nosuch"}, timed).find("nosuch"),
            std::string::npos);
}

// What chooses, or begins in several states.
TEST_F(Abstractions, OfDiagramsAreForSmv) {
  const std::string model = here_.write("m.smv",
                                        "MODULE main\nVAR x : 0..9; y : 0..9;\n"
                                        "ASSIGN init(x) := {0, 1}; next(x) := {x, (x + 1) mod 10}; next(y) := x;\n"
                                        "INVARSPEC !(x = 9 & y = 9)\n");
  const auto found = [&](std::vector<std::string> options) {
    options.insert(options.end(), {"--heuristic", "max(hL, spdb)", "--json"});
    const Outcome run = check(options, model);
    EXPECT_EQ(run.exit_code, 10) << run.err;
    return run.json()["results"][0];
  };
  const auto result = found({});
  EXPECT_EQ(result["witness_length"], 9);
  EXPECT_EQ(result["abstractions"][0]["details"][0]["text"], "x, y");
  EXPECT_EQ(found({"--pattern", "y"})["witness_length"], 9);
  EXPECT_EQ(found({"--pattern", "y"})["abstractions"][0]["details"][0]["text"], "y");
  const Outcome refused = check({"--heuristic", "pdb"}, model);
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_NE((refused.out + refused.err).find("spdb is a database for such models"), std::string::npos) << refused.out;
  const std::string timed = here_.write("timed.xta", "clock x; process P() { state A; init A; } system P;");
  const Outcome clocks = check({"--heuristic", "spdb", "--query", "E<> P.A"}, timed);
  EXPECT_EQ(clocks.exit_code, 3);
  EXPECT_NE((clocks.out + clocks.err).find("the clock 'x' in the symbolic engine"), std::string::npos) << clocks.out;
}

TEST_F(Abstractions, BadPatternsAndNamesAreRefused) {
  EXPECT_NE(refusal({"--heuristic", "pdb", "--pattern", "nosuch"}).find("nosuch"), std::string::npos);
  EXPECT_NE(refusal({"--heuristic", "pdb", "--patterns", "cegr"}).find("cegar"), std::string::npos);
  EXPECT_NE(refusal({"--heuristic", "ms", "--merge", "nosuch"}).find("level"), std::string::npos);
  EXPECT_NE(refusal({"--heuristic", "ms", "--shrink", "nosuch"}).find("bisimulation"), std::string::npos);
  EXPECT_NE(refusal({"--heuristic", "pa", "--predicates", "nosuch"}).find("syntax"), std::string::npos);
}

// Whatever the budget, the search answers.
TEST_F(Abstractions, BudgetsMakeThemCoarser) {
  for (const std::string heuristic : kAbstracting) {
    for (const std::vector<std::string>& budget : {std::vector<std::string>{"--abstraction-states", "0"},
                                                   {"--abstraction-states", "1"},
                                                   {"--abstraction-states", "20"},
                                                   {"--abstraction-seconds", "0"}}) {
      std::vector<std::string> options = {"--heuristic", heuristic, "--json"};
      options.insert(options.end(), budget.begin(), budget.end());
      const Outcome run = check(options);
      ASSERT_EQ(run.exit_code, 10) << heuristic << budget[0] << budget[1] << run.err;
      if (heuristic != "pa") {
        EXPECT_EQ(run.json()["results"][0]["witness_length"], 22) << heuristic << budget[1];
      }
    }
  }
}

TEST_F(Abstractions, AreLookedAtWithoutASearch) {
  for (const std::string heuristic : kAbstracting) {
    const Outcome run = harrier({"analyse", model_, "--heuristic", heuristic});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("heuristic  " + heuristic + ": "), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("  " + heuristic + " built: "), std::string::npos) << run.out;
    const auto json = harrier({"analyse", model_, "--heuristic", heuristic, "--json"}).json()["results"][0];
    EXPECT_EQ(json["heuristic"], heuristic);
    EXPECT_GT(json["estimate"], 0);
    EXPECT_EQ(json["abstractions"].size(), 1u);
  }
}

TEST_F(Abstractions, ProveWithoutAState) {
  const std::string model = here_.write(
      "safe.xta", "int[0,1] n;\nprocess P() { state A, B; init A; trans A -> B { guard n == 1; }; }\nsystem P;\n");
  for (const std::string heuristic : kAbstracting) {
    const Outcome run = check({"--heuristic", heuristic, "--query", "E<> P.B", "--json"}, model);
    ASSERT_EQ(run.exit_code, 0) << heuristic << run.err;
    const auto result = run.json()["results"][0];
    EXPECT_EQ(result["verdict"], "unreachable") << heuristic;
    EXPECT_EQ(result["statistics"]["expanded"], 0) << heuristic;
    EXPECT_EQ(result["abstractions"][0]["proved"], true) << heuristic;
    const Outcome look = harrier({"analyse", model, "--query", "E<> P.B", "--heuristic", heuristic});
    EXPECT_NE(look.out.find("no goal state can be reached, which is proved"), std::string::npos) << look.out;
  }
}

}  // namespace
}  // namespace harrier
