// What a search is doing, on standard error: one line that changes on a terminal; lines of their own, if asked for,
// anywhere.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "harrier/harrier.h"

namespace harrier::cli {

class Progress {
 public:
  // `every`: print a line so many seconds apart. Otherwise, and unless quiet, a terminal shows the live line.
  Progress(bool quiet, std::optional<double> every);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool active() const { return live_ || every_; }
  // The property that is checked from now on, e.g. "2/5 A[] not deadlock", and how.
  void begin(std::string property, std::string search);
  void show(const Statistics& statistics);
  // Takes the live line away, before something else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<double> every_;
  bool live_;
  bool shown_ = false;
  std::string property_;
  std::string search_;
  Clock::time_point next_;
};

// For one line; parts that are not known are left out.
std::string progress_text(const Statistics& statistics, const std::string& search);
// At most so many columns, cut in the middle of nothing that UTF-8 keeps together.
std::string fitted(const std::string& text, size_t columns);

}  // namespace harrier::cli
