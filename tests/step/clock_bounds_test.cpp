// Which constants clocks are compared with, by location.
#include "step/clock_bounds.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "support/subject.h"

namespace harrier::step {
namespace {

using testing_support::Subject;

constexpr int32_t kNone = dbm::kNoBound;
using LowerUpper = std::pair<int32_t, int32_t>;
using Table = std::map<std::string, LowerUpper>;  // by clock

Table table(const model::System& system, std::span<const ClockBounds::Entry> entries) {
  Table out;
  for (const ClockBounds::Entry& e : entries) {
    EXPECT_TRUE(out.emplace(system.clocks[e.clock].name, LowerUpper{e.lower, e.upper}).second) << "twice";
  }
  return out;
}

// A model in text, and its bounds.
struct Example {
  explicit Example(const std::string& text, const std::string& query = "E<> false", bool exact = false,
                   const std::vector<ClockBounds::Entry>& watched = {})
      : subject(text, query), bounds(subject.system(), &subject.property, exact, watched) {}

  // By the names of a process and a location.
  Table at(const std::string& process, const std::string& location) const {
    const auto& processes = subject.system().processes;
    for (uint32_t p = 0; p < processes.size(); ++p) {
      for (uint32_t l = 0; processes[p].name == process && l < processes[p].locations.size(); ++l) {
        if (processes[p].locations[l].name == location) return table(subject.system(), bounds.at(p, l));
      }
    }
    ADD_FAILURE() << "no location " << process << "." << location;
    return {};
  }
  Table at(const std::string& location) const { return at("P", location); }
  Table everywhere() const { return table(subject.system(), bounds.everywhere()); }
  int32_t largest_of(const std::string& clock) const {
    for (uint32_t x = 1; x < subject.system().clocks.size(); ++x) {
      if (subject.system().clocks[x].name == clock) return bounds.largest_of(x);
    }
    ADD_FAILURE() << "no clock " << clock;
    return -1;
  }

