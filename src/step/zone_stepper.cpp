#include "step/zone_stepper.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"

namespace harrier::step {

std::vector<ClockBounds::Entry> all_clocks(const model::System& system) {
  std::vector<ClockBounds::Entry> out;
  for (uint32_t clock = 1; clock < system.clocks.size(); ++clock) out.push_back({clock, 0, 0});
  return out;
}

std::optional<ZoneStepper::Position> ZoneStepper::start() {
  return enter_initial() ? std::optional(candidate()) : std::nullopt;
}

bool ZoneStepper::load(const Position& position, std::optional<int32_t> delay) {
  recover();
  load_values(position.values);
  find_active(values_.data(), target_);
  const uint32_t dim = target_.dim();
  target_zone_ = position.entered;
  bool possible = meet_invariants(probe_, values_.data());
  pass_time(probe_, values_.data());
  whole_ = target_zone_;
  if (delay) {
    target_zone_ = position.entered;
    for (uint32_t clock = 1; clock < dim; ++clock) {
      Bound& upper = target_zone_[size_t{clock} * dim];
      if (upper != kInfinity) upper += 2 * *delay;
      target_zone_[clock] -= 2 * *delay;
    }
    possible = possible && (*delay == 0 || network_.may_delay(probe_, values_.data())) &&
               meet_invariants(probe_, values_.data());
  }
  std::swap(source_, target_);
  std::copy(target_zone_.begin(), target_zone_.end(), source_zone_.begin());
  return possible;
}

Zone ZoneStepper::zone_of_source() const {
  const uint32_t dim = source_.dim();
  std::vector<Bound> out(size_t{dim} * dim);
  for (uint32_t i = 0; i < dim; ++i) {
    for (uint32_t j = 0; j < dim; ++j) {
      out[size_t{i} * dim + j] = source_zone_[size_t{source_.local[i]} * dim + source_.local[j]];
    }
  }
  return {dim, out.data()};
}

std::optional<ZoneStepper::Reached> ZoneStepper::goal_of_source() {
  const Zone zone(source_.dim(), source_zone_.data());
  const Zone whole(source_.dim(), whole_.data());
  Reached out;
  const auto clause = first_clause(semantics_.goal(), [&](const CompiledClause& c) {
    if (!conditions_hold(probe_, c, values_.data())) return false;
    const std::vector<Piece> parts = parts_of(c, zone, whole, source_, values_.data());
    if (parts.empty()) return false;
    out.extra.clear();
    if (c.deadlock != model::DeadlockTest::Ignore) out.extra = global(parts.front().atoms, source_);
    return true;
  });
  if (!clause) return std::nullopt;
  out.clause = *clause;
  return out;
}

void ZoneStepper::refuse_large() const {
  const auto large = [](Bound bound) {
    return bound != kInfinity && std::abs(int64_t{bound_constant(bound)}) > kLargestConstant;
  };
  if (std::any_of(target_zone_.begin(), target_zone_.end(), large)) {
    throw Error(ErrorKind::Limit, "a clock comes beyond " + std::to_string(kLargestConstant) + " time units");
  }
}

}  // namespace harrier::step
