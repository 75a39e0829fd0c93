// Run-time errors and doubtful proofs, as a user sees them.
#include <gtest/gtest.h>

#include <string>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;
using nlohmann::json;

constexpr const char* kIndex = R"(byte a[4]; byte i;
active proctype P() { do :: i < 6 -> i++ :: i > 3 -> a[i] = 1 od }
)";

TEST(Failures, AreShownWithThePathToThem) {
  const Workspace here;
  const std::string model = here.write("m.pml", kIndex);
  const Outcome run = harrier({"check", model, "--search", "bfs", "--trace", here.path("t.json"), "--trail",
                               here.path("t.trail"), "--chart", here.path("t.mmd")});
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_NE(run.out.find("the model fails: array index out of bounds at " + model + ":2:"), std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("end  array index out of bounds in the transition"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("a[i] = 1"), std::string::npos) << run.out;
  EXPECT_FALSE(read_all(here.path("t.trail")).empty());
  EXPECT_NE(read_all(here.path("t.mmd")).find("the model fails"), std::string::npos);
  const Outcome chosen = harrier({"check", model});
  EXPECT_NE(chosen.out.find("\n  by bfs: It was the first of "), std::string::npos) << chosen.out;
  EXPECT_EQ(chosen.out.find("expanded 0,"), std::string::npos) << chosen.out;
  const Outcome validated = harrier({"validate", model, here.path("t.json")});
  EXPECT_EQ(validated.exit_code, 0) << validated.out;
  EXPECT_NE(validated.out.find("\nvalid: the model fails: array index out of bounds"), std::string::npos)
      << validated.out;
  const Outcome polished = harrier({"polish", model, here.path("t.json")});
  EXPECT_EQ(polished.exit_code, 3);
}

TEST(Failures, InJson) {
  const Workspace here;
  const std::string model = here.write("m.pml", kIndex);
  const Outcome run = harrier({"check", model, "--json"});
  EXPECT_EQ(run.exit_code, 2) << run.err;
  const json result = run.json()["results"][0];
  EXPECT_EQ(result["verdict"], "failed");
  EXPECT_TRUE(result["holds"].is_null());
  EXPECT_EQ(result["validated"], true);
  EXPECT_NE(result["failure"].get<std::string>().find("array index out of bounds"), std::string::npos);
}

TEST(Failures, OfFunctionsThatDoNotEnd) {
  const Workspace here;
  const std::string model = here.write("m.xta",
                                       "int i;\nvoid f() { while (true) i = 1; }\n"
                                       "process P() { state s; init s; trans s -> s { assign f(); }; }\nsystem P;\n");
  const Outcome run = harrier({"check", model, "--query", "E<> i > 10"});
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_NE(run.out.find("the model fails: function does not come to an end"), std::string::npos) << run.out;
}

TEST(Warnings, AreShownWithTheProof) {
  const Workspace here;
  const std::string model =
      here.write("m.xta", "clock x;\nprocess P() { state a { x >= 3 }, b; init a; trans a -> b { }; }\nsystem P;\n");
  const Outcome run = harrier({"check", model, "--query", "A[] false"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("warning: the initial state violates the invariant of P.a"), std::string::npos) << run.out;
  const json result = harrier({"check", model, "--query", "A[] false", "--json"}).json()["results"][0];
  EXPECT_EQ(result["warnings"].size(), 1U);
}

}  // namespace
}  // namespace harrier
