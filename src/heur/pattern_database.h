// Estimates from pattern databases: distances in projections of the system, from tables that are built before the
// search (abstraction/pattern_tables.h).
#pragma once

#include <memory>
#include <span>

#include "abstraction/patterns/pattern_tables.h"
#include "heur/heuristic.h"

namespace harrier::heur {

class PatternDatabase : public Heuristic {
 public:
  explicit PatternDatabase(std::shared_ptr<const abstraction::PatternTables> tables) : tables_(std::move(tables)) {}

  uint32_t evaluate(const StateView& state) override {
    static_assert(abstraction::kInfinity == kDeadEnd);
    return tables_->look_up(state.values);
  }
  // The tables do not know what is missing in the reduced system: its distances are at least these.
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t>, uint32_t) override {
    return evaluate(state);
  }
  bool prefers(std::span<const uint32_t>) const override { return false; }

 private:
  std::shared_ptr<const abstraction::PatternTables> tables_;
};

}  // namespace harrier::heur
