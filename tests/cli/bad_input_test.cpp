// Inputs that are wrong, hostile or huge: a clear message with its place and the documented exit code, never a crash.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

struct Case {
  const char* name;
  const char* model;
  const char* query;
  int exit_code;
  const char* place;    // "line:column"
  const char* message;  // a part of it
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, WithItsPlace) {
  const Case& c = GetParam();
  const Workspace here;
  const std::string model = here.write("m.xta", c.model);
  const Outcome run = harrier({"check", model, "--query", c.query});
  EXPECT_EQ(run.exit_code, c.exit_code) << run.err;
  EXPECT_EQ(run.out.find("holds"), std::string::npos) << run.out;
  const std::string place = model + ":" + c.place;
  const std::string expected =
      c.exit_code == 3 ? std::string("unsupported: ") + c.message + " at " + place : place + ": error: " + c.message;
  EXPECT_NE(run.err.find(expected), std::string::npos) << run.err;
  EXPECT_NE(run.err.find('^'), std::string::npos) << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    Table, Refused,
    testing::Values(Case{"EmptyRange", "int[5,1] n;\nprocess P() { state s; init s; }\nsystem P;\n", "E<> P.s", 2,
                         "1:1", "the range [5,1] is empty"},
                    Case{"HugeNumber", "int n[2147483648];\nprocess P() { state s; init s; }\nsystem P;\n", "E<> P.s",
                         2, "1:7", "the number does not fit 32 bits"},
                    Case{"HugeArray", "int n[2147483647];\nprocess P() { state s; init s; }\nsystem P;\n", "E<> P.s", 2,
                         "1:7", "model too large: the array 'n' has more than"},
                    Case{"Recursion",
                         "int f(int n) { return n == 0 ? 0 : f(n - 1); }\n"
                         "process P() { state s; init s; trans s -> s { guard f(3) == 0; }; }\nsystem P;\n",
                         "E<> P.s", 2, "1:5", "recursion is not supported: 'f' calls itself"},
                    Case{"NoInitialLocation", "process P() { state s; }\nsystem P;\n", "E<> P.s", 2, "1:24",
                         "expected 'init'"},
                    Case{"UnknownName", "process P() { state s; init s; trans s -> s { guard m > 0; }; }\nsystem P;\n",
                         "E<> P.s", 2, "1:53", "unknown name 'm'"},
                    Case{"FloatingPoint", "double x;\nprocess P() { state s; init s; }\nsystem P;\n", "E<> P.s", 3,
                         "1:1", "floating-point variables ('double')"},
                    Case{"SyntaxErrorBehindSomethingUnsupported",
                         "process P() { state s; init s; trans s -> s { guard 0.5 < 1; }; }\nint n = ;\nsystem P;\n",
                         "E<> P.s", 3, "1:53", "floating-point numbers"},
                    Case{"SomethingUnsupportedBehindASyntaxError",
                         "int n = ;\nprocess P() { state s; init s; trans s -> s { guard 0.5 < 1; }; }\nsystem P;\n",
                         "E<> P.s", 2, "1:9", "expected an expression"},
                    Case{"StopWatch", "clock x;\nprocess P() { state s { x' == 0 }; init s; }\nsystem P;\n", "E<> P.s",
                         3, "2:26", "stop-watches and clock rates (x')"}),
    [](const testing::TestParamInfo<Case>& parameter) { return parameter.param.name; });

TEST(BadQuery, IsRefusedWithItsPlace) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  struct Query {
    const char* text;
    int exit_code;
    const char* message;
  };
  const Query queries[] = {
      {"E<> zz", 2, "query:1:5: error: unknown name 'zz'"},
      {"E<> n ==", 2, "query:1:"},
      {"E<> P.nowhere", 2, "query:1:"},
      {"n == 2", 2, "query:1:"},
      {"", 2, "empty query"},
      {"E<> n == 2 E<> n == 1", 2, "query:1:"},
      {"bounds: n under s", 3, "unsupported: queries under a strategy at query:1:11"},
      {"bounds{n: n", 2, "query:1:"},
      {"Pr[<=10](<> P.busy)", 3, "unsupported: statistical queries ('Pr') at query:1:1"},
      {"control: A[] P.idle", 3, "unsupported: queries about timed games ('control') at query:1:1"},
  };
  for (const Query& query : queries) {
    const Outcome run = harrier({"check", model, "--query", query.text});
    EXPECT_EQ(run.exit_code, query.exit_code) << query.text << "\n" << run.err;
    EXPECT_EQ(run.out.find("holds"), std::string::npos) << run.out;
    EXPECT_NE(run.err.find(query.message), std::string::npos) << query.text << "\n" << run.err;
  }
}

TEST(BadQuery, InAFileIsRefusedWithItsLine) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::string queries = here.write("bad.q", "// first\nE<> n == 1\nE<> m == 1\n");
  const Outcome run = harrier({"check", model, queries});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.out.find("E<> n == 1\n  holds"), std::string::npos) << "the other one is answered";
  EXPECT_NE(run.err.find(queries + ":3:5: error: unknown name 'm'"), std::string::npos) << run.err;
}

TEST(BadFile, NoQueriesIsAMistakeOfUsage) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const Outcome none = harrier({"check", model});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.err.rfind("error: '" + model + "' has no queries", 0), 0u) << none.err;
  EXPECT_EQ(harrier({"check", model, here.write("empty.q", "")}).exit_code, 2);
  EXPECT_EQ(harrier({"check", model, here.write("comment.q", "// nothing\n")}).exit_code, 2);
}

