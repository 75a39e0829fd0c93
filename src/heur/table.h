// The table of all heuristics: what the command line, `harrier list` and `harrier explain` know about them.
// A new heuristic is a file pair and a line in table.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "abstraction/workshop.h"
#include "base/watch.h"
#include "harrier/goal_path.h"
#include "heur/heuristic.h"

namespace harrier::heur {

class Views;

// What a heuristic is made for.
struct Purpose {
  Views& views;
  Clocks clocks = Clocks::Ignore;
  const GoalPath* guide = nullptr;  // of a smaller sibling; read only while the heuristic is made
  const Watch& watch = Watch::none();
  abstraction::Workshop* workshop = nullptr;  // of heuristics that look things up in an abstraction
  uint64_t abstract_states = UINT64_MAX;      // at most, if the options of the workshop allow more

  AbstractionOptions abstraction() const {
    AbstractionOptions out = workshop->options();
    out.states = std::min(out.states, abstract_states);
    return out;
  }
};

struct Entry {
  const char* name;
  bool admissible;       // never exceeds the true distance, of what it counts
  bool safe;             // says "dead end" only where there is one
  bool clocks;           // can look at the clocks, if asked to
  bool preferred;        // finds an abstract path, whose first transitions it prefers
  bool costs;            // counts what steps cost (Views::costs); otherwise it counts steps
  bool sibling;          // follows the goal path of a smaller sibling; without one it may refuse (Error(Usage))
  const char* summary;   // one line
  const char* citation;  // where it is defined
  const char* help;      // a paragraph
  std::unique_ptr<Heuristic> (*construct)(const Purpose& purpose);
  // The members of AbstractionOptions that it heeds, separated by blanks; none: it builds no abstraction.
  // `zones+clocks`: only if it looks at clocks.
  std::string_view abstraction = {};
  bool choices = true;  // can be used in models whose effects choose, or that have several initial states
  bool timed = true;    // can be used in models with clocks
  bool derived = true;  // can be used in models with derived variables

  bool is_for(const model::System& system) const {
    return (choices || !system.has_choices()) && (timed || system.clocks.size() <= 1) &&
           (derived || system.axioms.empty());
  }

  // With what heuristics of the same model and goal share.
  std::unique_ptr<Heuristic> make(Views& views, Clocks use = Clocks::Ignore, const GoalPath* guide = nullptr,
                                  const Watch& watch = Watch::none()) const {
    abstraction::Workshop workshop;
    return construct({views, use, guide, watch, &workshop});
  }
  // One that shares nothing.
  std::unique_ptr<Heuristic> make(const model::System& system, const std::vector<model::Clause>& goal,
                                  Clocks use = Clocks::Ignore, const GoalPath* guide = nullptr,
                                  const Watch& watch = Watch::none()) const;
};

std::span<const Entry> table();
const Entry* find(std::string_view name);
// The heuristic of this name; the empty one stands for hU. Throws Error(Usage) if there is none.
const Entry& get(std::string_view name);

}  // namespace harrier::heur
