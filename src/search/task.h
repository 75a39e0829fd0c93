// A search that can be run in slices: a space, a frontier and a guide, put together from the options.
#pragma once

#include <cstdint>
#include <memory>

#include "base/budget.h"
#include "harrier/harrier.h"
#include "model/system.h"
#include "search/explorer.h"
#include "trace/path.h"

namespace harrier::search {

// The unit of work is a successor that is generated and looked up; an estimate takes about this many.
inline constexpr uint64_t kWorkOfEstimate = 20;

class Task {
 public:
  virtual ~Task() = default;

  // Expands up to `expansions` states. Throws MemoryLimitReached, std::bad_alloc, model::EvalFailure.
  virtual Status advance(uint64_t expansions) = 0;
  // Roughly in proportion to the time spent so far, but the same on every machine.
  virtual uint64_t work() const = 0;
  // With Status::Found.
  virtual trace::Path path() = 0;
  // Without times and memory, which are not the task's own.
  virtual Statistics statistics() const = 0;
};

// `options` must name a single search, not Auto or Anytime; for a liveness property there is one, besides random walks.
// The system, the property and the budget must outlive the task.
std::unique_ptr<Task> make_task(const model::System& system, const model::Property& property,
                                const CheckOptions& options, Budget& budget);

}  // namespace harrier::search
