// Any text is a SAS+ task or gives diagnostics; what is written of a task is read back.
#include <cstdlib>
#include <string>

#include "lang/pddl/lower.h"
#include "lang/pddl/sas.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace harrier;
  const Watch watch({.polls = 20'000});
  Sources sources;
  const uint32_t file = sources.add_file("fuzz.sas", std::string(reinterpret_cast<const char*>(data), size));
  try {
    Diagnostics diagnostics(watch);
    const pddl::FiniteTask task = pddl::parse_sas(sources, file, diagnostics);
    format_all(sources, diagnostics);
    if (diagnostics.has_errors()) return 0;
    pddl::lower(task, watch);
    const std::string written = pddl::to_sas(task);
    Diagnostics again(watch);
    const uint32_t copy = sources.add_file("copy.sas", written);
    const pddl::FiniteTask read_back = pddl::parse_sas(sources, copy, again);
    if (again.has_errors() || pddl::to_sas(read_back) != written) std::abort();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) std::abort();
  }
  return 0;
}
