// `harrier simulate` with scripts; tests/cli/simulate_terminal.py drives it at a terminal.
#include "run_harrier.h"

namespace harrier::testing_support {
namespace {

const std::string kFischer = HARRIER_SOURCE_DIR "/models/fischer-faulty.xta";

Outcome simulated(const Workspace& here, const std::string& script, const std::string& model = kFischer) {
  return harrier({"simulate", model, "--script", here.write("script", script)});
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Simulate, EchoesAScript) {
  const Workspace here;
  const Outcome run = simulated(here, "# two steps\n1\n\n  take 1\nwait 3\nundo\n");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("step 0\n  at  P(1).idle, P(2).idle, P(3).idle, P(4).idle\n      id = 0\n"))
      << run.out;
  EXPECT_TRUE(has(run.out,
                  "\n0> # two steps\n0> 1\nstep 1  P(1): idle -> req  [P(1).x := 0]  (fischer-faulty.xta:19:5)\n"
                  "  at  *P(1).req, P(2).idle"))
      << run.out;
  EXPECT_TRUE(has(run.out, "\n1> \n1>   take 1\nstep 2  ")) << run.out;
  EXPECT_TRUE(has(run.out, "      *id = 1\n")) << run.out;
  EXPECT_TRUE(has(run.out, "      waited 3 since this step\n")) << run.out;
  EXPECT_TRUE(has(run.out, "\n2> undo\nstep 1  ")) << run.out;
  EXPECT_FALSE(has(run.out, "\033")) << run.out;
}

TEST(Simulate, SavesWhatValidateReads) {
  const Workspace here;
  const std::string trace = here.path("a trace.json");
  const Outcome run = simulated(here, "random 7\nsave \"" + trace + "\"\n");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(has(run.out, "7 steps to " + trace + "\n")) << run.out;
  const Outcome validated = harrier({"validate", kFischer, trace});
  EXPECT_EQ(validated.exit_code, 0) << validated.err;
  EXPECT_EQ(validated.out, "property: any state\nvalid: a run of the model, in 7 steps\n");
  const Outcome again = harrier({"simulate", kFischer, "--load", trace, "--script", here.write("s", "go 3\nredo 4\n")});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(again.out.starts_with("step 7  ")) << again.out;
  EXPECT_TRUE(has(again.out, "\n7> go 3\nstep 3  ")) << again.out;
  EXPECT_TRUE(has(again.out, "\n3> redo 4\nstep 7  ")) << again.out;
}

TEST(Simulate, SavesWitnesses) {
  const Workspace here;
  const std::string trace = here.path("t.json");
  const Outcome run =
      simulated(here, "run until P(1).cs && P(2).cs\nsave " + trace + " 1\nload " + trace + " 2\ntrace\n");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(has(run.out, "  violates 'A[] forall")) << run.out;
  EXPECT_TRUE(has(run.out, "\nany state: reached in 2 steps at time 0\n")) << run.out;
  const Outcome validated = harrier({"validate", kFischer, trace});
  EXPECT_TRUE(has(validated.out, "valid: the property is violated, in ")) << validated.out;
}

TEST(Simulate, IsTheSameWithTheSameSeed) {
  const Workspace here;
  const std::string script = here.write("s", "random 30\ntrace\n");
  const auto run = [&](const std::string& seed) {
    return harrier({"simulate", kFischer, "--seed", seed, "--script", script}).out;
  };
  EXPECT_EQ(run("5"), run("5"));
  EXPECT_NE(run("5"), run("6"));
}

TEST(Simulate, ShowsAndLists) {
  const Workspace here;
  const Outcome run = simulated(here, "show id\nshow P*\nshow P(2).x\nshow all\nlist P(3)\nhelp wait\n");
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(has(run.out, "0> show id\n      id = 0\n")) << run.out;
  EXPECT_TRUE(has(run.out, "0> show P(2).x\n      zone: P(2).x == P(1).x, P(3).x == P(2).x\n")) << run.out;
  EXPECT_TRUE(has(run.out, "0> list P(3)\n   3  P(3): idle -> req")) << run.out;
  EXPECT_TRUE(has(run.out, "0> help wait\nwait D | any")) << run.out;
}

TEST(Simulate, TellsWhereAScriptFails) {
  const Workspace here;
  const auto fails = [&](const std::string& script, int exit_code, const std::string& text,
                         const std::string& model = kFischer) {
    const Outcome run = simulated(here, script, model);
    EXPECT_EQ(run.exit_code, exit_code) << run.err;
    EXPECT_TRUE(has(run.err, here.path("script") + text)) << run.err;
  };
  fails("1\nfoo\n", 2, ":2: unknown command 'foo'; try help");
  fails("rndom\n", 2, ":1: unknown command 'rndom'; did you mean 'random'?; try help");
  fails("r 2\n", 2, ":1: ambiguous command 'r'");
  fails("7\n", 2, ":1: there is no transition 7, but 4 of them");
  fails("0\n", 2, ":1: transitions are numbered from 1");
  fails("\n\nundo 1\n", 2, ":3: there are only 0 steps");
  fails("redo\n", 2, ":1: nothing can be done again");
  fails("go 4\n", 2, ":1: there is no step 4: they go from 0 to 0");
  fails("wait\n", 2, ":1: wait how long?");
  fails("1\nwait 11\n", 2, ":2: 11 time units cannot pass here");
  fails("run until\n", 2, ":1: run [N] until CONDITION");
  fails("run until P(1).nowhere\n", 2, ":1: condition:1:");
  fails("run 10 until id == 9\n", 20, ":1: not reached in 10 steps");
  fails("save\n", 2, ":1: save where?");
  fails("save " + kFischer + "\n", 2, ":1: save '" + kFischer + "' would overwrite the input");
  fails("save " + here.path("x") + " 1\n", 2, ":1: this is no witness for property 1");
  fails("save " + here.path("x") + " 5\n", 2, ":1: there is no property 5");
  fails("save " + here.path("none/x") + "\n", 2, ":1: cannot write '" + here.path("none/x"));
  fails("load " + here.path("none") + "\n", 2, ":1: cannot read '" + here.path("none"));
  fails("show nothing\n", 2, ":1: nothing has such a name");
  fails("show \"a\n", 2, ":1: there is no second '\"'");
  fails("quit now\n", 2, ":1: too many words: quit");
  fails("wait 1\n", 2, ":1: the model has no clocks", HARRIER_SOURCE_DIR "/models/peterson.pml");
}

TEST(Simulate, StopsAtQuit) {
  const Workspace here;
  const Outcome run = simulated(here, "quit\nfoo\n");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_FALSE(has(run.out, "foo")) << run.out;
}

TEST(Simulate, ReadsStandardInput) {
  const Outcome run = shell("printf '1\\nbad' | $harrier simulate " + kFischer);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(has(run.out, "\n1> bad\n")) << run.out;
  EXPECT_TRUE(has(run.err, "standard input:2: unknown command 'bad'")) << run.err;
  EXPECT_EQ(harrier({"simulate", kFischer}).exit_code, 0);  // of /dev/null
  const Outcome full = shell("printf 'list\\n' | $harrier simulate " + kFischer + " > /dev/full");
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_TRUE(has(full.err, "cannot write to standard output")) << full.err;
}

TEST(Simulate, HasLimits) {
  const Workspace here;
  const Outcome run = harrier(
      {"simulate", kFischer, "--time-limit", "0.2", "--script", here.write("s", "run 1000000000 until id == 9\n")});
  EXPECT_EQ(run.exit_code, 20) << run.err;
  EXPECT_TRUE(has(run.err, ":1: time limit")) << run.err;
}

TEST(Simulate, NeedsNoQueries) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const Outcome run = simulated(here, "random 9\n", model);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(has(run.out, "n = ")) << run.out;
  EXPECT_EQ(harrier({"simulate", model, "--script", here.path("none")}).exit_code, 2);
  EXPECT_EQ(harrier({"simulate", model, "--goal", "x"}).exit_code, 2);  // of Promela
}

}  // namespace
}  // namespace harrier::testing_support
