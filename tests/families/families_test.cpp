// Every generated model is read without a complaint, and has the verdict and the shortest path that its text claims.
#include "families/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "harrier/harrier.h"
#include "lang/uppaal/uppaal.h"
#include "support/options.h"

namespace harrier::families {
namespace {

std::string complaints(const Sources& sources, const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) text += format_diagnostic(sources, diagnostic) + "\n";
  return text;
}

struct Checked {
  uppaal::Loaded loaded;
  std::vector<model::Property> properties;
};

// The model and its one query; an empty list of properties if there is any diagnostic.
Checked read(const std::string& family, uint32_t n) {
  const Family* found = find_family(family);
  EXPECT_NE(found, nullptr) << family;
  const Generated generated = found->generate(n);
  Diagnostics diagnostics;
  Checked checked;
  checked.loaded = uppaal::load(generated.model, family + ".xta", diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << complaints(checked.loaded.system->sources, diagnostics);
  if (diagnostics.has_errors()) return checked;
  checked.properties = uppaal::parse_queries(checked.loaded, generated.query, "query", diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << complaints(checked.loaded.system->sources, diagnostics);
  return checked;
}

TEST(Families, NamesAreDistinctAndRangesSensible) {
  for (const Family& family : families()) {
    EXPECT_EQ(find_family(family.name), &family);
    EXPECT_LE(family.min_n, family.max_n) << family.name;
    EXPECT_NE(std::string(family.help), "") << family.name;
  }
  EXPECT_EQ(find_family("fisher"), nullptr);
  EXPECT_EQ(find_family(""), nullptr);
}

TEST(Families, LanguagesAreThoseThatHarrierReads) {
  for (const Language& language : languages()) {
    const std::vector<LanguageInfo> known = harrier::languages();
    EXPECT_TRUE(std::ranges::any_of(known, [&](const LanguageInfo& l) { return l.name == language.name; }));
    for (const Family& family : language.families) {
      SCOPED_TRACE(std::string(language.name) + " " + family.name);
      EXPECT_EQ(find_family(family.name, language.name), &family);
      EXPECT_NE(find_family(family.name), nullptr);
      EXPECT_LE(family.min_n, family.max_n);
      EXPECT_EQ(family.generate(family.max_n).model.find('$'), std::string::npos) << "an unfilled blank";
    }
  }
  EXPECT_EQ(find_family("leader", "uppaal"), nullptr);
  EXPECT_EQ(find_family("hanoi", "smv"), nullptr);
  EXPECT_EQ(find_family("hanoi", "promela"), nullptr);
}

TEST(Families, TheLeadingCommentNamesTheQuery) {
  for (const Family& family : families()) {
    const Generated generated = family.generate(family.max_n);
    const std::string line = "// Query: " + generated.query + "\n";
    const size_t at = generated.model.find(line);
    ASSERT_NE(at, std::string::npos) << family.name;
    EXPECT_EQ(generated.query.find('\n'), std::string::npos) << family.name;
    EXPECT_EQ(generated.model.find('$'), std::string::npos) << family.name << " has an unfilled blank";
    EXPECT_EQ(generated.model.compare(0, 2, "//"), 0) << family.name;
    EXPECT_LT(at, generated.model.find("\n\n")) << family.name << ": the query stands in the first paragraph";
  }
}

TEST(Families, EverySizeIsReadWithoutDiagnostics) {
  for (const Family& family : families()) {
    for (const uint32_t n : {family.min_n, family.min_n + 1, family.min_n + 5}) {
      SCOPED_TRACE(std::string(family.name) + " " + std::to_string(n));
      EXPECT_EQ(read(family.name, n).properties.size(), 1u);
    }
  }
}

TEST(Families, TheLargestSizeIsReadWithoutDiagnostics) {
  for (const Family& family : families()) {
    SCOPED_TRACE(family.name);
    EXPECT_EQ(read(family.name, family.max_n).properties.size(), 1u);
  }
}

struct Known {
  const char* family;
  uint32_t n;
  std::optional<size_t> length;  // of a shortest path; none: the error is unreachable
};

class FamiliesKnown : public testing::TestWithParam<Known> {};

TEST_P(FamiliesKnown, BreadthFirstSearchAgrees) {
  const Known& known = GetParam();
  const Checked checked = read(known.family, known.n);
  ASSERT_EQ(checked.properties.size(), 1u);
  CheckOptions breadth_first;
  breadth_first.search = Search::BreadthFirst;
  const search::Result result = search::run(*checked.loaded.system, checked.properties[0], breadth_first);
  if (!known.length) {
    EXPECT_EQ(result.verdict, Verdict::Unreachable);
    return;
  }
  ASSERT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_EQ(result.path->steps.size(), *known.length);
}

INSTANTIATE_TEST_SUITE_P(Table, FamiliesKnown,
                         testing::Values(Known{"fischer", 2, {}}, Known{"fischer", 4, {}}, Known{"fischer", 5, {}},
                                         Known{"fischer-a", 2, 8}, Known{"fischer-a", 5, 8}, Known{"fischer-a", 10, 8},
                                         Known{"fischer-b", 2, 6}, Known{"fischer-b", 5, 6}, Known{"fischer-b", 10, 6},
                                         Known{"fischer-c", 2, 6}, Known{"fischer-c", 5, 6}, Known{"fischer-c", 10, 6},
                                         Known{"csma", 2, {}}, Known{"csma", 4, {}}, Known{"csma", 5, {}},
                                         Known{"train-gate", 2, {}}, Known{"train-gate", 4, {}},
                                         Known{"arbiter", 2, 12}, Known{"arbiter", 3, 14}, Known{"hanoi", 1, 2},
                                         Known{"hanoi", 2, 8}, Known{"hanoi", 3, 22}, Known{"hanoi", 4, 52},
                                         Known{"hanoi", 5, 114}, Known{"hanoi", 6, 240}, Known{"philosophers", 2, 4},
                                         Known{"philosophers", 3, 6}, Known{"philosophers", 5, 10},
                                         Known{"dining", 2, 2}, Known{"dining", 3, 3}, Known{"dining", 7, 7}),
                         [](const testing::TestParamInfo<Known>& parameter) {
                           std::string name = parameter.param.family;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name + "_" + std::to_string(parameter.param.n);
                         });

}  // namespace
}  // namespace harrier::families
