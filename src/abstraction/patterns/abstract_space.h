// The states of a projection, numbered, and their distances to the goal.
//
// Either all keys are states, and a key is its own number: a perfect hash. Or, where these are too many, only
// those are that can be reached in the projection from the initial state; a table of keys numbers them. Whatever a
// search looks at is then among them.
//
//     const auto space = AbstractSpace::build(std::move(projection), initial, 1'000'000, allowance);
//     const std::vector<uint32_t> h = space->distances(costs, allowance);   // by number of a state
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "abstraction/allowance.h"
#include "abstraction/distance.h"
#include "abstraction/patterns/projection.h"
#include "base/hash.h"

namespace harrier::abstraction {

// Numbers keys in the order in which they come.
class KeyNumbers {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  KeyNumbers() : slots_(1024, kNone) {}

  size_t size() const { return keys_.size(); }
  uint64_t key(uint32_t number) const { return keys_[number]; }
  const std::vector<uint64_t>& keys() const { return keys_; }
  uint64_t bytes() const { return keys_.size() * sizeof(uint64_t) + slots_.size() * sizeof(uint32_t); }
  uint32_t find(uint64_t key) const { return slots_[slot_of(key)]; }
  // Whether it was not known yet.
  bool insert(uint64_t key);
  void shrink_to_fit() { keys_.shrink_to_fit(); }

 private:
  size_t slot_of(uint64_t key) const {
    size_t slot = mix64(key) & (slots_.size() - 1);
    while (slots_[slot] != kNone && keys_[slots_[slot]] != key) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  std::vector<uint64_t> keys_;
  std::vector<uint32_t> slots_;  // a power of two
};

class AbstractSpace {
 public:
  // None if there are more than `most` states, or the time is over. `initial` has a value for every variable of the
  // factors.
  static std::optional<AbstractSpace> build(const Factors& factors, const Pattern& pattern, const Value* initial,
                                            uint64_t most, const Allowance& allowance);

  const Projection& projection() const { return *projection_; }
  const std::shared_ptr<const KeyNumbers>& numbers() const { return numbers_; }  // none if every key is a state
  uint64_t size() const { return numbers_ != nullptr ? numbers_->size() : projection_->keys(); }
  uint64_t key(uint32_t state) const { return numbers_ != nullptr ? numbers_->key(state) : state; }
  uint32_t find(uint64_t key) const { return numbers_ != nullptr ? numbers_->find(key) : static_cast<uint32_t>(key); }
  uint32_t initial() const { return initial_; }

  // The distance of every state to the goal, where a step costs what its operator does. None if the time is over.
  std::optional<std::vector<uint32_t>> distances(std::span<const uint32_t> costs, const Allowance& allowance) const;
  // What each operator must cost at least for the distances to stay as they are. None if the time is over.
  std::optional<std::vector<uint32_t>> saturated(std::span<const uint32_t> distances, const Allowance& allowance) const;
  // The cost of each operator, if a label costs this: that of its cheapest one.
  std::vector<uint32_t> operator_costs(std::span<const uint32_t> label_costs) const;

 private:
  AbstractSpace() = default;
  bool explore(uint64_t most, const Allowance& allowance, KeyNumbers& numbers, uint64_t initial) const;

  std::shared_ptr<const Projection> projection_;
  std::shared_ptr<const KeyNumbers> numbers_;
  uint32_t initial_ = 0;
};

}  // namespace harrier::abstraction
