// What there is to choose from.
#include <algorithm>

#include "api/search_table.h"
#include "harrier/harrier.h"
#include "heur/recipe.h"
#include "lang/table.h"
#include "search/preference.h"

namespace harrier {

namespace {

std::vector<std::string> abstraction_of(const heur::Recipe& recipe) {
  const std::set<std::string> names = recipe.abstraction();
  return {names.begin(), names.end()};
}

}  // namespace

std::vector<HeuristicInfo> heuristics() {
  std::vector<HeuristicInfo> out;
  for (const heur::Entry& e : heur::table())
    out.push_back({e.name, e.admissible, e.safe, e.clocks, e.preferred, e.costs, e.sibling, e.timed, e.choices,
                   abstraction_of(heur::Recipe(e.name)), e.summary, e.citation, e.help});
  return out;
}

HeuristicInfo heuristic(const std::string& text) {
  const std::vector<heur::Recipe> recipes = heur::recipes(text);
  const auto any = [&](bool (heur::Recipe::*property)() const) {
    return std::any_of(recipes.begin(), recipes.end(), [&](const heur::Recipe& r) { return (r.*property)(); });
  };
  const auto all = [&](bool (heur::Recipe::*property)() const) {
    return std::all_of(recipes.begin(), recipes.end(), [&](const heur::Recipe& r) { return (r.*property)(); });
  };
  HeuristicInfo out;
  for (const heur::Recipe& r : recipes) out.name += (out.name.empty() ? "" : ", ") + r.text();
  out.admissible = recipes.size() == 1 && recipes[0].admissible();
  out.safe = all(&heur::Recipe::safe);
  out.clocks = any(&heur::Recipe::clocks);
  out.preferred = any(&heur::Recipe::preferred);
  out.costs = all(&heur::Recipe::costs);
  out.sibling = any(&heur::Recipe::sibling);
  out.timed = all(&heur::Recipe::timed);
  out.choices = all(&heur::Recipe::choices);
  std::set<std::string> heeded;
  for (const heur::Recipe& r : recipes) heeded.merge(r.abstraction());
  out.abstraction.assign(heeded.begin(), heeded.end());
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
