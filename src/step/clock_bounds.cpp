#include "step/clock_bounds.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "model/ranges.h"

namespace harrier::step {

namespace {

using model::ClockConstraint;
using model::StmtKind;

constexpr int64_t kMostDiagonalBounds = 64;

struct Pair {
  int32_t lower = dbm::kNoBound;
  int32_t upper = dbm::kNoBound;
};
using Table = std::map<uint32_t, Pair>;  // by clock

// Raises `target`; says whether it changed.
bool raise(Pair& target, const Pair& by) {
  const Pair before = target;
  target.lower = std::max(target.lower, by.lower);
  target.upper = std::max(target.upper, by.upper);
  return before.lower != target.lower || before.upper != target.upper;
}

[[noreturn]] void refuse(const model::System& system, const SourceRef& at, const std::string& what) {
  throw Error(ErrorKind::Unsupported, "unsupported: " + what + " at " + system.sources.describe(at));
}

int32_t checked_constant(const model::System& system, const SourceRef& at, int64_t value) {
  if (value > kLargestConstant || value < -kLargestConstant) {
    refuse(system, at, "clock constant beyond " + std::to_string(kLargestConstant));
  }
  return static_cast<int32_t>(value);
}

class Analysis {
 public:
  explicit Analysis(const model::System& system) : system_(system) {}

  // Notes the constants of a constraint. Any constraint makes its clock active, even one that no value can violate.
  void constraint(const ClockConstraint& c, Table& table) {
    const model::Interval range = model::range_of(system_, c.bound);
    const auto clamp = [&](int64_t v) { return std::max<int32_t>(0, checked_constant(system_, c.at, v)); };
    if (c.right.value == 0) {
      raise(table[c.left.value], {dbm::kNoBound, clamp(range.hi)});
    } else if (c.left.value == 0) {
      raise(table[c.right.value], {clamp(-range.lo), dbm::kNoBound});
    } else {
      if (range.hi - range.lo >= kMostDiagonalBounds) {
        refuse(system_, c.at, "clock difference compared with more than 64 possible values");
      }
      for (int64_t v = range.lo; v <= range.hi; ++v) {
        diagonals_.push_back({c.left.value, c.right.value, make_bound(checked_constant(system_, c.at, v), c.strict)});
      }
    }
  }

  // Clocks that an edge surely resets: the resets that stand unconditionally in its effect.
  std::vector<uint32_t> sure_resets(const model::Edge& edge) {
    std::vector<uint32_t> clocks;
    for (const model::StmtId id : edge.effect) collect_resets(id, clocks);
    return clocks;
  }

  void note_reset_values() {
    for (const model::Stmt& s : system_.stmts) {
      if (s.kind != StmtKind::Reset) continue;
      const model::Interval range = model::range_of(system_, s.expr);
      largest_reset_ = std::max(largest_reset_, checked_constant(system_, s.at, range.hi));
    }
  }

  std::vector<Diagonal> diagonals_;
  int32_t largest_reset_ = 0;

 private:
  void collect_resets(model::StmtId id, std::vector<uint32_t>& clocks) {
    const model::Stmt& s = system_.stmt(id);
    if (s.kind == StmtKind::Reset && !s.offset.valid()) clocks.push_back(s.clock.value);
    if (s.kind == StmtKind::Block) {
      for (const model::StmtId child : system_.block(s)) collect_resets(child, clocks);
    }
  }

  const model::System& system_;
};

}  // namespace

ClockBounds::ClockBounds(const model::System& system, const model::Property* property, bool exact,
                         std::span<const Entry> watched) {
  Analysis analysis(system);
  analysis.note_reset_values();
  std::vector<Table> tables;
  for (const model::Process& process : system.processes) {
    first_location_.push_back(static_cast<uint32_t>(tables.size()));
    const size_t base = tables.size();
    for (const model::Location& location : process.locations) {
      tables.emplace_back();
      for (const auto& c : location.clock_invariant) analysis.constraint(c, tables.back());
    }
    // Edges into each location, with what they surely reset.
    struct Incoming {
      uint32_t source;
      std::vector<uint32_t> resets;
    };
    std::vector<std::vector<Incoming>> incoming(process.locations.size());
    for (const model::EdgeId id : process.edges) {
      const model::Edge& edge = system.edge(id);
      for (const auto& c : edge.clock_guard) analysis.constraint(c, tables[base + edge.source]);
      incoming[edge.target].push_back({edge.source, analysis.sure_resets(edge)});
    }
    // Bounds travel against the edges until nothing changes.
    std::vector<uint32_t> work(process.locations.size());
    std::vector<bool> queued(process.locations.size(), true);
    for (uint32_t l = 0; l < work.size(); ++l) work[l] = l;
    while (!work.empty()) {
      const uint32_t target = work.back();
      work.pop_back();
      queued[target] = false;
      for (const Incoming& edge : incoming[target]) {
        bool changed = false;
        for (const auto& [clock, bounds] : Table(tables[base + target])) {
          if (std::find(edge.resets.begin(), edge.resets.end(), clock) != edge.resets.end()) continue;
          changed = raise(tables[base + edge.source][clock], bounds) || changed;
        }
        if (changed && !queued[edge.source]) {
          queued[edge.source] = true;
          work.push_back(edge.source);
        }
      }
    }
  }

  Table floor;
  if (property != nullptr) {
    for (const auto* clauses : {&property->goal, &property->premise}) {
      for (const model::Clause& clause : *clauses) {
        for (const auto& c : clause.clocks) analysis.constraint(c, floor);
      }
    }
  }
  for (const Entry& w : watched) raise(floor[w.clock], {w.lower, w.upper});
  // A clock in a diagonal constraint is compared with the constant as such once the other clock is reset.
  for (const Diagonal& d : analysis.diagonals_) {
    const int32_t reach = std::abs(bound_constant(d.bound)) + analysis.largest_reset_ + 1;
    raise(floor[d.left], {reach, reach});
    raise(floor[d.right], {reach, reach});
    const bool known = std::any_of(diagonals_.begin(), diagonals_.end(), [&](const Diagonal& k) {
      return (k.left == d.left && k.right == d.right && k.bound == d.bound) ||
             (k.left == d.right && k.right == d.left && k.bound == negate(d.bound));
    });
    if (!known) diagonals_.push_back(d);
  }

  const bool symmetric = exact || !diagonals_.empty();
  const auto flatten = [&](const Table& table) {
    std::vector<Entry> entries;
    for (const auto& [clock, bounds] : table) {
      Entry e{clock, bounds.lower, bounds.upper};
      if (symmetric) e.lower = e.upper = std::max(e.lower, e.upper);
      largest_ = std::max({largest_, e.lower, e.upper});
      entries.push_back(e);
    }
    return entries;
  };
  for (const Table& table : tables) by_location_.push_back(flatten(table));
  everywhere_ = flatten(floor);
  largest_ = std::max(largest_, analysis.largest_reset_);
}

int32_t ClockBounds::largest_of(uint32_t clock) const {
  int32_t largest = 0;
  const auto look = [&](std::span<const Entry> entries) {
    for (const Entry& e : entries) {
      if (e.clock == clock) largest = std::max({largest, e.lower, e.upper});
    }
  };
  look(everywhere_);
  for (const std::vector<Entry>& entries : by_location_) look(entries);
  return largest;
}

}  // namespace harrier::step
