#include "symbolic/encoding.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "model/value_sets.h"

namespace harrier::symbolic {

using model::VarId;

namespace {

constexpr int kMostBits = 200'000;
constexpr int kMoreChoices = 16;  // bits that are made at a time

}  // namespace

Encoding::Encoding(BddManager& manager, const model::System& system, const VariableBlocks& order,
                   std::vector<model::Interval> domains)
    : manager_(manager), system_(system), domains_(std::move(domains)) {
  for (Variables* variables : {&now_, &next_}) {
    variables->numbers.resize(system.variables.size());
    variables->bits.resize(system.variables.size());
  }
  for (const std::vector<VarId>& block : order) {
    size_t widest = 0;
    for (const VarId v : block) {
      const auto width =
          static_cast<size_t>(std::bit_width(static_cast<uint64_t>(domains_[v.value].hi - domains_[v.value].lo)));
      now_.bits[v.value].resize(width);
      next_.bits[v.value].resize(width);
      widest = std::max(widest, width);
    }
    for (size_t i = widest; i-- > 0;) {  // the highest bit on top
      for (const VarId v : block) {
        if (i >= now_.bits[v.value].size()) continue;
        now_.bits[v.value][i] = first_choice_;
        next_.bits[v.value][i] = first_choice_ + 1;
        state_bits_.push_back(first_choice_);
        first_choice_ += 2;
      }
    }
    if (first_choice_ > kMostBits) {
      throw Error(ErrorKind::Unsupported, "unsupported: a model of so many bits in the symbolic engine");
    }
  }
  manager.resize(first_choice_ + 2);
  for (Variables* variables : {&now_, &next_}) {
    for (size_t v = 0; v < system.variables.size(); ++v) {
      std::vector<Bdd> digits;
      for (const int bit : variables->bits[v]) digits.push_back(manager.bit(bit));
      variables->numbers[v] = add(Number::from_unsigned(std::move(digits)), Number(domains_[v].lo));
    }
  }
}

Bdd Encoding::has_value(VarId v, int64_t value, Moment when) const { return equal(number(v, when), Number(value)); }

Bdd Encoding::states(std::span<const int32_t> values) const {
  std::vector<bool> bits(static_cast<size_t>(manager_.bits()));
  set(bits, values, Moment::Now);
  Bdd out(true);
  for (size_t i = state_bits_.size(); i-- > 0;) {
    const Bdd bit = manager_.bit(state_bits_[i]);
    out &= bits[static_cast<size_t>(state_bits_[i])] ? bit : !bit;
  }
  return out;
}

std::vector<int32_t> Encoding::values(const std::vector<bool>& bits) const {
  std::vector<int32_t> out(system_.variables.size());
  for (size_t v = 0; v < out.size(); ++v) {
    int64_t code = 0;
    for (size_t i = now_.bits[v].size(); i-- > 0;) {
      code = 2 * code + (bits[static_cast<size_t>(now_.bits[v][i])] ? 1 : 0);
    }
    out[v] = static_cast<int32_t>(code + domains_[v].lo);
  }
  return out;
}

void Encoding::set(std::vector<bool>& bits, std::span<const int32_t> values, Moment when) const {
  for (size_t v = 0; v < values.size(); ++v) {
    const auto code = static_cast<uint64_t>(static_cast<int64_t>(values[v]) - domains_[v].lo);
    const std::vector<int>& own = at(when).bits[v];
    for (size_t i = 0; i < own.size(); ++i) bits[static_cast<size_t>(own[i])] = ((code >> i) & 1) != 0;
  }
}

int Encoding::choice_bit(size_t number) {
  const int bit = first_choice_ + static_cast<int>(number);
  if (bit >= kMostBits) {
    throw Error(ErrorKind::Unsupported, "unsupported: an effect of so many choices in the symbolic engine");
  }
  if (bit >= manager_.bits()) manager_.resize(bit + kMoreChoices);
  return bit;
}

std::vector<model::Interval> declared_domains(const model::System& system) {
  std::vector<model::Interval> out;
  for (const model::Variable& v : system.variables) out.push_back({v.lo, v.hi});
  return out;
}

std::vector<model::Interval> reachable_domains(const model::System& system, const Watch& watch) {
  std::vector<model::Interval> out = declared_domains(system);
  const std::vector<model::ValueSet> sets = model::reachable_values(system, watch);
  for (size_t v = 0; v < out.size(); ++v) {
    // Locations and control change by the rules of transitions, not by effects.
    const bool by_rules = system.variables[v].kind == model::VarKind::Location || VarId(v) == system.control;
    if (by_rules || sets[v].wide || sets[v].values.empty()) continue;
    const int64_t initial = system.variables[v].initial;
    out[v] = {std::min<int64_t>(sets[v].values.front(), initial), std::max<int64_t>(sets[v].values.back(), initial)};
  }
  return out;
}

}  // namespace harrier::symbolic
