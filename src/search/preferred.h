// Preferred transitions (Hoffmann and Nebel 2001; Helmert 2006): those that start the abstract error path which the
// heuristic finds in the state that is expanded.
#pragma once

#include <memory>
#include <vector>

#include "search/preference.h"

namespace harrier::search {

class Preferred : public Preference {
 public:
  explicit Preferred(const PreferenceTask& task);

  bool needs_source() const override { return true; }
  void begin(uint64_t id, const heur::StateView& source) override;
  Opinion judge(const Successor& successor) override;
  uint32_t ranks() const override { return 1; }

 private:
  // Where the search evaluates successors, a heuristic of its own, since it remembers the state evaluated last; else
  // those of the search.
  std::unique_ptr<heur::Heuristic> own_;
  std::vector<Estimator*> shared_;
};

}  // namespace harrier::search
