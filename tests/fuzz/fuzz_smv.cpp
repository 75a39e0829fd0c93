// Any text is a model of SMV or gives diagnostics.
#include <string>

#include "lang/smv/smv.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace harrier;
  Diagnostics diagnostics;
  const smv::Loaded loaded =
      smv::load(std::string(reinterpret_cast<const char*>(data), size), "fuzz.smv", "main", diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) format_diagnostic(loaded.first().system->sources, diagnostic);
  return 0;
}
