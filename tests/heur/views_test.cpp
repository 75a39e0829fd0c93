#include "heur/views.h"

#include <gtest/gtest.h>

#include <map>

#include "heur/table.h"
#include "heur_support.h"

namespace harrier::heur {
namespace {

testing_support::Example example() {
  return {
      "int[0,5] x;\nprocess P() { state a, b; init a; trans a -> a { guard x < 4; assign x = x + 1; },\n"
      "  a -> b { guard x == 4; }; }\nsystem P;\n",
      "E<> P.b"};
}

TEST(Views, AreSharedAsLongAsTheyAreNeeded) {
  const auto model = example();
  Views views(model.system(), model.property().goal);
  auto plan = find("hU")->make(views);
  const std::weak_ptr<const task::Task> task = views.task(Watch::none());
  const std::weak_ptr<const RelaxedTask> relaxed = views.relaxed(Clocks::Ignore, Watch::none());
  EXPECT_FALSE(relaxed.expired()) << "hU has it";
  const auto causal = find("hCG")->make(views);
  EXPECT_EQ(views.domains(Watch::none())->task().labels().data(), task.lock()->labels().data());
  EXPECT_EQ(views.relaxed(Clocks::Ignore, Watch::none()), relaxed.lock());
  EXPECT_NE(views.relaxed(Clocks::Use, Watch::none()), relaxed.lock());
  plan.reset();
  EXPECT_TRUE(relaxed.expired());
  EXPECT_FALSE(task.expired()) << "hCG has it";
}

TEST(Views, SharingChangesNoEstimate) {
  auto model = example();
  Views views(model.system(), model.property().goal);
  std::map<std::string, std::unique_ptr<Heuristic>> all;
  for (const Entry& entry : table()) {
    if (!entry.sibling) all[entry.name] = entry.make(views);
  }
  for (int32_t x = 0; x <= 4; ++x) {
    const auto state = model.state({{"x", x}});
    for (const auto& [name, heuristic] : all) {
      EXPECT_EQ(heuristic->evaluate(state.data()), model.estimate(name, state)) << name;
    }
    EXPECT_EQ(all["hcea"]->evaluate(state.data()), static_cast<uint32_t>(5 - x));
  }
}

}  // namespace
}  // namespace harrier::heur
