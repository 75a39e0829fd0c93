// The lines of a dialogue: from a terminal, behind a prompt; or from a script, whose lines are echoed behind the same
// prompt, so that what is printed reads like a dialogue.
#pragma once

#include <atomic>
#include <optional>
#include <string>

namespace harrier::cli {

class CommandLines {
 public:
  // Of standard input.
  CommandLines();
  // Of a file, which is read as a whole.
  CommandLines(std::string name, std::string text);

  bool on_terminal() const { return on_terminal_; }
  // The next line without its end; nothing at the end of input. At a terminal, Ctrl-C begins a new line.
  std::optional<std::string> next(const std::string& prompt);
  // "FILE:LINE" of the last one.
  std::string place() const { return name_ + ":" + std::to_string(number_); }

 private:
  std::optional<std::string> taken();
  // More from standard input. False: there is nothing more.
  bool read_more(const std::string& prompt);

  std::string name_;
  std::string text_;  // that was read, and not taken yet
  size_t begin_ = 0;
  bool ended_ = false;
  bool on_terminal_ = false;
  size_t number_ = 0;
};

}  // namespace harrier::cli