TEST(BadFile, MissingFilesAndDirectoriesAreNamed) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::string missing = here.path("missing");
  const std::string folder = here.path("");
  for (const std::string& path : {missing, folder}) {
    const std::string named = "cannot read '" + path + "': ";
    for (const auto& arguments : std::vector<std::vector<std::string>>{{"check", path, "--query", "E<> true"},
                                                                       {"check", model, path},
                                                                       {"print", path},
                                                                       {"validate", path, model},
                                                                       {"validate", model, path}}) {
      const Outcome run = harrier(arguments);
      EXPECT_EQ(run.exit_code, 2);
      EXPECT_NE(run.err.find(named), std::string::npos) << run.err;
    }
  }
}

TEST(BadFile, EmptyAndNearlyEmpty) {
  const Workspace here;
  for (const std::string& text : {std::string(), std::string("\n"), std::string("<"), std::string("<nta/>"),
                                  std::string("<nta>"), std::string("/*"), std::string("\""), std::string(1, '\0'),
                                  std::string("\xef\xbb\xbf"), std::string("system ;")}) {
    for (const char* name : {"m.xta", "m.xml"}) {
      const Outcome run = harrier({"check", here.write(name, text), "--query", "E<> true"});
      EXPECT_EQ(run.exit_code, 2) << text << "\n" << run.err;
      EXPECT_NE(run.err, "") << text;
    }
  }
}

TEST(BadFile, RandomBytes) {
  const Workspace here;
  const std::string path = here.path("random.xta");
  {
    std::ofstream file(path, std::ios::binary);
    std::mt19937_64 random(1);
    std::vector<uint64_t> block(125000);
    for (int i = 0; i < 100; ++i) {
      for (uint64_t& word : block) word = random();
      file.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(block.size() * 8));
    }
  }
  ASSERT_EQ(std::filesystem::file_size(path), 100000000u);
  const std::string model = here.write("m.xta", kCounter);
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"check", path, "--query", "E<> true"}, {"check", model, path}, {"validate", model, path}}) {
    const Outcome run = harrier(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments[0];
    EXPECT_EQ(run.out.find("holds"), std::string::npos);
    EXPECT_LT(run.out.size(), 1000u);
    EXPECT_NE(run.err.find(path), std::string::npos);
    EXPECT_LT(run.err.size(), 100000u) << "the diagnostics are for people";
  }
}

TEST(HugeFile, OfAMillionLinesIsCheckedAndItsLastLineNamed) {
  const Workspace here;
  std::string text = "int n;\nprocess P() { state s; init s; trans\n";
  constexpr int kEdges = 333332;
  for (int i = 0; i < kEdges; ++i) {
    text += "s -> s { guard n == " + std::to_string(i) + ";\nassign n = " + std::to_string(i + 1) + ";\n}";
    text += i + 1 < kEdges ? ",\n" : ";\n";
  }
  text += "}\n";
  const Outcome good = harrier(
      {"check", here.write("good.xta", text + "system P;\n"), "--search", "bfs", "--query", "E<> n == 5", "--quiet"});
  EXPECT_EQ(good.exit_code, 10) << good.err;
  EXPECT_EQ(good.verdicts(), "E<> n == 5\n  holds: a witness of 5 steps, validated\n");
  const std::string bad = here.write("bad.xta", text + "system Q;\n");
  const Outcome run = harrier({"check", bad, "--query", "E<> n == 5"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find(bad + ":1000000:8: error: "), std::string::npos) << run.err;
}

TEST(DeepNesting, IsRefusedWithItsPlace) {
  const Workspace here;
  const auto repeat = [](const std::string& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  };
  constexpr int kDeep = 10000;
  const std::string expressions[] = {
      repeat("(", kDeep) + "n" + repeat(")", kDeep),
      repeat("n + (", kDeep) + "n" + repeat(")", kDeep),
      repeat("-", kDeep) + "n",
      repeat("!", kDeep) + "n",
      repeat("n ? n : ", kDeep) + "n",
      repeat("a[", kDeep) + "n" + repeat("]", kDeep),
  };
  for (const std::string& expression : expressions) {
    const std::string model =
        here.write("deep.xta", "int n;\nint a[2];\nprocess P() { state s; init s; trans s -> s { guard " + expression +
                                   " == 0; }; }\nsystem P;\n");
    const Outcome run = harrier({"check", model, "--query", "E<> n == 0"});
    EXPECT_EQ(run.exit_code, 2) << expression.substr(0, 10);
    EXPECT_NE(run.err.find(model + ":3:"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("error: expression nested too deeply"), std::string::npos) << run.err;
    const Outcome query = harrier({"check", here.write("m.xta", kCounter), here.write("deep.q", "E<> " + expression)});
    EXPECT_EQ(query.exit_code, 2) << expression.substr(0, 10);
  }
}

TEST(DeepNesting, OfBlocksAndXmlIsRefused) {
  const Workspace here;
  constexpr int kDeep = 10000;
  const std::string blocks = "void f() " + std::string(kDeep, '{') + std::string(kDeep, '}') +
                             "\nprocess P() { state s; init s; }\nsystem P;\n";
  EXPECT_EQ(harrier({"check", here.write("blocks.xta", blocks), "--query", "E<> P.s"}).exit_code, 2);
  std::string xml;
  for (int i = 0; i < kDeep; ++i) xml += "<nta>";
  EXPECT_EQ(harrier({"check", here.write("deep.xml", xml), "--query", "E<> P.s"}).exit_code, 2);
}

TEST(BadInput, AModelWithoutProcessesIsWarnedAbout) {
  const Workspace here;
  const Outcome run = harrier({"check", here.write("empty.pml", "byte x;\n")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("warning: the model has no process"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace harrier
