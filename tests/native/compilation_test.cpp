// Compiling in the background: what is made is used, what goes wrong is told, and nothing is left behind.
#include "native/compilation.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "base/error.h"
#include "step/discrete_generator.h"
#include "support/environment.h"
#include "support/system_builder.h"
#include "support/workspace.h"

namespace harrier::native {
namespace {

using model::Op;
using testing_support::EnvironmentVariable;
using testing_support::SystemBuilder;
using testing_support::Workspace;
namespace fs = std::filesystem;

constexpr auto kAtOnce = std::chrono::milliseconds(0);

// Two counters that go round, one of them by an array, and an edge that leaves a range.
class Compiling : public testing::Test {
 protected:
  Compiling() {
    x_ = b_.var("x", 0, 99);
    a_ = b_.array("a", 2, 0, 99);
    const auto p = b_.process("P", {"s", "t"});
    const auto q = b_.process("Q", {"s"});
    const auto up = b_.edge(p, 0, 1);
    b_.edge(up).guard = {b_.op(Op::Lt, b_.get(x_), b_.num(99)),
                         b_.op(Op::Ne, b_.op(Op::Mod, b_.get(x_), b_.num(7)), b_.num(3))};
    b_.edge(up).effect = {set(x_, b_.op(Op::Add, b_.get(x_), b_.num(1)))};
    const auto too_far = b_.edge(p, 0, 0);
    b_.edge(too_far).effect = {set(x_, b_.op(Op::Mul, b_.get(x_), b_.num(3)))};
    const auto back = b_.edge(p, 1, 0);
    b_.edge(back).effect = {set(x_, b_.op(Op::Mod, b_.op(Op::Add, b_.get(x_), b_.num(5)), b_.num(100)))};
    const auto other = b_.edge(q, 0, 0);
    b_.edge(other).effect = {set(a_, b_.op(Op::Mod, b_.op(Op::Add, b_.get(a_), b_.num(1)), b_.num(50)))};
    property_.kind = model::PropertyKind::Invariant;
    tmpdir_.set(temporary_.path(""));
    fs::create_directories(temporary_.path(""));
  }

  model::StmtId set(model::VarId v, model::ExprId value) { return b_.run(b_.store(v, value)); }
  std::string compiler(const std::string& script) {
    std::string path = here_.write("compiler", "#!/bin/sh\n" + script);
    fs::permissions(path, fs::perms::owner_all);
    cc_.set(path);
    return path;
  }
  bool nothing_left() const { return fs::is_empty(temporary_.path("")); }
  // Generated successors and stored states, by depth-first search.
  static std::pair<size_t, size_t> explore(const step::Semantics& semantics) {
    step::DiscreteGenerator generator(semantics, Watch::none());
    const uint32_t words = semantics.layout().words();
    std::set<std::vector<uint64_t>> seen;
    std::vector<std::vector<uint64_t>> open;
    size_t generated = 0;
    const auto take = [&] {
      std::vector<uint64_t> state(generator.words(), generator.words() + words);
      if (seen.insert(state).second) open.push_back(std::move(state));
      return true;
    };
    generator.initial(take);
    while (!open.empty()) {
      const std::vector<uint64_t> state = std::move(open.back());
      open.pop_back();
      generator.load(state.data());
      generator.successors([&](const step::Firing&) {
        ++generated;
        return take();
      });
    }
    EXPECT_EQ(generator.violations().size(), 1u);  // the edge that goes too far, once
    return {generated, seen.size()};
  }
  Compilation::Report report_of_failure() {
    const step::Semantics semantics(b_.system, property_);
    const auto expected = explore(semantics);
    Compilation compilation(semantics, kAtOnce);
    compilation.wait(Watch::none());
    EXPECT_EQ(semantics.network().program().native(), nullptr);
    EXPECT_EQ(explore(semantics), expected);
    EXPECT_TRUE(nothing_left());
    EXPECT_FALSE(compilation.report().used);
    return compilation.report();
  }

