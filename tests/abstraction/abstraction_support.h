// Helpers of the tests of abstractions: factors of a model, and small random models with all their states.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "abstraction/factors.h"
#include "base/error.h"
#include "heur/heur_support.h"
#include "model/interpreter.h"
#include "random/generator.h"

namespace harrier::testing_support {

inline std::shared_ptr<const abstraction::Factors> factors_of(const Example& example,
                                                              const task::Task::Limits& limits = {}) {
  return std::make_shared<const abstraction::Factors>(std::make_shared<const task::VariableDomains>(
      std::make_shared<const task::Task>(example.system(), example.property().goal, limits)));
}

// Calls check(Example&, StateGraph&, name) for the queries of random models without clocks that have few states.
template <class Check>
void for_small_random_models(uint64_t seeds, size_t most_states, Check&& check) {
  for (const Profile& profile : profiles()) {
    if (profile.max_clocks != 0) continue;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      const TaModel model = generate(profile, seed);
      for (size_t q = 0; q < model.queries.size(); ++q) {
        Example example(to_xta(model), to_query(model, model.queries[q]));
        std::optional<StateGraph> graph;
        try {
          graph = StateGraph::explore(example.system(), example.property(), most_states);
        } catch (const model::EvalFailure&) {
          continue;  // the model fails at run time
        } catch (const Error&) {
          continue;
        }
        if (!graph || graph->states.empty()) continue;
        const std::string name = profile.name + " " + std::to_string(seed) + " query " + std::to_string(q);
        check(example, *graph, name);
        if (::testing::Test::HasFailure()) {
          ADD_FAILURE() << name << "\n" << to_xta(model) << example.property().text;
          return;
        }
      }
    }
  }
}

}  // namespace harrier::testing_support
