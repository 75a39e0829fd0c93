// The limits of a search: what it may take of the run's, and the progress that is shown now and then.
#pragma once

#include <chrono>
#include <string>

#include "base/budget.h"
#include "base/watch.h"
#include "search/config.h"

namespace harrier::search {

// The memory that the data structures of a search may take.
inline Budget budget_of(const Config& config) { return {config.memory_limit_bytes, config.watching()}; }

class Limits {
 public:
  explicit Limits(const Config& config) : config_(config), watch_(config.watching()), start_(watch_.seconds()) {}

  double seconds() const { return watch_.seconds() - start_; }

  // Throws Error(Limit) if the run must end now.
  void poll() const { watch_.poll(); }

  // Why the run must end now; empty if it may go on.
  std::string reached() const {
    if (!watch_.over()) return {};
    try {
      watch_.poll();
    } catch (const Error& e) {
      return e.what();
    }
    return {};
  }

  // `statistics` is called only when it is time to show something.
  template <class Statistics>
  void show_progress(Statistics&& statistics) {
    if (!config_.progress || seconds() < next_progress_) return;
    next_progress_ = seconds() + kProgressEvery;
    config_.progress(statistics());
  }

 private:
  static constexpr double kProgressEvery = 0.25;

  const Config& config_;
  const Watch& watch_;
  double start_;
  double next_progress_ = kProgressEvery;
};

}  // namespace harrier::search
