// The table of searches: what they are called, what `harrier list` and `harrier explain` say about them, and what the
// flat options of the public interface make of them.
//
// A new search is a file pair in search/ (search/method.h), a value of Search, and a line here.
#pragma once

#include <span>

#include "harrier/harrier.h"
#include "search/config.h"

namespace harrier::api {

struct SearchEntry {
  const char* name;
  Search search;
  const char* summary;  // one line
  const char* help;     // a paragraph
  // Throws Error(Usage) for an option that the search does not have.
  search::Method (*method)(const CheckOptions& options);
};

std::span<const SearchEntry> search_table();
const SearchEntry& search_entry(Search search);

}  // namespace harrier::api
