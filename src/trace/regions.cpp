#include "trace/regions.h"

#include <algorithm>

#include "model/ranges.h"

namespace harrier::trace {

namespace {

using model::System;

// Clocks that the statement resets whenever it runs.
void sure_resets(const System& system, model::StmtId id, std::vector<bool>& out) {
  const model::Stmt& s = system.stmt(id);
  if (s.kind == model::StmtKind::Reset && !s.offset.valid()) out[s.clock.value] = true;
  if (s.kind != model::StmtKind::Block) return;
  for (const model::StmtId child : system.block(s)) sure_resets(system, child, out);
}

// The side of a comparison of `value` with every whole number from `lowest` to `highest`, each in all its strictness.
int64_t side(int64_t value, int64_t lowest, int64_t highest, int64_t denominator) {
  if (value < lowest * denominator) return 2 * lowest - 1;
  if (value > highest * denominator) return 2 * highest + 1;
  const int64_t shifted = value - lowest * denominator;
  return 2 * (lowest + shifted / denominator) + (shifted % denominator != 0 ? 1 : 0);
}

}  // namespace

void Regions::note(const std::vector<model::ClockConstraint>& constraints, Bounds& bounds) {
  for (const model::ClockConstraint& c : constraints) {
    const model::Interval range = model::range_of(system_, c.bound);
    if (c.right.value == 0) {
      bounds[c.left.value] = std::max(bounds[c.left.value], std::max<int64_t>(0, range.hi));
    } else if (c.left.value == 0) {
      bounds[c.right.value] = std::max(bounds[c.right.value], std::max<int64_t>(0, -range.lo));
    } else {
      differences_.push_back({c.left, c.right, range.lo, range.hi});
    }
  }
}

Regions::Regions(const System& system, const model::Property& property) : system_(system) {
  const Bounds nothing(system.clocks.size(), -1);
  everywhere_ = nothing;
  for (const auto* clauses : {&property.goal, &property.premise}) {
    for (const model::Clause& clause : *clauses) note(clause.clocks, everywhere_);
  }
  for (const model::Process& process : system.processes) {
    std::vector<Bounds> bounds;
    for (const model::Location& location : process.locations) {
      bounds.push_back(nothing);
      note(location.clock_invariant, bounds.back());
    }
    std::vector<std::vector<bool>> resets;
    for (const model::EdgeId id : process.edges) {
      const model::Edge& edge = system.edge(id);
      note(edge.clock_guard, bounds[edge.source]);
      resets.emplace_back(system.clocks.size(), false);
      for (const model::StmtId s : edge.effect) sure_resets(system, s, resets.back());
    }
    // What matters after an edge matters before it, unless the edge resets the clock.
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < process.edges.size(); ++i) {
        const model::Edge& edge = system.edge(process.edges[i]);
        for (size_t c = 1; c < nothing.size(); ++c) {
          if (resets[i][c] || bounds[edge.source][c] >= bounds[edge.target][c]) continue;
          bounds[edge.source][c] = bounds[edge.target][c];
          changed = true;
        }
      }
    }
    by_location_.push_back(std::move(bounds));
  }
  if (differences_.empty()) return;
  // Once one of the two is reset, the other is compared with the bound as such.
  int64_t largest_reset = 0;
  for (const model::Stmt& s : system.stmts) {
    if (s.kind == model::StmtKind::Reset) largest_reset = std::max(largest_reset, model::range_of(system, s.expr).hi);
  }
  for (const Difference& d : differences_) {
    const int64_t reach = std::max(std::abs(d.lowest), std::abs(d.highest)) + largest_reset + 1;
    for (const model::ClockId c : {d.left, d.right}) {
      everywhere_[c.value] = std::max(everywhere_[c.value], reach);
    }
  }
}

int64_t Regions::bound(model::ClockId clock, const std::vector<int32_t>& values) const {
  int64_t bound = everywhere_[clock.value];
  for (size_t p = 0; p < by_location_.size(); ++p) {
    const auto here = static_cast<size_t>(values[system_.processes[p].location.value]);
    bound = std::max(bound, by_location_[p][here][clock.value]);
  }
  return bound;
}

Regions::Key Regions::key(const State& state, int64_t denominator) const {
  Key key(state.values.begin(), state.values.end());
  std::vector<int64_t> fractions{0};
  const auto beyond = [&](size_t c) { return state.clocks[c] > bound(model::ClockId(c), state.values) * denominator; };
  for (size_t c = 1; c < state.clocks.size(); ++c) {
    if (!beyond(c)) fractions.push_back(state.clocks[c] % denominator);
  }
  std::sort(fractions.begin(), fractions.end());
  fractions.erase(std::unique(fractions.begin(), fractions.end()), fractions.end());
  for (size_t c = 1; c < state.clocks.size(); ++c) {
    if (beyond(c)) {
      key.insert(key.end(), {-1, -1});
      continue;
    }
    const auto place = std::lower_bound(fractions.begin(), fractions.end(), state.clocks[c] % denominator);
    key.insert(key.end(), {state.clocks[c] / denominator, place - fractions.begin()});
  }
  for (const Difference& d : differences_) {
    const int64_t difference = state.clocks[d.left.value] - state.clocks[d.right.value];
    key.push_back(side(difference, d.lowest, d.highest, denominator));
  }
  return key;
}

std::vector<int64_t> Regions::moments(const State& state, int64_t denominator) const {
  std::vector<int64_t> out;
  for (size_t c = 1; c < state.clocks.size(); ++c) {
    const int64_t last = bound(model::ClockId(c), state.values) + 1;
    for (int64_t whole = state.clocks[c] / denominator; whole <= last; ++whole) {
      if (whole * denominator > state.clocks[c]) out.push_back(whole * denominator - state.clocks[c]);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace harrier::trace
