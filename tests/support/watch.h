// Watches a walker on a model without clocks, walk by walk, and follows its ways with the concrete semantics, which
// shares nothing with it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/source.h"
#include "lang/promela/promela.h"
#include "model/system.h"
#include "support/options.h"
#include "trace/concrete.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::testing_support {

inline CheckOptions walk_options(uint64_t seed = 1) {
  CheckOptions options;
  options.search = Search::Walk;
  options.seed = seed;
  return options;
}

// A Promela model with its first property, loaded.
struct PromelaSubject {
  explicit PromelaSubject(const std::string& text, const promela::Options& options = {})
      : source(text, "model.pml", options, diagnostics) {
    source.lower(diagnostics);
    EXPECT_FALSE(diagnostics.has_errors());
  }

  const model::System& system() const { return *source.system(); }
  const model::Property& property() const { return source.properties().at(0); }

  Diagnostics diagnostics;
  promela::Source source;
};

struct Walk {
  uint64_t start = 0;  // steps from the initial state to where it started
  model::Path path;    // from the initial state
  bool found = false;
};

// Visits every walk when it is over, until there are no more, one finds something or visit(const Walk&) returns false.
template <class Visit>
Statistics watch(const model::System& system, const model::Property& property, const CheckOptions& options,
                 Visit&& visit) {
  const step::Semantics semantics(system, property);
  Budget budget;
  const auto task = search::make_walk_task(semantics, options, budget);
  Walk walk;
  uint64_t walks = 0;
  uint64_t steps = 0;
  bool open = false;  // a walk is not visited yet
  for (;;) {
    const search::Status status = task->advance(1);
    const Statistics now = task->statistics();
    const bool began = now.walks != walks;
    const bool stepped = now.steps != steps;
    walks = now.walks;
    steps = now.steps;
    const bool running = status == search::Status::Running;
    const bool found = status == search::Status::Found;
    // A loop ends a walk together with the step that closes it; otherwise an attempt without a step tells the end.
    if (open && (began || !(running || found)) && !visit(static_cast<const Walk&>(walk))) return now;
    if (!running && !found) return now;
    open = began || (open && (stepped || found));
    if (began) walk.start = task->path().steps.size();
    const bool over = found || !(began || stepped);
    if (over || options.walk.end_at_loop) walk.path = task->path();
    walk.found = found;
    if (!over) continue;
    open = false;
    if (!visit(static_cast<const Walk&>(walk)) || found) return now;
  }
}

using Values = std::vector<int32_t>;

// The states along a path, and what the last one can do. Every step must be one that the semantics permits.
struct Followed {
  Followed(const model::System& system, const model::Path& path) : semantics(system) {
    auto state = semantics.initial();
    states.push_back(state.values);
    for (const model::PathStep& step : path.steps) {
      const auto enabled = semantics.enabled(state);
      const auto move =
          std::find_if(enabled.begin(), enabled.end(), [&](const auto& m) { return m.edges == step.edges; });
      if (move == enabled.end()) {
        ADD_FAILURE() << "step " << states.size() << " is not permitted";
        return;
      }
      state = move->target;
      states.push_back(state.values);
    }
    for (const auto& move : semantics.enabled(state)) successors.push_back(move.target.values);
  }
  bool visits(const Values& values, size_t before) const {
    return std::find(states.begin(), states.begin() + static_cast<ptrdiff_t>(before), values) !=
           states.begin() + static_cast<ptrdiff_t>(before);
  }
  // The first state that equals an earlier one; the number of states if there is none.
  size_t first_revisit() const {
    for (size_t i = 0; i < states.size(); ++i) {
      if (visits(states[i], i)) return i;
    }
    return states.size();
  }
  bool all_successors_visited() const {
    return std::all_of(successors.begin(), successors.end(),
                       [&](const Values& values) { return visits(values, states.size()); });
  }

  trace::ConcreteSemantics semantics;
  std::vector<Values> states;
  std::vector<Values> successors;
};

inline size_t variable(const model::System& system, const std::string& name) {
  for (size_t v = 0; v < system.variables.size(); ++v) {
    if (system.variables[v].name == name) return v;
  }
  ADD_FAILURE() << "no variable " << name;
  return 0;
}

}  // namespace harrier::testing_support
