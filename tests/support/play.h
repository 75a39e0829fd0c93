// Makes traces by executing edges at given delays, whether or not the rules allow it: good ones and bad ones.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/system.h"
#include "trace/concrete.h"
#include "trace/trace.h"

namespace harrier::testing_support {

struct Played {
  int64_t delay = 0;
  std::vector<model::EdgeId> edges;
};

inline trace::Trace play(const model::System& system, const model::Property& property, const std::vector<Played>& steps,
                         int64_t final_delay = 0, int64_t denominator = 1) {
  trace::ConcreteSemantics semantics(system, denominator);
  auto state = semantics.initial();
  trace::Trace trace{.model = system.name,
                     .language = system.language,
                     .content_hash = system.content_hash,
                     .property = property.text,
                     .kind = property.kind,
                     .denominator = denominator,
                     .initial = {state.values, state.clocks, {}},
                     .final_delay = final_delay,
                     .deadlock = property.goal.at(0).deadlock == model::DeadlockTest::IsDeadlock};
  int64_t time = 0;
  for (const Played& played : steps) {
    trace::TraceStep step;
    step.delay = played.delay;
    step.time = time += played.delay;
    const auto before = trace::ConcreteSemantics::delayed(state, played.delay);
    state = semantics.effect_of(played.edges, before).value_or(before);
    for (const auto edge : played.edges) step.edges.push_back(trace::describe(system, edge));
    step.changed = trace::differences(before.values, state.values);
    step.state = {state.values, state.clocks, {}};
    trace.steps.push_back(std::move(step));
  }
  return trace;
}

}  // namespace harrier::testing_support
