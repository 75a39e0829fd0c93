// What building an abstraction may take: states and seconds of its own, on top of the limits of the run.
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
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  // The time is used up. What is being built should end; it is no error.
  bool is_over() const { return seconds() >= deadline_; }
  // The same with a part of the time that is left.
  Allowance part(double of_the_rest) const {
    return {states_, std::max(0.0, deadline_ - seconds()) * of_the_rest, watch_};
  }
  // Throws Error(Limit) when a limit of the run is reached.
  void poll() const { watch_.poll(); }
  const Watch& watch() const { return watch_; }

 private:
  using Clock = std::chrono::steady_clock;

  uint64_t states_;
  double deadline_;
  const Watch& watch_;
  Clock::time_point start_;
};

}  // namespace harrier::abstraction
