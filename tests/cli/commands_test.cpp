// The small commands, and what the command line refuses.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

TEST(Print, ShowsTheModelInside) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const Outcome run = harrier({"print", model});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, "system " + model +
                         "\n"
                         "var n : [0, 3] = 0\n"
                         "process P\n"
                         "  initial location idle\n"
                         "  location busy\n"
                         "  edge idle -> busy guard n < 2 do n := n + 1\n"
                         "  edge busy -> idle\n");
}

TEST(Print, NeedsAModelThatCanBeRead) {
  const Workspace here;
  EXPECT_EQ(harrier({"print", here.path("missing.xta")}).exit_code, 2);
  EXPECT_EQ(harrier({"print", here.write("bad.xta", "int")}).exit_code, 2);
}

TEST(Generate, WritesAModelThatIsReadAgain) {
  const Workspace here;
  for (const char* family :
       {"fischer", "fischer-a", "fischer-b", "fischer-c", "csma", "train-gate", "arbiter", "hanoi", "philosophers"}) {
    const std::string model = generate(here, family, 2);
    EXPECT_EQ(harrier({"print", model}).exit_code, 0) << family;
    const int code = harrier({"check", model, "--quiet"}).exit_code;
    EXPECT_TRUE(code == 0 || code == 10) << family << " " << code;
  }
}

TEST(Generate, IsTheSameEveryTime) {
  EXPECT_EQ(harrier({"generate", "csma", "5"}).out, harrier({"generate", "csma", "5"}).out);
  EXPECT_EQ(harrier({"generate", "fischer", "3", "--query"}).out,
            "A[] forall (i : pid_t) forall (j : pid_t) P(i).cs && P(j).cs imply i == j\n");
}

TEST(Generate, WritesSmv) {
  const Workspace here;
  for (const char* family : {"philosophers", "leader", "send-receive", "mutex", "peterson", "peterson-low"}) {
    const Outcome run = harrier({"generate", family, "3", "--language", "smv"});
    EXPECT_EQ(run.exit_code, 0) << family;
    EXPECT_EQ(run.err, "") << family;
    const std::string model = here.write(std::string(family) + ".smv", run.out);
    EXPECT_EQ(harrier({"check", model, "--quiet"}).exit_code, 10) << family;
  }
}

TEST(Generate, FindsTheLanguageOfAFamily) {
  EXPECT_EQ(harrier({"generate", "leader", "3"}).out, harrier({"generate", "leader", "3", "--language", "smv"}).out);
  const std::string uppaal = harrier({"generate", "philosophers", "3"}).out;
  EXPECT_EQ(uppaal, harrier({"generate", "philosophers", "3", "--language", "uppaal"}).out);
  EXPECT_NE(uppaal, harrier({"generate", "philosophers", "3", "--language", "smv"}).out);
}

TEST(Generate, RefusesWhatTheLanguageDoesNotHave) {
  const auto err = [](std::vector<std::string> arguments) {
    const Outcome run = harrier(std::move(arguments));
    EXPECT_EQ(run.exit_code, 2) << run.out;
    return run.err;
  };
  EXPECT_EQ(err({"generate", "hanoi", "3", "--language", "smv"})
                .rfind("error: unknown family: 'hanoi' is not one of philosophers, leader, ", 0),
            0u);
  EXPECT_EQ(err({"generate", "hanoi", "3", "--language", "smw"})
                .rfind("error: unknown language: 'smw' is not one of uppaal, smv", 0),
            0u);
  EXPECT_EQ(err({"generate", "leader", "3", "--query"}),
            "error: --query: the property of leader is part of the model\n");
}

TEST(Generate, RefusesWhatItDoesNotKnow) {
  const Outcome family = harrier({"generate", "fisher", "3"});
  EXPECT_EQ(family.exit_code, 2);
  EXPECT_EQ(family.out, "");
  EXPECT_EQ(family.err.rfind("error: unknown family: 'fisher' is not one of fischer, ", 0), 0u) << family.err;
  const Outcome size = harrier({"generate", "fischer", "1"});
  EXPECT_EQ(size.exit_code, 2);
  EXPECT_EQ(size.err, "error: fischer takes a size from 2 to 200\n");
  for (const char* n : {"x", "-1", "1e3", "99999999999999999999"}) {
    EXPECT_EQ(harrier({"generate", "fischer", n}).exit_code, 2) << n;
  }
}

