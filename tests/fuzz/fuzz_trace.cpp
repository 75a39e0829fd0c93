// Any text is a trace or is refused, and any trace is valid or not. A trace that was read can be written, and read
// again.
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "fuzz/small_model.h"
#include "trace/json.h"
#include "trace/validator.h"

namespace {

struct Fixed {
  harrier::uppaal::Loaded loaded = harrier::fuzz::small_model();
  harrier::model::Property property;

  Fixed() {
    harrier::Diagnostics diagnostics;
    property =
        harrier::uppaal::parse_queries(loaded, "E<> flags[1] and P(0).busy and t >= 4", "small.q", diagnostics).at(0);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace harrier;
  static const Fixed fixed;
  const model::System& system = *fixed.loaded.system;
  try {
    trace::Trace trace = trace::from_json(system, std::string_view(reinterpret_cast<const char*>(data), size));
    // Past the checks of the head, which random changes would hardly ever pass.
    trace.content_hash = system.content_hash;
    trace.model = system.name;
    trace.language = system.language;
    trace.property = fixed.property.text;
    trace.kind = fixed.property.kind;
    trace::validate(system, fixed.property, trace);
    trace::from_json(system, trace::to_json(system, trace));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) std::abort();
  }
  return 0;
}
