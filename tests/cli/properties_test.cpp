// Every property is answered on its own; --select and --expect.
#include <gtest/gtest.h>

#include <string>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

TEST(Properties, OneThatCannotBeAnsweredKeepsNoOtherFromIt) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::string queries = here.write("all.q", "E<> n == 3\nE<> m == 1\nPr[<=1](<> P.busy)\nE<> n == 2\n");
  const Outcome run = harrier({"check", model, queries, "--quiet", "--search", "bfs"});
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_EQ(run.verdicts(),
            "E<> n == 3\n  does not hold: proved, no such state is reachable\n"
            "E<> m == 1\n  not answered: " +
                queries +
                ":2:5: error: unknown name 'm'\n"
                "Pr[<=1](<> P.busy)\n  not answered: unsupported: statistical queries ('Pr') at " +
                queries +
                ":3:1\n"
                "E<> n == 2\n  holds: a witness of 3 steps, validated\n");
  EXPECT_NE(run.err.find("unknown name 'm'"), std::string::npos);
  EXPECT_NE(run.err.find('^'), std::string::npos) << "with the line and the place";
}

TEST(Properties, TheWorstDecidesTheExitCode) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::string witness = "E<> n == 1";
  const std::string proved = "E<> n == 3";
  const std::string bad = "E<> m == 1";
  const std::string refused = "Pr[<=1](<> P.busy)";
  const auto exit_code = [&](const std::vector<std::string>& queries) {
    std::vector<std::string> arguments = {"check", model, "--quiet", "--search", "bfs"};
    for (const std::string& query : queries) arguments.insert(arguments.end(), {"--query", query});
    return harrier(arguments).exit_code;
  };
  EXPECT_EQ(exit_code({proved}), 0);
  EXPECT_EQ(exit_code({witness, proved}), 10);
  EXPECT_EQ(exit_code({witness, refused, proved}), 3);
  EXPECT_EQ(exit_code({refused, bad, witness}), 2);
}

TEST(Properties, ARunTimeErrorIsThatOfOneProperty) {
  const Workspace here;
  const std::string model = here.write("m.xta",
                                       "int[0,9] i; int a[3];\nprocess P() { state s, t; init s;\n"
                                       "  trans s -> s { guard i < 9; assign a[i] = 1, i = i + 1; }, s -> t { }; }\n"
                                       "system P;\n");
  const Outcome run =
      harrier({"check", model, "--quiet", "--search", "bfs", "--query", "E<> i == 7", "--query", "E<> P.t"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.out.find("E<> P.t\n  holds: a witness of 1 step"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("array index out of bounds"), std::string::npos) << run.out;
}

TEST(Properties, AreRefusedAloneInsideXml) {
  const Workspace here;
  const std::string model = here.write(
      "m.xml",
      "<nta><declaration>int n;</declaration><template><name>Q</name><location id=\"a\"><name>A</name></location>"
      "<init ref=\"a\"/></template><system>system Q;</system><queries>"
      "<query><formula>simulate [&lt;=3] { n }</formula></query>"
      "<query><formula>E&lt;&gt; Q.A</formula><comment>reach A</comment><expect outcome=\"success\"/></query>"
      "<query><formula>A[] n == 0</formula><expect outcome=\"failure\"/></query></queries></nta>");
  const auto all = harrier({"check", model, "--json"});
  EXPECT_EQ(all.exit_code, 3);
  EXPECT_EQ(all.json()["results"][0]["error"]["kind"], "unsupported");
  EXPECT_EQ(all.json()["results"][1]["holds"], true);
  EXPECT_EQ(all.json()["results"][1]["as_expected"], true);
  EXPECT_EQ(all.json()["results"][2]["as_expected"], false);
  EXPECT_EQ(harrier({"check", model, "--select", "reach A", "--expect", "annotated"}).exit_code, 0);
  EXPECT_EQ(harrier({"check", model, "--select", "2,3", "--expect", "annotated"}).exit_code, 1);
  EXPECT_EQ(harrier({"print", model}).exit_code, 0) << "the model is fine";
}

TEST(Select, TakesNumbersRangesAndNames) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  here.write("m.q", "E<> n == 1\nE<> n == 2 // twice, at most\nE<> n == 3\nA[] n < 3\n");
  const auto numbers = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"check", model, "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    std::string out;
    const auto document = harrier(arguments).json();
    for (const auto& result : document["results"]) out += result["number"].dump();
    return out;
  };
  EXPECT_EQ(numbers({}), "1234");
  EXPECT_EQ(numbers({"--select", "3"}), "3");
  EXPECT_EQ(numbers({"--select", "4,1-2"}), "124");
  EXPECT_EQ(numbers({"--select", "4", "--select", "2"}), "24");
  EXPECT_EQ(numbers({"--select", "twice, at most"}), "2");
  EXPECT_EQ(numbers({"--select", "A[] n < 3"}), "4");
  const Outcome analysed = harrier({"analyse", model, "--select", "3", "--json"});
  EXPECT_EQ(analysed.json()["results"].size(), 1u);
}

