// The memory that the data structures of a search draw on as they grow, and its share in the watch over the run.
// Threads may draw on one budget together.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/watch.h"

namespace harrier {

class Budget {
 public:
  Budget() = default;
  explicit Budget(uint64_t limit_bytes) : limit_(limit_bytes) {}
  Budget(std::optional<uint64_t> limit_bytes, const Watch& watch)
      : limit_(limit_bytes.value_or(std::numeric_limits<uint64_t>::max())), watch_(&watch) {}
  Budget(const Budget& other) : limit_(other.limit_), used_(other.used()), watch_(other.watch_) {}
  Budget& operator=(const Budget& other) {
    if (this == &other) return *this;
    limit_ = other.limit_;
    used_ = other.used();
    watch_ = other.watch_;
    return *this;
  }

  // To be called before growing. Throws MemoryLimitReached if there is not so much; the caller's content is unchanged
  // and readable then.
  void take(uint64_t bytes) {
    if (used_.fetch_add(bytes, std::memory_order_relaxed) + bytes <= limit_) return;
    give_back(bytes);
    throw MemoryLimitReached();
  }
  void give_back(uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }

  const Watch& watch() const { return *watch_; }
  void poll() const { watch_->poll(); }

 private:
  uint64_t limit_ = std::numeric_limits<uint64_t>::max();
  std::atomic<uint64_t> used_ = 0;
  const Watch* watch_ = &Watch::none();
};

}  // namespace harrier
