// Runs the `harrier` program as a user would, and keeps what it said.
//
//     Workspace here;
//     const std::string model = here.write("model.xta", "…");
//     const Outcome run = harrier({"check", model, "--query", "E<> P.s"});
//     EXPECT_EQ(run.exit_code, 10) << run.err;
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "support/workspace.h"

extern char** environ;

namespace harrier::testing_support {

inline std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

struct Outcome {
  int exit_code = -1;  // 1000 + the signal if one ended the program
  std::string out;
  std::string err;

  // What it printed, without the remark that a witness is a shortest one, which not every search can make.
  std::string verdicts() const { return std::regex_replace(out, std::regex(", validated, shortest"), ", validated"); }
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

// A running program.
class Child {
 public:
  // Standard output goes to `stdout_path`, or is kept if that is empty.
  explicit Child(std::vector<std::string> arguments, const std::string& stdout_path = "",
                 const char* program = HARRIER_BINARY)
      : out_(stdout_path.empty() ? workspace_.path("out") : stdout_path), err_(workspace_.path("err")) {
    arguments.insert(arguments.begin(), program);
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out_.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_.c_str(), O_WRONLY | O_CREAT, 0600);
    const int failed = posix_spawn(&pid_, program, &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    EXPECT_EQ(failed, 0) << "cannot start " << program;
  }

  pid_t pid() const { return pid_; }
  std::string err_so_far() const { return read_all(err_); }

  Outcome wait() {
    int status = 0;
    EXPECT_EQ(waitpid(pid_, &status, 0), pid_);
    Outcome outcome;
    outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    if (std::filesystem::is_regular_file(out_)) outcome.out = read_all(out_);
    outcome.err = read_all(err_);
    return outcome;
  }

 private:
  Workspace workspace_;
  std::string out_;
  std::string err_;
  pid_t pid_ = -1;
};

inline Outcome harrier(std::vector<std::string> arguments) { return Child(std::move(arguments)).wait(); }

// The same through a shell, for redirections; `$harrier` is the program.
inline Outcome shell(const std::string& script) {
  return Child({"-c", "harrier='" HARRIER_BINARY "'\n" + script}, "", "/bin/sh").wait();
}

// Writes a model of one of our own families and its query beside it; returns the path of the model.
inline std::string generate(const Workspace& here, const std::string& family, int n) {
  const std::string name = family + "-" + std::to_string(n);
  here.write(name + ".q", harrier({"generate", family, std::to_string(n), "--query"}).out);
  return here.write(name + ".xta", harrier({"generate", family, std::to_string(n)}).out);
}

// A counter that a process moves up to 2, although it could hold 3.
inline constexpr const char* kCounter = R"(int[0,3] n;
process P() {
  state idle, busy;
  init idle;
  trans idle -> busy { guard n < 2; assign n := n + 1; },
        busy -> idle { };
}
system P;
)";

}  // namespace harrier::testing_support
