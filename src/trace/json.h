// Traces as JSON, format "harrier-trace/1". `docs/trace.md` describes it field by field.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

inline constexpr const char* kTraceFormat = "harrier-trace/1";

// `system` is the one that the trace was built from or validated with. Ends with a newline.
std::string to_json(const model::System& system, const Trace& trace, const Watch& watch = Watch::none());

// Reads a trace of the given system. Names are looked up in it, nothing else is checked: that is the validator's part.
// Throws Error(Input) for a text that is not a trace or that names things which the system does not have.
Trace from_json(const model::System& system, std::string_view text, const Watch& watch = Watch::none());

// What has to be known of a trace before it can be read.
struct Head {
  std::string property;
  model::PropertyKind kind = model::PropertyKind::Reachable;
  std::vector<std::string> processes;  // of the system that it was made with
};
Head head_of(std::string_view text, const Watch& watch = Watch::none());

}  // namespace harrier::trace
