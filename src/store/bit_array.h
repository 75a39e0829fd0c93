// A set of states that keeps bits only: k of them for each state, told by its hash, in an array of fixed size (Bloom
// 1970; Holzmann 1998 for state spaces, "bitstate hashing"). What was added is always found again; what was not may be
// taken for known, if others happen to have set its bits. So a search that asks it may leave states out, and proves
// nothing.
//
// The places are made from one hash of 64 bits by double hashing, which is as good as independent functions (Dillinger
// and Manolios 2004). That two states have the same hash is so rare that it does not count here.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/budget.h"
#include "base/hash.h"

namespace harrier::store {

class BitArray {
 public:
  BitArray(Budget& budget, uint64_t megabytes, uint32_t functions)
      : budget_(budget), bits_(megabytes << 23), functions_(functions) {
    budget_.take(bits_ / 8);
    words_.reset(static_cast<uint64_t*>(std::calloc(bits_ / 64, sizeof(uint64_t))));  // takes no time before it is used
    if (words_ == nullptr) {
      budget_.give_back(bits_ / 8);
      throw std::bad_alloc();
    }
  }
  ~BitArray() { budget_.give_back(bits_ / 8); }
  BitArray(const BitArray&) = delete;
  BitArray& operator=(const BitArray&) = delete;

  // False: it is taken for known.
  bool add(uint64_t hash) {
    uint64_t set = 0;
    for_each_place(hash, [&](uint64_t place) {
      uint64_t& word = words_[place / 64];
      const uint64_t bit = uint64_t{1} << place % 64;
      set += (word & bit) == 0 ? 1 : 0;
      word |= bit;
      return true;
    });
    if (set == 0) return false;
    expect_omissions();
    ones_ += set;
    ++size_;
    return true;
  }
  bool has(uint64_t hash) const {
    return for_each_place(hash, [&](uint64_t place) { return (words_[place / 64] >> place % 64 & 1) != 0; });
  }

  uint64_t size() const { return size_; }  // states that were not taken for known
  uint64_t bits() const { return bits_; }
  uint32_t functions() const { return functions_; }
  // How many states were taken for known though they were not, as is to be expected. With a share f of the bits set,
  // that happens to a new state with probability f^k; so for each one that was added, p / (1 - p) before it were not.
  double omitted() const { return omitted_; }

 private:
  // Until visit(place) is false; and whether it never was.
  template <class Visit>
  bool for_each_place(uint64_t hash, Visit&& visit) const {
    const uint64_t step = mix64(hash ^ 0x9e3779b97f4a7c15ULL);
    for (uint32_t i = 0; i < functions_; ++i) {
      if (!visit(static_cast<uint64_t>(static_cast<unsigned __int128>(hash) * bits_ >> 64))) return false;
      hash += step;
    }
    return true;
  }
  void expect_omissions() {
    const double full = static_cast<double>(ones_) / static_cast<double>(bits_);
    double p = full;
    for (uint32_t i = 1; i < functions_; ++i) p *= full;
    omitted_ += p / (1 - p);
  }

  struct Free {
    void operator()(uint64_t* words) const { std::free(words); }
  };

  Budget& budget_;
  uint64_t bits_;
  uint32_t functions_;
  std::unique_ptr<uint64_t[], Free> words_;
  uint64_t ones_ = 0;
  uint64_t size_ = 0;
  double omitted_ = 0;
};

}  // namespace harrier::store
