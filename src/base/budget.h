// A memory budget that data structures draw on as they grow.
#pragma once

#include <cstdint>
#include <exception>
#include <limits>

namespace harrier {

// Thrown by a data structure whose growth would exceed the budget; its content is unchanged and readable.
struct MemoryLimitReached : std::exception {
  const char* what() const noexcept override { return "memory limit"; }
};

class Budget {
 public:
  Budget() = default;
  explicit Budget(uint64_t limit_bytes) : limit_(limit_bytes) {}

  void take(uint64_t bytes) {
    if (used_ + bytes > limit_) throw MemoryLimitReached();
    used_ += bytes;
  }
  void give_back(uint64_t bytes) { used_ -= bytes; }
  uint64_t used() const { return used_; }

 private:
  uint64_t limit_ = std::numeric_limits<uint64_t>::max();
  uint64_t used_ = 0;
};

}  // namespace harrier
