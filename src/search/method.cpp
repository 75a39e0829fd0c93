#include "search/method.h"

#include <algorithm>

#include "base/error.h"
#include "heur/recipe.h"
#include "search/preference.h"

namespace harrier::search {

void refuse(const std::string& text) { throw Error(ErrorKind::Usage, text); }
void refuse_unsupported(const std::string& text) { throw Error(ErrorKind::Unsupported, "unsupported: " + text); }

void Estimate::check(Number allowed) const {
  const std::vector<heur::Recipe> recipes = heur::recipes(heuristic);
  if (allowed == Number::One && recipes.size() > 1) {
    refuse("several heuristics in turns are for greedy and wastar; max(…) and sum(…) make one of several");
  }
  const auto follows = [](const heur::Recipe& recipe) { return recipe.sibling(); };
  if (sibling && std::none_of(recipes.begin(), recipes.end(), follows)) {
    refuse("the path of a smaller sibling guides a search with the heuristic h0 or h1, or auto");
  }
}

bool Preferences::has(std::string_view name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void Preferences::check(bool guided) const {
  for (const std::string& name : names) {
    if (get_preference(name).guided && !guided) {
      refuse("useless and preferred transitions need a guided search (greedy, astar, wastar, …)");
    }
  }
  if (queues == Queues::Alternating && (!has("preferred") || has("contexts"))) {
    refuse("alternating queues are for preferred transitions, with useless ones or alone");
  }
}

Queues Preferences::turns() const {
  const bool as_printed = has("useless") && has("preferred") && !has("contexts");
  return queues.value_or(as_printed ? Queues::Alternating : Queues::Boosted);
}

std::string Preferences::words() const {
  std::string out;
  for (const std::string& name : names) out += " " + name;
  if (!queues || !has("preferred")) return out;
  return out + (*queues == Queues::Alternating ? " alternating" : " boosted");
}

}  // namespace harrier::search
