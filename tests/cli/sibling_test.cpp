// `--guide-from` and `--guide-define`: a smaller sibling guides the search for an error.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

const std::string kModels = HARRIER_SOURCE_DIR "/models/";

Outcome guided(const std::string& model, const std::string& large, const std::string& small,
               const std::string& heuristic, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"check",         kModels + model,  "--define",   "N=" + large, "--guide-from",
                                        kModels + model, "--guide-define", "N=" + small, "--search",   "greedy",
                                        "--heuristic",   heuristic,        "--json",     "--quiet"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return harrier(arguments);
}

void expect_refused(const Outcome& run, int exit_code, const std::string& why) {
  EXPECT_EQ(run.exit_code, exit_code) << run.out << run.err;
  EXPECT_NE(run.err.find(why), std::string::npos) << run.err;
}

TEST(Sibling, LeadsStraightToTheErrorsOfLargeModels) {
  struct Case {
    const char* model;
    const char* large;
    const char* small;
    int most_expanded;
    std::vector<std::string> more;
  };
  for (const Case& c : {Case{"philosophers.pml", "100", "3", 250, {}}, Case{"mutex-faulty.pml", "60", "3", 100, {}},
                        Case{"leader.pml", "7", "4", 1000, {"--define", "FAULTY"}}}) {
    for (const char* heuristic : {"h0", "h1"}) {
      const Outcome run = guided(c.model, c.large, c.small, heuristic, c.more);
      ASSERT_EQ(run.exit_code, 10) << c.model << run.err;
      EXPECT_LE(run.json()["results"][0]["statistics"]["expanded"], c.most_expanded) << c.model << " " << heuristic;
      const auto again = guided(c.model, c.large, c.small, heuristic, c.more).json()["results"][0];
      for (const char* key : {"expanded", "generated", "stored", "evaluated"}) {
        EXPECT_EQ(again["statistics"][key], run.json()["results"][0]["statistics"][key]) << "the same every time";
      }
    }
  }
}

TEST(Sibling, GuidesOtherSearches) {
  for (const char* search : {"astar", "wastar", "ib-process"}) {
    const Outcome run =
        harrier({"check", kModels + "mutex-faulty.pml", "--define", "N=5", "--guide-from", kModels + "mutex-faulty.pml",
                 "--guide-define", "N=3", "--search", search, "--heuristic", "h1", "--quiet"});
    EXPECT_EQ(run.exit_code, 10) << search << run.err;
  }
}

TEST(Sibling, OfUppaalModelsHasQueriesOfItsOwn) {
  Workspace here;
  const std::string small = generate(here, "fischer-a", 3);
  const std::string large = generate(here, "fischer-a", 6);
  for (const char* heuristic : {"h0", "h1"}) {
    const Outcome run =
        harrier({"check", large, "--guide-from", small, "--search", "greedy", "--heuristic", heuristic});
    EXPECT_EQ(run.exit_code, 10) << run.err;
    EXPECT_NE(run.err.find("guided by a path of "), std::string::npos) << run.err;
  }
}

TEST(Sibling, WithoutAnErrorIsRefused) {
  Workspace here;
  const std::string model = here.write("m.pml", "byte n; active [N] proctype P() { n++; assert(n < 3) }");
  const auto run = [&](const char* small, std::vector<std::string> more) {
    std::vector<std::string> arguments = {"check",          model, "--define", "N=6",    "--guide-from", model,
                                          "--guide-define", small, "--search", "greedy", "--heuristic",  "h1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return harrier(arguments);
  };
  EXPECT_EQ(run("N=3", {}).exit_code, 10);
  expect_refused(run("N=2", {}), 2, "gives no guidance: no path leads to the goal");
  expect_refused(run("N=20", {"--time-limit", "0"}), 20, "time limit");
}

TEST(Sibling, ThatDoesNotFitIsRefused) {
  Workspace here;
  const std::string model = here.write("m.pml", "byte n; active [5] proctype P() { n++; assert(n < 3) }");
  const auto run = [&](const std::string& sibling, const std::string& heuristic) {
    return harrier({"check", model, "--guide-from", sibling, "--search", "greedy", "--heuristic", heuristic});
  };
  const std::string other = here.write("o.pml", "byte n; active [3] proctype Q() { n++; assert(n < 3) }");
  const std::string mixed =
      here.write("x.pml", "byte n; active proctype Q() { n++ } active [2] proctype P() { n++; assert(n < 3) }");
  const std::string uppaal = here.write("u.xta", kCounter);
  here.write("u.q", "E<> n == 2");
  for (const char* heuristic : {"h0", "h1"}) {
    expect_refused(run(here.path("none.pml"), heuristic), 2, "cannot read");
    expect_refused(run(uppaal, heuristic), 2, "not in the language of the model");
    expect_refused(run(other, heuristic), 2, "none of the processes on its path");
    EXPECT_EQ(run(mixed, heuristic).exit_code, 10) << "names that do not match are passed over";
  }
  expect_refused(run(model, "hU"), 2, "--guide-from needs --heuristic h0 or h1, or --search auto");
  expect_refused(harrier({"check", model, "--guide-define", "N=3"}), 2, "--guide-from");
}

TEST(Sibling, IsAskedForWhereItIsNeeded) {
  Workspace here;
  const std::string model = here.write("m.pml", "byte n; active [5] proctype P() { n++; cs: assert(n < 3) }");
  const auto run = [&](const char* heuristic, std::vector<std::string> more) {
    more.insert(more.begin(), {"check", model, "--search", "greedy", "--heuristic", heuristic});
    return harrier(more);
  };
  expect_refused(run("h1", {}), 2, "--guide-from");
  expect_refused(run("h0", {}), 2, "names locations");
  EXPECT_EQ(run("h0", {"--goal", "P[1]@cs && P[2]@cs"}).exit_code, 10);
}

TEST(Sibling, HeuristicsAreListed) {
  const std::string list = harrier({"list"}).out;
  for (const char* name : {"h0", "h1"}) {
    EXPECT_NE(list.find(std::string("\n") + name + " "), std::string::npos) << list;
    EXPECT_NE(harrier({"explain", name}).out.find("follows a smaller sibling: with --guide-from"), std::string::npos);
  }
}

}  // namespace
}  // namespace harrier
