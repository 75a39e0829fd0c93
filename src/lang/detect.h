// Tells from its content which language a model is written in.
#pragma once

#include <string_view>

namespace harrier {

// Otherwise it is one for UPPAAL, as text or XML. The first word that only one of the languages has decides.
bool looks_like_promela(std::string_view text);

}  // namespace harrier
