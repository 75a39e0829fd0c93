// The families in SMV are read without a complaint, and have the errors and the shortest paths that their texts claim.
//
// Where the numbers come from: the heads of src/families/smv_*.cpp count by hand. Bui (2009) has 2n for philosophers
// (§5.4.3) and the six steps of mutual exclusion (§4.3.1); another checker confirms both for models of the same kind.
// Fig. 7.7 has 16, 40 and 60 for Peterson-low 3, 4 and 5, but not the model: what is one step in ours was chosen to
// meet 40 and 60, and 3 has 24. So these two are no independent confirmation.
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>

#include "families/families.h"
#include "harrier/harrier.h"

namespace harrier::families {
namespace {

Model read(const Family& family, uint32_t n) {
  return Model::load_text(family.generate(n).model, std::string(family.name) + ".smv");
}

std::span<const Family> in_smv() {
  for (const Language& language : languages())
    if (std::string(language.name) == "smv") return language.families;
  return {};
}

TEST(SmvFamilies, AreReadWithoutWarnings) {
  ASSERT_FALSE(in_smv().empty());
  for (const Family& family : in_smv()) {
    for (const uint32_t n : {family.min_n, family.min_n + 1, family.min_n + 9, family.max_n}) {
      SCOPED_TRACE(std::string(family.name) + " " + std::to_string(n));
      const Model model = read(family, n);
      EXPECT_EQ(model.warnings(), "");
      EXPECT_EQ(model.property_count(), 1u);
    }
  }
}

TEST(SmvFamilies, StartWithACommentAndHaveNoQueryApart) {
  for (const Family& family : in_smv()) {
    const Generated generated = family.generate(family.min_n);
    EXPECT_EQ(generated.model.compare(0, 3, "-- "), 0) << family.name;
    EXPECT_EQ(generated.query, "") << family.name;
  }
}

struct Known {
  const char* family;
  uint32_t n;
  uint64_t length;
};

class SmvFamiliesKnown : public testing::TestWithParam<Known> {};

TEST_P(SmvFamiliesKnown, BreadthFirstSearchesAgree) {
  const Known& known = GetParam();
  const Model model = read(*find_family(known.family, "smv"), known.n);
  for (const Search search : {Search::BreadthFirst, Search::SymbolicForward, Search::SymbolicGuided}) {
    CheckOptions options;
    options.search = search;
    const CheckResult result = model.check(0, options);
    EXPECT_EQ(result.verdict, Verdict::Reachable);
    EXPECT_EQ(result.witness_length, known.length);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, SmvFamiliesKnown,
                         testing::Values(Known{"philosophers", 2, 4}, Known{"philosophers", 3, 6},
                                         Known{"philosophers", 6, 12}, Known{"leader", 3, 6}, Known{"leader", 4, 7},
                                         Known{"leader", 5, 8},  //
                                         Known{"send-receive", 1, 12}, Known{"send-receive", 2, 12},
                                         Known{"send-receive", 3, 12}, Known{"mutex", 2, 6}, Known{"mutex", 3, 6},
                                         Known{"mutex", 8, 6},  //
                                         Known{"peterson", 2, 12}, Known{"peterson", 3, 24},
                                         Known{"peterson-low", 3, 24}, Known{"peterson-low", 4, 40}),
                         [](const testing::TestParamInfo<Known>& parameter) {
                           std::string name = parameter.param.family;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name + "_" + std::to_string(parameter.param.n);
                         });

}  // namespace
}  // namespace harrier::families
