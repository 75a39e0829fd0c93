// Useless transitions of a process with one location, as planning tasks have it.
#include "search/useless.h"

#include <gtest/gtest.h>

#include "heur/table.h"
#include "support/system_builder.h"

namespace harrier::search {
namespace {

TEST(Useless, WithOneLocationOnlyTheTransitionIsTakenAway) {
  testing_support::SystemBuilder b;
  const auto p = b.process("P", {"only"});
  const auto counter = b.var("counter", 0, 2);
  const auto lamp = b.var("lamp", 0, 1);
  const auto step = [&](model::VarId variable, int32_t from, int32_t to) {
    const auto edge = b.edge(p, 0, 0);
    b.edge(edge).guard = {b.eq(variable, from)};
    b.edge(edge).effect = {b.set(variable, to)};
    return edge.value;
  };
  const uint32_t up = step(counter, 0, 1);
  step(counter, 1, 2);
  const uint32_t light = step(lamp, 0, 1);
  model::Property property;
  property.goal.push_back({{b.eq(counter, 2)}, {}});

  const step::Semantics semantics(b.system, property);
  const auto heuristic = heur::find("hff")->make(b.system, property.goal);
  const Preferences options;
  Budget budget;
  Useless useless(PreferenceTask{semantics, options, budget, heuristic.get(), {}});
  const std::vector<int32_t> state = semantics.initial();
  useless.begin(0, state.data());
  const uint32_t lit[] = {light};
  const uint32_t raised[] = {up};
  EXPECT_EQ(useless.judge({1, 1, 2, lit}).rank, 1u);
  EXPECT_EQ(useless.judge({2, 1, 1, raised}).rank, 0u);
}

}  // namespace
}  // namespace harrier::search
