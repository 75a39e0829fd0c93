// What stands out in texts for terminals: in bold there, unless the user wants no colours (NO_COLOR, no-color.org).
#pragma once

#include <string>

namespace harrier::cli {

// Standard output is a terminal that can show it, and nobody minds.
bool has_colours();

// The text, standing out if there are colours.
std::string bold(const std::string& text, bool colours);

}  // namespace harrier::cli
