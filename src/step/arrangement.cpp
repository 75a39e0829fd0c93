#include "step/arrangement.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace harrier::step {

namespace {

std::vector<uint32_t> identity(size_t size) {
  std::vector<uint32_t> out(size);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

}  // namespace

Arrangement::Arrangement(std::shared_ptr<const model::Symmetry> symmetry, const model::System& system)
    : symmetry_(std::move(symmetry)), clock_from_(identity(system.clocks.size())) {
  for (const model::SymmetricGroup& members : symmetry_->groups) {
    Group& group = groups_.emplace_back();
    for (const model::Exchange& exchange : members.exchanges) {
      Swap& swap = group.emplace_back();
      swap.exchange = &exchange;
      std::vector<Place> others;
      const auto names_of = [&](uint32_t v) -> const model::Exchange::Names* {
        const auto& names = exchange.names[symmetry_->kinds[v]];
        return names.empty() ? nullptr : &names;
      };
      const auto is_location = [&](uint32_t v) { return system.variables[v].kind == model::VarKind::Location; };
      for (uint32_t v = 0; v < exchange.variables.size(); ++v) {
        const uint32_t w = exchange.variables[v];
        const Place place{v, w, names_of(v)};
        if (v == w && place.names == nullptr) continue;
        (v <= w ? swap.places : others).push_back(place);
      }
      // Locations first, names that stay where they are last.
      std::stable_sort(swap.places.begin(), swap.places.end(), [&](const Place& a, const Place& b) {
        const auto rank = [&](const Place& p) { return p.variable == p.from ? 2 : is_location(p.variable) ? 0 : 1; };
        return rank(a) < rank(b);
      });
      swap.deciding = swap.places.size();
      swap.places.insert(swap.places.end(), others.begin(), others.end());
      for (uint32_t c = 0; c < exchange.clocks.size(); ++c) {
        if (c < exchange.clocks[c]) swap.clocks.emplace_back(c, exchange.clocks[c]);
      }
    }
  }
}

bool Arrangement::improves(const Swap& swap, const int32_t* values, const zone::ZoneView& zone) const {
  for (size_t i = 0; i < swap.deciding; ++i) {
    const int32_t now = values[swap.places[i].variable];
    const int32_t then = after(swap.places[i], values);
    if (now != then) return then < now;
  }
  return zone.matrix != nullptr && improves_clocks(swap, zone);
}

bool Arrangement::improves_clocks(const Swap& swap, const zone::ZoneView& zone) const {
  for (const auto& [x, y] : swap.clocks) {
    const uint32_t a = zone.local[clock_from_[x]];
    const uint32_t b = zone.local[clock_from_[y]];
    if (a == 0 || b == 0) continue;
    const auto bound = [&](uint32_t row, uint32_t column) { return zone.matrix[size_t{row} * zone.dim + column]; };
    if (bound(a, b) != bound(b, a)) return bound(a, b) > bound(b, a);
    if (bound(a, 0) != bound(b, 0)) return bound(a, 0) > bound(b, 0);
    if (bound(0, a) != bound(0, b)) return bound(0, a) < bound(0, b);
  }
  return false;
}

void Arrangement::reset() {
  applied_.clear();
  std::iota(clock_from_.begin(), clock_from_.end(), 0u);
}

Renaming::Renaming(const model::System& system, const model::Property& property)
    : system_(system),
      edges_(identity(system.edges.size())),
      clocks_(identity(system.clocks.size())),
      clauses_(identity(property.goal.size())) {}

void Renaming::then(std::span<const model::Exchange* const> exchanges) {
  const auto before = [](std::vector<uint32_t>& names, const std::vector<uint32_t>& exchange) {
    std::vector<uint32_t> out;
    out.reserve(names.size());
    for (const uint32_t image : exchange) out.push_back(names[image]);
    names = std::move(out);
  };
  for (const model::Exchange* exchange : exchanges) {
    before(edges_, exchange->edges);
    before(clocks_, exchange->clocks);
    before(clauses_, exchange->clauses);
  }
}

void Renaming::rename(std::vector<model::ClockAtom>& atoms) const {
  for (model::ClockAtom& atom : atoms) {
    atom.left = model::ClockId(clocks_[atom.left.value]);
    atom.right = model::ClockId(clocks_[atom.right.value]);
  }
}

void Renaming::rename(model::PathStep& step) const {
  for (model::EdgeId& edge : step.edges) edge = model::EdgeId(edges_[edge.value]);
  // Those that receive update in the order of their processes.
  if (step.edges.size() > 2) {
    std::sort(step.edges.begin() + 1, step.edges.end(),
              [&](model::EdgeId a, model::EdgeId b) { return system_.edge(a).process < system_.edge(b).process; });
  }
  rename(step.extra);
  rename(step.arrival);
}

}  // namespace harrier::step
