// Native code on the command line: who may ask for it, what is told of it, and that an interrupt leaves nothing behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "cli/run_harrier.h"
#include "support/environment.h"

namespace harrier {
namespace {

using namespace testing_support;
namespace fs = std::filesystem;

class NativeCommand : public testing::Test {
 protected:
  NativeCommand() { tmpdir_.set(fs::path(here_.write("temporary/.keep", "")).parent_path()); }
  // Programs that ran here made directories of their own, which are gone.
  bool nothing_left() const {
    const fs::directory_iterator all(here_.path("temporary"));
    return std::none_of(begin(all), end(all), [](const fs::directory_entry& entry) {
      const std::string name = entry.path().filename();
      return name.starts_with("harrier-") && !name.starts_with("harrier-test-");
    });
  }
  std::string sleeping_compiler() {
    std::string path = here_.write("compiler", "#!/bin/sh\ntouch " + here_.path("called") + "\nsleep 1000\n");
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

  Workspace here_;
  EnvironmentVariable tmpdir_{"TMPDIR"};
  EnvironmentVariable cc_{"CC"};
  const std::string model_ = generate(here_, "philosophers", 4);
};

TEST_F(NativeCommand, ChangesNothingButTheTime) {
  for (const char* search : {"bfs", "dfs", "auto", "greedy", "walk"}) {
    const auto result = [&](const char* native) {
      return harrier({"check", model_, "--search", search, "--native", native, "--json"}).json()["results"][0];
    };
    const auto off = result("off");
    const auto on = result("on");
    EXPECT_EQ(on["verdict"], off["verdict"]) << search;
    EXPECT_EQ(on["witness_length"], off["witness_length"]) << search;
    EXPECT_GT(on["statistics"]["native_s"], 0) << search;
    EXPECT_FALSE(off["statistics"].contains("native_s")) << search;
    EXPECT_EQ(on["warnings"], off["warnings"]) << search;
  }
  EXPECT_NE(harrier({"check", model_, "--search", "bfs", "--native", "on"}).out.find("with native code, compiled in "),
            std::string::npos);
  EXPECT_TRUE(nothing_left());
}

TEST_F(NativeCommand, WarnsOnlyWhereItWasAskedFor) {
  cc_.set("/nowhere/cc");
  const Outcome on = harrier({"check", model_, "--search", "bfs", "--native", "on"});
  EXPECT_EQ(on.exit_code, 10);
  EXPECT_NE(on.out.find("  warning: no native code: no C compiler (/nowhere/cc)\n"), std::string::npos) << on.out;
  const Outcome own = harrier({"check", model_, "--search", "bfs"});
  EXPECT_EQ(own.exit_code, 10);
  EXPECT_EQ(own.out.find("native"), std::string::npos) << own.out;
}

TEST_F(NativeCommand, IsRefusedWhereItHasNoEffect) {
  const auto refusal = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"check", model_, "--native", "on"});
    const Outcome run = harrier(options);
    EXPECT_EQ(run.exit_code, run.err.find("unsupported") == std::string::npos ? 2 : 3);
    return run.err;
  };
  EXPECT_EQ(refusal({"--search", "sbfs"}).find("error: --native has no effect with --search sbfs"), 0u);
  EXPECT_EQ(refusal({"--search", "swalk"}).find("error: --native has no effect with --search swalk"), 0u);
}

class InterruptedNativeCommand : public NativeCommand, public testing::WithParamInterface<int> {};

TEST_P(InterruptedNativeCommand, EndsTheCompiler) {
  cc_.set(sleeping_compiler());
  Child child({"check", model_, "--native", "on", "--search", "bfs"});
  while (!fs::exists(here_.path("called"))) std::this_thread::yield();
  ASSERT_EQ(kill(child.pid(), GetParam()), 0);
  const Outcome run = child.wait();
  EXPECT_EQ(run.exit_code, 20);
  EXPECT_NE(run.out.find("unknown: interrupted"), std::string::npos) << run.out;
  EXPECT_TRUE(nothing_left());
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptedNativeCommand, testing::Values(SIGINT, SIGTERM));

TEST_F(NativeCommand, WaitsNoLongerThanTheTimeLimit) {
  cc_.set(sleeping_compiler());
  const Outcome run = harrier({"check", model_, "--native", "on", "--search", "bfs", "--time-limit", "0.2"});
  EXPECT_EQ(run.exit_code, 20);
  EXPECT_NE(run.out.find("unknown: time limit"), std::string::npos) << run.out;
  EXPECT_TRUE(nothing_left());
}

}  // namespace
}  // namespace harrier