  Workspace here_;
  Workspace temporary_;
  EnvironmentVariable tmpdir_{"TMPDIR"};
  EnvironmentVariable cc_{"CC"};
  EnvironmentVariable path_{"PATH"};
  SystemBuilder b_;
  model::VarId x_;
  model::VarId a_;
  model::Property property_;
};

TEST_F(Compiling, GivesCodeThatIsUsedUntilItsEnd) {
  const step::Semantics semantics(b_.system, property_);
  const auto expected = explore(semantics);
  {
    Compilation compilation(semantics, kAtOnce);
    compilation.wait(Watch::none());
    ASSERT_EQ(compilation.report().problem, "");
    EXPECT_TRUE(compilation.report().used);
    EXPECT_GT(compilation.report().seconds, 0);
    const step::NativeCode* code = semantics.network().program().native();
    ASSERT_NE(code, nullptr);
    for (size_t e = 0; e < b_.system.edges.size(); ++e) EXPECT_NE(code->firings[e], nullptr) << e;
    EXPECT_NE(code->unpack, nullptr);
    EXPECT_EQ(explore(semantics), expected);
    EXPECT_TRUE(nothing_left());
  }
  EXPECT_EQ(semantics.network().program().native(), nullptr);
  EXPECT_EQ(explore(semantics), expected);
}

TEST_F(Compiling, SwitchesOverWhileSomebodyWorks) {
  const step::Semantics semantics(b_.system, property_);
  const auto expected = explore(semantics);
  Compilation compilation(semantics, kAtOnce);
  const auto work = [&] {
    while (!compilation.report().used) ASSERT_EQ(explore(semantics), expected);
    EXPECT_EQ(explore(semantics), expected);
  };
  std::jthread other(work);
  work();
}

TEST_F(Compiling, BeginsOnlyAfterItsDelay) {
  compiler("touch " + here_.path("called"));
  const step::Semantics semantics(b_.system, property_);
  {
    Compilation compilation(semantics, std::chrono::hours(1));
    EXPECT_EQ(compilation.report().problem, "");
    EXPECT_FALSE(compilation.report().used);
  }
  EXPECT_FALSE(fs::exists(here_.path("called")));
}

TEST_F(Compiling, SaysThatThereIsNoCompiler) {
  cc_.set("/nowhere/cc -O1");
  EXPECT_EQ(report_of_failure().problem, "no C compiler (/nowhere/cc)");
  cc_.unset();
  path_.set("/nowhere");
  EXPECT_EQ(report_of_failure().problem, "no C compiler (cc, gcc, clang)");
}

TEST_F(Compiling, SaysWhyACompilerFails) {
  const std::string path = compiler("echo 'out of order: nothing works' >&2\ntouch \"$TMPDIR/leftover\"\nexit 3\n");
  EXPECT_EQ(report_of_failure().problem, path + " failed: out of order: nothing works");
}

TEST_F(Compiling, DoesNotLoadWhatIsNoLibrary) {
  compiler("while [ $# -gt 1 ]; do if [ \"$1\" = -o ]; then echo rubbish > \"$2\"; fi; shift; done\n");
  EXPECT_NE(report_of_failure().problem, "");
  compiler("exit 0\n");
  EXPECT_NE(report_of_failure().problem, "");
}

TEST_F(Compiling, NeedsADirectoryToWriteTo) {
  tmpdir_.set("/nowhere");
  EXPECT_EQ(report_of_failure().problem.find("no directory for temporary files: /nowhere/"), 0u);
}

TEST_F(Compiling, EndsTheCompilerAndWhatThatHasStarted) {
  compiler("sleep 1000 &\necho $! > " + here_.path("new") + "\nmv " + here_.path("new") + " " + here_.path("pid") +
           "\ntouch \"$TMPDIR/half\"\nwait\n");
  const step::Semantics semantics(b_.system, property_);
  pid_t sleeper = 0;
  {
    Compilation compilation(semantics, kAtOnce);
    while (!fs::exists(here_.path("pid"))) std::this_thread::yield();
    std::ifstream(here_.path("pid")) >> sleeper;
    ASSERT_GT(sleeper, 0);
    ASSERT_EQ(kill(sleeper, 0), 0);
  }
  EXPECT_TRUE(nothing_left());
  // It is gone, or waits to be buried by whoever adopted it.
  const auto lives = [&] {
    std::ifstream file("/proc/" + std::to_string(sleeper) + "/stat");
    std::string pid;
    std::string name;
    std::string state;
    return (file >> pid >> name >> state) && state != "Z" && state != "X";
  };
  while (lives()) std::this_thread::yield();
}

TEST_F(Compiling, WaitsOnlyAsLongAsItMay) {
  compiler("sleep 1000\n");
  const step::Semantics semantics(b_.system, property_);
  for (const uint64_t polls : {0, 1, 5}) {
    const Watch watch({.polls = polls});
    Compilation compilation(semantics, kAtOnce);
    EXPECT_THROW(compilation.wait(watch), Error);
  }
  EXPECT_TRUE(nothing_left());
}

TEST_F(Compiling, LeavesAModelThatIsTooLarge) {
  const auto p = b_.process("Large", {"s"});
  for (int i = 0; i < 20000; ++i) {
    const auto e = b_.edge(p, 0, 0);
    b_.edge(e).effect = {set(x_, b_.op(Op::Mod, b_.op(Op::Mul, b_.get(x_), b_.num(i)), b_.num(100)))};
  }
  const step::Semantics semantics(b_.system, property_);
  Compilation compilation(semantics, kAtOnce);
  compilation.wait(Watch::none());
  EXPECT_EQ(compilation.report().problem, "the model is too large for native code");
}

}  // namespace
}  // namespace harrier::native
