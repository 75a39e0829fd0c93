#include "heur/clock_facts.h"

#include <algorithm>
#include <cstdlib>

namespace harrier::heur {

using zone::Bound;

ClockFacts::ClockFacts(const model::System& system, const std::vector<model::Clause>& goal, uint32_t first_fact)
    : system_(system), end_fact_(first_fact) {
  for (uint32_t p = 0; p < system.processes.size(); ++p) {
    const model::Process& process = system.processes[p];
    Limiter limiter{process.location.value, {}, end_fact_};
    bool limits = false;
    for (const model::Location& location : process.locations) {
      Limit limit{location.kind != model::LocationKind::Normal, {}};
      for (const model::ClockConstraint& c : location.clock_invariant) {
        if (const auto atom = atom_of(c); atom && atom->is_upper()) limit.atoms.push_back(*atom);
      }
      limits = limits || limit.urgent || !limit.atoms.empty();
      limiter.by_location.push_back(std::move(limit));
    }
    if (!limits) continue;
    limiter_of_[p] = static_cast<uint32_t>(limiters_.size());
    limiters_.push_back(std::move(limiter));
    ++end_fact_;
  }
  for (const model::Edge& edge : system.edges) {
    collect(edge.clock_guard);
    collect(system.process(edge.process).locations[edge.target].clock_invariant);
  }
  for (const model::Clause& clause : goal) collect(clause.clocks);
}

std::optional<ClockFacts::Atom> ClockFacts::atom_of(const model::ClockConstraint& c) const {
  const auto bound = system_.constant(c.bound);
  const bool single = (c.left.value == 0) != (c.right.value == 0);
  if (c.condition.valid() || !single || !bound || std::abs(*bound) > zone::kLargestConstant) return std::nullopt;
  return Atom{c.left.value, c.right.value, zone::make_bound(*bound, c.strict)};
}

void ClockFacts::collect(const std::vector<model::ClockConstraint>& constraints) {
  for (const model::ClockConstraint& c : constraints) {
    const auto atom = atom_of(c);
    if (atom && facts_.emplace(*atom, end_fact_).second) {
      end_fact_ += atom->is_upper() ? 1 : 1 + static_cast<uint32_t>(limiters_.size());
    }
  }
}

std::vector<Implication> ClockFacts::implications() const {
  std::vector<Implication> out;
  for (const auto& [atom, fact] : facts_) {
    if (atom.is_upper()) continue;
    Implication all{{}, fact};
    for (uint32_t i = 0; i < limiters_.size(); ++i) {
      const uint32_t one = fact + 1 + i;
      out.push_back({{limiters_[i].gives_way}, one});
      all.preconditions.push_back(one);
    }
    out.push_back(std::move(all));
  }
  return out;
}

void ClockFacts::require(const model::ClockConstraint& constraint, Facts& out) const {
  if (const auto atom = atom_of(constraint)) out.push_back(facts_.at(*atom));
}

void ClockFacts::reset(model::ClockId clock, std::optional<int32_t> value, Facts& out) const {
  for (const auto& [atom, fact] : facts_) {
    if (atom.clock() != clock.value) continue;
    if (!value ||
        (atom.is_upper() ? *value <= zone::kLargestConstant && zone::bound_le(*value) <= atom.bound : *value > 0)) {
      out.push_back(fact);
    }
  }
  for (const Limiter& limiter : limiters_) {
    const bool limited = std::any_of(limiter.by_location.begin(), limiter.by_location.end(), [&](const Limit& limit) {
      return std::any_of(limit.atoms.begin(), limit.atoms.end(), [&](const Atom& a) { return a.left == clock.value; });
    });
    if (limited) out.push_back(limiter.gives_way);
  }
}

void ClockFacts::take(const model::Edge& edge, Facts& out) const {
  const auto at = limiter_of_.find(edge.process.value);
  if (at == limiter_of_.end()) return;
  const Limiter& limiter = limiters_[at->second];
  if (!limiter.by_location[edge.target].urgent) out.push_back(limiter.gives_way);
}

bool ClockFacts::keeps(const Limit& limit, const Atom& lower, const zone::ZoneView& zone) {
  if (limit.urgent) return true;
  const uint32_t row = zone.local[lower.right] * zone.dim;
  return std::any_of(limit.atoms.begin(), limit.atoms.end(), [&](const Atom& upper) {
    const uint32_t column = zone.local[upper.left];
    if (column == 0) return false;
    const Bound largest = zone::add_bounds(zone.matrix[row + column], upper.bound);
    return zone::add_bounds(largest, lower.bound) < zone::kZeroLe;
  });
}

uint32_t* ClockFacts::write(const StateView& state, uint32_t* out) const {
  const zone::ZoneView& zone = state.zone;
  for (const auto& [atom, fact] : facts_) {
    if (zone.matrix == nullptr || zone.local[atom.clock()] == 0 ||
        zone::dbm::satisfiable(zone.matrix, zone.dim, zone.local[atom.left], zone.local[atom.right], atom.bound)) {
      *out++ = fact;
    } else if (!atom.is_upper()) {
      for (uint32_t i = 0; i < limiters_.size(); ++i) {
        const auto location = static_cast<size_t>(state.values[limiters_[i].variable]);
        if (!keeps(limiters_[i].by_location[location], atom, zone)) *out++ = fact + 1 + i;
      }
    }
  }
  return out;
}

}  // namespace harrier::heur
