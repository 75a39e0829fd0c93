// The time that building an abstraction may take. Unlike the watch over the whole run, which throws, it only says when
// it is used up: then what there is by now is what there will be.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/watch.h"

namespace harrier::abstraction {

class Allowance {
 public:
  Allowance(double seconds, const Watch& watch) : watch_(watch), seconds_(seconds) {}

  // Whether the time is used up. Cheap enough for inner loops; polls the watch.
  bool over() {
    watch_.poll();
    if (!over_ && calls_++ % kCallsPerLook == 0) over_ = spent() >= seconds_;
    return over_;
  }
  // Seconds since it was made.
  double spent() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr uint32_t kCallsPerLook = 64;

  const Watch& watch_;
  double seconds_;
  Clock::time_point start_ = Clock::now();
  uint32_t calls_ = 0;
  bool over_ = false;
};

}  // namespace harrier::abstraction
