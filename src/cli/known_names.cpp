#include "cli/known_names.h"

#include <algorithm>

namespace harrier::cli {

const std::vector<SearchInfo>& known_searches() {
  static const std::vector<SearchInfo> kAll = searches();
  return kAll;
}

const std::vector<PreferenceInfo>& known_preferences() {
  static const std::vector<PreferenceInfo> kAll = preferences();
  return kAll;
}

const SearchInfo* find_search(const std::string& name) {
  const auto& all = known_searches();
  const auto at = std::find_if(all.begin(), all.end(), [&](const SearchInfo& s) { return s.name == name; });
  return at == all.end() ? nullptr : &*at;
}

const std::string& search_name(Search search) {
  const auto& all = known_searches();
  return std::find_if(all.begin(), all.end(), [&](const SearchInfo& s) { return s.search == search; })->name;
}

std::vector<std::string> search_names() {
  std::vector<std::string> names;
  for (const SearchInfo& s : known_searches()) names.push_back(s.name);
  return names;
}

std::vector<std::string> preference_names() {
  std::vector<std::string> names;
  for (const PreferenceInfo& p : known_preferences()) names.push_back(p.name);
  return names;
}

}  // namespace harrier::cli
