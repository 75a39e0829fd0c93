// Source texts, places in them, and the diagnostics that point at them.
//
// Every front end keeps the texts it read in a `Sources` table and hands out small `SourceRef`s. A diagnostic is
// printed with the offending line and a caret:
//
//     model.xta:3:9: error: unknown name 'idd'
//         3 |   guard idd == 0;
//           |         ^
//
// For XML the place also names the element by its XPath.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/watch.h"

namespace harrier {

// A place in a source text. `line` and `column` count from 1; line 0 means "no place".
struct SourceRef {
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t context = 0;  // 0, or 1 + index of a context (an XPath) in `Sources`

  bool known() const { return line != 0; }
};

class Sources {
 public:
  // Registers a text under the name shown to the user; returns its file number.
  uint32_t add_file(std::string name, std::string text);
  // Registers a context such as `/nta/template[2]/transition[1]/label[1]`; returns the value for SourceRef::context.
  uint32_t add_context(std::string description);

  const std::string& file_name(uint32_t file) const { return files_[file].name; }
  const std::string& text(uint32_t file) const { return files_[file].text; }
  size_t file_count() const { return files_.size(); }

  // The place of a byte offset in a file.
  SourceRef ref_at(uint32_t file, size_t offset, uint32_t context = 0) const;
  // "file:line:col", with " (xpath)" where there is a context; "" for an unknown place.
  std::string describe(const SourceRef& ref) const;
  // The text of a line without its end; "" if there is none.
  std::string_view line_text(const SourceRef& ref) const;

 private:
  struct File {
    std::string name;
    std::string text;
    std::vector<size_t> line_starts;
  };
  std::vector<File> files_;
  std::vector<std::string> contexts_;
};

enum class Severity : uint8_t { Error, Unsupported, Warning };

struct Diagnostic {
  Severity severity = Severity::Error;
  SourceRef at;
  std::string message;
};

// "file:line:col: error: message", then the line and a caret where the place is known.
// An unsupported feature reads "unsupported: message at file:line:col".
std::string format_diagnostic(const Sources& sources, const Diagnostic& diagnostic);

// Collects what a front end has to say. After `kMaxErrors` errors `full()` asks it to stop. Every stage has it at hand,
// so that it also passes on the watch over the run.
class Diagnostics {
 public:
  static constexpr size_t kMaxErrors = 20;

  explicit Diagnostics(const Watch& watch = Watch::none()) : watch_(&watch) {}

  void poll() const { watch_->poll(); }
  const Watch& watch() const { return *watch_; }

  void error(SourceRef at, std::string message) { add({Severity::Error, at, std::move(message)}); }
  void unsupported(SourceRef at, std::string message) { add({Severity::Unsupported, at, std::move(message)}); }
  void warning(SourceRef at, std::string message) { add({Severity::Warning, at, std::move(message)}); }

  // After too many errors only warnings are taken.
  void add(Diagnostic diagnostic);
  // All that there is; nothing is left.
  std::vector<Diagnostic> take();

  bool has_errors() const { return errors_ != 0 || unsupported_ != 0; }
  // Only unsupported features stand in the way: the input itself is fine.
  bool only_unsupported() const { return errors_ == 0 && unsupported_ != 0; }
  bool full() const { return errors_ + unsupported_ >= kMaxErrors; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  const Watch* watch_;
  std::vector<Diagnostic> all_;
  size_t errors_ = 0;
  size_t unsupported_ = 0;
};

// All of them, ready to be shown; with errors, "too many" of them is said.
std::string format_all(const Sources& sources, const Diagnostics& diagnostics);
// What keeps an input with errors from being used.
Error to_error(const Sources& sources, const Diagnostics& diagnostics);

}  // namespace harrier
