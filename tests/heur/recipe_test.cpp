// Heuristics that are composed of others: how they are written, what is true of them, what they estimate.
#include "heur/recipe.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "heur/views.h"
#include "heur_support.h"

namespace harrier::heur {
namespace {

using testing_support::Example;

std::string problem(const std::string& text) {
  try {
    recipes(text);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Usage);
    return e.what();
  }
  return "";
}

TEST(Recipe, IsWrittenInOneWay) {
  EXPECT_EQ(Recipe("").text(), "hU");
  EXPECT_EQ(Recipe(" hL ").text(), "hL");
  EXPECT_EQ(Recipe("max(hL,dL)").text(), "max(hL, dL)");
  EXPECT_EQ(Recipe("sum( dU , max(hL, hCG) )").text(), "sum(dU, max(hL, hCG))");
  const std::vector<Recipe> several = recipes("hff, max(hL, dL),hcea");
  ASSERT_EQ(several.size(), 3u);
  EXPECT_EQ(several[0].text(), "hff");
  EXPECT_EQ(several[1].text(), "max(hL, dL)");
  EXPECT_EQ(several[2].text(), "hcea");
}

TEST(Recipe, MistakesAreTold) {
  EXPECT_NE(problem("hl").find("did you mean 'hL'?"), std::string::npos) << problem("hl");
  EXPECT_NE(problem("max(hL, hx)").find("'hx' is not one of"), std::string::npos);
  EXPECT_NE(problem("max(hL").find("')' is missing"), std::string::npos);
  EXPECT_NE(problem("max()").find("the name of a heuristic is missing"), std::string::npos);
  EXPECT_NE(problem("hL,").find("the name of a heuristic is missing"), std::string::npos);
  EXPECT_NE(problem("min(hL, dL)").find("only max(…) and sum(…)"), std::string::npos);
  EXPECT_NE(problem("hL dL").find("',' or the end is expected"), std::string::npos);
  EXPECT_NE(problem("max").find("'max' is not one of"), std::string::npos);
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "max(";
  EXPECT_NE(problem(deep).find("nested too deeply"), std::string::npos);
  EXPECT_THROW(Recipe("hL, dL"), Error);
}

TEST(Recipe, WhatIsTrueOfThePartsIsTrueOfTheWhole) {
  EXPECT_TRUE(Recipe("max(hL, dL)").admissible());
  EXPECT_FALSE(Recipe("max(hL, hU)").admissible());
  EXPECT_FALSE(Recipe("sum(hL, dL)").admissible());
  EXPECT_FALSE(Recipe("max(hL, sum(hL, dL))").admissible());
  EXPECT_TRUE(Recipe("sum(hL, hU)").safe());
  EXPECT_FALSE(Recipe("sum(hL, hCG)").safe());
  EXPECT_TRUE(Recipe("max(dL, hL)").clocks());
  EXPECT_FALSE(Recipe("max(dL, dU)").clocks());
  EXPECT_TRUE(Recipe("sum(dL, hff)").preferred());
  EXPECT_FALSE(Recipe("sum(dL, hL)").preferred());
  EXPECT_TRUE(Recipe("sum(dL, h0)").sibling());
}

// A takes two steps to `b`, the second of which B has to allow by reaching `d`; c leads nowhere.
constexpr const char* kModel = R"(
  int[0,1] open = 0;
  process A() { state a, m, b, c; init a; trans a -> m {}, m -> b { guard open == 1; }, a -> c {}; }
  process B() { state d, e; init d; trans d -> e { assign open := 1; }; }
  system A, B;
)";

class RecipeEstimates : public ::testing::Test {
 protected:
  std::unique_ptr<Heuristic> make(const std::string& text) { return Recipe(text).make({views_}); }

  Example example_{kModel, "E<> A.b"};
  Views views_{example_.system(), example_.property().goal};
};

TEST_F(RecipeEstimates, AreTheLargestOrTheSum) {
  const std::vector<int32_t> start = example_.initial();
  const uint32_t dL = example_.estimate("dL"), hU = example_.estimate("hU"), hL = example_.estimate("hL");
  EXPECT_EQ(dL, 2u);
  EXPECT_EQ(hU, 3u);
  EXPECT_EQ(make("max(dL, hU)")->evaluate(start.data()), 3u);
  EXPECT_EQ(make("sum(dL, hU)")->evaluate(start.data()), 5u);
  EXPECT_EQ(make("sum(hL, max(dL, hU), hL)")->evaluate(start.data()), 2 * hL + 3);
}

TEST_F(RecipeEstimates, ADeadEndOfOneIsADeadEnd) {
  const std::vector<int32_t> lost = example_.state({{"A", 3}});
  EXPECT_EQ(example_.estimate("hamming", lost), 1u);
  EXPECT_EQ(make("max(hamming, hL)")->evaluate(lost.data()), kDeadEnd);
  EXPECT_EQ(make("sum(hL, hamming)")->evaluate(lost.data()), kDeadEnd);
}

TEST_F(RecipeEstimates, WithoutEdgesAndPreferredOnesAreThoseOfTheParts) {
  const std::vector<int32_t> start = example_.initial();
  const uint32_t to_m[] = {0};
  const uint32_t to_c[] = {2};
  const auto both = make("max(dL, hU)");
  both->evaluate(start.data());
  EXPECT_TRUE(both->prefers(to_m));
  EXPECT_FALSE(both->prefers(to_c));
  EXPECT_EQ(both->evaluate_without(start.data(), to_m, 100), kDeadEnd);
  EXPECT_EQ(both->evaluate_without(start.data(), to_c, 100), 3u);
  EXPECT_GT(make("sum(dL, hU)")->evaluate_without(start.data(), to_c, 2), 2u);
}

}  // namespace
}  // namespace harrier::heur
