// The table of options: what the command line, its refusals, `harrier list --options`, `harrier explain OPTION` and
// docs/options.md know about them.
//
// An option applies to some models and some searches, and may have a condition besides. Where it does not apply, it is
// refused by name: nothing that was asked for is passed over. A new option is an entry here, and the line that binds
// its value (check_options.cpp, model_options.cpp or walk_options.cpp). Options of a language come from its front end.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/model_kinds.h"
#include "harrier/harrier.h"

namespace harrier::cli {

// Sets of searches.
using Searches = uint32_t;
constexpr Searches set_of(Search search) { return static_cast<Searches>(1u << static_cast<unsigned>(search)); }
inline constexpr Searches kAnySearch = 2 * set_of(Search::SymbolicWalk) - 1;  // the last of them

enum class Section : uint8_t { Model, Properties, Search, Abstractions, Limits, Output, Walks };

// What options are given besides each other.
struct Use {
  Search search = Search::Auto;
  std::optional<HeuristicInfo>
      heuristic;                // by name, or the one that the search takes without a name; none: it is blind
  std::set<std::string> given;  // names, and "name value" for every value
};

struct OptionEntry {
  const char* name;  // "--weight", or "--prefer useless" for a value that has a row of its own
  Section section;
  const char* value = "";  // what it takes, as help shows it; empty: nothing
  const char* fallback = "";
  std::optional<std::pair<double, double>> range = std::nullopt;
  std::vector<std::string> choices = {};
  const char* summary;    // one line
  const char* help = "";  // more, if there is more to say
  Models models = kAnyModel;
  Searches searches = kAnySearch;
  // What else it needs, in words that follow "needs", and whether that is there; null: nothing.
  const char* needs = "";
  std::function<bool(const Use& use)> satisfied = nullptr;
  // A valid use of it. FILE, MODEL, SIBLING and VARIABLE stand for an output, the model, a smaller model and a
  // variable.
  std::vector<std::string> example;
};

std::span<const OptionEntry> option_table();
const char* section_name(Section section);
// Null: there is none of this name.
const OptionEntry* find_option(const std::string& name);
// Throws Error(Internal) for an option without an entry: no option escapes the table.
const OptionEntry& option_entry(const std::string& name);

// Why the first option that does not apply is refused, beginning with its name; empty: all apply.
std::string refusal_by_search(const Use& use);
std::string refusal_by_model(const std::set<std::string>& given, Models model, const std::string& file);

}  // namespace harrier::cli
