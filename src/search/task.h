// A search that can be run in slices: a space, a frontier and a guide, put together as the configuration says.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/budget.h"
#include "model/path.h"
#include "search/aim.h"
#include "search/config.h"
#include "search/explorer.h"
#include "step/semantics.h"

namespace harrier::search {

// The unit of work is a successor that is generated and looked up; an estimate takes about this many.
inline constexpr uint64_t kWorkOfEstimate = 20;

class Task {
 public:
  virtual ~Task() = default;

  // Expands up to `expansions` states. Throws MemoryLimitReached, std::bad_alloc, ModelFailure.
  virtual Status advance(uint64_t expansions) = 0;
  // Roughly in proportion to the time spent so far, but the same on every machine.
  virtual uint64_t work() const = 0;
  // With Status::Found. What no single path shows is found without one.
  virtual bool has_path() const { return true; }
  virtual model::Path path() = 0;
  // With Status::Cut: why it ends without an answer.
  virtual std::string cut_reason() const { return "depth limit"; }
  // Without times and memory, which are not the task's own.
  virtual Statistics statistics() const = 0;

  // With Status::Exhausted: calls visit(values) for every discrete state that can be reached, until it says no. False,
  // at once, if the task has not kept them all.
  virtual bool for_each_state(const std::function<bool(const int32_t*)>& visit) const;
  // Of all states that were looked at, the part at which partial-order reduction left something out.
  virtual double reduced_part() const { return 0; }
  // Edges that a range violation kept from firing, the first few.
  virtual std::vector<step::Machine::Violation> violations() const { return {}; }
  // With Status::Exhausted: what else the user may not have meant (vacuity.h).
  virtual std::vector<std::string> remarks() const { return {}; }
};

// The method must be a single search, not auto or anytime; for a liveness property there is one, besides random walks.
// The semantics and the budget must outlive the task. Tasks that are made with the same aims share what their
// heuristics are made of.
std::unique_ptr<Task> make_task(Aims& aims, const Config& config, Budget& budget);
std::unique_ptr<Task> make_task(const step::Semantics& semantics, const Config& config, Budget& budget);

}  // namespace harrier::search
