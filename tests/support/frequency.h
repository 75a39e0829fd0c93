// How far a frequency may be from its probability, so that a test of a correct program practically never fails,
// whatever the seed.
//
// Hoeffding (1963): among n independent trials of probability p, the share of successes differs from p by t or more
// with a probability of at most 2 exp(-2 n t²). deviation(n) is the t for which that is 1e-13: a thousand comparisons
// together fail with a probability below 1e-9.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <map>

namespace harrier::testing_support {

inline double deviation(uint64_t trials) { return std::sqrt(std::log(2e13) / (2 * static_cast<double>(trials))); }

// Compares how often each outcome occurred with its probability. What is not expected must not occur at all.
template <class Key>
void expect_frequencies(const std::map<Key, uint64_t>& counts, const std::map<Key, double>& expected) {
  uint64_t trials = 0;
  for (const auto& [key, count] : counts) trials += count;
  ASSERT_GT(trials, 0U);
  for (const auto& [key, count] : counts) EXPECT_TRUE(expected.contains(key)) << "unexpected outcome " << key;
  double sum = 0;
  for (const auto& [key, p] : expected) {
    const auto at = counts.find(key);
    const double share = at == counts.end() ? 0 : static_cast<double>(at->second) / static_cast<double>(trials);
    EXPECT_NEAR(share, p, deviation(trials)) << "outcome " << key << " in " << trials << " trials";
    sum += p;
  }
  EXPECT_NEAR(sum, 1, 1e-9) << "the probabilities of the test";
}

}  // namespace harrier::testing_support
