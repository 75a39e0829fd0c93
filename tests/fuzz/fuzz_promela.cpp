// Any text is a Promela model or gives diagnostics. Behind a NUL byte there may be a formula over the model.
#include <algorithm>
#include <string>

#include "lang/promela/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace harrier;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const size_t end = std::min(text.find('\0'), text.size());
  Sources sources;
  Diagnostics diagnostics;
  const auto parsed = promela::parse_model(sources, sources.add_file("fuzz.pml", text.substr(0, end)), {}, diagnostics);
  if (end < text.size()) {
    Diagnostics own;
    promela::parse_formula(sources, sources.add_file("fuzz.ltl", text.substr(end + 1)), *parsed.macros, own);
    for (const Diagnostic& diagnostic : own.all()) format_diagnostic(sources, diagnostic);
  }
  for (const Diagnostic& diagnostic : diagnostics.all()) format_diagnostic(sources, diagnostic);
  return 0;
}
