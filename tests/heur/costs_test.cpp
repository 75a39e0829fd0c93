// What heuristics make of costs, on a model whose numbers can be told by hand.
#include <gtest/gtest.h>

#include "heur/table.h"
#include "heur/views.h"
#include "support/system_builder.h"

namespace harrier::heur {
namespace {

// Three boolean variables, all of which the goal wants: a and b by steps of their own, c by one that needs both, or by
// one that is dear.
struct Shop {
  Shop() {
    const auto p = b.process("P", {"shop"});
    const auto step = [&](uint32_t cost, const std::vector<model::VarId>& needs, model::VarId gives) {
      model::Edge& e = b.edge(b.edge(p, 0, 0));
      e.cost = cost;
      for (const auto v : needs) e.guard.push_back(b.eq(v, 1));
      e.effect.push_back(b.set(gives, 1));
    };
    const auto x = b.var("a", 0, 1);
    const auto y = b.var("b", 0, 1);
    const auto z = b.var("c", 0, 1);
    step(3, {}, x);
    step(0, {}, y);
    step(5, {x, y}, z);
    step(20, {}, z);
    goal.push_back({{b.eq(x, 1), b.eq(y, 1), b.eq(z, 1)}, {}});
  }
  uint32_t estimate(const char* name, CostType costs) const {
    Views views(b.system, goal, nullptr, costs);
    return get(name).make(views)->evaluate(b.system.initial_values().data());
  }

  testing_support::SystemBuilder b;
  std::vector<model::Clause> goal;
};

TEST(Costs, AreCountedByHeuristics) {
  const Shop shop;
  struct Expected {
    const char* name;
    uint32_t unit, plus_one, real;
  };
  // c alone costs 8 = 5 + 3 at least, or 10 with one more each for two of the steps; hadd adds b to that, and a again.
  for (const Expected& e : {Expected{"hL", 1, 10, 8},
                            {"hmax", 1, 10, 8},
                            {"hadd", 3, 16, 11},
                            {"hff", 3, 11, 8},
                            {"lmcut", 3, 11, 8},
                            {"hcea", 3, 16, 11},
                            {"pdb", 3, 11, 8},
                            {"ms", 3, 11, 8}}) {
    EXPECT_EQ(shop.estimate(e.name, CostType::Unit), e.unit) << e.name;
    EXPECT_EQ(shop.estimate(e.name, CostType::PlusOne), e.plus_one) << e.name;
    EXPECT_EQ(shop.estimate(e.name, CostType::Real), e.real) << e.name;
  }
}

// Each landmark counts as much as the cheapest step to it.
TEST(Costs, OfLandmarks) {
  const Shop shop;
  for (const auto& [costs, expected] :
       {std::pair{CostType::Unit, 3u}, std::pair{CostType::PlusOne, 11u}, std::pair{CostType::Real, 8u}}) {
    Views views(shop.b.system, shop.goal, nullptr, costs);
    const auto heuristic = get("lmcount").make(views);
    std::vector<uint64_t> memory(heuristic->memory_words());
    EXPECT_EQ(heuristic->evaluate_after(nullptr, shop.b.system.initial_values().data(), memory.data()), expected);
  }
}

// A database is found again for the same costs only.
TEST(Costs, BelongToTheFingerprint) {
  const Shop shop;
  const auto fingerprint = [&](CostType costs) {
    return Views(shop.b.system, shop.goal, nullptr, costs).fingerprint();
  };
  EXPECT_NE(fingerprint(CostType::Unit), fingerprint(CostType::Real));
  EXPECT_NE(fingerprint(CostType::PlusOne), fingerprint(CostType::Real));
  Shop dearer;
  dearer.b.system.edges[0].cost = 4;
  EXPECT_NE(Views(dearer.b.system, dearer.goal, nullptr, CostType::Real).fingerprint(), fingerprint(CostType::Real));
}

}  // namespace
}  // namespace harrier::heur
