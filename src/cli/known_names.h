// The searches and preferences by the names that they have on the command line.
#pragma once

#include <string>
#include <vector>

#include "harrier/harrier.h"

namespace harrier::cli {

const std::vector<SearchInfo>& known_searches();
const std::vector<PreferenceInfo>& known_preferences();

// Null: there is none of this name.
const SearchInfo* find_search(const std::string& name);
const std::string& search_name(Search search);
std::vector<std::string> search_names();
std::vector<std::string> preference_names();

}  // namespace harrier::cli
