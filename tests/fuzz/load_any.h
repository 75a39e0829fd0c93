// What the fuzz targets of the model readers share: load a text, and look at all that came of it.
#pragma once

#include <cstdlib>
#include <string>

#include "base/error.h"
#include "base/source.h"
#include "lang/uppaal/uppaal.h"
#include "model/printer.h"

namespace harrier::fuzz {

inline void load_any(std::string text, const std::string& name) {
  Diagnostics diagnostics;
  try {
    const uppaal::Loaded loaded = uppaal::load(std::move(text), name, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) format_diagnostic(loaded.system->sources, diagnostic);
    if (!diagnostics.has_errors()) model::to_text(*loaded.system);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) std::abort();
  }
}

}  // namespace harrier::fuzz
