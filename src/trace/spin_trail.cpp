#include "trace/spin_trail.h"

#include <fmt/format.h>

namespace harrier::trace {

std::string to_spin_trail(const Trace& trace, const std::function<std::optional<SpinStatement>(model::EdgeId)>& name) {
  std::string out;
  size_t line = 0;
  const auto write = [&](const std::vector<FiredEdge>& edges) {
    for (const FiredEdge& fired : edges) {
      if (const auto s = name(fired.edge)) out += fmt::format("{}:{}:{}\n", ++line, s->process, s->statement);
    }
  };
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    if (i == trace.loop_start) out += "-1:-1:-1\n";
    write(trace.steps[i].edges);
  }
  if (trace.failure) write(trace.failure->edges);  // where Spin fails as well
  return out;
}

}  // namespace harrier::trace
