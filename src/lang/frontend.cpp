#include "lang/frontend.h"

#include <algorithm>

namespace harrier::lang {

std::shared_ptr<const Instance> Instance::refined(std::span<const int32_t>, const Watch&) const { return nullptr; }

std::shared_ptr<const Instance> Instance::with_processes(const std::vector<std::string>&, const Watch&) const {
  return nullptr;
}

std::shared_ptr<const Instance> Instance::fairly(size_t, const Watch&) const { return nullptr; }

std::string Instance::trail(const model::Path&) const { return {}; }

// NOLINTNEXTLINE(performance-unnecessary-value-param): those that take plans keep the text
Replayed Instance::replay(std::string, const std::string& name, const Watch&) const {
  throw Error(ErrorKind::Usage, name + ": models of this language have no plans");
}

std::string Instance::objection(const model::Path&, const Watch&) const { return {}; }

std::string Instance::refutation() const { return {}; }

std::string Instance::sas(const Watch&) const {
  throw Error(ErrorKind::Usage, "models of this language cannot be written as SAS+ tasks");
}

model::Drawing Instance::drawing() const { return {}; }

// NOLINTNEXTLINE(performance-unnecessary-value-param): those that take queries keep the text
std::shared_ptr<const Document> Document::with_queries(std::string, const std::string& name, const Watch&) const {
  throw Error(ErrorKind::Usage, name + ": models of this language take no queries");
}

std::string settle(const Sources& sources, const Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) throw to_error(sources, diagnostics);
  return format_all(sources, diagnostics);
}

std::vector<std::string> values_of(const LanguageOptions& options, const std::string& name) {
  std::vector<std::string> out;
  for (const auto& [given, value] : options) {
    if (given == name) out.push_back(value);
  }
  return out;
}

bool is_given(const LanguageOptions& options, const std::string& name) {
  return std::any_of(options.begin(), options.end(), [&](const auto& option) { return option.first == name; });
}

}  // namespace harrier::lang
