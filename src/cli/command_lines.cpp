#include "cli/command_lines.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "harrier/error.h"

namespace harrier::cli {

CommandLines::CommandLines() : name_("standard input"), on_terminal_(isatty(STDIN_FILENO) != 0) {}

CommandLines::CommandLines(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), ended_(true) {}

std::optional<std::string> CommandLines::taken() {
  const size_t end = text_.find('\n', begin_);
  if (end == std::string::npos && (!ended_ || begin_ == text_.size())) return std::nullopt;
  std::string line = text_.substr(begin_, end - begin_);
  begin_ = end == std::string::npos ? text_.size() : end + 1;
  if (line.ends_with('\r')) line.pop_back();
  ++number_;
  return line;
}

std::optional<std::string> CommandLines::next(const std::string& prompt) {
  if (on_terminal_) write_result(prompt);
  std::optional<std::string> line = taken();
  while (!line && !ended_) {
    ended_ = !read_more(prompt);
    line = taken();
  }
  if (on_terminal_ ? !line : line.has_value()) write_result(on_terminal_ ? "\n" : prompt + *line + "\n");
  return line;
}

bool CommandLines::read_more(const std::string& prompt) {
  text_.erase(0, begin_);
  begin_ = 0;
  std::array<char, 4096> buffer;
  for (;;) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    // A signal ends the wait for input, though it would not end the reading.
    if (poll(&input, 1, -1) >= 0) {
      const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
      if (count > 0) text_.append(buffer.data(), static_cast<size_t>(count));
      if (count >= 0) return count > 0;
    }
    if (errno != EINTR) {
      throw Error(ErrorKind::Input, std::string("cannot read standard input: ") + std::strerror(errno));
    }
    if (!watch_interrupts()) continue;
    if (!on_terminal_) throw Error(ErrorKind::Limit, "interrupted");
    await_interrupt();
    text_.clear();
    write_result("\n" + prompt);
  }
}

}  // namespace harrier::cli
