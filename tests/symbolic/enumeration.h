// Symbolic searches against plain enumeration by the concrete semantics.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "symbolic/compare.h"
#include "symbolic/engine.h"
#include "symbolic/space.h"
#include "trace/failure.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::testing_support {

inline constexpr size_t kMostStates = 20'000;

// All states, layer by layer, until one has a goal or a failure.
struct Enumeration {
  bool complete = true;
  std::optional<size_t> goal;     // at this distance
  std::optional<size_t> failure;  // likewise
  size_t states = 0;
};

inline Enumeration enumerate(const model::System& system, const model::Property& property) {
  trace::ConcreteSemantics semantics(system);
  Enumeration out;
  std::set<Values> known;
  std::vector<Values> layer;
  try {
    for (const auto& s : semantics.initial_states()) {
      if (semantics.invariant_holds(s) && known.insert(s.values).second) layer.push_back(s.values);
    }
  } catch (const model::RunTimeError&) {
    out.failure = 0;
    return out;
  }
  for (size_t depth = 0; !layer.empty(); ++depth) {
    std::vector<Values> next;
    for (const Values& values : layer) {
      try {
        if (semantics.goal(property.goal, {values, {0}})) out.goal = depth;
      } catch (const model::RunTimeError&) {
        out.failure = depth;
      }
      const Successors after = concrete_successors(semantics, values);
      if (after.failure) out.failure = depth;
      for (const Values& v : after.states) {
        if (known.insert(v).second) next.push_back(v);
      }
    }
    out.states = known.size();
    out.complete = known.size() <= kMostStates;
    if (out.goal || out.failure || !out.complete) break;
    layer = std::move(next);
  }
  return out;
}

// What the validator says of a path.
inline std::string problem_with(const model::System& system, const model::Property& property, const model::Path& path) {
  if (path.failure) return trace::failure_trace(system, property, path) ? "" : "no failure there";
  const trace::Trace trace = trace::build_trace(system, property, path);
  const trace::ValidationReport report = trace::validate(system, property, trace);
  return report.valid ? "" : report.text();
}

// What a search promises.
struct Promise {
  bool all = false;      // when it finds nothing, it has all states that can be reached
  bool shortest = true;  // paths are
};

class Tally {
 public:
  // `make(space)` is the search.
  template <class Make>
  std::string compare(const model::System& system, const model::Property& property, const Promise& promise,
                      Make&& make) {
    const Enumeration expected = enumerate(system, property);
    if (!expected.complete) return {};
    if (expected.states > 20) ++with_many_states;
    Budget budget;
    symbolic::Space space(system, property, budget);
    const std::unique_ptr<symbolic::Engine> engine = make(space);
    symbolic::Engine& search = *engine;
    symbolic::Engine::Status status = symbolic::Engine::Status::Running;
    while (status == symbolic::Engine::Status::Running) status = search.advance();
    if (status == symbolic::Engine::Status::Exhausted) {
      if (expected.goal || expected.failure) return "nothing is found";
      if (promise.all && search.states() != static_cast<long double>(expected.states)) return "states";
      ++unreachable;
      return {};
    }
    const model::Path path = search.path();
    if (!expected.goal && !expected.failure) return "something is found";
    const size_t length = expected.goal ? *expected.goal : *expected.failure;
    if (path.steps.size() < length) return "the path is too short";
    if (promise.shortest) {
      if (path.steps.size() != length) return "the path is too long";
      if (path.failure ? !expected.failure : !expected.goal) return "another verdict";
    }
    ++(path.failure ? failed : reachable);
    return problem_with(system, property, path);
  }

  int reachable = 0;
  int unreachable = 0;
  int failed = 0;
  int with_many_states = 0;
};

}  // namespace harrier::testing_support
