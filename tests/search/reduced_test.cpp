// Partial-order reduction of Promela models whose processes are started while they run.
#include <gtest/gtest.h>

#include <string>

#include "harrier/harrier.h"
#include "support/promela_checks.h"

namespace harrier {
namespace {

using namespace testing_support::promela;

CheckResult search(const std::string& text, bool reduction, const LoadOptions& load) {
  CheckOptions options;
  options.search = Search::DepthFirst;
  options.reduction = reduction;
  options.simplify = false;
  options.symmetry = false;
  return check(text, options, load);
}

// Each process sends on a channel of its own, which it is given when it is started.
const std::string kWorkers =
    "chan q[3] = [4] of { byte }; byte g;"
    "proctype W(chan c; byte v) { c!v; c!v; c!v }"
    "init { byte i; atomic { do :: i < 3 -> run W(q[i], i); i++ :: else -> break od };";

TEST(Reduced, WhoseChannelIsAnotherOneIsLeftOut) {
  const std::string text = kWorkers + " g = 1 }";
  EXPECT_GT(search(text, false, everything()).statistics.stored, 100u);
  EXPECT_LT(search(text, true, everything()).statistics.stored, 20u);
}

TEST(Reduced, AProcessThatIsStartedAgainMayHaveAnyChannel) {
  const std::string text =
      kWorkers + " _nr_pr == 1; run W(q[i % 3], 7); if :: q[0]??[7] -> g = 1 :: q[0]?_ -> g = 2 fi }";
  for (const char* expression : {"g == 1", "g == 2", "g == 1 && len(q[0]) == 4", "g == 1 && len(q[1]) != 3"}) {
    EXPECT_EQ(search(text, true, goal(expression)).verdict, search(text, false, goal(expression)).verdict)
        << expression;
  }
  EXPECT_EQ(search(text, true, goal("g == 1")).verdict, Verdict::Reachable);
  EXPECT_EQ(search(text, true, goal("g == 2")).verdict, Verdict::Reachable);
}

TEST(Reduced, AProcessMayHaveAnotherChannelLater) {
  const std::string text =
      "chan q[2] = [1] of { byte }; byte g;"
      "active proctype P() { q[0]!1; g = 1 }"
      "active proctype Q() { byte i = 1; chan c = q[i]; c!2; i = 0; c = q[i]; c!2 }";
  for (const char* expression : {"q[0]??[2] && g == 0", "q[0]??[1] && g == 1", "q[0]??[2] && g == 1"}) {
    EXPECT_EQ(search(text, true, goal(expression)).verdict, search(text, false, goal(expression)).verdict)
        << expression;
  }
  EXPECT_EQ(search(text, true, goal("q[0]??[2] && g == 0")).verdict, Verdict::Reachable);
}

}  // namespace
}  // namespace harrier
