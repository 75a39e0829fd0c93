// Context bounding: the fewest context switches, not just few. The random-model tester compares with a plain search.
#include "search/switches.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/options.h"
#include "support/subject.h"

namespace harrier::search {
namespace {

using testing_support::Subject;

constexpr Order kOrders[] = {Order::BestFirst, Order::BreadthFirst, Order::DepthFirst};

CheckOptions bounded(Search search, Order within) {
  CheckOptions options;
  options.search = search;
  options.within = within;
  return options;
}

// The state after both first steps can be reached with either as the last one; only one of them lets A go on without a
// switch.
constexpr const char* kTwoOrders = R"(
int[0,1] go;
int[0,1] mark;
process A() { state a0, a1, a2; init a0; trans a0 -> a1 { assign mark := 1; }, a1 -> a2 { guard go == 1; }; }
process B() { state b0, b1; init b0; trans b0 -> b1 { assign go := 1; }; }
system A, B;
)";

TEST(ContextBounding, TellsStatesApartByTheirLastProcess) {
  for (const std::string clock : {"", "clock x;"}) {
    const Subject subject(clock + kTwoOrders, "E<> A.a2");
    for (const Order within : kOrders) {
      const Result result = run(subject.system(), subject.property, bounded(Search::ContextBoundProcess, within));
      ASSERT_TRUE(result.path);
      EXPECT_EQ(context_switches(subject.system(), *result.path), 1u) << clock << static_cast<int>(within);
      EXPECT_EQ(subject.problem_with(*result.path), "");
    }
  }
}

TEST(ContextBounding, AGoalCountsWhenNothingWithFewerSwitchesIsLeft) {
  // P reaches the goal alone by a long way, or at once after Q.
  const Subject subject(R"(
int[0,1] go;
process P() { state p0, p1, p2, p3, p4; init p0;
  trans p0 -> p1 { }, p1 -> p2 { }, p2 -> p3 { }, p3 -> p4 { }, p0 -> p4 { guard go == 1; }; }
process Q() { state q0, q1; init q0; trans q0 -> q1 { assign go := 1; }; }
system Q, P;
)",
                        "E<> P.p4");
  for (const Search search : {Search::ContextBoundProcess, Search::ContextBoundInterference}) {
    for (const Order within : kOrders) {
      const Result result = run(subject.system(), subject.property, bounded(search, within));
      ASSERT_TRUE(result.path);
      if (search == Search::ContextBoundProcess) {
        EXPECT_EQ(context_switches(subject.system(), *result.path), 0u) << static_cast<int>(within);
      }
      EXPECT_EQ(subject.problem_with(*result.path), "");
    }
  }
}

TEST(ContextBounding, RefusesWhatItCannotFollow) {
  const Subject subject(kTwoOrders, "E<> A.a2");
  const auto refused = [&](auto&& change) {
    CheckOptions options = bounded(Search::ContextBoundProcess, Order::BestFirst);
    change(options);
    EXPECT_THROW(run(subject.system(), subject.property, options), Error);
  };
  refused([](CheckOptions& o) { o.prefer = {"useless"}; });
  refused([](CheckOptions& o) { o.prefer = {"contexts"}; });
  refused([](CheckOptions& o) { o.depth_limit = 10; });
  refused([](CheckOptions& o) {
    o.within = Order::DepthFirst;
    o.heuristic = "hL";
  });
  refused([](CheckOptions& o) {
    o.search = Search::Greedy;
    o.within = Order::DepthFirst;
  });
}

TEST(Switches, AContextIsASetOfProcesses) {
  const Subject subject(R"(
chan c;
process P() { state p; init p; trans p -> p { }, p -> p { sync c!; }; }
process Q() { state q; init q; trans q -> q { }, q -> q { sync c?; }; }
process R() { state r; init r; trans r -> r { }; }
system P, Q, R;
)",
                        "E<> P.p");
  Switches switches(subject.system(), ContextBoundSearch::By::Process, nullptr);
  const uint32_t p[] = {0}, both[] = {1, 3}, q[] = {2}, r[] = {4};
  const auto between = [&](std::span<const uint32_t> a, std::span<const uint32_t> b) {
    return switches.between(switches.context_of(a), switches.context_of(b));
  };
  EXPECT_FALSE(between(p, p));
  EXPECT_FALSE(between(p, both));
  EXPECT_FALSE(between(both, q));
  EXPECT_TRUE(between(p, q));
  EXPECT_TRUE(between(both, r));
}

}  // namespace
}  // namespace harrier::search
