// What there is to choose from.
#include "api/search_table.h"
#include "harrier/harrier.h"
#include "heur/table.h"
#include "lang/table.h"
#include "search/preference.h"

namespace harrier {

std::vector<HeuristicInfo> heuristics() {
  std::vector<HeuristicInfo> out;
  for (const heur::Entry& e : heur::table())
    out.push_back({e.name, e.admissible, e.safe, e.clocks, e.preferred, e.sibling, e.summary, e.citation, e.help});
  return out;
}

std::vector<SearchInfo> searches() {
  std::vector<SearchInfo> out;
  for (const api::SearchEntry& e : api::search_table()) out.push_back({e.search, e.name, e.summary, e.help});
  return out;
}

std::vector<PreferenceInfo> preferences() {
  std::vector<PreferenceInfo> out;
  for (const search::PreferenceEntry& e : search::preference_table())
    out.push_back({e.name, e.guided, e.path, e.summary, e.citation, e.help});
  return out;
}

std::vector<LanguageInfo> languages() {
  std::vector<LanguageInfo> out;
  for (const lang::Frontend& f : lang::frontends()) out.push_back(f.info);
  return out;
}

}  // namespace harrier
