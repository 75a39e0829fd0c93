// What a space remembers of how a state was reached.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace harrier::store {

// The parent's number, and which of its successors this is, in one word. Initial states have the parent `kNoParent`.
class Origin {
 public:
  static constexpr uint64_t kNoParent = (uint64_t{1} << 40) - 1;
  static constexpr uint32_t kMostSuccessors = (1u << 24) - 1;

  Origin() = default;
  Origin(uint64_t parent, uint32_t ordinal) : bits_(parent << 24 | ordinal) {}
  uint64_t parent() const { return bits_ >> 24; }
  uint32_t ordinal() const { return static_cast<uint32_t>(bits_ & kMostSuccessors); }
  bool initial() const { return parent() == kNoParent; }

 private:
  uint64_t bits_;
};

struct Admission {
  uint64_t id = 0;
  bool fresh = false;
};

// Counts the successors of a state.
inline uint32_t next_ordinal(uint32_t& ordinal, uint32_t most = Origin::kMostSuccessors) {
  if (ordinal == most) {
    throw Error(ErrorKind::Unsupported, "unsupported: a state with more than " + std::to_string(most) + " successors");
  }
  return ordinal++;
}

}  // namespace harrier::store
