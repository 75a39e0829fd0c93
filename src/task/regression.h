// Backwards: from which states a label leads into a set of states, and which labels lead there at all.
//
// Sets are *regions*: of some variables they say which values they may have. The states from which a label of the
// variable domain system leads into a region are a region again, for it treats every variable on its own. The answer is
// exact for labels that are (VariableDomains::Label::exact); for others it leaves out none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/watch.h"
#include "task/variable_domains.h"

namespace harrier::task {

struct Restriction {
  uint32_t variable = 0;      // of the variable domain system
  std::vector<Value> values;  // sorted; some, but not all

  bool operator==(const Restriction&) const = default;
};
using Region = std::vector<Restriction>;  // sorted by variable

class Regression {
 public:
  // Keeps a reference to the domains.
  explicit Regression(const VariableDomains& domains, const Watch& watch = Watch::none());

  // The goal: a state is one if a label leads from there to this region, at no cost.
  Region goal() const { return {{domains_.goal(), {1}}}; }
  // The states from which a label leads into a region; none if it never does.
  std::optional<Region> regress(uint32_t label, const Region& target) const;
  // The labels that can change a variable to this value, increasing. All others lead into a region that asks for it
  // only from states where the variable has such a value already.
  std::span<const uint32_t> labels_into(uint32_t variable, Value value) const {
    const size_t at = first_of_variable_[variable] + value;
    return std::span(labels_).subspan(first_label_[at], first_label_[at + 1] - first_label_[at]);
  }
  static bool contains(const Region& region, const Value* state);

 private:
  const VariableDomains& domains_;
  std::vector<size_t> first_of_variable_;  // into first_label_
  std::vector<size_t> first_label_;        // by variable and value
  std::vector<uint32_t> labels_;
};

}  // namespace harrier::task
