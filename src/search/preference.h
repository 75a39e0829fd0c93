// What decides about the order of states besides an estimate: preferences for some of the transitions that lead there.
//
// A preference puts every admitted state into a queue, by the transition that led to it; lower ranks are emptied first.
// Of several preferences the one that comes first in the table ranks first. It may also leave successors out that are
// not needed, count the cost of a path in its own way, and prefer a state, so that it is put into a second set of
// queues as well.
//
// A new one is a file pair and a line in preference.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "heur/heuristic.h"
#include "search/method.h"
#include "step/semantics.h"

namespace harrier::search {

class Estimator;

class Preference {
 public:
  using Edges = std::span<const uint32_t>;  // as fired; none: the state is an initial one

  struct Successor {
    uint64_t id = 0;
    uint32_t cost = 0;
    uint32_t estimate = 0;
    Edges edges;
  };
  struct Opinion {
    uint32_t rank = 0;
    bool preferred = false;
  };

  virtual ~Preference() = default;

  // Whether the state that is expanded is looked at.
  virtual bool needs_source() const { return false; }
  // The successors of a state are about to be generated. `source` stays there meanwhile, if it is needed.
  virtual void begin(uint64_t /*id*/, const heur::StateView& /*source*/) {}
  // The successor by these edges is not needed.
  virtual bool prunes(Edges) const { return false; }
  // The cost of the path to the successor by these edges, if it is not the number of steps.
  virtual std::optional<uint32_t> cost(uint32_t /*of_parent*/, Edges) { return std::nullopt; }
  // What the cost of going on from a state depends on, besides the state. Going on from the same state in another
  // context costs at most one more.
  virtual uint32_t context(Edges) { return 0; }
  // Of a successor that was admitted and is no dead end.
  virtual Opinion judge(const Successor& successor) = 0;
  // One more than the highest rank that it gives.
  virtual uint32_t ranks() const = 0;
  // A state that was known has been reached again, by other edges: whether it must be expanded once more.
  virtual bool reconsider(uint64_t /*id*/, Edges) { return false; }
};

// What a preference may use. All of it must outlive the preference.
struct PreferenceTask {
  const step::Semantics& semantics;
  const Preferences& options;
  Budget& budget;
  heur::Heuristic* heuristic = nullptr;  // the first of the search, if it has one
  // For whoever asks which abstract path was found in the state evaluated last: those of the search's heuristics that
  // find one, made again.
  std::function<std::unique_ptr<heur::Heuristic>()> make_heuristic = {};
  // Those of the search's estimators whose heuristics find an abstract path, if a state is evaluated before it is
  // expanded, and not its successors.
  std::vector<Estimator*> before = {};
};

struct PreferenceEntry {
  const char* name;
  bool guided;           // it needs a heuristic
  bool path;             // that finds an abstract path
  const char* summary;   // one line
  const char* citation;  // author and year
  const char* help;      // a paragraph
  std::unique_ptr<Preference> (*make)(const PreferenceTask& task);
};

// In the order in which they rank.
std::span<const PreferenceEntry> preference_table();
// Throws Error(Usage) if there is none.
const PreferenceEntry& get_preference(const std::string& name);

}  // namespace harrier::search
