// Limits, interruption and outputs that fail: every run ends in good order, with what it knows.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <string>
#include <thread>

#include "base/sanitized.h"
#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;

// A model whose state space no test could exhaust and whose shortest witness is out of reach.
std::string endless(const Workspace& here) { return generate(here, "hanoi", 30); }

void expect_unknown(const Outcome& run, const std::string& reason) {
  EXPECT_EQ(run.exit_code, 20) << run.err;
  const auto result = run.json()["results"][0];
  EXPECT_EQ(result["verdict"], "unknown");
  EXPECT_EQ(result["reason"], reason);
  EXPECT_TRUE(result["holds"].is_null());
  EXPECT_TRUE(result["statistics"].contains("expanded"));
}

void expect_unknown_after_a_search(const Outcome& run, const std::string& reason) {
  expect_unknown(run, reason);
  const auto statistics = run.json()["results"][0]["statistics"];
  EXPECT_GT(statistics["expanded"], 0);
  EXPECT_GT(statistics["generated"], 0);
  EXPECT_GT(statistics["stored"], 0);
  EXPECT_GT(statistics["memory_bytes"], 0);
}

TEST(Limits, DepthIsInconclusive) {
  const Workspace here;
  const std::string model = generate(here, "hanoi", 3);  // shortest path 22
  expect_unknown_after_a_search(harrier({"check", model, "--json", "--search", "bfs", "--depth", "21"}), "depth limit");
  const Outcome found = harrier({"check", model, "--json", "--search", "bfs", "--depth", "22"});
  EXPECT_EQ(found.exit_code, 10);
  EXPECT_EQ(found.json()["results"][0]["witness_length"], 22);
}

TEST(Limits, DepthHoldsForEverySearch) {
  const Workspace here;
  const std::string model = generate(here, "hanoi", 3);
  for (const char* search : {"bfs", "dfs", "rdfs", "astar", "greedy"}) {
    SCOPED_TRACE(search);
    expect_unknown_after_a_search(harrier({"check", model, "--json", "--depth", "21", "--search", search}),
                                  "depth limit");
    const Outcome found = harrier({"check", model, "--json", "--depth", "22", "--search", search});
    EXPECT_EQ(found.exit_code, 10);
    EXPECT_EQ(found.json()["results"][0]["witness_length"], 22);
  }
}

TEST(Limits, ADepthThatNeverCutsStillProves) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  EXPECT_EQ(harrier({"check", model, "--query", "A[] n < 3", "--depth", "100"}).exit_code, 0);
  EXPECT_EQ(harrier({"check", model, "--query", "A[] n < 3", "--search", "bfs", "--depth", "0"}).exit_code, 20);
}

TEST(Limits, TimeIsInconclusive) {
  const Workspace here;
  const std::string model = endless(here);
  expect_unknown_after_a_search(harrier({"check", model, "--json", "--search", "bfs", "--time-limit", "0.5"}),
                                "time limit");
  // Loading is part of it.
  for (const char* command : {"check", "analyse", "print"}) {
    const Outcome run = harrier({command, model, "--time-limit", "0"});
    EXPECT_EQ(run.exit_code, 20) << command;
    EXPECT_EQ(run.err, model + ": not loaded: time limit\n");
    EXPECT_EQ(run.out, "");
  }
}

TEST(Limits, MemoryIsInconclusiveForEverySearch) {
  const Workspace here;
  const std::string untimed = endless(here);
  const std::string timed = generate(here, "fischer", 30);
  const std::string limit = kSanitized ? "4" : "20";  // megabytes, of states alone, or of all
  for (const char* search : {"bfs", "dfs", "rdfs", "astar", "wastar", "greedy", "ib-process", "ib-interference"}) {
    SCOPED_TRACE(search);
    expect_unknown_after_a_search(harrier({"check", untimed, "--json", "--memory-limit", limit, "--search", search}),
                                  "memory limit");
  }
  expect_unknown_after_a_search(
      harrier({"check", timed, "--json", "--search", "bfs", "--symmetry", "off", "--memory-limit", limit}),
      "memory limit");
}

