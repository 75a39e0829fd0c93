// Any text is a list of queries or gives diagnostics.
#include <string>

#include "base/error.h"
#include "fuzz/small_model.h"
#include "model/printer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace harrier;
  uppaal::Loaded loaded = fuzz::small_model();
  Diagnostics diagnostics;
  try {
    const auto properties =
        uppaal::parse_queries(loaded, std::string(reinterpret_cast<const char*>(data), size), "fuzz.q", diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) format_diagnostic(loaded.system->sources, diagnostic);
    for (const model::Property& property : properties)
      for (const model::Clause& clause : property.goal) model::to_text(*loaded.system, clause);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) std::abort();
  }
  return 0;
}
