// How a stored state was reached: its parent, and the number of the label that led from there (labels.h), in one word.
#pragma once

#include <cstdint>

namespace harrier::store {

class Origin {
 public:
  static constexpr uint32_t kLabelBits = 26;
  static constexpr uint64_t kNoParent = (uint64_t{1} << (64 - kLabelBits)) - 1;  // of an initial state
  static constexpr uint32_t kMostLabels = 1u << kLabelBits;

  Origin() = default;
  Origin(uint64_t parent, uint32_t label) : bits_(parent << kLabelBits | label) {}
  uint64_t parent() const { return bits_ >> kLabelBits; }
  // Of an initial state: which of them it is.
  uint32_t label() const { return static_cast<uint32_t>(bits_ & (kMostLabels - 1)); }
  bool initial() const { return parent() == kNoParent; }

 private:
  uint64_t bits_;
};

// What became of a state that was offered to a store.
struct Admission {
  uint64_t id = 0;
  bool fresh = false;
};

}  // namespace harrier::store
