// The packed form of a candidate, made of that of the state that is left and of what has changed since.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "step/journal.h"
#include "step/layout.h"
#include "step/native_code.h"

namespace harrier::step {

class PackedCandidate {
 public:
  explicit PackedCandidate(const Layout& layout) : layout_(layout), source_(layout.words()), words_(layout.words()) {}

  // The state that is left is this one; writes its values, as native code does it, if there is such.
  void load(const uint64_t* words, int32_t* values, const NativeCode* native) {
    std::copy_n(words, source_.size(), source_.data());
    if (native != nullptr && native->unpack != nullptr) {
      native->unpack(words, values);
    } else {
      layout_.unpack(words, values);
    }
    known_ = true;
  }
  // The state that is left is another one, not packed.
  void forget() { known_ = false; }

  // Of the candidate with these values, given the variables that have been written. Stays until it is asked again.
  const uint64_t* words(const int32_t* values, std::span<const JournalEntry> journal) {
    if (!known_) {
      layout_.pack(values, words_.data());
      return words_.data();
    }
    words_ = source_;
    for (const JournalEntry& entry : journal) layout_.set(words_.data(), entry.variable, values[entry.variable]);
    return words_.data();
  }

 private:
  const Layout& layout_;
  std::vector<uint64_t> source_;  // if it is known
  std::vector<uint64_t> words_;
  bool known_ = false;
};

}  // namespace harrier::step
