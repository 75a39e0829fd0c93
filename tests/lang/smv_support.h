// Helpers of the SMV tests: models from texts, what was said about them, and all states and steps of small ones, as the
// system has them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "lang/smv/smv.h"
#include "model/choices.h"
#include "model/interpreter.h"

namespace harrier::testing {

using SmvState = std::vector<int32_t>;

struct SmvModel {
  Diagnostics diagnostics;
  smv::Loaded loaded;

  explicit SmvModel(const std::string& text, const std::string& main = "main") {
    loaded = smv::load(text, "m.smv", main, diagnostics);
  }
  const model::System& system() const {
    EXPECT_FALSE(diagnostics.has_errors()) << said();
    return *loaded.first().system;
  }
  // Of all systems, in the order of the text.
  std::vector<model::Property> properties() const {
    std::vector<model::Property> out;
    for (const smv::Machine& machine : loaded.machines) {
      out.insert(out.end(), machine.properties.begin(), machine.properties.end());
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.rank < b.rank; });
    return out;
  }
  // "line:column message", one a line; what is not supported with a '-' before it.
  std::string said() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) {
      if (!out.empty()) out += "\n";
      out += std::to_string(d.at.line) + ":" + std::to_string(d.at.column) + " ";
      if (d.severity == Severity::Unsupported) out += "- ";
      out += d.message;
    }
    return out;
  }
};

// The states that an edge leads to.
inline std::set<SmvState> outcomes(const model::System& system, model::EdgeId id, const SmvState& from,
                                   size_t* transitions = nullptr) {
  std::set<SmvState> out;
  model::Interpreter run(system);
  const model::Edge& edge = system.edge(id);
  if (!run.holds(edge.guard, from)) return out;
  model::Choices choices;
  do {
    choices.rewind();
    SmvState values = from;
    std::vector<model::ClockReset> resets;
    if (!run.execute(edge.effect, values, resets, choices)) continue;
    out.insert(std::move(values));
    if (transitions != nullptr) ++*transitions;
  } while (choices.next());
  return out;
}

inline std::set<SmvState> initial_states(const model::System& system) {
  if (!system.beginning.valid()) return {system.initial_values()};
  return outcomes(system, system.beginning, system.initial_values());
}

inline std::set<SmvState> successors(const model::System& system, const SmvState& from) {
  std::set<SmvState> out;
  for (const model::Process& process : system.processes) {
    for (const model::EdgeId edge : process.edges) out.merge(outcomes(system, edge, from));
  }
  return out;
}

struct SmvReach {
  std::map<SmvState, size_t> distances;
  size_t layers = 0;

  size_t states() const { return distances.size(); }
};

// Breadth first.
inline SmvReach reach(const model::System& system) {
  SmvReach out;
  std::deque<SmvState> open;
  for (const SmvState& state : initial_states(system)) {
    out.distances.emplace(state, 0);
    open.push_back(state);
  }
  while (!open.empty()) {
    const SmvState state = open.front();
    open.pop_front();
    const size_t distance = out.distances.at(state);
    out.layers = distance + 1;
    for (const SmvState& next : successors(system, state)) {
      if (out.distances.emplace(next, distance + 1).second) open.push_back(next);
    }
  }
  return out;
}

// The steps to the nearest state of a property's goal; -1: there is none.
inline int steps_to_goal(const SmvModel& model, size_t property, const SmvReach& reached) {
  int best = -1;
  model::Interpreter run(model.system());
  for (const auto& [state, distance] : reached.distances) {
    for (const model::Clause& clause : model.loaded.first().properties[property].goal) {
      if (!run.holds(clause.conditions, state)) continue;
      if (best < 0 || static_cast<int>(distance) < best) best = static_cast<int>(distance);
    }
  }
  return best;
}

}  // namespace harrier::testing
