// Packing of discrete states.
#include "step/layout.h"

#include <gtest/gtest.h>

#include "base/rng.h"

namespace harrier::step {
namespace {

TEST(Layout, PacksTightlyAndBack) {
  model::System system;
  // 1 + 3 + 0 + 16 + 32 bits, and one variable with negative values.
  system.variables = {
      {"b", 0, 1, 0}, {"loc", 0, 6, 0}, {"c", 7, 7, 7}, {"i", -32768, 32767, 0}, {"w", INT32_MIN, INT32_MAX, 0}};
  const Layout layout(system);
  EXPECT_EQ(layout.words(), 1u);
  EXPECT_EQ(layout.bits(), 52u);
  Rng rng(3);
  for (int round = 0; round < 1000; ++round) {
    std::vector<int32_t> values;
    for (const auto& v : system.variables) {
      values.push_back(static_cast<int32_t>(
          v.lo + static_cast<int64_t>(rng.below(static_cast<uint64_t>(int64_t{v.hi} - v.lo) + 1))));
    }
    uint64_t words[1];
    layout.pack(values.data(), words);
    std::vector<int32_t> back(values.size());
    layout.unpack(words, back.data());
    EXPECT_EQ(back, values);
    values[1] = (values[1] + 1) % 7;
    layout.set(words, 1, values[1]);
    layout.unpack(words, back.data());
    EXPECT_EQ(back, values);
  }
}

TEST(Layout, ManyVariablesFillWords) {
  model::System system;
  for (int i = 0; i < 100; ++i) system.variables.push_back({"v" + std::to_string(i), 0, 4, 0});  // 3 bits each
  EXPECT_EQ(Layout(system).words(), 5u) << "21 variables a word";
}

}  // namespace
}  // namespace harrier::step
