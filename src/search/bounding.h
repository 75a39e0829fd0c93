// Iterative context bounding (Musuvathi and Qadeer 2007; Wehrle and Kupferschmid 2010): states on paths with fewer
// context switches (switches.h) first. Their number is the cost of a path, and states that are reached in different
// contexts are told apart, so that it is the least possible one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "search/contexts.h"
#include "search/preference.h"
#include "search/switches.h"
#include "store/per_state.h"

namespace harrier::search {

class Bounding : public Preference {
 public:
  Bounding(const PreferenceTask& task, ContextBoundSearch::By by);

  void begin(uint64_t id, const heur::StateView&) override;
  std::optional<uint32_t> cost(uint32_t of_parent, Edges edges) override;
  // 0 is for the initial state, which is in none.
  uint32_t context(Edges edges) override { return edges.empty() ? 0 : switches_.context_of(edges) + 1; }
  Opinion judge(const Successor& successor) override;
  uint32_t ranks() const override { return UINT32_MAX; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  std::unique_ptr<Contexts> interference_;
  Switches switches_;
  store::PerState<uint32_t> arrival_;   // the context in which a state was reached
  std::optional<uint32_t> arrived_in_;  // of the state being expanded
};

}  // namespace harrier::search