  Subject subject;
  ClockBounds bounds;
};

// One process P with the clocks x and y.
std::string with(const std::string& states, const std::string& edges, const std::string& declarations = "") {
  return "clock x, y;\n" + declarations + "\nprocess P() { state " + states + "; init A; trans " + edges +
         "; }\nsystem P;\n";
}

// The message with which a model is refused; "" if it is not.
std::string refusal(const std::string& text, const std::string& query = "E<> false") {
  try {
    const Example example(text, query);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Unsupported);
    return e.what();
  }
  return "";
}

// ---- by location ----

TEST(ClockBounds, GuardsCountWhereTheirEdgesStart) {
  const auto bounds = [](const std::string& guard) { return Example(with("A, B", "A -> B { guard " + guard + "; }")); };
  EXPECT_EQ(bounds("x < 5").at("A"), (Table{{"x", {kNone, 5}}}));
  EXPECT_EQ(bounds("x <= 5").at("A"), (Table{{"x", {kNone, 5}}}));
  EXPECT_EQ(bounds("x > 5").at("A"), (Table{{"x", {5, kNone}}}));
  EXPECT_EQ(bounds("x >= 5").at("A"), (Table{{"x", {5, kNone}}}));
  EXPECT_EQ(bounds("x == 5").at("A"), (Table{{"x", {5, 5}}}));
  EXPECT_EQ(bounds("x >= 5 && y < 3 && x <= 8 && x > 2").at("A"), (Table{{"x", {5, 8}}, {"y", {kNone, 3}}}));
  EXPECT_EQ(bounds("x >= 5").at("B"), Table{}) << "nothing is asked there any more";
}

TEST(ClockBounds, InvariantsCountInTheirLocations) {
  const Example e(with("A { x <= 7 }, B { y < 4 }", "A -> B { guard x >= 2; assign y = 0; }"));
  EXPECT_EQ(e.at("A"), (Table{{"x", {2, 7}}}));
  EXPECT_EQ(e.at("B"), (Table{{"y", {kNone, 4}}}));
}

TEST(ClockBounds, TravelAgainstEdgesThatDoNotReset) {
  const Example e(
      with("A, B, C, D", "A -> B { }, B -> C { guard y <= 1; assign y = 0; }, C -> D { guard x >= 9 && y > 6; }"));
  EXPECT_EQ(e.at("C"), (Table{{"x", {9, kNone}}, {"y", {6, kNone}}}));
  EXPECT_EQ(e.at("B"), (Table{{"x", {9, kNone}}, {"y", {kNone, 1}}})) << "y is reset on the way to C";
  EXPECT_EQ(e.at("A"), (Table{{"x", {9, kNone}}, {"y", {kNone, 1}}}));
  EXPECT_EQ(e.at("D"), Table{});
}

TEST(ClockBounds, TravelRoundLoopsToTheEnd) {
  const Example e(with("A, B, C",
                       "A -> B { guard x <= 1; }, B -> C { guard x <= 2; }, C -> A { guard x <= 3; },"
                       "B -> B { guard y >= 4; assign y = 0; }"));
  for (const char* location : {"A", "B", "C"}) {
    EXPECT_EQ(e.at(location), (Table{{"x", {kNone, 3}}, {"y", {4, kNone}}})) << location;
  }
}

TEST(ClockBounds, EveryWayCounts) {
  const Example e(
      with("A, B, C", "A -> B { assign x = 0; }, A -> C { }, B -> C { guard x >= 20; }, C -> B { guard x >= 3; }"));
  EXPECT_EQ(e.at("A"), (Table{{"x", {20, kNone}}}))
      << "by C, not by B, and from there on to where x is compared with 20";
  EXPECT_EQ(e.at("B"), (Table{{"x", {20, kNone}}}));
}

TEST(ClockBounds, OnlySureResetsCount) {
  const auto bounds = [](const std::string& effect) {
    return Example(with("A, B, C", "A -> B { assign " + effect + "; }, B -> C { guard x <= 6; }",
                        "int[0,1] i; void maybe() { if (i == 0) x = 0; }"))
        .at("A");
  };
  const Table kept{{"x", {kNone, 6}}};
  EXPECT_EQ(bounds("x = 0"), Table{});
  EXPECT_EQ(bounds("x = 3"), Table{}) << "to whatever value";
  EXPECT_EQ(bounds("y = 0"), kept);
  EXPECT_EQ(bounds("i = 1"), kept);
  EXPECT_EQ(bounds("maybe()"), kept);
}

TEST(ClockBounds, AClockOfAnArrayWithoutAKnownIndexIsNotSurelyReset) {
  const auto bounds = [](const std::string& index) {
    return Example(
               "int[0,1] i; clock z[2]; process P() { state A, B, C; init A;"
               " trans A -> B { assign z[" +
               index + "] = 0; }, B -> C { guard z[0] <= 6 && z[1] <= 7; }; } system P;")
        .at("A");
  };
  EXPECT_EQ(bounds("i"), (Table{{"z[0]", {kNone, 6}}, {"z[1]", {kNone, 7}}}));
}

TEST(ClockBounds, AreThoseOfEachProcess) {
  const Example e(
      "clock x; process P() { state A, B; init A; trans A -> B { guard x >= 3; }; }"
      "process Q() { state A, B; init A; trans A -> B { assign x = 0; }, B -> A { guard x <= 8; }; } system P, Q;");
  EXPECT_EQ(e.at("P", "A"), (Table{{"x", {3, kNone}}}));
  EXPECT_EQ(e.at("P", "B"), Table{});
  EXPECT_EQ(e.at("Q", "A"), Table{}) << "Q resets it before it asks";
  EXPECT_EQ(e.at("Q", "B"), (Table{{"x", {kNone, 8}}}));
  EXPECT_EQ(e.largest_of("x"), 8);
}

TEST(ClockBounds, AClockThatIsNeverAskedIsInactive) {
  const Example e(with("A, B", "A -> B { guard x <= 4; assign y = 0; }"));
  EXPECT_FALSE(e.at("A").contains("y"));
  EXPECT_FALSE(e.everywhere().contains("y"));
  EXPECT_EQ(e.largest_of("y"), 0);
}

TEST(ClockBounds, AClockIsActiveEvenIfTheAnswerIsAlwaysTheSame) {
  const Example e(with("A, B", "A -> B { guard x >= -3; }"));
  EXPECT_EQ(e.at("A"), (Table{{"x", {0, kNone}}}));
}

TEST(ClockBounds, ABoundThatVariesCountsWithItsLargestValue) {
  const Example e(with("A, B", "A -> B { guard x <= v && y >= v + 1; }", "int[-2,9] v;"));
  EXPECT_EQ(e.at("A"), (Table{{"x", {kNone, 9}}, {"y", {10, kNone}}}));
}

TEST(ClockBounds, WithoutAPropertyOnlyTheModelCounts) {
  const Subject subject(with("A, B", "A -> B { guard x <= 4; }"), "E<> x >= 30");
  const ClockBounds bounds(subject.system(), nullptr, false);
  EXPECT_TRUE(bounds.everywhere().empty());
  EXPECT_EQ(bounds.largest(), 4);
}

// ---- everywhere ----

TEST(ClockBounds, TheGoalCountsEverywhere) {
  const Example e(with("A, B", "A -> B { assign x = 0; }"), "E<> P.B and x >= 12 or y < 5");
  EXPECT_EQ(e.everywhere(), (Table{{"x", {12, kNone}}, {"y", {kNone, 5}}}));
  EXPECT_EQ(e.at("A"), Table{});
  EXPECT_EQ(e.largest_of("x"), 12);
  EXPECT_EQ(e.largest_of("y"), 5);
}

TEST(ClockBounds, ThePremiseCountsEverywhere) {
  const Example e(with("A, B", "A -> B { }"), "x <= 3 --> y >= 7");
  EXPECT_EQ(e.everywhere(), (Table{{"x", {kNone, 3}}, {"y", {kNone, 7}}})) << "its goal is y < 7";
}

TEST(ClockBounds, WatchedBoundsCountEverywhere) {
  const std::string model = with("A, B", "A -> B { guard x <= 4; }");
  const Example e(model, "E<> x >= 2", false, {{1, 6, kNone}, {2, kNone, 11}});
  EXPECT_EQ(e.everywhere(), (Table{{"x", {6, kNone}}, {"y", {kNone, 11}}}));
  EXPECT_EQ(e.at("A"), (Table{{"x", {kNone, 4}}}));
  EXPECT_EQ(e.bounds.largest(), 11);
  const Example weaker(model, "E<> x >= 20", false, {{1, 6, 1}});
  EXPECT_EQ(weaker.everywhere(), (Table{{"x", {20, 1}}})) << "the larger ones";
}

// ---- exact bounds ----

TEST(ClockBounds, ExactBoundsAreTheSameOnBothSides) {
  const std::string model = with("A { x <= 7 }, B", "A -> B { guard x >= 2 && y > 3; }");
  const Example both(model, "E<> y <= 1", true);
  EXPECT_EQ(both.at("A"), (Table{{"x", {7, 7}}, {"y", {3, 3}}}));
  EXPECT_EQ(both.at("B"), Table{});
  EXPECT_EQ(both.everywhere(), (Table{{"y", {1, 1}}}));
  const Example sides(model, "E<> y <= 1", false);
  EXPECT_EQ(sides.at("A"), (Table{{"x", {2, 7}}, {"y", {3, kNone}}}));
}

// ---- diagonals ----

TEST(ClockBounds, DiagonalsAreKeptOnceAndNotWithTheirNegations) {
  const auto diagonals = [](const std::string& guards) {
    const Example e(with("A, B", guards));
    std::vector<std::pair<std::string, Bound>> out;
    for (const Diagonal& d : e.bounds.diagonals()) {
      out.emplace_back(e.subject.system().clocks[d.left].name + "-" + e.subject.system().clocks[d.right].name, d.bound);
    }
    return out;
  };
  using Diagonals = std::vector<std::pair<std::string, Bound>>;
  EXPECT_EQ(diagonals("A -> B { guard x <= 3; }"), Diagonals{});
  EXPECT_EQ(diagonals("A -> B { guard x - y <= 3; }, B -> A { guard x - y <= 3; }"), (Diagonals{{"x-y", bound_le(3)}}));
  EXPECT_EQ(diagonals("A -> B { guard x - y <= 3; }, A -> A { guard x - y > 3; }"), (Diagonals{{"x-y", bound_le(3)}}));
  EXPECT_EQ(diagonals("A -> B { guard x - y < 3; }, A -> A { guard y - x <= -3; }"), (Diagonals{{"x-y", bound_lt(3)}}))
      << "y - x <= -3 is x - y >= 3";
  EXPECT_EQ(diagonals("A -> B { guard x - y < 3; }, A -> A { guard x - y <= 3; }"),
            (Diagonals{{"x-y", bound_lt(3)}, {"x-y", bound_le(3)}}));
}

TEST(ClockBounds, ClocksOfDiagonalsAreBoundedEverywhereOnBothSides) {
  const Example e(with("A, B", "A -> B { guard x - y <= -3; assign y = 5; }, B -> A { guard x >= 2; }"));
  const int32_t reach = 3 + 5 + 1;  // the constant and the largest value that a clock is set to, and beyond
  EXPECT_EQ(e.everywhere(), (Table{{"x", {reach, reach}}, {"y", {reach, reach}}}));
  EXPECT_EQ(e.at("B"), (Table{{"x", {2, 2}}})) << "all bounds are exact then";
}

TEST(ClockBounds, ADiagonalOfTheGoalCountsLikeOneOfTheModel) {
  const Example e(with("A, B", "A -> B { guard x >= 2; }"), "E<> x - y > 4");
  ASSERT_EQ(e.bounds.diagonals().size(), 1u);
  EXPECT_EQ(e.everywhere(), (Table{{"x", {5, 5}}, {"y", {5, 5}}}));
}

TEST(ClockBounds, ADiagonalWithAVaryingBoundStandsForAllOfThem) {
  const auto model = [](const std::string& range) {
    return with("A, B", "A -> B { guard x - y <= v; }", "int" + range + " v;");
  };
  const Example e(model("[1,3]"));
  std::vector<Bound> bounds;
  for (const Diagonal& d : e.bounds.diagonals()) bounds.push_back(d.bound);
  EXPECT_EQ(bounds, (std::vector<Bound>{bound_le(1), bound_le(2), bound_le(3)}));
  EXPECT_EQ(refusal(model("[0,63]")), "");
  EXPECT_NE(refusal(model("[0,64]")).find("more than 64 possible values"), std::string::npos);
}

// ---- the largest constants ----

TEST(ClockBounds, TheLargestConstantOfAllIncludesTheValuesOfResets) {
  EXPECT_EQ(Example("process P() { state A; init A; } system P;").bounds.largest(), 0);
  EXPECT_EQ(Example(with("A, B", "A -> B { guard x <= 4; }")).bounds.largest(), 4);
  const Example e(with("A, B", "A -> B { guard x <= 4; assign y = 15; }"));
  EXPECT_EQ(e.bounds.largest(), 15);
  EXPECT_EQ(e.largest_of("y"), 0) << "nobody compares it";
}

TEST(ClockBounds, RefusesConstantsThatAreTooLarge) {
  const std::string largest = std::to_string(kLargestConstant);
  const std::string beyond = std::to_string(kLargestConstant + 1);
  const auto guard = [](const std::string& text) { return with("A, B", "A -> B { guard " + text + "; }"); };
  for (const std::string left : {"x <= ", "x > ", "x - y <= ", "x - y <= -"}) {
    EXPECT_EQ(refusal(guard(left + largest)), "") << left;
    EXPECT_NE(refusal(guard(left + beyond)).find("clock constant beyond " + largest), std::string::npos) << left;
  }
  const std::string small = guard("x <= 1");
  EXPECT_EQ(refusal(small, "E<> x >= " + largest), "");
  EXPECT_NE(refusal(small, "E<> x >= " + beyond), "");
  EXPECT_EQ(refusal(with("A { x <= " + largest + " }, B", "A -> B { }")), "");
  EXPECT_NE(refusal(with("A { x <= " + beyond + " }, B", "A -> B { }")), "");
  EXPECT_EQ(refusal(with("A, B", "A -> B { assign x = " + largest + "; }")), "");
  EXPECT_NE(refusal(with("A, B", "A -> B { assign x = " + beyond + "; }")), "");
}

TEST(ClockBounds, SaysWhereTheConstantIs) {
  const std::string text =
      refusal("clock x;\nprocess P() { state A, B; init A;\n trans A -> B { guard x <= 99999999; }; }\nsystem P;");
  EXPECT_NE(text.find("model:3:"), std::string::npos) << text;
}

}  // namespace
}  // namespace harrier::step
