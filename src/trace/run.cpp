#include "trace/run.h"

namespace harrier::trace {

model::Property run_property() {
  model::Property out{.kind = model::PropertyKind::Reachable, .text = "any state"};
  out.goal.emplace_back();
  return out;
}

bool is_run(const Head& head) {
  const model::Property run = run_property();
  return head.property == run.text && head.kind == run.kind;
}

}  // namespace harrier::trace
