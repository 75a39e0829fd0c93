// The variables of a model as bits: which bits of a diagram say what.
//
// A variable with the domain [lo, hi] has as many bits as hi - lo needs, for its value less lo. Each bit occurs twice,
// now and after a step, side by side. Below all of these come the bits of choices, which every transition uses anew.
// A domain may be smaller than that of the variable if all that can be reached is in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/ranges.h"
#include "model/system.h"
#include "symbolic/bdd.h"
#include "symbolic/number.h"
#include "symbolic/order.h"

namespace harrier::symbolic {

// When a bit counts.
enum class Moment : uint8_t { Now, Next };

class Encoding {
 public:
  // `order` has every variable once, `domains` are those of the variables, by number. Manager and system must outlive
  // it.
  Encoding(BddManager& manager, const model::System& system, const VariableBlocks& order,
           std::vector<model::Interval> domains);

  BddManager& manager() const { return manager_; }
  const model::System& system() const { return system_; }

  const model::Interval& domain(model::VarId v) const { return domains_[v.value]; }
  const Number& number(model::VarId v, Moment when) const { return at(when).numbers[v.value]; }
  const std::vector<int>& bits(model::VarId v, Moment when) const { return at(when).bits[v.value]; }
  // Of all variables.
  const std::vector<int>& state_bits() const { return state_bits_; }

  // Some value has the bits of the variable now.
  Bdd in_domain(model::VarId v) const {
    return !outside(number(v, Moment::Now), domains_[v.value].lo, domains_[v.value].hi);
  }
  // The variables have these values.
  Bdd states(std::span<const int32_t> values) const;
  Bdd has_value(model::VarId v, int64_t value, Moment when) const;
  // The values now, for an assignment.
  std::vector<int32_t> values(const std::vector<bool>& bits) const;
  // Makes `bits` those of a state, at a moment.
  void set(std::vector<bool>& bits, std::span<const int32_t> values, Moment when) const;

  // The bit of a choice, by number.
  int choice_bit(size_t number);
  bool is_choice(int bit) const { return bit >= first_choice_; }
  bool is_next(int bit) const { return bit < first_choice_ && bit % 2 == 1; }

 private:
  struct Variables {
    std::vector<Number> numbers;
    std::vector<std::vector<int>> bits;  // lowest first
  };
  const Variables& at(Moment when) const { return when == Moment::Now ? now_ : next_; }

  BddManager& manager_;
  const model::System& system_;
  std::vector<model::Interval> domains_;
  Variables now_;
  Variables next_;
  std::vector<int> state_bits_;
  int first_choice_ = 0;
};

// The domains that the variables are declared with, and smaller ones that have all values that can be reached.
std::vector<model::Interval> declared_domains(const model::System& system);
std::vector<model::Interval> reachable_domains(const model::System& system, const Watch& watch);

}  // namespace harrier::symbolic
