#include "random/ta_names.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

namespace harrier::testing_support {

namespace {

// A place where a name is declared: it means this declaration from `at` to `end`, unless another one hides it.
struct Region {
  size_t scope = 0;
  size_t at = 0;
  size_t end = 0;
};

struct Declared {
  std::vector<Region> regions;  // a quantifier that occurs twice has two
  std::vector<size_t> uses;
};

using Table = std::map<const std::string*, Declared>;

Table collect(const std::vector<TaNameEvent>& events, std::vector<const std::string*>& order) {
  Table table;
  struct Open {
    size_t number = 0;
    std::vector<std::pair<const std::string*, size_t>> declared;  // and which of its regions
  };
  std::vector<Open> open;
  size_t scopes = 0;
  for (size_t at = 0; at < events.size(); ++at) {
    const TaNameEvent& event = events[at];
    switch (event.kind) {
      case TaNameEvent::Kind::Open: open.push_back({scopes++, {}}); break;
      case TaNameEvent::Kind::Close:
        for (const auto& [name, number] : open.back().declared) table[name].regions[number].end = at;
        open.pop_back();
        break;
      case TaNameEvent::Kind::Declare: {
        auto [entry, fresh] = table.try_emplace(event.name);
        if (fresh) order.push_back(event.name);
        open.back().declared.emplace_back(event.name, entry->second.regions.size());
        entry->second.regions.push_back({open.back().number, at, 0});
        break;
      }
      case TaNameEvent::Kind::Use: table[event.name].uses.push_back(at); break;
      case TaNameEvent::Kind::Member: break;
    }
  }
  return table;
}

// Whether the first hides the second where that is used.
bool captures(const Declared& inner, const Declared& outer) {
  for (const Region& region : inner.regions) {
    for (const Region& other : outer.regions) {
      if (region.scope == other.scope) return true;
      if (region.at < other.at || region.at > other.end) continue;
      const auto hidden = [&](size_t use) { return use > region.at && use < region.end; };
      if (std::any_of(outer.uses.begin(), outer.uses.end(), hidden)) return true;
    }
  }
  return false;
}

}  // namespace

void share_names(TaModel& model, Rng& rng, int percent) {
  const std::vector<TaNameEvent> events = name_events(model);
  std::vector<const std::string*> order;
  const Table table = collect(events, order);
  std::set<const std::string*> types;
  for (const TaTypedef& type : model.types) types.insert(&type.name);
  for (const TaTemplate& of : model.templates) {
    for (const TaTypedef& type : of.types) types.insert(&type.name);
  }
  std::map<std::string, std::vector<const Declared*>> taken;
  for (const std::string* name : order) {
    if (!rng.chance(percent)) continue;
    // What a type is called, nothing else is: UPPAAL's grammar tells types from other names.
    std::vector<std::string> free =
        types.contains(name) ? std::vector<std::string>{"u", "w"} : std::vector<std::string>{"a", "b", "c", "d"};
    while (!free.empty()) {
      const size_t chosen = rng.below(free.size());
      auto& others = taken[free[chosen]];
      const Declared& own = table.at(name);
      const bool wrong = std::any_of(others.begin(), others.end(), [&](const Declared* other) {
        return captures(own, *other) || captures(*other, own);
      });
      if (!wrong) {
        others.push_back(&own);
        *const_cast<std::string*>(name) = free[chosen];  // the model is ours to change
        break;
      }
      free.erase(free.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
  }
  if (!names_are_right(model)) std::abort();
}

bool names_are_right(const TaModel& model) {
  std::vector<std::map<std::string, const std::string*>> scopes;
  for (const TaNameEvent& event : name_events(model)) {
    switch (event.kind) {
      case TaNameEvent::Kind::Open: scopes.emplace_back(); break;
      case TaNameEvent::Kind::Close: scopes.pop_back(); break;
      case TaNameEvent::Kind::Declare:
        if (!scopes.back().emplace(*event.name, event.name).second) return false;
        break;
      case TaNameEvent::Kind::Member: break;
      case TaNameEvent::Kind::Use: {
        const auto found = std::find_if(scopes.rbegin(), scopes.rend(),
                                        [&](const auto& names) { return names.contains(*event.name); });
        if (found == scopes.rend() || found->at(*event.name) != event.name) return false;
        break;
      }
    }
  }
  return true;
}

}  // namespace harrier::testing_support
