// Random small models without clocks, each with a query and its whole state graph.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "heur_support.h"
#include "model/interpreter.h"
#include "random/generator.h"

namespace harrier::testing_support {

inline constexpr size_t kMostStatesExplored = 2000;

// Calls check(Example&, StateGraph&, name) for every query of random models that can be explored completely.
template <class Check>
void for_random_models(uint64_t seeds, Check&& check) {
  size_t checked = 0;
  for (const Profile& profile : profiles()) {
    if (profile.max_clocks != 0) continue;
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
      const TaModel model = generate(profile, seed);
      for (size_t q = 0; q < model.queries.size(); ++q) {
        const std::string name = profile.name + " " + std::to_string(seed) + " query " + std::to_string(q);
        Example example(to_xta(model), to_query(model, model.queries[q]));
        std::optional<StateGraph> graph;
        try {
          graph = StateGraph::explore(example.system(), example.property(), kMostStatesExplored);
        } catch (const model::EvalFailure&) {
          continue;  // the model fails at run time
        } catch (const Error&) {
          continue;
        }
        if (!graph || graph->states.empty()) continue;
        check(example, *graph, name);
        ++checked;
        if (::testing::Test::HasFailure()) {
          ADD_FAILURE() << name << "\n" << to_xta(model) << example.property().text;
          return;
        }
      }
    }
  }
  EXPECT_GT(checked, seeds);
}

// Some states of a graph, spread evenly.
inline std::vector<uint64_t> samples(const StateGraph& graph, size_t most) {
  std::vector<uint64_t> out;
  const size_t stride = std::max<size_t>(1, graph.states.size() / most);
  for (uint64_t id = 0; id < graph.states.size(); id += stride) out.push_back(id);
  return out;
}

}  // namespace harrier::testing_support
