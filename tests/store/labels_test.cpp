// Labels, origins and data by state.
#include "store/labels.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "store/origin.h"
#include "store/per_state.h"

namespace harrier::store {
namespace {

struct Step {
  std::vector<uint32_t> edges;
  uint32_t part = 0;
  bool operator==(const Step&) const = default;
};

std::vector<Step> steps_of(const Labels& labels, uint32_t label) {
  std::vector<Step> out;
  labels.for_each_step(label, [&](std::span<const uint32_t> edges, uint32_t part) {
    out.push_back({{edges.begin(), edges.end()}, part});
  });
  return out;
}

TEST(Labels, KeepEachTransitionOnce) {
  Budget budget;
  Labels labels(budget);
  const std::vector<Step> all = {{{7}, 0}, {{7}, 1}, {{7, 3}, 0}, {{3, 7}, 0}, {{3}, 0}, {{7, 3, 5}, 0}, {{7, 3}, 2}};
  std::vector<uint32_t> numbers;
  for (const Step& s : all) numbers.push_back(labels.of(s.edges, s.part));
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(labels.of(all[i].edges, all[i].part), numbers[i]);
    EXPECT_EQ(steps_of(labels, numbers[i]), std::vector{all[i]});
  }
  EXPECT_EQ(labels.size(), all.size());
}

TEST(Labels, OfSeveralStepsListThemInOrder) {
  Budget budget;
  Labels labels(budget);
  const uint32_t a = labels.of(std::vector<uint32_t>{1});
  const uint32_t b = labels.of(std::vector<uint32_t>{2, 3});
  const uint32_t ab = labels.then(a, b);
  const uint32_t aba = labels.then(ab, a);
  EXPECT_EQ(labels.then(Labels::kNone, b), b);
  EXPECT_EQ(labels.then(a, b), ab);
  EXPECT_EQ(steps_of(labels, aba), (std::vector<Step>{{{1}, 0}, {{2, 3}, 0}, {{1}, 0}}));
  EXPECT_EQ(steps_of(labels, labels.then(a, labels.then(b, ab))),
            (std::vector<Step>{{{1}, 0}, {{2, 3}, 0}, {{1}, 0}, {{2, 3}, 0}}));
}

TEST(Labels, ManyOfThem) {
  Budget budget;
  Labels labels(budget);
  for (uint32_t e = 0; e < 300; ++e) {
    for (uint32_t f = 0; f < 300; ++f) EXPECT_EQ(labels.of(std::vector<uint32_t>{e, f}), 300 * e + f);
  }
  EXPECT_EQ(steps_of(labels, 300 * 123 + 45), (std::vector<Step>{{{123, 45}, 0}}));
}

TEST(Origin, KeepsLargeNumbers) {
  const uint64_t parent = (uint64_t{1} << 37) + 5;
  const Origin origin(parent, Origin::kMostLabels - 1);
  EXPECT_EQ(origin.parent(), parent);
  EXPECT_EQ(origin.label(), Origin::kMostLabels - 1);
  EXPECT_FALSE(origin.initial());
  EXPECT_TRUE(Origin(Origin::kNoParent, 3).initial());
}

TEST(PerState, HasADefault) {
  Budget budget;
  PerState<uint32_t> data(budget, 9);
  data[3] = 1;
  EXPECT_EQ(data[3], 1u);
  EXPECT_EQ(data[0], 9u);
  const PerState<uint32_t>& read = data;
  EXPECT_EQ(read[1'000'000], 9u);
  EXPECT_GT(budget.used(), 0u);
}

}  // namespace
}  // namespace harrier::store
