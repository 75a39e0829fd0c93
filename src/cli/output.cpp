#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "harrier/error.h"

namespace harrier::cli {

namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw Error(ErrorKind::Input, "cannot write '" + path + "': " + std::strerror(error));
}

std::optional<struct stat> status_of(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

// Written beside and moved into place, unless it is a device or a pipe.
bool is_replaced(const std::string& path) {
  const std::optional<struct stat> status = status_of(path);
  return !status || S_ISREG(status->st_mode);
}

std::string temporary_name(const std::string& path) { return path + ".part"; }

void check_writable(const std::string& path) {
  const std::optional<struct stat> status = status_of(path);
  if (status && S_ISDIR(status->st_mode)) fail(path, EISDIR);
  if (status && access(path.c_str(), W_OK) != 0) fail(path, errno);
  if (!is_replaced(path)) return;
  const std::string temporary = temporary_name(path);
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT, 0600);
  if (file < 0) fail(path, errno);
  close(file);
  unlink(temporary.c_str());
}

// Existing files are told by device and number, so that links and other spellings do not hide them.
bool same_file(const std::string& a, const std::string& b) {
  const std::optional<struct stat> one = status_of(a);
  const std::optional<struct stat> other = status_of(b);
  if (one && other) {
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino && S_ISREG(one->st_mode);
  }
  std::error_code error;
  return !one && !other && std::filesystem::weakly_canonical(a, error) == std::filesystem::weakly_canonical(b, error);
}

}  // namespace

void guard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // For reading only: writing a result fails, as it did before.
    if (fcntl(number, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != number) return;
  }
}

void write_result(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error(ErrorKind::Input, std::string("cannot write to standard output: ") + std::strerror(errno));
  }
}

void note(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

void write_file(const std::string& path, const std::string& text) {
  const bool replace = is_replaced(path);
  const std::string temporary = temporary_name(path);
  std::FILE* file = std::fopen((replace ? temporary : path).c_str(), "wb");
  if (file == nullptr) fail(path, errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed || (replace && std::rename(temporary.c_str(), path.c_str()) != 0)) {
    const int error = errno;
    if (replace) std::remove(temporary.c_str());
    fail(path, error);
  }
}

ChartForm chart_form(std::string_view file) {
  for (const char* suffix : {".puml", ".plantuml", ".pu", ".iuml", ".wsd"}) {
    if (file.ends_with(suffix)) return ChartForm::PlantUml;
  }
  return ChartForm::Mermaid;
}

void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const auto& [option, path] = outputs[i];
    for (const std::string& input : inputs) {
      if (same_file(path, input)) {
        throw Error(ErrorKind::Usage, option + " '" + path + "' would overwrite the input '" + input + "'");
      }
    }
    for (size_t j = 0; j < i; ++j) {
      if (same_file(path, outputs[j].path)) {
        throw Error(ErrorKind::Usage, outputs[j].option + " and " + option + " name the same file '" + path + "'");
      }
    }
    check_writable(path);
  }
}

}  // namespace harrier::cli
