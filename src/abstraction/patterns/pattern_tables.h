// Pattern databases (Culberson and Schaeffer 1998; Edelkamp 2001): tables of the distances in projections of a system,
// built once and looked up in every state.
//
//     const auto tables = PatternTables::build(factors, options, watch);
//     tables.look_up(state);     // a lower bound of the distance to the goal, or kInfinity
//
// Several patterns are combined to the largest of some sums. A sum is a lower bound if no step counts twice in it:
//   max        every pattern is a sum of its own;
//   canonical  the sums over patterns of which no label changes two (Haslum et al. 2007);
//   saturated  the cost of each label is shared out: in some order, every pattern gets what it needs of what is left of
//              the cost, and no more (Seipp, Keller and Helmert 2020). Each order is a sum;
//   auto       saturated.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abstraction/factors.h"
#include "abstraction/patterns/abstract_space.h"
#include "abstraction/patterns/pattern_choice.h"
#include "base/archive.h"
#include "base/watch.h"
#include "harrier/abstraction.h"

namespace harrier::abstraction {

// A way to combine patterns.
struct PatternCombination {
  const char* name;
  const char* summary;
  const char* citation;
};
std::span<const PatternCombination> pattern_combinations();

class PatternTables {
 public:
  // Throws Error(Usage) if the options name something that there is not, or a pattern that does not fit.
  static PatternTables build(std::shared_ptr<const Factors> factors, const AbstractionOptions& options,
                             const Watch& watch = Watch::none());

  // Back from a file; the factors must be those that it was built for.
  static PatternTables load(ArchiveReader& in, std::shared_ptr<const Factors> factors);
  void save(ArchiveWriter& out) const;

  // A lower bound of the cost of reaching a goal state, or kInfinity if that is impossible. Allocates nothing.
  uint32_t look_up(const int32_t* values) const;
  const AbstractionReport& report() const { return report_; }

  size_t pattern_count() const { return patterns_.size(); }
  const Pattern& pattern(size_t number) const { return patterns_[number].variables; }

 private:
  static constexpr size_t kMostPatterns = 128;

  class Builder;

  struct Projected {
    Pattern variables;
    std::vector<uint64_t> multipliers;
    std::vector<uint32_t> system_variables;
    std::vector<const model::ValueNumbers*> value_numbers;
    uint64_t keys = 1;
    std::shared_ptr<const KeyNumbers> numbers;  // none if every key is a state

    uint64_t states() const { return numbers != nullptr ? numbers->size() : keys; }
    uint32_t state(const int32_t* values) const {
      uint64_t key = 0;
      for (size_t i = 0; i < multipliers.size(); ++i) {
        key += (*value_numbers[i])(values[system_variables[i]]) * multipliers[i];
      }
      return numbers != nullptr ? numbers->find(key) : static_cast<uint32_t>(key);
    }
  };
  // Distances by state; the largest number stands for kInfinity, larger distances are cut.
  struct Table {
    uint32_t pattern = 0;
    std::vector<uint8_t> bytes;
    std::vector<uint16_t> words;  // instead of bytes

    bool operator==(const Table&) const = default;
    uint32_t at(uint32_t state) const {
      if (state == KeyNumbers::kNone) return 0;  // it cannot be reached: nothing is known of it
      if (!bytes.empty()) return bytes[state] == UINT8_MAX ? kInfinity : bytes[state];
      return words[state] == UINT16_MAX ? kInfinity : words[state];
    }
    uint64_t states() const { return bytes.size() + words.size(); }
  };

  static Projected projected(const Factors& factors, const Pattern& pattern, std::shared_ptr<const KeyNumbers> numbers);
  bool may_be_goal(const int32_t* values) const;

  std::shared_ptr<const Factors> factors_;
  std::vector<Projected> patterns_;
  std::vector<Table> tables_;
  std::vector<std::vector<uint32_t>> sums_;  // of tables
  uint32_t cheapest_ = 0;                    // of all labels
  AbstractionReport report_;
};

}  // namespace harrier::abstraction
