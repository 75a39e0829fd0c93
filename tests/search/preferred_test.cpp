// Preferred transitions are those of the state that is expanded, whatever is estimated meanwhile.
#include "search/preferred.h"

#include <gtest/gtest.h>

#include "search/guide.h"
#include "support/system_builder.h"

namespace harrier::search {
namespace {

TEST(Preferred, DoNotDependOnSuccessorsThatWereEstimated) {
  testing_support::SystemBuilder b;
  const auto p = b.process("P", {"start", "aside", "half", "goal"});
  const auto aside = b.edge(p, 0, 1);
  const auto first = b.edge(p, 0, 2);
  b.edge(p, 2, 3);
  b.edge(p, 1, 2);
  model::Property property;
  property.goal.push_back({{b.at(p, 3)}, {}});
  const step::Semantics semantics(b.system, property);
  Budget budget;
  const Estimate estimate{.heuristic = "hadd"};
  Aims aims(semantics);
  const auto guidance = [&] { return aims.guidance(heur::Recipe(estimate.heuristic), estimate, true, Watch::none()); };
  const auto another = [&] { return guidance().heuristic; };
  const Preferences options;
  std::vector<std::unique_ptr<Preference>> preferences;
  preferences.push_back(std::make_unique<Preferred>(PreferenceTask{semantics, options, budget, nullptr, another}));
  std::vector<std::unique_ptr<Estimator>> estimators;
  estimators.push_back(std::make_unique<HeuristicEstimator>(guidance(), 0, budget));
  Guide guide(std::move(estimators), std::move(preferences));
  std::vector<std::vector<int32_t>> at;
  for (int32_t location = 0; location < 4; ++location) {
    at.push_back(semantics.initial());
    at.back()[b.system.process(p).location.value] = location;
  }
  guide.begin(0, at[0].data());
  const uint32_t wrong[] = {aside.value};
  const uint32_t right[] = {first.value};
  EXPECT_FALSE(guide.assess(1, 1, 1, at[1].data(), wrong).preferred);
  EXPECT_TRUE(guide.assess(2, 2, 1, at[2].data(), right).preferred);
  EXPECT_EQ(guide.evaluated(), 2u);
}

}  // namespace
}  // namespace harrier::search
