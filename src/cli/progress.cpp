#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace harrier::cli {

ProgressLine::ProgressLine(bool wanted) : active_(wanted && isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(const Statistics& s) {
  if (!active_) return;
  const double rate = s.time_s > 0 ? static_cast<double>(s.expanded) / s.time_s : 0;
  fmt::print(stderr, "\r{:.1f} s  expanded {}  stored {}  {:.0f}/s  {} MB\x1b[K", s.time_s, s.expanded, s.stored, rate,
             s.memory_bytes >> 20);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace harrier::cli
