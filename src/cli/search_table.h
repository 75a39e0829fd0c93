// The table of searches: their names, and what `harrier list` and `harrier explain` say about them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harrier/harrier.h"

namespace harrier::cli {

struct SearchEntry {
  const char* name;
  Search search;
  const char* summary;  // one line
  const char* help;     // a paragraph
};

std::span<const SearchEntry> search_table();
// Null: there is none of this name.
const SearchEntry* find_search(const std::string& name);
const char* search_name(Search search);
std::vector<std::string> search_names();

}  // namespace harrier::cli
