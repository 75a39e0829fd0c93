// The limits of a run: time, Ctrl-C, and the progress that is shown now and then.
#pragma once

#include <chrono>
#include <string>

#include "harrier/harrier.h"

namespace harrier::search {

class Limits {
 public:
  explicit Limits(const CheckOptions& options) : options_(options), start_(Clock::now()) {}

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // Why the run must end now; empty if it may go on.
  std::string reached() const {
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) return "interrupted";
    if (options_.time_limit_s && seconds() >= *options_.time_limit_s) return "time limit";
    return {};
  }

  // `statistics` is called only when it is time to show something.
  template <class Statistics>
  void show_progress(Statistics&& statistics) {
    if (!options_.progress || seconds() < next_progress_) return;
    next_progress_ = seconds() + kProgressEvery;
    options_.progress(statistics());
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kProgressEvery = 0.25;

  const CheckOptions& options_;
  Clock::time_point start_;
  double next_progress_ = kProgressEvery;
};

}  // namespace harrier::search
