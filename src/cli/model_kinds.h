// Kinds of models that options tell apart: of each language those without clocks, and those with, if it has any.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harrier/harrier.h"

namespace harrier::cli {

// Sets of kinds of models, a bit each.
using Models = uint32_t;
inline constexpr Models kAnyModel = UINT32_MAX;

struct ModelKind {
  Models bit = 0;
  std::string name;  // in JSON: "uppaal", "uppaal with clocks"
  std::string text;  // "UPPAAL without clocks", "Promela"
};
const std::vector<ModelKind>& model_kinds();

// The languages, as `languages()` gives them, once and for all.
const std::vector<LanguageInfo>& known_languages();

Models kind_of(const Model& model);
Models with_clocks();
Models without_clocks();
Models of_languages(const std::function<bool(const LanguageInfo&)>& wanted);
// Of the languages that have an option.
Models with_option(const std::string& name);

// "all", "Promela", "without clocks", …
std::string models_text(Models models);

}  // namespace harrier::cli
