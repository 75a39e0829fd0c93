// `harrier analyse`: what it says, for people and for programs, and what it refuses.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

const std::string kModels = HARRIER_SOURCE_DIR "/models/";

nlohmann::json analysed(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"analyse", "--json"});
  const Outcome run = harrier(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.json()["schema"], "harrier-analysis/1");
  EXPECT_EQ(run.json()["results"].size(), 1u);
  return run.json()["results"][0];
}

TEST(Analyse, SaysWhatIsKnownBeforeASearch) {
  const Outcome run = harrier({"analyse", kModels + "peterson.pml", "--goal", "inside > 1", "--define", "N=3"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(
      run.out,
      "inside > 1\n"
      "  model      3 processes, 42 locations, 48 edges, 20 variables in 119 bits\n"
      "  property   asks for a state\n"
      "  PEP        3/3 = 1, high: everybody\n"
      "  symmetry   none: no two processes of a type can be shown to be interchangeable\n"
      "  layer 0    inside\n"
      "  layer 1    user(0), user(1), user(2)\n"
      "  layer 2    level[0], level[1], level[2], last[0], last[1], last[2], user(0).j, user(0).k, … (12 in all)\n"
      "  unneeded   _nr_pr, _error, _missing, _last\n"
      "  forgotten  level[0], level[1], level[2], user(0).j, user(0).k, user(1).j, user(1).k, user(2).j, … (10 in "
      "all)\n"
      "  simplified 98 bits\n"
      "  suggested  guided random walks, since a heuristic cannot tell apart processes that matter alike\n"
      "  auto       a little breadth-first search, then in turns with it random walks, greedy search by hU "
      "(useless transitions), greedy search by hL (interference contexts), greedy search by hadd (preferred "
      "transitions) and depth-first search with partial-order reduction (as long as it pays)\n"
      "  reduction  partial orders, where processes are independent\n\n");
}

TEST(Analyse, GivesListsInFull) {
  const Outcome run =
      harrier({"analyse", kModels + "peterson.pml", "--goal", "inside > 1", "--define", "N=3", "--full"});
  EXPECT_NE(run.out.find("user(2).j, user(2).k\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("high: user(0), user(1), user(2)\n"), std::string::npos) << run.out;
}

TEST(Analyse, TellsLowFromHigh) {
  for (const int n : {4, 8}) {
    const std::string define = "N=" + std::to_string(n);
    const auto low =
        analysed({kModels + "peterson.pml", "--define", define, "--goal", "user[0]@cs && user[1]@cs", "--no-assert"});
    EXPECT_EQ(low["pep"], 2.0 / n);
    EXPECT_EQ(low["participants"], (std::vector<std::string>{"user(0)", "user(1)"}));
    EXPECT_EQ(low["weak"], (std::vector<std::string>{"inside"}));
    EXPECT_EQ(low["proof"], false);
    const auto high = analysed({kModels + "philosophers.pml", "--define", define});
    EXPECT_EQ(high["pep"], 1);
    EXPECT_EQ(high["high_pep"], true);
    EXPECT_EQ(high["deadlock_clauses"], 1);
    EXPECT_EQ(high["other_clauses"], 0);
    EXPECT_EQ(high["exclusive_control"], true);
    EXPECT_EQ(high["proof"], true);
    EXPECT_EQ(high["suggestion"], "guided random walks");
  }
  const auto senders = analysed({kModels + "send-receive.pml", "--define", "N=3"});
  EXPECT_EQ(senders["pep"], 0.5) << "every sender can report an error, no receiver does";
  EXPECT_EQ(senders["high_pep"], false);
  EXPECT_EQ(senders["suggestion"], "guided search");
  EXPECT_EQ(senders["queues"], 6);
}

TEST(Analyse, ReadsQueriesAsCheckDoes) {
  const Workspace here;
  const std::string model = generate(here, "fischer", 3);
  const Outcome beside = harrier({"analyse", model});
  EXPECT_EQ(beside.exit_code, 0);
  EXPECT_EQ(beside.err.rfind("queries from ", 0), 0u) << beside.err;
  const auto given = analysed({model, "--query", "E<> P(1).cs"});
  EXPECT_EQ(given["property"], "E<> P(1).cs");
  EXPECT_EQ(given["clocks"], 3);
  EXPECT_EQ(given["participants"], (std::vector<std::string>{"P(1)"}));
  EXPECT_EQ(given["auto"].get<std::string>().find("by ha,"), std::string::npos);
  const auto deadlock = analysed({model, "--query", "A[] not deadlock"});
  EXPECT_EQ(deadlock["pep"], 1);
  EXPECT_EQ(deadlock["auto"],
            "breadth-first search first and most of the time, in turns with greedy search by ha and random walks");
}

TEST(Analyse, SaysThatNobodyTakesPart) {
  const Workspace here;
  const std::string model = here.write("m.pml", "byte x, y;\nactive proctype P() { x = 1 }\n");
  const Outcome run = harrier({"analyse", model, "--goal", "y == 1"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.out.find("  PEP        0/1 = 0, nobody\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("  suggested  any search: no process changes what the goal reads\n"), std::string::npos);
}

TEST(Analyse, KnowsWhatIsAboutInfinitePaths) {
  const auto result = analysed({kModels + "peterson.pml", "--ltl", "[] <> user[0]@cs", "--no-assert"});
  EXPECT_EQ(result["liveness"], true);
  EXPECT_EQ(result["claim"], true);
  EXPECT_EQ(result["participants"], (std::vector<std::string>{"user(0)"}));
  EXPECT_EQ(result["auto"], "one depth-first search, for cycles");
}

TEST(Analyse, KnowsFormulasOfBranchingTime) {
  const Workspace here;
  const std::string model = here.write(
      "m.smv", "MODULE main VAR x : boolean; p : process P(x); SPEC AG EF x\nMODULE P(x) ASSIGN next(x) := !x;\n");
  const std::string out = harrier({"analyse", model}).out;
  EXPECT_NE(out.find("a formula of branching time"), std::string::npos) << out;
  EXPECT_NE(out.find("suggested  symbolic search"), std::string::npos) << out;
  EXPECT_NE(out.find("PEP        1/2"), std::string::npos) << out;
}

TEST(Analyse, RefusesWhatCheckRefuses) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  EXPECT_EQ(harrier({"analyse"}).exit_code, 2);
  EXPECT_EQ(harrier({"analyse", "--help"}).exit_code, 0);
  EXPECT_EQ(harrier({"analyse", model}).exit_code, 2) << "no queries";
  EXPECT_EQ(harrier({"analyse", here.path("missing.pml")}).exit_code, 2);
  EXPECT_EQ(harrier({"analyse", model, "--query", "E<> Q.busy"}).exit_code, 2);
  EXPECT_EQ(harrier({"analyse", model, "--query", "E<> P.busy", "--nonsense"}).exit_code, 2);
  EXPECT_EQ(harrier({"analyse", model, "--query", "E[] P.busy"}).exit_code, 3);
}

}  // namespace
}  // namespace harrier
