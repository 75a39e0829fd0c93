// Interference contexts as a preference (Wehrle and Kupferschmid 2010): transitions first that work on the same
// variables as the one before.
//
// The rank of a state is the distance of the transition that led there to the one before it, less 1: the first queue is
// for C_0 and C_1. After a transition that is not innocent it is 0. After an innocent one, what is in no context of it
// is left out where that is right (contexts.h); since that speaks of a path, not of a state, a state that is reached
// again after a transition with another closure is expanded again, without leaving anything out.
#pragma once

#include <cstdint>
#include <optional>

#include "search/contexts.h"
#include "search/preference.h"
#include "store/per_state.h"

namespace harrier::search {

class Interference : public Preference {
 public:
  explicit Interference(const PreferenceTask& task);

  void begin(uint64_t id, const heur::StateView&) override;
  bool prunes(Edges edges) const override;
  Opinion judge(const Successor& successor) override;
  uint32_t ranks() const override { return Contexts::kUnrelated + 1; }
  bool reconsider(uint64_t id, Edges edges) override;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t restriction_after(uint32_t transition) const;

  Contexts contexts_;
  store::PerState<uint32_t> arrival_;   // the transition that led to a state
  store::PerState<uint32_t> allowed_;   // the closure that its successors are restricted to
  std::optional<uint32_t> arrived_by_;  // of the state being expanded
  uint32_t restricted_to_ = kNone;
};

}  // namespace harrier::search
