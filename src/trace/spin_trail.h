// Traces of Promela models as Spin's trails, so that `spin -t -p -k FILE MODEL` replays them.
//
// A line a statement: the number of the step, of the process, and of the statement as Spin numbers it over the whole
// model. Both halves of a rendezvous have a line, the steps of a claim have none, and a line marks the start of a
// cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

struct SpinStatement {
  uint32_t process = 0;
  uint32_t statement = 0;
};

// `name` gives nothing for edges of a claim.
std::string to_spin_trail(const Trace& trace, const std::function<std::optional<SpinStatement>(model::EdgeId)>& name);

}  // namespace harrier::trace
