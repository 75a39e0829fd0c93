#include "cli/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/output.h"

namespace harrier::cli {

namespace {

constexpr size_t kLongestProperty = 40;

size_t terminal_columns() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string fitted(const std::string& text, size_t columns) {
  size_t shown = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (continues(text[i])) continue;
    if (shown == columns) return text.substr(0, i);
    ++shown;
  }
  return text;
}

std::string progress_text(const Statistics& s, const std::string& search) {
  const auto rate = [&](uint64_t count) { return s.time_s > 0 ? static_cast<double>(count) / s.time_s : 0; };
  std::string out = fmt::format("{}  {:.1f} s", search, s.time_s);
  if (s.depth != 0) out += fmt::format("  depth {}", s.depth);
  if (s.open != 0) out += fmt::format("  queue {}", s.open);
  if (s.states != 0) out += fmt::format("  states {:.6g}", s.states);
  if (s.peak_nodes != 0) out += fmt::format("  nodes {}", s.peak_nodes);
  if (s.walks != 0) out += fmt::format("  walks {}", s.walks);
  out += fmt::format("  expanded {}  stored {}  {:.0f}/s  {} MB", s.expanded, s.stored, rate(s.expanded),
                     s.memory_bytes >> 20);
  return out;
}

Progress::Progress(bool quiet, std::optional<double> every)
    : every_(every), live_(!quiet && !every && isatty(STDERR_FILENO) == 1) {}

void Progress::begin(std::string property, std::string search) {
  property_ = std::move(property);
  search_ = std::move(search);
  if (every_)
    next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*every_));
}

void Progress::show(const Statistics& statistics) {
  const auto text = [&] { return progress_text(statistics, statistics.search.empty() ? search_ : statistics.search); };
  if (every_) {
    if (Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*every_));
    note("progress: " + property_ + ": " + text() + "\n");
  } else if (live_) {
    const std::string line = fitted(property_, kLongestProperty) + "  " + text();
    note("\r" + fitted(line, terminal_columns() - 1) + "\x1b[K");
    shown_ = true;
  }
}

void Progress::clear() {
  if (!shown_) return;
  note("\r\x1b[K");
  shown_ = false;
}

}  // namespace harrier::cli