TEST(Limits, MemoryIsWhatTheProcessUses) {
  const Workspace here;
  // A state of a megabyte, and few of them.
  const std::string model =
      here.write("large.pml", "byte a[1000000];\nactive proctype P() { a[1] = 1; a[2] = 2; a[1] = 0 }\n");
  const Outcome run = harrier({"check", model, "--json", "--memory-limit", "1000"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const auto statistics = run.json()["results"][0]["statistics"];
  // Under the sanitizers only states are counted, which are smaller.
  EXPECT_GT(statistics["memory_bytes"], kSanitized ? 1 << 16 : 1 << 20);
  EXPECT_LT(statistics["memory_bytes"], 1 << 30);
}

TEST(Limits, MemoryBindsTheWitness) {
  if (kSanitized) GTEST_SKIP() << "only states are counted under the sanitizer";
  // A long path is found in little memory; its trace takes more.
  const Workspace here;
  const std::string model = here.write("m.xta", R"(clock x; int n;
process P() { state s; init s; trans s -> s { guard n < 30000; assign n := n + 1; }; }
system P;
)");
  const Outcome run =
      harrier({"check", model, "--query", "E<> n == 30000", "--json", "--search", "bfs", "--memory-limit", "12"});
  EXPECT_EQ(run.exit_code, 20) << run.err;
  const std::string reason = run.json()["results"][0]["reason"];
  EXPECT_EQ(reason.find("memory limit"), 0u) << reason;
}

TEST(Limits, TheTextNamesTheLimit) {
  const Workspace here;
  const Outcome run = harrier({"check", endless(here), "--quiet", "--search", "bfs", "--memory-limit", "20"});
  EXPECT_EQ(run.exit_code, 20);
  EXPECT_NE(run.out.find("\n  unknown: memory limit\n"), std::string::npos) << run.out;
}

TEST(Limits, TimeBindsTheWaitForAPipe) {
  const Workspace here;
  const std::string pipe = here.path("nobody.pml");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Outcome run = harrier({"check", pipe, "--time-limit", "0.05"});
  EXPECT_EQ(run.exit_code, 20);
  EXPECT_EQ(run.err, pipe + ": not loaded: time limit\n");
}

class Interrupts : public testing::TestWithParam<int> {};

TEST_P(Interrupts, EndTheSearchWithItsStatistics) {
  const Workspace here;
  Child child({"check", endless(here), "--json", "--progress", "0.1"});
  while (child.err_so_far().find("progress: ") == std::string::npos) std::this_thread::yield();
  ASSERT_EQ(kill(child.pid(), GetParam()), 0);
  expect_unknown_after_a_search(child.wait(), "interrupted");
}

TEST_P(Interrupts, EndTheWaitForASilentPipe) {
  const Workspace here;
  const std::string pipe = here.path("silent.xta");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const char* command : {"check", "print"}) {
    Child child({command, pipe});
    const int writer = open(pipe.c_str(), O_WRONLY | O_CLOEXEC);  // returns when the program opens it, too
    ASSERT_GE(writer, 0);
    ASSERT_EQ(kill(child.pid(), GetParam()), 0);
    const Outcome run = child.wait();
    EXPECT_EQ(run.exit_code, 20);
    EXPECT_EQ(run.err, pipe + ": not loaded: interrupted\n");
    close(writer);
  }
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupts, testing::Values(SIGINT, SIGTERM));

TEST(Output, ToAFullDeviceIsAnError) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  for (const char* option : {"--json", "--quiet"}) {
    const Outcome run = Child({"check", model, "--query", "E<> n == 2", option}, "/dev/full").wait();
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err, "cannot write to standard output: No space left on device\n");
  }
  EXPECT_EQ(Child({"print", model}, "/dev/full").wait().exit_code, 2);
  EXPECT_EQ(Child({"generate", "hanoi", "3"}, "/dev/full").wait().exit_code, 2);
  EXPECT_EQ(Child({"--help"}, "/dev/full").wait().exit_code, 2);
}

TEST(Output, ToAClosedPipeIsAnErrorAndNoCrash) {
  const Workspace here;
  const std::string model = here.write("m.xta", kCounter);
  const std::string pipe = here.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  // The reader must be there when the program opens its output and gone when it writes. In between, it reads its model.
  const std::string slow = here.path("slow.xta");
  ASSERT_EQ(mkfifo(slow.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  Child child({"check", slow, "--query", "E<> n == 2"}, pipe);
  const int source = open(slow.c_str(), O_WRONLY | O_CLOEXEC);  // returns when the program opens it, too
  ASSERT_GE(source, 0);
  close(reader);
  const std::string text = read_all(model);
  ASSERT_EQ(write(source, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  close(source);
  const Outcome run = child.wait();
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err, "cannot write to standard output: Broken pipe\n");
}

}  // namespace
}  // namespace harrier
