#include "lang/promela/trail.h"

namespace harrier::promela {

std::string to_trail(const model::System& system, std::span<const TrailStep> names, const model::Path& path) {
  std::string out;
  size_t line = 0;
  const auto write = [&](const std::vector<model::EdgeId>& edges) {
    for (const model::EdgeId edge : edges) {
      if (system.edge(edge).process == system.claim) continue;
      const TrailStep& step = names[edge.value];
      out += std::to_string(++line) + ":" + std::to_string(step.pid) + ":" + std::to_string(step.statement) + "\n";
    }
  };
  for (size_t i = 0; i < path.steps.size(); ++i) {
    if (i == path.loop_start) out += "-1:-1:-1\n";
    write(path.steps[i].edges);
  }
  if (path.failure) write(path.failure->edges);  // where Spin fails as well
  return out;
}

}  // namespace harrier::promela
