// Preferred transitions (Hoffmann and Nebel 2001; Helmert 2006): those that start the abstract error path which the
// heuristic finds in the state that is expanded.
#pragma once

#include <memory>

#include "search/preference.h"

namespace harrier::search {

class Preferred : public Preference {
 public:
  // A heuristic of its own, since it remembers the state evaluated last: that of the search evaluates the successors
  // meanwhile.
  explicit Preferred(const PreferenceTask& task) : heuristic_(task.make_heuristic()) {}

  bool needs_source() const override { return true; }
  void begin(uint64_t, const heur::StateView& source) override { heuristic_->evaluate(source); }
  Opinion judge(const Successor& successor) override {
    return {.preferred = !successor.edges.empty() && heuristic_->prefers(successor.edges)};
  }
  uint32_t ranks() const override { return 1; }

 private:
  std::unique_ptr<heur::Heuristic> heuristic_;
};

}  // namespace harrier::search
