// Predicates: what an abstract state says of a state (Hoffmann et al. 2006, §1, §3.2).
//
// A predicate compares a linear function of integer variables with a constant, `2x - y <= 3` or `x == 1`, or bounds a
// clock or the difference of two, `x < 5`, `x - y <= 2`. Each has one form: `x > 3` is what is left where `x <= 3` does
// not hold, so it is no predicate of its own. Locations are no predicates: abstract states have them as they are.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "abstraction/predicates/terms.h"
#include "base/archive.h"
#include "model/system.h"
#include "model/value_sets.h"
#include "zone/dbm.h"

namespace harrier::abstraction {

// x_left - x_right, bounded from above.
struct ClockAtom {
  uint32_t left = 0;
  uint32_t right = 0;
  zone::Bound bound = zone::kInfinity;

  auto operator<=>(const ClockAtom&) const = default;
};

struct Predicate {
  // Of variables: the sum of coefficient * variable, which `bound` is compared with. Empty: about clocks.
  std::vector<std::pair<uint32_t, int64_t>> parts;
  bool equal = false;  // == instead of <=
  int64_t bound = 0;
  ClockAtom clocks;  // left > right

  auto operator<=>(const Predicate&) const = default;
  bool is_about_clocks() const { return parts.empty(); }
  bool holds(const int32_t* state) const {
    int64_t sum = 0;
    for (const auto& [variable, factor] : parts) sum += factor * state[variable];
    return equal ? sum == bound : sum <= bound;
  }
};

// The predicate that a comparison of terms is about; none if it is not linear, or always the same.
std::optional<Predicate> predicate_of(const Terms& terms, TermId comparison);
// The predicate that a bound on clocks is about.
std::optional<Predicate> predicate_of(ClockAtom atom);
// The truth of a predicate about variables, as a term.
TermId term_of(Terms& terms, const Predicate& predicate);
std::string to_text(const model::System& system, const Predicate& predicate);
void save(const Predicate& predicate, ArchiveWriter& out);
// Throws Error(Input) if it speaks of what the system does not have.
Predicate load_predicate(ArchiveReader& in, const model::System& system);

// Different predicates in the order in which they came. Of those about a single variable only the first is kept that
// tells the same values of it apart.
class PredicateSet {
 public:
  explicit PredicateSet(const std::vector<model::ValueSet>& values) : values_(&values) {}

  // False if it says nothing new.
  bool add(const Predicate& predicate);
  const std::vector<Predicate>& all() const { return predicates_; }

 private:
  const std::vector<model::ValueSet>* values_;
  std::vector<Predicate> predicates_;
  std::vector<std::pair<uint32_t, std::vector<bool>>> tables_;  // by variable and its values, false for the first
};

}  // namespace harrier::abstraction
