// Any text is a SAS+ task or gives diagnostics; what was read is written, read again, and is a model.
#include <cstdlib>
#include <string>

#include "lang/pddl/lower.h"
#include "lang/pddl/sas.h"

namespace {

harrier::pddl::FiniteTask read(const std::string& text, harrier::Diagnostics& diagnostics) {
  harrier::Sources sources;
  const harrier::pddl::FiniteTask task =
      harrier::pddl::parse_sas(sources, sources.add_file("fuzz.sas", text), diagnostics);
  for (const auto& diagnostic : diagnostics.all()) format_diagnostic(sources, diagnostic);
  return task;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace harrier;
  Diagnostics diagnostics;
  const pddl::FiniteTask task = read(std::string(reinterpret_cast<const char*>(data), size), diagnostics);
  if (diagnostics.has_errors()) return 0;
  const std::string text = pddl::to_sas(task);
  if (pddl::to_sas(read(text, diagnostics)) != text || diagnostics.has_errors()) std::abort();
  pddl::lower(task, Watch::none());
  return 0;
}
