// Man pages of the program and of its commands, as roff.
#pragma once

#include <string>
#include <vector>

#include "cli/reference.h"

namespace harrier::cli {

// "harrier", "harrier-check".
std::string man_page_name(const CommandPage& page);
// `pages` are those of all commands, for what the page of the program refers to.
std::string man_page(const CommandPage& page, const std::vector<CommandPage>& pages);

}  // namespace harrier::cli
