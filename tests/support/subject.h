// A model with its query, loaded; and whether a path to its goal is valid.
#pragma once

#include <cstdint>
#include <string>

#include "base/source.h"
#include "families/families.h"
#include "lang/uppaal/uppaal.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::testing_support {

struct Subject {
  Subject(const std::string& model, const std::string& query) {
    Diagnostics diagnostics;
    loaded = uppaal::load(model, "model", diagnostics);
    property = uppaal::parse_queries(loaded, query, "query", diagnostics).at(0);
  }
  explicit Subject(const families::Generated& generated) : Subject(generated.model, generated.query) {}
  Subject(const char* family, uint32_t n) : Subject(families::find_family(family)->generate(n)) {}

  const model::System& system() const { return *loaded.system; }
  // Empty: the independent interpreter follows the path.
  std::string problem_with(const model::Path& path) const {
    const trace::Trace trace = trace::build_trace(system(), property, path);
    const trace::ValidationReport report = trace::validate(system(), property, trace);
    return report.valid ? std::string() : report.text();
  }

  uppaal::Loaded loaded;
  model::Property property;
};

}  // namespace harrier::testing_support
