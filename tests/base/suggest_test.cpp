// Suggestions for unknown names: close ones only, the closest first.
#include "base/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace harrier {
namespace {

std::string suggest(std::string_view wrong) {
  static const std::vector<std::string> kKnown = {"guard", "heuristic", "heuristic-clocks", "x", "id_t", "Train", ""};
  return suggestion(wrong, kKnown);
}

TEST(Suggest, NamesTheClosestName) {
  EXPECT_EQ(suggest("gaurd"), "did you mean 'guard'?");
  EXPECT_EQ(suggest("gard"), "did you mean 'guard'?");
  EXPECT_EQ(suggest("guards"), "did you mean 'guard'?");
  EXPECT_EQ(suggest("heurisitc"), "did you mean 'heuristic'?");
  EXPECT_EQ(suggest("heuristic_clock"), "did you mean 'heuristic-clocks'?");
}

TEST(Suggest, CaseDoesNotCount) {
  EXPECT_EQ(suggest("train"), "did you mean 'Train'?");
  EXPECT_EQ(suggest("X"), "did you mean 'x'?");
}

TEST(Suggest, IsSilentWhereNothingIsClose) {
  EXPECT_EQ(suggest("y"), "");
  EXPECT_EQ(suggest("velocity"), "");
  EXPECT_EQ(suggest(""), "");
  EXPECT_EQ(suggest(std::string(100'000, 'x')), "");
  EXPECT_EQ(suggestion("x", {}), "");
}

}  // namespace
}  // namespace harrier
