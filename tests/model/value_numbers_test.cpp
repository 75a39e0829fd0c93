#include "model/value_numbers.h"

#include <climits>

#include "gtest/gtest.h"

namespace harrier::model {
namespace {

void expect_numbers(const std::vector<int32_t>& values) {
  const ValueNumbers number(values);
  EXPECT_FALSE(number.empty());
  for (uint32_t i = 0; i < values.size(); ++i) EXPECT_EQ(number(values[i]), i) << values[i];
}

TEST(ValueNumbers, AreThoseOfIntervalsTablesAndSparseSets) {
  EXPECT_TRUE(ValueNumbers().empty());
  expect_numbers({7});
  expect_numbers({-3, -2, -1, 0, 1});
  expect_numbers({-3, 0, 1, 900});
  expect_numbers({INT_MIN, -70000, 0, 2'000'000'000, INT_MAX});
}

}  // namespace
}  // namespace harrier::model