TEST(List, NamesEveryHeuristic) {
  const Outcome run = harrier({"list"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  for (const char* name : {"hL", "hU", "hadd", "dL", "dU", "hCG", "hcea"}) {
    EXPECT_NE(run.out.find(std::string("\n") + name + " "), std::string::npos) << name;
  }
}

TEST(Explain, TellsWhatIsPromised) {
  const Outcome run = harrier({"explain", "hL"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out.rfind("hL: ", 0), 0u) << run.out;
  EXPECT_NE(run.out.find("admissible (never exceeds the true distance): yes\n"), std::string::npos) << run.out;
  EXPECT_NE(harrier({"explain", "hU"}).out.find("admissible (never exceeds the true distance): no\n"),
            std::string::npos);
}

TEST(Explain, RefusesWhatItDoesNotKnow) {
  const Outcome run = harrier({"explain", "psychic"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err.rfind("error: unknown name 'psychic'", 0), 0u) << run.err;
}

TEST(Polish, ShortensATrace) {
  const Workspace here;
  const std::string model = generate(here, "fischer-b", 4);
  const std::string trace = here.path("trace.json");
  ASSERT_EQ(harrier({"check", model, "--search", "rdfs", "--trace", trace, "--quiet"}).exit_code, 10);
  const std::string better = here.path("better.json");
  const Outcome run = harrier({"polish", model, trace, "--trace", better});
  EXPECT_EQ(run.exit_code, 10) << run.err;
  EXPECT_EQ(run.out.rfind("6 steps, proved to be shortest\n", 0), 0u) << run.out;
  EXPECT_EQ(harrier({"validate", model, better}).exit_code, 0);
  EXPECT_EQ(harrier({"polish", model, trace, "--effort", "0"}).exit_code, 10);
}

TEST(Polish, NeedsAValidTrace) {
  const Workspace here;
  const std::string model = generate(here, "fischer-b", 3);
  const std::string trace = here.path("trace.json");
  ASSERT_EQ(harrier({"check", model, "--trace", trace, "--quiet"}).exit_code, 10);
  nlohmann::json content = nlohmann::json::parse(read_all(trace));
  content["steps"].erase(0);
  const Outcome run = harrier({"polish", model, here.write("tampered.json", content.dump())});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(harrier({"polish", model, here.path("missing.json")}).exit_code, 2);
  EXPECT_EQ(harrier({"polish", model, here.write("bad.json", "{")}).exit_code, 2);
}

TEST(Help, AndVersionAreResults) {
  for (const char* command : {"check", "validate", "polish", "print", "list", "explain", "generate"}) {
    const Outcome run = harrier({command, "--help"});
    EXPECT_EQ(run.exit_code, 0) << command;
    EXPECT_EQ(run.err, "") << command;
    EXPECT_NE(run.out.find("Usage: "), std::string::npos) << command;
    for (const char c : run.out) EXPECT_TRUE(c == '\n' || (c >= ' ' && c != '\x7f') || c < 0) << command << int{c};
  }
  const Outcome help = harrier({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const std::string& text : {help.out, harrier({"check", "--help"}).out}) {
    EXPECT_NE(text.find("Of several properties the worst counts: 70, 2, 3, 10, 20, 0."), std::string::npos) << text;
  }
  EXPECT_EQ(harrier({"--version"}).out.rfind("harrier ", 0), 0u);
}

TEST(Usage, MistakesAreNamedOnStandardError) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  struct Mistake {
    std::vector<std::string> arguments;
    const char* named;
  };
  const std::vector<Mistake> mistakes = {
      {{}, "subcommand is required"},
      {{"cheque", model}, "unknown command 'cheque'"},
      {{"check"}, "MODEL is required"},
      {{"check", model, "a.q", "b", "c"}, "unexpected argument '"},
      {{"check", model, "--frobnicate"}, "--frobnicate"},
      {{"check", model, "--search", "sideways"}, "--search: 'sideways' is not one of auto, bfs"},
      {{"check", model, "--search", "bfs", "--search", "dfs"}, "--search"},
      {{"check", model, "--search"}, "--search"},
      {{"check", model, "--query", "E<> n == 1", "--search", "greedy", "--heuristic", "psychic"},
       "--heuristic: 'psychic' is not one of hamming, dL"},
      {{"check", model, "--prefer", "useless,fast"}, "--prefer"},
      {{"check", model, "--weight", "0"}, "--weight"},
      {{"check", model, "--depth", "-1"}, "--depth"},
      {{"check", model, "--depth", "three"}, "--depth"},
      {{"check", model, "--seed", "1.5"}, "--seed"},
      {{"check", model, "--time-limit", "-1"}, "--time-limit: '-1' is not a number of seconds"},
      {{"check", model, "--time-limit", "nan"}, "--time-limit: 'nan' is not a number of seconds"},
      {{"check", model, "--memory-limit", "0"}, "--memory-limit"},
      {{"check", model, "--memory-limit", "-5"}, "--memory-limit"},
      {{"validate", model}, "TRACE is required"},
      {{"polish", model}, "TRACE is required"},
      {{"polish", model, "t.json", "--effort", "-1"}, "--effort"},
      {{"print"}, "MODEL is required"},
      {{"list", "hL"}, "hL"},
      {{"explain"}, "takes one name"},
      {{"generate", "hanoi"}, "N is required"},
  };
  for (const Mistake& mistake : mistakes) {
    const Outcome run = harrier(mistake.arguments);
    EXPECT_EQ(run.exit_code, 2) << mistake.named;
    EXPECT_EQ(run.out, "") << mistake.named;
    EXPECT_NE(run.err.find(mistake.named), std::string::npos) << mistake.named << "\n" << run.err;
  }
}

}  // namespace
}  // namespace harrier
