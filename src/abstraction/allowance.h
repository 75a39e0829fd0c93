// What building an abstraction may take: states and seconds of its own, on top of the limits of the run. Unlike the
// watch over the whole run, which throws, it only says when it is used up: what there is by then is what there will be.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/watch.h"
#include "harrier/abstraction.h"

namespace harrier::abstraction {

class Allowance {
 public:
  explicit Allowance(const AbstractionOptions& options, const Watch& watch = Watch::none())
      : Allowance(options.states, options.seconds, watch) {}
  Allowance(uint64_t states, double seconds, const Watch& watch)
      : states_(states), deadline_(seconds), watch_(watch), start_(Clock::now()) {}

  uint64_t states() const { return states_; }
  // Since it was made.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  // The time is used up.
  bool is_over() const { return seconds() >= deadline_; }
  // The same for inner loops: polls the watch, and looks at the clock now and then.
  bool glance() {
    watch_.poll();
    if (!over_ && glances_++ % kGlancesPerLook == 0) over_ = is_over();
    return over_;
  }
  // The same states, with a part of the time that is left.
  Allowance part(double of_the_rest) const {
    return {states_, std::max(0.0, deadline_ - seconds()) * of_the_rest, watch_};
  }
  // Throws Error(Limit) when a limit of the run is reached.
  void poll() const { watch_.poll(); }
  const Watch& watch() const { return watch_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr uint32_t kGlancesPerLook = 64;

  uint64_t states_;
  double deadline_;
  const Watch& watch_;
  Clock::time_point start_;
  uint32_t glances_ = 0;
  bool over_ = false;
};

}  // namespace harrier::abstraction
