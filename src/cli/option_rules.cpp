// What follows from the table of options: entries by name, and refusals.
#include <fmt/format.h>

#include <algorithm>

#include "base/suggest.h"
#include "cli/known_names.h"
#include "cli/option_table.h"

namespace harrier::cli {

namespace {

std::string names_of(Searches searches) {
  std::vector<std::string> names;
  for (const SearchInfo& e : known_searches()) {
    if (searches & set_of(e.search)) names.emplace_back(e.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

const char* section_name(Section section) {
  switch (section) {
    case Section::Model: return "The model";
    case Section::Properties: return "What is checked";
    case Section::Search: return "How it is searched";
    case Section::Abstractions: return "Abstractions that heuristics look distances up in";
    case Section::Limits: return "Limits";
    case Section::Output: return "Output";
    case Section::Walks: return "Random walks (--search walk)";
  }
  return "";
}

const OptionEntry* find_option(const std::string& name) {
  const auto table = option_table();
  const auto at = std::find_if(table.begin(), table.end(), [&](const OptionEntry& e) { return name == e.name; });
  return at == table.end() ? nullptr : &*at;
}

const OptionEntry& option_entry(const std::string& name) {
  const OptionEntry* entry = find_option(name);
  if (entry == nullptr) throw Error(ErrorKind::Internal, "the option " + name + " is not in the table of options");
  return *entry;
}

std::string refusal_by_search(const Use& use) {
  for (const OptionEntry& e : option_table()) {
    if (!use.given.contains(e.name)) continue;
    if (!(e.searches & set_of(use.search))) {
      return fmt::format("{} has no effect with --search {}: it is for {}", e.name, search_name(use.search),
                         names_of(e.searches));
    }
    if (e.satisfied && !e.satisfied(use)) return fmt::format("{} needs {}", e.name, e.needs);
  }
  return "";
}

std::string refusal_by_model(const std::set<std::string>& given, Models model, const std::string& file) {
  for (const OptionEntry& e : option_table()) {
    if (!given.contains(e.name) || (e.models & model)) continue;
    const bool clocks = e.models == with_clocks() || e.models == without_clocks();
    return fmt::format("{} is for {}; '{}' is one of {}", e.name,
                       clocks ? "models " + models_text(e.models) : models_text(e.models) + " models", file,
                       models_text(model));
  }
  return "";
}

}  // namespace harrier::cli
