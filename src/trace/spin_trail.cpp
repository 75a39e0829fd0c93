#include "trace/spin_trail.h"

#include <fmt/format.h>

namespace harrier::trace {

std::string to_spin_trail(const Trace& trace, const std::function<SpinStatement(model::EdgeId)>& name) {
  std::string out;
  size_t line = 0;
  for (const TraceStep& step : trace.steps) {
    for (const FiredEdge& fired : step.edges) {
      const SpinStatement s = name(fired.edge);
      out += fmt::format("{}:{}:{}\n", ++line, s.process, s.statement);
    }
  }
  return out;
}

}  // namespace harrier::trace
