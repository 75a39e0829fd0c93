#include "native/compiler.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace harrier::native {

namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(5);

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorKind::Unsupported, why); }

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (std::string& s : strings) out.push_back(s.data());
  out.push_back(nullptr);
  return out;
}

// The environment, but compilers put their own temporary files into the directory, and speak English.
std::vector<std::string> environment(const PrivateDirectory& directory) {
  std::vector<std::string> out{"TMPDIR=" + directory.path(), "LC_ALL=C"};
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view entry = *at;
    if (!entry.starts_with("TMPDIR=") && !entry.starts_with("LC_ALL=")) out.emplace_back(entry);
  }
  return out;
}

// A process in a group of its own, which ends with this object.
class Child {
 public:
  // `failure` is the error if the program cannot be started.
  Child(std::vector<std::string> command, const PrivateDirectory& directory, const std::string& messages) {
    std::vector<std::string> variables = environment(directory);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigset_t interrupts;
    sigemptyset(&none);
    sigemptyset(&interrupts);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&interrupts, signal);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &interrupts);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    failure_ = posix_spawnp(&pid_, command[0].c_str(), &files, &attributes, pointers_to(command).data(),
                            pointers_to(variables).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    running_ = failure_ == 0;
  }
  ~Child() {
    if (!running_) return;
    kill(-pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int failure() const { return failure_; }
  // Whether it ended well; nothing if it goes on.
  std::optional<bool> ended() {
    int status = 0;
    const pid_t who = waitpid(pid_, &status, WNOHANG);
    if (who == 0 || (who < 0 && errno == EINTR)) return std::nullopt;
    running_ = false;
    return who == pid_ && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  pid_t pid_ = 0;
  int failure_ = 0;
  bool running_ = false;
};

// The commands to try, one after the other.
std::vector<std::vector<std::string>> compilers() {
  const char* const told = std::getenv("CC");
  if (told == nullptr || *told == '\0') return {{"cc"}, {"gcc"}, {"clang"}};
  std::istringstream words(told);
  std::vector<std::string> command;
  for (std::string word; words >> word;) command.push_back(word);
  if (command.empty()) refuse("$CC is blank");
  return {command};
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line) && line.empty()) {
  }
  return line;
}

}  // namespace

std::string compile(const std::string& text, const PrivateDirectory& directory, const std::stop_token& stop) {
  const std::string source = directory.file("model.c");
  std::string object = directory.file("model.so");
  const std::string messages = directory.file("messages");
  std::ofstream file(source);
  file << text;
  file.close();
  if (!file) refuse("cannot write " + source);
  std::string tried;
  for (std::vector<std::string> command : compilers()) {
    const std::string name = command[0];
    for (const char* option : {"-std=gnu11", "-O2", "-w", "-fPIC", "-fwrapv", "-shared", "-nostdlib", "-o"}) {
      command.emplace_back(option);
    }
    command.push_back(object);
    command.push_back(source);
    Child child(command, directory, messages);
    if (child.failure() == ENOENT) {
      tried += (tried.empty() ? "" : ", ") + name;
      continue;
    }
    if (child.failure() != 0) refuse(name + ": " + std::strerror(child.failure()));
    std::mutex mutex;
    std::condition_variable_any wait;
    std::unique_lock lock(mutex);
    for (;;) {
      if (const std::optional<bool> well = child.ended()) {
        if (*well) return object;
        const std::string why = first_line(messages);
        refuse(name + " failed" + (why.empty() ? "" : ": " + why));
      }
      if (wait.wait_for(lock, stop, kLookEvery, [&] { return stop.stop_requested(); })) return {};
    }
  }
  refuse("no C compiler (" + tried + ")");
}

}  // namespace harrier::native
