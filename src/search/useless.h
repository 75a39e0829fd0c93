// Useless transitions (Wehrle, Kupferschmid and Podelski 2008): states that they lead to are put back.
//
// A transition is relatively useless if without it the goal looks no farther away from the old state than it does from
// the new one. The reduced system is the stronger one of that work: also without the edges whose guards read a variable
// or clock which the transition sets, and those that lead to the same location. Where a process has one location, as
// that of a planning task, nothing would be left then, and only the transition itself is taken away (Wehrle 2011,
// def. 3.3).
#pragma once

#include <cstdint>
#include <vector>

#include "search/preference.h"

namespace harrier::search {

class Useless : public Preference {
 public:
  explicit Useless(const PreferenceTask& task);

  bool needs_source() const override { return true; }
  void begin(uint64_t, const heur::StateView& source) override { source_ = source; }
  Opinion judge(const Successor& successor) override;
  uint32_t ranks() const override { return 2; }

 private:
  const std::vector<uint32_t>& removed_with(uint32_t edge);

  const model::System& system_;
  heur::Heuristic& heuristic_;
  heur::StateView source_ = nullptr;
  // What an edge tests in its guard, and writes.
  struct EdgeUse {
    std::vector<model::VarId> tests;
    std::vector<model::ClockId> clocks_tested;
    std::vector<model::VarId> writes;
    std::vector<model::ClockId> clocks_written;
  };
  std::vector<EdgeUse> edge_use_;
  std::vector<std::vector<uint32_t>> removed_;  // by edge, computed when first needed
  std::vector<bool> removed_known_;
  std::vector<uint32_t> removal_;
};

}  // namespace harrier::search
