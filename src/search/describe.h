// A search in a few words, as on the command line: "bfs", "greedy hU useless", "ib-process dfs", "walk hL".
#pragma once

#include <string>

#include "harrier/harrier.h"

namespace harrier::search {

std::string describe(const CheckOptions& options);

}  // namespace harrier::search
