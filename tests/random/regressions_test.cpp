// Models on which something once went wrong: regressions/NAME.xta with its queries NAME.q. Each query follows a comment
// that says what is right: "// reachable N", N being the length of a shortest path, "// unreachable", or "// fails".
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lang/uppaal/uppaal.h"
#include "random/explorer.h"
#include "random/system_network.h"
#include "support/options.h"
#include "trace/failure.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::testing_support {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

constexpr int kUnreachable = -1;
constexpr int kFails = -2;

// The expected lengths, in the order of the queries, or one of these.
std::vector<int> expectations(const std::string& queries) {
  std::vector<int> out;
  std::istringstream lines(queries);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("// unreachable")) out.push_back(kUnreachable);
    if (line.starts_with("// fails")) out.push_back(kFails);
    if (line.starts_with("// reachable ")) out.push_back(std::stoi(line.substr(13)));
  }
  return out;
}

std::vector<std::string> regression_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(REGRESSIONS_DIR)) {
    if (entry.path().extension() == ".xta") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Regression : public ::testing::TestWithParam<std::string> {};

TEST_P(Regression, KeepsItsVerdicts) {
  const std::filesystem::path stem = std::filesystem::path(REGRESSIONS_DIR) / GetParam();
  const std::string queries = read(stem.string() + ".q");
  const std::vector<int> expected = expectations(queries);
  Diagnostics diagnostics;
  uppaal::Loaded loaded = uppaal::load(read(stem.string() + ".xta"), GetParam() + ".xta", diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  const auto properties = uppaal::parse_queries(loaded, queries, GetParam() + ".q", diagnostics);
  ASSERT_FALSE(diagnostics.has_errors());
  ASSERT_EQ(properties.size(), expected.size());

  const auto network = make_network(*loaded.system, properties);
  const Exploration reference = explore(*network, TimeDomain::Dense, 200'000);
  ASSERT_TRUE(reference.complete);
  for (size_t q = 0; q < properties.size(); ++q) {
    SCOPED_TRACE(properties[q].text);
    EXPECT_EQ(reference.fails[q], expected[q] == kFails);
    if (expected[q] != kFails) {
      EXPECT_EQ(reference.shortest[q] ? static_cast<int>(*reference.shortest[q]) : kUnreachable, expected[q]);
    }
    // Random searches take another way each time.
    std::vector<std::pair<Search, uint64_t>> searches{{Search::BreadthFirst, 1}, {Search::DepthFirst, 1}};
    for (uint64_t seed = 1; seed <= 50; ++seed) searches.emplace_back(Search::RandomDepthFirst, seed);
    // The last one is the first once more, with partial-order reduction, which is for models without clocks.
    if (loaded.system->clocks.size() == 1) searches.emplace_back(Search::BreadthFirst, 0);
    for (const auto& [order, seed] : searches) {
      CheckOptions options;
      options.search = order;
      options.seed = seed;
      options.reduction = seed == 0;
      const search::Result result = search::run(*loaded.system, properties[q], options);
      if (expected[q] == kFails) {
        ASSERT_EQ(result.verdict, Verdict::Failed);
        ASSERT_TRUE(result.path && trace::failure_trace(*loaded.system, properties[q], *result.path));
        continue;
      }
      ASSERT_EQ(result.verdict, expected[q] < 0 ? Verdict::Unreachable : Verdict::Reachable);
      if (!result.path) continue;
      if (order == Search::BreadthFirst && !options.reduction.value_or(false)) {
        EXPECT_EQ(static_cast<int>(result.path->steps.size()), expected[q]);
      }
      const trace::Trace trace = trace::build_trace(*loaded.system, properties[q], *result.path);
      const trace::ValidationReport report = trace::validate(*loaded.system, properties[q], trace);
      ASSERT_TRUE(report.valid) << report.text();
    }
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string>& regression) { return regression.param; }

INSTANTIATE_TEST_SUITE_P(Models, Regression, ::testing::ValuesIn(regression_names()), test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Regression);

}  // namespace
}  // namespace harrier::testing_support
