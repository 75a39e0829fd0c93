// The table of languages, and which of them a model is written in.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lang/frontend.h"

namespace harrier::lang {

std::span<const Frontend> frontends();

// By name; with "auto", the language that the suffix of the model's name tells, or else its content. Throws
// Error(Usage) for a name that there is not.
const Frontend& find_frontend(const std::string& language, std::string_view text, const std::string& name);

// Throws Error(Usage) for options that models of the language do not take, or not together.
void check_options(const Frontend& frontend, const LanguageOptions& options, const std::string& name);

}  // namespace harrier::lang
