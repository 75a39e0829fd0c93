// Files that are "-": standard input.
#include "run_harrier.h"

namespace harrier::testing_support {
namespace {

const std::string kFischer = HARRIER_SOURCE_DIR "/models/fischer-faulty.xta";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(StandardInput, IsAModel) {
  const Outcome run = shell("$harrier check - --query 'E<> P(1).cs' --search bfs < " + kFischer);
  EXPECT_EQ(run.exit_code, 10) << run.err;
  EXPECT_TRUE(has(run.out, "a witness of 3 steps, validated, shortest")) << run.out;
  const Outcome pipe = shell("cat " HARRIER_SOURCE_DIR "/models/peterson.pml | $harrier check - --language promela");
  EXPECT_EQ(pipe.exit_code, 0) << pipe.err;
  EXPECT_TRUE(has(shell("echo 'clock x; foo' | $harrier print -").err, "/dev/stdin:1:")) << "the place of an error";
}

TEST(StandardInput, IsATraceOrQueries) {
  const Workspace here;
  const std::string trace = here.path("t.json");
  ASSERT_EQ(harrier({"check", kFischer, "--trace", trace}).exit_code, 10);
  EXPECT_EQ(shell("$harrier validate " + kFischer + " - < " + trace).exit_code, 0);
  EXPECT_EQ(shell("$harrier validate - " + trace + " < " + kFischer).exit_code, 0);
  EXPECT_EQ(shell("echo 'E<> P(1).req' | $harrier check " + kFischer + " -").exit_code, 10);
}

TEST(StandardInput, IsOneFileOnly) {
  const Outcome run = shell("$harrier validate - - < " + kFischer);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(has(run.err, "error: only one of the files can be standard input")) << run.err;
  const Outcome simulate = shell("$harrier simulate - < " + kFischer);
  EXPECT_EQ(simulate.exit_code, 2);
  EXPECT_TRUE(has(simulate.err, "error: the model is standard input: give the commands by --script")) << simulate.err;
  const Workspace here;
  EXPECT_EQ(shell("$harrier simulate - --script " + here.write("s", "1\n") + " < " + kFischer).exit_code, 0);
}

}  // namespace
}  // namespace harrier::testing_support
