#include "search/preference.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "search/interference.h"
#include "search/preferred.h"
#include "search/useless.h"

namespace harrier::search {

namespace {

template <class P>
std::unique_ptr<Preference> make(const PreferenceTask& task) {
  return std::make_unique<P>(task);
}

constexpr PreferenceEntry kTable[] = {
    {"useless", true, false, "puts back states that a useless transition leads to",
     "Wehrle, Kupferschmid and Podelski 2008",
     "A transition is relatively useless if the goal looks no farther away without it. What it leads to comes last.",
     make<Useless>},
    {"contexts", false, false, "prefers transitions that interfere with the one before", "Wehrle and Kupferschmid 2010",
     "States are queued by how closely the transition that leads to them works on the same variables as the one before "
     "it. After a transition that cannot make the goal true, those that have nothing to do with it are left out where "
     "that is right.",
     make<Interference>},
    {"preferred", true, true, "prefers transitions that start the heuristic's abstract path", "Helmert 2006",
     "States that a transition of the abstract error path leads to are put into a second set of queues, which takes "
     "turns with the first (--queues).",
     make<Preferred>},
};

}  // namespace

std::span<const PreferenceEntry> preference_table() { return kTable; }

const PreferenceEntry& get_preference(const std::string& name) {
  const auto at = std::find_if(std::begin(kTable), std::end(kTable), [&](const auto& e) { return name == e.name; });
  if (at == std::end(kTable)) throw Error(ErrorKind::Usage, "there is no preference '" + name + "'");
  return *at;
}

}  // namespace harrier::search