TEST(Select, RefusesWhatThereIsNot) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  here.write("m.q", "E<> n == 1 // once\nE<> n == 2\n");
  for (const char* text : {"3", "0", "2-1", "1-3", "onec", ""}) {
    const Outcome run = harrier({"check", model, "--select", text});
    EXPECT_EQ(run.exit_code, 2) << text;
    EXPECT_EQ(run.out, "") << text;
    EXPECT_NE(run.err.find("there is no such property"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("1  E<> n == 1  (once)\n   2  E<> n == 2"), std::string::npos) << run.err;
  }
  EXPECT_NE(harrier({"check", model, "--select", "onec"}).err.find("did you mean 'once'?"), std::string::npos);
}

TEST(Expect, DecidesTheExitCode) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  here.write("m.q", "E<> n == 1\nA[] n < 2\nE<> n == 3\n");
  const auto exit_code = [&](const std::string& expected) {
    return harrier({"check", model, "--quiet", "--expect", expected}).exit_code;
  };
  EXPECT_EQ(exit_code("holds,violated,violated"), 0);
  EXPECT_EQ(exit_code("reachable,reachable,unreachable"), 0);
  EXPECT_EQ(exit_code("any"), 0);
  EXPECT_EQ(exit_code("holds"), 1);
  EXPECT_EQ(exit_code("holds,holds,violated"), 1);
  EXPECT_EQ(exit_code("unknown"), 1);
  EXPECT_EQ(exit_code("holds,violated"), 2) << "three properties";
  EXPECT_EQ(exit_code("hlods"), 2);
  EXPECT_EQ(harrier({"check", model, "--query", "Pr[<=1](<> P.busy)", "--expect", "unsupported"}).exit_code, 0);
  EXPECT_EQ(harrier({"check", model, "--query", "E<> m", "--expect", "error"}).exit_code, 0);
  EXPECT_EQ(harrier({"check", model, "--query", "E<> n == 2", "--search", "bfs", "--depth", "1", "--expect", "unknown"})
                .exit_code,
            0);
}

TEST(Expect, IsPrinted) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::string queries =
      here.write("e.q", "E<> n == 1 // expect: holds\n/* expect: holds */\nE<> n == 3\nE<> n == 2\n");
  const Outcome plain = harrier({"check", model, queries, "--quiet", "--search", "bfs"});
  EXPECT_EQ(plain.exit_code, 10) << "what the input expects decides only if asked to";
  EXPECT_EQ(plain.verdicts(),
            "E<> n == 1\n  holds: a witness of 1 step, validated\n  as expected\n"
            "E<> n == 3\n  does not hold: proved, no such state is reachable\n  not as expected: holds\n"
            "E<> n == 2\n  holds: a witness of 3 steps, validated\n");
  EXPECT_EQ(harrier({"check", model, queries, "--quiet", "--expect", "annotated"}).exit_code, 1);
  EXPECT_EQ(harrier({"check", model, queries, "--quiet", "--expect", "annotated", "--select", "1,3"}).exit_code, 0);
}

TEST(Expect, AWordThatIsNoVerdictIsRefusedIfItCounts) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::string queries = here.write("e.q", "E<> n == 1 // expect: hodls\n");
  EXPECT_EQ(harrier({"check", model, queries}).exit_code, 10);
  const Outcome run = harrier({"check", model, queries, "--expect", "annotated"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("did you mean 'holds'?"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace harrier
