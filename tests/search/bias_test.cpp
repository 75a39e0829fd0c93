// How estimates decide: frequencies against the weights of docs/walks.md.
#include "search/bias.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "support/frequency.h"

namespace harrier::search {
namespace {

using testing_support::deviation;
using Kind = RandomWalks::Bias;

constexpr uint64_t kTrials = 100'000;

RandomWalks with(Kind kind, bool reverse = false, double temperature = 0.5) {
  RandomWalks options;
  options.bias = kind;
  options.reverse = reverse;
  options.temperature = temperature;
  return options;
}

// Picks in proportion to these weights.
void expect_picks(const RandomWalks& options, const std::vector<uint32_t>& estimates,
                  const std::vector<double>& weights, uint32_t seen_before = 0) {
  Rng rng(11);
  Bias bias(options);
  if (seen_before != 0) bias.pick({seen_before}, rng);
  std::map<size_t, uint64_t> counts;
  for (uint64_t i = 0; i < kTrials; ++i) ++counts[bias.pick(estimates, rng)];
  double sum = 0;
  for (const double w : weights) sum += w;
  std::map<size_t, double> expected;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) expected[i] = weights[i] / sum;
  }
  testing_support::expect_frequencies(counts, expected);
}

double accepted(const RandomWalks& options, uint32_t here, uint32_t estimate, uint32_t seen_before = 0) {
  Rng rng(12);
  Bias bias(options);
  if (seen_before != 0) bias.pick({seen_before}, rng);
  uint64_t count = 0;
  for (uint64_t i = 0; i < kTrials; ++i) count += bias.accept(here, estimate, rng);
  return static_cast<double>(count) / static_cast<double>(kTrials);
}

TEST(Bias, LinearIsInProportionToTheDistanceFromTheFarthest) {
  expect_picks(with(Kind::Linear), {0, 1, 2, 3}, {4, 3, 2, 1});
  expect_picks(with(Kind::Linear), {5, 5}, {1, 1});
  expect_picks(with(Kind::Linear), {0, 9, 4, 4}, {10, 1, 6, 6});
  expect_picks(with(Kind::Linear), {0, 1}, {10, 9}, 9);  // the farthest was seen before
  expect_picks(with(Kind::Linear), {7}, {1});
}

TEST(Bias, SoftmaxIsExponential) {
  for (const double t : {0.5, 2.0, 10.0}) {
    const auto weight = [&](double h) { return std::exp(-h / t); };
    expect_picks(with(Kind::Softmax, false, t), {3, 1, 2}, {weight(3), weight(1), weight(2)});
  }
  // Only differences count, also where the exponentials themselves are 0.
  expect_picks(with(Kind::Softmax, false, 1), {1'000'000, 1'000'001}, {1, std::exp(-1)});
}

TEST(Bias, GreedyPicksTheNearestButOneInTenTimesAny) {
  expect_picks(with(Kind::Greedy), {4, 2, 9}, {0.1 / 3, 0.9 + 0.1 / 3, 0.1 / 3});
  expect_picks(with(Kind::Greedy), {2, 2, 9, 9}, {0.45 + 0.025, 0.45 + 0.025, 0.025, 0.025});
}

TEST(Bias, ReversedTheFarthestIsNearest) {
  // h becomes max - h.
  expect_picks(with(Kind::Linear, true), {0, 1, 3}, {1, 2, 4});
  expect_picks(with(Kind::Linear, true), {0, 1}, {1, 2}, 9);
  expect_picks(with(Kind::Softmax, true, 2), {0, 1, 3}, {std::exp(-1.5), std::exp(-1), 1});
  expect_picks(with(Kind::Greedy, true), {4, 2, 9}, {0.1 / 3, 0.1 / 3, 0.9 + 0.1 / 3});
}

TEST(Bias, LinearAcceptsInProportion) {
  for (const uint32_t here : {0, 3, 9}) {
    for (const uint32_t h : {0, 4, 9}) {
      EXPECT_NEAR(accepted(with(Kind::Linear), here, h, 9), (10.0 - h) / 10, deviation(kTrials)) << here << " " << h;
      EXPECT_NEAR(accepted(with(Kind::Linear, true), here, h, 9), (1.0 + h) / 10, deviation(kTrials)) << here << h;
    }
  }
}

TEST(Bias, SoftmaxAcceptsAsMetropolis) {
  for (const double t : {0.5, 3.0}) {
    EXPECT_EQ(accepted(with(Kind::Softmax, false, t), 5, 5), 1);
    EXPECT_EQ(accepted(with(Kind::Softmax, false, t), 5, 2), 1);
    EXPECT_NEAR(accepted(with(Kind::Softmax, false, t), 5, 6), std::exp(-1 / t), deviation(kTrials));
    EXPECT_NEAR(accepted(with(Kind::Softmax, false, t), 5, 7), std::exp(-2 / t), deviation(kTrials));
    EXPECT_EQ(accepted(with(Kind::Softmax, true, t), 5, 7), 1);
    EXPECT_NEAR(accepted(with(Kind::Softmax, true, t), 5, 4), std::exp(-1 / t), deviation(kTrials));
  }
}

TEST(Bias, GreedyAcceptsWhatIsNearer) {
  EXPECT_EQ(accepted(with(Kind::Greedy), 5, 4), 1);
  EXPECT_NEAR(accepted(with(Kind::Greedy), 5, 5), 0.1, deviation(kTrials));
  EXPECT_NEAR(accepted(with(Kind::Greedy), 5, 6), 0.1, deviation(kTrials));
  EXPECT_EQ(accepted(with(Kind::Greedy, true), 5, 6), 1);
  EXPECT_NEAR(accepted(with(Kind::Greedy, true), 5, 4), 0.1, deviation(kTrials));
}

// The largest estimate so far includes the one that is being judged.
TEST(Bias, ReversedTheFirstFarStateIsNearerThanTheOneThatIsLeft) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Rng rng(seed);
    const RandomWalks options = with(Kind::Greedy, true);
    Bias bias(options);
    EXPECT_TRUE(bias.accept(3, 10, rng));
  }
}

}  // namespace
}  // namespace harrier::search
