#include "lang/smv/smv.h"

#include "base/hash.h"
#include "lang/smv/flat.h"
#include "lang/smv/lower.h"
#include "lang/smv/parser.h"

namespace harrier::smv {

Loaded load(std::string text, const std::string& name, const std::string& main, Diagnostics& diagnostics) {
  Loaded out{.system = std::make_shared<model::System>(), .properties = {}};
  model::System& system = *out.system;
  system.name = name;
  system.language = "smv";
  system.content_hash = hash_text(text);
  const uint32_t file = system.sources.add_file(name, std::move(text));
  const auto model = parse(system.sources, file, diagnostics);
  if (diagnostics.has_errors()) return out;
  const auto flat = flatten(*model, main, diagnostics);
  if (diagnostics.has_errors()) return out;
  lower(*flat, system, diagnostics);
  if (diagnostics.has_errors()) return out;
  out.properties = lower_properties(*flat, system, diagnostics);
  return out;
}

}  // namespace harrier::smv
