#include "trace/spin_trail.h"

#include <fmt/format.h>

namespace harrier::trace {

std::string to_spin_trail(const Trace& trace, const std::function<std::optional<SpinStatement>(model::EdgeId)>& name) {
  std::string out;
  size_t line = 0;
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    if (i == trace.loop_start) out += "-1:-1:-1\n";
    for (const FiredEdge& fired : trace.steps[i].edges) {
      if (const auto s = name(fired.edge)) out += fmt::format("{}:{}:{}\n", ++line, s->process, s->statement);
    }
  }
  return out;
}

}  // namespace harrier::trace
