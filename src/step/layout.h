// How a discrete state is packed: each variable gets as many bits as its domain needs, inside one 64-bit word; or as
// many as the values need that it can have, where these are known. That it has no others is proved
// (model/value_sets.h), and looked at all the same: a value that does not fit is an internal error.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "model/system.h"
#include "model/value_sets.h"

namespace harrier::step {

class Layout {
 public:
  explicit Layout(const model::System& system, std::span<const model::ValueSet> values = {});

  uint32_t words() const { return words_; }
  uint32_t bits() const { return bits_; }

  // Where a variable is: as many bits of a word as the mask has, from `shift` on, are its value less `lo`.
  struct Field {
    uint64_t mask = 0;
    int32_t lo = 0;
    uint32_t word = 0;
    uint32_t shift = 0;
  };
  const std::vector<Field>& fields() const { return fields_; }

  void pack(const int32_t* values, uint64_t* words) const;
  // The same of a projection: variables that have one value there may have others here.
  void pack_projected(const int32_t* values, uint64_t* words) const;
  void unpack(const uint64_t* words, int32_t* values) const;
  // Replaces the value of one variable in a packed state.
  void set(uint64_t* words, uint32_t variable, int32_t value) const {
    const Field& f = fields_[variable];
    words[f.word] = (words[f.word] & ~(f.mask << f.shift)) | (encode(f, value) << f.shift);
  }

 private:
  static uint64_t encode(const Field& f, int32_t value) {
    const auto offset = static_cast<uint64_t>(static_cast<int64_t>(value) - f.lo);
    if (offset > f.mask) [[unlikely]]
      throw_misfit();
    return offset;
  }
  [[noreturn]] static void throw_misfit();

  std::vector<Field> fields_;
  uint32_t words_ = 1;
  uint32_t bits_ = 0;
};

}  // namespace harrier::step
