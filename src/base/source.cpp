#include "base/source.h"

#include <algorithm>
#include <utility>

namespace harrier {

namespace {

constexpr size_t kLongestShownLine = 160;

}  // namespace

uint32_t Sources::add_file(std::string name, std::string text) {
  File file{std::move(name), std::move(text), {0}};
  for (size_t i = 0; i < file.text.size(); ++i) {
    if (file.text[i] == '\n') file.line_starts.push_back(i + 1);
  }
  files_.push_back(std::move(file));
  return static_cast<uint32_t>(files_.size() - 1);
}

uint32_t Sources::add_context(std::string description) {
  contexts_.push_back(std::move(description));
  return static_cast<uint32_t>(contexts_.size());
}

SourceRef Sources::ref_at(uint32_t file, size_t offset, uint32_t context) const {
  const auto& starts = files_[file].line_starts;
  auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  const auto line = static_cast<uint32_t>(next - starts.begin());
  return {file, line, static_cast<uint32_t>(offset - starts[line - 1] + 1), context};
}

std::string Sources::describe(const SourceRef& ref) const {
  if (!ref.known()) return "";
  std::string out = files_[ref.file].name + ":" + std::to_string(ref.line) + ":" + std::to_string(ref.column);
  if (ref.context != 0) out += " (" + contexts_[ref.context - 1] + ")";
  return out;
}

std::string_view Sources::line_text(const SourceRef& ref) const {
  if (!ref.known() || ref.file >= files_.size()) return {};
  const File& file = files_[ref.file];
  if (ref.line > file.line_starts.size()) return {};
  std::string_view text = file.text;
  text.remove_prefix(file.line_starts[ref.line - 1]);
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

std::string format_diagnostic(const Sources& sources, const Diagnostic& diagnostic) {
  std::string out;
  const std::string place = sources.describe(diagnostic.at);
  if (diagnostic.severity == Severity::Unsupported) {
    out = "unsupported: " + diagnostic.message;
    if (!place.empty()) out += " at " + place;
  } else {
    if (!place.empty()) out = place + ": ";
    out += diagnostic.severity == Severity::Error ? "error: " : "warning: ";
    out += diagnostic.message;
  }
  out += '\n';
  std::string_view line = sources.line_text(diagnostic.at);
  if (line.empty()) return out;

  // Long lines are shown as a window around the column; bytes that are not printable as '?'.
  size_t column = std::min<size_t>(diagnostic.at.column - 1, line.size());
  size_t first = 0;
  if (line.size() > kLongestShownLine && column > kLongestShownLine / 2) {
    first = column - kLongestShownLine / 2;
  }
  line = line.substr(first, kLongestShownLine);
  column -= first;
  std::string shown(line);
  for (char& c : shown) {
    if (c == '\t') {
      c = ' ';
    } else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) {
      c = '?';
    }
  }
  const std::string number = std::to_string(diagnostic.at.line);
  out += "  " + number + " | " + shown + '\n';
  out += "  " + std::string(number.size(), ' ') + " | " + std::string(column, ' ') + "^\n";
  return out;
}

std::string format_all(const Sources& sources, const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.all()) text += format_diagnostic(sources, d);
  if (diagnostics.full()) text += "too many errors, giving up\n";
  return text;
}

Error to_error(const Sources& sources, const Diagnostics& diagnostics) {
  std::string text = format_all(sources, diagnostics);
  text.pop_back();
  // What the first thing in the way is decides: errors behind something unsupported may only be what it was taken for.
  const auto& all = diagnostics.all();
  const auto first =
      std::find_if(all.begin(), all.end(), [](const Diagnostic& d) { return d.severity != Severity::Warning; });
  const bool unsupported = first != all.end() && first->severity == Severity::Unsupported;
  return {unsupported ? ErrorKind::Unsupported : ErrorKind::Input, text};
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity != Severity::Warning) {
    if (full()) return;
    ++(diagnostic.severity == Severity::Error ? errors_ : unsupported_);
  }
  all_.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> Diagnostics::take() {
  errors_ = unsupported_ = 0;
  return std::exchange(all_, {});
}

}  // namespace harrier
