// Specifications of SMV about paths: verdicts by every search that answers them, witnesses that can be read back,
// fairness, and what no single path shows.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harrier/harrier.h"

namespace harrier {
namespace {

// A counter that somebody lets go on or not.
constexpr const char* kCounter =
    "MODULE main VAR x : 0..3; go : boolean;\n"
    "ASSIGN init(x) := 0; next(x) := case go : (x + 1) mod 4; TRUE : x; esac;\n";

// Two processes take turns as they like; each counts to three.
constexpr const char* kProcesses =
    "MODULE main VAR a : process counter; b : process counter;\n"
    "SPEC AF a.n = 3\n"
    "LTLSPEC F (a.n = 3 & b.n = 3)\n"
    "LTLSPEC G a.n < 3\n"
    "SPEC AG (a.n = 3 -> AF b.n = 3)\n"
    "MODULE counter VAR n : 0..3; ASSIGN init(n) := 0; next(n) := n < 3 ? n + 1 : n;\n";

CheckResult check(const Model& model, size_t property, Search search) {
  CheckOptions options;
  options.search = search;
  options.forms.json = true;
  return model.check(property, options);
}

// A witness is valid when it is read back.
void expect_readable(const Model& model, const CheckResult& result) {
  const Validation validation = model.validate(result.trace_json, "trace.json");
  EXPECT_EQ(validation.problem, "") << result.property;
  EXPECT_EQ(validation.property, result.property);
}

TEST(Formulas, OfBothLogics) {
  struct Case {
    const char* spec;
    bool holds;
    bool shown;  // by a path, if it does not hold
  };
  for (const Case& c : std::vector<Case>{{"SPEC AG EF x = 2", true, false},
                                         {"SPEC EG AF x = 2", false, false},
                                         {"SPEC AF x = 2", false, true},
                                         {"SPEC AX x = 0", false, true},
                                         {"SPEC A [x < 2 U x = 2]", false, true},
                                         {"SPEC E [x < 2 U x = 2]", true, false},
                                         {"SPEC EG x > 0", false, false},
                                         {"SPEC AG (x = 1 -> EG x = 1)", false, false},
                                         {"SPEC AG (x = 1 -> EX x = 3)", false, false},
                                         {"SPEC x = 0 <-> EX x = 1", false, false},
                                         {"LTLSPEC F x = 2", false, true},
                                         {"LTLSPEC G F go -> G F x = 2", true, false},
                                         {"LTLSPEC G (x = 2 -> (x = 2 | x = 1) S x = 1)", true, false},
                                         {"LTLSPEC G (x = 3 -> Y x = 2)", false, true},
                                         {"LTLSPEC G (x = 3 -> O x = 2) & H x < 4", true, false},
                                         {"LTLSPEC (x = 3) V (x < 3)", false, true},
                                         {"LTLSPEC X X X x < 3", false, true}}) {
    const Model model = Model::load_text(std::string(kCounter) + c.spec, "counter.smv");
    const bool linear = std::string(c.spec).starts_with("LTL");
    for (const Search search : {Search::Auto, Search::SymbolicForward, Search::DepthFirst}) {
      if (search == Search::DepthFirst && !linear) {
        EXPECT_THROW(check(model, 0, search), Error) << c.spec;
        continue;
      }
      const CheckResult result = check(model, 0, search);
      ASSERT_TRUE(result.holds.has_value()) << c.spec;
      EXPECT_EQ(*result.holds, c.holds) << c.spec;
      EXPECT_EQ(result.witness_length.has_value(), c.shown) << c.spec;
      if (c.shown) expect_readable(model, result);
    }
  }
}

TEST(Formulas, SpeakOfFairPaths) {
  const std::string fair = std::string(kProcesses) + "FAIRNESS running\n";
  const Model without = Model::load_text(kProcesses, "free.smv");
  const Model with = Model::load_text(fair, "fair.smv");
  for (size_t i = 0; i < 4; ++i) {
    const bool state = i == 2;  // whether a.n becomes 3 at all is no question of fairness
    const CheckResult free_result = check(without, i, Search::Auto);
    const CheckResult fair_result = check(with, i, Search::Auto);
    EXPECT_FALSE(*free_result.holds) << free_result.property;
    EXPECT_EQ(*fair_result.holds, !state) << fair_result.property;
    if (free_result.witness_length) expect_readable(without, free_result);
    if (fair_result.witness_length) expect_readable(with, fair_result);
  }
}

// A state that only unfair paths lead through: found by any search, and then not taken.
TEST(Formulas, InvariantsAreAboutFairPathsToo) {
  const std::string model =
      "MODULE main VAR s : {start, trap, free}; ASSIGN init(s) := start;\n"
      "next(s) := case s = start : {trap, free}; TRUE : s; esac;\n"
      "FAIRNESS s = free\n";
  for (const char* spec : {"SPEC AG s != trap", "LTLSPEC G s != trap", "SPEC !EF s = trap", "LTLSPEC !F s = trap"}) {
    const Model fair = Model::load_text(model + spec, "trap.smv");
    for (const Search search : {Search::Auto, Search::BreadthFirst, Search::SymbolicForward, Search::DepthFirst}) {
      const CheckResult result = check(fair, 0, search);
      EXPECT_TRUE(*result.holds) << spec;
      ASSERT_EQ(result.warnings.size(), 1U) << spec;
      EXPECT_EQ(result.warnings[0], "a state that violates it can be reached in 1 steps, but no fair path leads there");
    }
  }
  const Model plain = Model::load_text(model + "INVARSPEC s != trap", "trap.smv");
  EXPECT_FALSE(*check(plain, 0, Search::BreadthFirst).holds) << "INVARSPEC is about all states";
  // On a fair path, the witness is one.
  const Model other = Model::load_text(model + "SPEC AG s = start", "trap.smv");
  const CheckResult result = check(other, 0, Search::BreadthFirst);
  EXPECT_FALSE(*result.holds);
  EXPECT_TRUE(result.loop_start.has_value());
  expect_readable(other, result);
}

TEST(Formulas, CompassionIsForLinearTime) {
  // Whenever a is true again and again, so is b.
  const std::string model = "MODULE main VAR a : boolean; b : boolean; COMPASSION (a, b)\n";
  EXPECT_TRUE(*check(Model::load_text(model + "LTLSPEC G F a -> G F b", "m.smv"), 0, Search::Auto).holds);
  EXPECT_FALSE(*check(Model::load_text(model + "LTLSPEC G F b -> G F a", "m.smv"), 0, Search::Auto).holds);
  EXPECT_THROW(check(Model::load_text(model + "SPEC AF a", "m.smv"), 0, Search::Auto), Error);
}

// The order is that of the text, whichever system a specification is one of.
TEST(Formulas, KeepTheirOrder) {
  const Model model = Model::load_text(
      std::string(kCounter) + "LTLSPEC F x = 2\nINVARSPEC x < 4\nSPEC AG EF x = 2\nLTLSPEC G x < 4\nSPEC EF x = 1\n",
      "counter.smv");
  ASSERT_EQ(model.property_count(), 5U);
  EXPECT_EQ(model.property_text(0), "LTLSPEC F x = 2");
  EXPECT_EQ(model.property_text(1), "INVARSPEC x < 4");
  EXPECT_EQ(model.property_text(2), "SPEC AG EF x = 2");
  EXPECT_EQ(model.property_text(3), "LTLSPEC G x < 4");
  EXPECT_EQ(model.property_text(4), "SPEC EF x = 1");
}

// A proof in which nothing was asked for.
TEST(Formulas, SayWhatIsVacuous) {
  const std::string counter = kCounter;
  const CheckResult unfair =
      check(Model::load_text(counter + "FAIRNESS x > 4 SPEC AF x = 2", "m.smv"), 0, Search::Auto);
  EXPECT_TRUE(*unfair.holds);
  ASSERT_EQ(unfair.warnings.size(), 1U);
  EXPECT_NE(unfair.warnings[0].find("so that everything holds"), std::string::npos);
  const CheckResult stuck = check(Model::load_text(counter + "TRANS x < 3 SPEC AG EF x < 3", "m.smv"), 0, Search::Auto);
  ASSERT_EQ(stuck.warnings.size(), 1U);
  EXPECT_NE(stuck.warnings[0].find("not total"), std::string::npos);
}

}  // namespace
}  // namespace harrier
