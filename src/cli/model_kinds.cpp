#include "cli/model_kinds.h"

#include <fmt/format.h>

#include <algorithm>

namespace harrier::cli {

namespace {

// Without clocks first.
Models bits_of(size_t language) { return Models{3} << (2 * language); }
constexpr Models kWithoutClocks = 0x55555555;

}  // namespace

const std::vector<LanguageInfo>& known_languages() {
  static const std::vector<LanguageInfo> all = languages();
  return all;
}

const std::vector<ModelKind>& model_kinds() {
  static const std::vector<ModelKind> all = [] {
    std::vector<ModelKind> out;
    for (size_t i = 0; i < known_languages().size(); ++i) {
      const LanguageInfo& l = known_languages()[i];
      const Models bits = bits_of(i);
      out.push_back({bits & kWithoutClocks, l.name, l.clocks ? l.title + " without clocks" : l.title});
      if (l.clocks) out.push_back({bits & ~kWithoutClocks, l.name + " with clocks", l.title + " with clocks"});
    }
    return out;
  }();
  return all;
}

Models of_languages(const std::function<bool(const LanguageInfo&)>& wanted) {
  Models out = 0;
  for (size_t i = 0; i < known_languages().size(); ++i) out |= wanted(known_languages()[i]) ? bits_of(i) : 0;
  return out;
}

Models with_option(const std::string& name) {
  return of_languages([&](const LanguageInfo& l) {
    return std::any_of(l.options.begin(), l.options.end(), [&](const LanguageOption& o) { return o.name == name; });
  });
}

Models without_clocks() { return kWithoutClocks; }
Models with_clocks() { return ~kWithoutClocks; }

Models kind_of(const Model& model) {
  const Models bits = of_languages([&](const LanguageInfo& l) { return l.name == model.language().name; });
  return model.has_clocks() ? bits & ~kWithoutClocks : bits & kWithoutClocks;
}

std::string models_text(Models models) {
  if (models == kAnyModel) return "all";
  if (models == without_clocks()) return "without clocks";
  if (models == with_clocks()) return "with clocks";
  std::vector<std::string> texts;
  for (size_t i = 0; i < known_languages().size(); ++i) {
    if ((models & bits_of(i)) == bits_of(i)) texts.push_back(known_languages()[i].title);
  }
  for (const ModelKind& kind : model_kinds()) {
    if (models == kind.bit) texts.push_back(kind.text);
  }
  return texts.empty() ? "–" : fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace harrier::cli
