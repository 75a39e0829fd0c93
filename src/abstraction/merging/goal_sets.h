// Sets of clauses of a goal, numbered. A goal is a disjunction of clauses, each a conjunction over variables: a state
// of a factor satisfies the parts of some clauses, a state of a product what both of its parts do.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace harrier::abstraction {

class GoalSets {
 public:
  static constexpr uint32_t kNoClause = 0;

  explicit GoalSets(uint32_t clauses) : clauses_(clauses) {
    Bits bits((clauses + 63) / 64, 0);
    number(bits);
    for (uint32_t c = 0; c < clauses; ++c) insert(bits, c);
    all_ = number(bits);
  }

  uint32_t clauses() const { return clauses_; }
  uint32_t all() const { return all_; }
  uint32_t size() const { return static_cast<uint32_t>(sets_.size()); }
  // The set without a clause.
  uint32_t without(uint32_t set, uint32_t clause) {
    Bits bits = sets_[set];
    bits[clause / 64] &= ~(uint64_t{1} << clause % 64);
    return number(bits);
  }
  uint32_t intersection(uint32_t a, uint32_t b) {
    if (a == b || b == all_) return a;
    if (a == all_) return b;
    return combined(a, b, intersections_, [](uint64_t x, uint64_t y) { return x & y; });
  }
  uint32_t together(uint32_t a, uint32_t b) {
    if (a == b || b == kNoClause) return a;
    if (a == kNoClause) return b;
    return combined(a, b, unions_, [](uint64_t x, uint64_t y) { return x | y; });
  }

 private:
  using Bits = std::vector<uint64_t>;
  using Known = std::map<std::pair<uint32_t, uint32_t>, uint32_t>;

  static void insert(Bits& bits, uint32_t clause) { bits[clause / 64] |= uint64_t{1} << clause % 64; }

  uint32_t number(const Bits& bits) {
    const auto [at, fresh] = numbers_.try_emplace(bits, size());
    if (fresh) sets_.push_back(bits);
    return at->second;
  }

  template <class Combine>
  uint32_t combined(uint32_t a, uint32_t b, Known& known, Combine&& combine) {
    if (a > b) std::swap(a, b);
    const auto [at, fresh] = known.try_emplace({a, b}, 0);
    if (fresh) {
      Bits bits = sets_[a];
      for (size_t i = 0; i < bits.size(); ++i) bits[i] = combine(bits[i], sets_[b][i]);
      at->second = number(bits);
    }
    return at->second;
  }

  uint32_t clauses_;
  uint32_t all_ = 0;
  std::vector<Bits> sets_;
  std::map<Bits, uint32_t> numbers_;
  Known intersections_;
  Known unions_;
};

}  // namespace harrier::abstraction
