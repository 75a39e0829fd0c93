#include "space/clock_growth.h"

#include <algorithm>
#include <array>
#include <map>

namespace harrier::space {

namespace {

constexpr size_t kMostTries = 64;  // states from which a path is followed

std::array<ClockBounds::Entry, 1> unlimited(model::ClockId clock) {
  return {{{clock.value, kLargestConstant, kLargestConstant}}};
}

}  // namespace

ClockGrowth::ClockGrowth(const model::System& system, const model::Property& property, model::ClockId clock,
                         const Watch& watch)
    : ZoneGraph(system, property, watch, false, unlimited(clock)), clock_(clock) {
  const ClockBounds own(system, &property, true);
  const auto raise = [&](std::span<const ClockBounds::Entry> entries) {
    for (const ClockBounds::Entry& e : entries) {
      if (e.clock == clock.value) bound_ = std::max({bound_, e.lower, e.upper});
    }
  };
  raise(own.everywhere());
  for (uint32_t p = 0; p < system.processes.size(); ++p) {
    for (uint32_t l = 0; l < system.processes[p].locations.size(); ++l) raise(own.at(p, l));
  }
}

// Extrapolates the candidate. With diagonals it would have to be split first; then it stays as it is.
void ClockGrowth::widen() {
  if (!bounds_.diagonals().empty()) return;
  dbm::extrapolate_lu_plus(target_zone_.data(), target_.dim(), target_.lower.data(), target_.upper.data());
}

bool ClockGrowth::raises(const std::vector<Bound>& from, const std::vector<Bound>& to) const {
  const uint32_t dim = target_.dim();
  const uint32_t x = target_.local[clock_.value];
  for (uint32_t i = 0; i < dim; ++i) {
    for (uint32_t j = 0; j < dim; ++j) {
      if (j == x || i == j) continue;  // lower bounds on x do not matter
      const Bound low = from[i * dim + j];
      if (to[i * dim + j] < (i == x ? add_bounds(low, bound_le(1)) : low)) return false;
    }
  }
  return true;
}

bool ClockGrowth::grows_from(const Place& start, std::span<const trace::PathStep> steps) {
  values_ = start.values;
  find_active(values_.data(), target_);
  target_zone_ = start.zone;
  if (!dbm::constrain(target_zone_.data(), target_.dim(), 0, target_.local[clock_.value], bound_lt(-bound_))) {
    return false;
  }
  std::map<std::vector<int32_t>, std::vector<std::vector<Bound>>> seen;  // zones by discrete state
  seen[values_].push_back(target_zone_);
  bool found = false;
  for (const trace::PathStep& step : steps) {
    watch_.poll();
    if (!take(step)) return false;
    if (found) continue;
    widen();
    auto& before = seen[values_];
    found = std::any_of(before.begin(), before.end(), [&](const auto& zone) { return raises(zone, target_zone_); });
    before.push_back(target_zone_);
  }
  return found;
}

bool ClockGrowth::grows(const trace::Path& path) {
  enter_initial();
  pass_time(probe_, values_.data());
  widen();
  std::vector<Place> places{place()};
  size_t last_reset = 0;
  for (size_t i = 0; i < path.steps.size(); ++i) {
    if (!take(path.steps[i])) return false;
    for (const model::ClockReset& r : taken_resets_) {
      if (r.clock == clock_) last_reset = i + 1;
    }
    widen();
    places.push_back(place());
  }
  const size_t stride = (places.size() - last_reset) / kMostTries + 1;
  for (size_t start = last_reset; start < places.size(); start += stride) {
    if (grows_from(places[start], std::span(path.steps).subspan(start))) return true;
  }
  return false;
}

}  // namespace harrier::space
