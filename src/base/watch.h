// What a run is bound by: time, memory, and a request to stop. One watch sees to all of a run's phases, from reading
// the model to writing the witness; each of them polls it at short intervals of work.
//
//     Watch watch({.seconds = 5, .stop = &interrupted});
//     for (…) {
//       watch.poll();   // throws Error(Limit) once a bound is reached: "time limit", "memory limit", "interrupted"
//       …
//     }
//
// A poll costs one load: a thread of the watch looks at the clock, at the memory of the process and at the request, a
// few hundred times a second. Memory is what the process has resident, so that everything counts that it really uses,
// and nothing that is only reserved. Data structures that grow by large steps ask a budget (base/budget.h) before they
// do.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

#include "base/error.h"

namespace harrier {

// The memory limit was reached. What ran into it may be given up to make room for something else.
class MemoryLimitReached : public Error {
 public:
  MemoryLimitReached() : Error(ErrorKind::Limit, "memory limit") {}
};

// Bytes of memory that the process has resident, without those of files; 0 if the system does not tell.
uint64_t resident_bytes();

class Watch {
 public:
  struct Bounds {
    std::optional<double> seconds;  // from the making of the watch on
    std::optional<uint64_t> bytes;  // resident, beyond `bytes_before`
    uint64_t bytes_before = 0;
    const std::atomic<bool>* stop = nullptr;  // it is over when this becomes true
    std::optional<uint64_t> polls;            // so many are let pass, for tests of what ends where
  };

  Watch() = default;  // bound by nothing
  explicit Watch(const Bounds& bounds);
  // One that is bound by nothing, for those who were given none.
  static const Watch& none();
  static const Watch& or_none(const Watch* watch) { return watch != nullptr ? *watch : none(); }

  // Throws Error(Limit) if a bound is reached. Any thread may call it.
  void poll() const {
    if (reached_.load(std::memory_order_relaxed) != Reached::Nothing) end();
  }
  // Whether poll would throw, without throwing.
  bool over() const;

  const Bounds& bounds() const { return bounds_; }
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  // The most memory, in the sense of Bounds::bytes, that was seen.
  uint64_t peak_bytes() const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class Reached : uint8_t { Nothing, Time, Memory, Stop, Counting };

  void end() const;
  Reached look() const;
  uint64_t bytes() const;

  Bounds bounds_;
  Clock::time_point start_ = Clock::now();
  mutable std::atomic<Reached> reached_ = Reached::Nothing;
  mutable std::atomic<uint64_t> peak_bytes_ = 0;
  mutable std::atomic<uint64_t> polls_ = 0;
  std::jthread looker_;
};

}  // namespace harrier
