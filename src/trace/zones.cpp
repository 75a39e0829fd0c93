// Zones along a path, on difference bound matrices over all clocks.
#include "trace/zones.h"

#include <fmt/format.h>

#include <utility>

namespace harrier::trace {

namespace {

namespace dbm = zone::dbm;

bool constrain(zone::Zone& zone, const std::vector<model::ClockAtom>& atoms) {
  for (const model::ClockAtom& atom : atoms) {
    if (atom.left == atom.right) {
      if (atom.bound < 0 || (atom.bound == 0 && atom.strict)) return false;
      continue;
    }
    if (atom.bound > zone::kLargestConstant) continue;  // beyond what zones can tell apart: no constraint
    if (atom.bound < -zone::kLargestConstant) return false;
    if (!zone.constrain(atom.left.value, atom.right.value, zone::make_bound(atom.bound, atom.strict))) return false;
  }
  return true;
}

std::string constraint_text(const std::vector<model::Clock>& clocks, const zone::Zone& zone, uint32_t i, uint32_t j) {
  const zone::Bound bound = zone.at(i, j);
  const int32_t constant = zone::bound_constant(bound);
  const bool strict = zone::bound_is_strict(bound);
  if (i == 0) return fmt::format("{} {} {}", clocks[j].name, strict ? ">" : ">=", -constant);
  if (j == 0) return fmt::format("{} {} {}", clocks[i].name, strict ? "<" : "<=", constant);
  return fmt::format("{} - {} {} {}", clocks[i].name, clocks[j].name, strict ? "<" : "<=", constant);
}

// x_j - x_i has one value only.
std::string equality_text(const std::vector<model::Clock>& clocks, const zone::Zone& zone, uint32_t i, uint32_t j) {
  const int32_t distance = zone::bound_constant(zone.at(j, i));
  if (i == 0) return fmt::format("{} == {}", clocks[j].name, distance);
  if (distance == 0) return fmt::format("{} == {}", clocks[j].name, clocks[i].name);
  return fmt::format("{} - {} == {}", clocks[j].name, clocks[i].name, distance);
}

}  // namespace

std::vector<std::string> zone_text(const std::vector<model::Clock>& clocks, const zone::Zone& zone) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  dbm::minimal_constraints(zone.data(), zone.dim(), pairs);
  std::vector<std::string> out;
  for (const auto& [i, j] : pairs) {
    if (zone::add_bounds(zone.at(i, j), zone.at(j, i)) == zone::kZeroLe) {
      // Clocks at fixed distances come as a cycle; the pair that closes it tells nothing new.
      if (i < j) out.push_back(equality_text(clocks, zone, i, j));
    } else {
      out.push_back(constraint_text(clocks, zone, i, j));
    }
  }
  return out;
}

std::vector<std::vector<std::string>> path_zones(const std::vector<model::Clock>& clocks,
                                                 const std::vector<ClockStep>& steps, const Watch& watch) {
  const auto dim = static_cast<uint32_t>(clocks.size());
  std::vector<std::vector<std::string>> out(steps.size());
  zone::Zone zone(dim);
  for (size_t i = 0; i < steps.size(); ++i) {
    watch.poll();
    const ClockStep& step = steps[i];
    if (!constrain(zone, step.guard)) break;
    for (const auto& reset : step.resets) {
      if (reset.value > zone::kLargestConstant) return out;
      dbm::reset(zone.data(), dim, reset.clock.value, reset.value);
    }
    if (!constrain(zone, step.invariant) || !constrain(zone, step.arrival)) break;
    if (!step.urgent) {
      dbm::up(zone.data(), dim);
      if (!constrain(zone, step.invariant)) break;
    }
    out[i] = zone_text(clocks, zone);
  }
  return out;
}

}  // namespace harrier::trace
