// A model does not change: copies are independent, and threads may check it at the same time.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "api/data.h"
#include "harrier/harrier.h"

namespace harrier {
namespace {

constexpr const char* kNetwork = R"(
clock x; int[0,40] n; const int table[4] = { 3, 1, 4, 1 };
int twice(int v) { return v + v; }
process P() {
  state idle { x <= 3 }, done;
  init idle;
  trans idle -> idle { guard x >= 1 && n < 12; assign x := 0, n := n + 1; },
        idle -> done { guard n == 12; };
}
process Q() { state a, b; init a; trans a -> b { guard n > 3; }, b -> a { guard n > 5; }; }
system P, Q;
)";

// Processes start so late that no look ahead finds them: the system is made again while it is checked.
constexpr const char* kLateProcesses = R"(
short n; byte started, ended;
proctype Late(byte i) { ended++ }
active proctype Main() {
  do
  :: n < 2500 -> n++
  :: n == 2500 && started < 4 -> started++; run Late(started)
  :: started == 4 -> break
  od
}
)";

LoadOptions goals(const std::vector<std::string>& expressions) {
  LoadOptions out;
  for (const std::string& e : expressions) out.options.emplace_back("--goal", e);
  return out;
}

CheckOptions by(Search search) {
  CheckOptions options;
  options.search = search;
  return options;
}

// What is the same whoever asks.
std::string answer(const CheckResult& r) {
  return r.property + " " + std::to_string(static_cast<int>(r.verdict)) + " " + std::to_string(r.statistics.expanded) +
         " " + std::to_string(r.statistics.stored) + "\n" + r.trace_json;
}

void at_once(const std::vector<std::function<void()>>& work) {
  std::vector<std::thread> threads;
  threads.reserve(work.size());
  for (const auto& w : work) threads.emplace_back(w);
  for (std::thread& t : threads) t.join();
}

TEST(Immutable, AQueryOfACopyIsNotOneOfTheOther) {
  const Model empty = Model::load_text(kNetwork, "n.xta");
  Model first = empty;
  Model second = empty;
  first.add_query("E<> P.done && twice(table[n % 4]) == 6");
  EXPECT_EQ(empty.property_count(), 0u);
  EXPECT_EQ(second.property_count(), 0u);
  second.add_query("E<> n == 5");
  second.add_query("A[] n <= 12");
  ASSERT_EQ(first.property_count(), 1u);
  ASSERT_EQ(second.property_count(), 2u);
  EXPECT_EQ(first.property_text(0), "E<> P.done && twice(table[n % 4]) == 6");
  EXPECT_EQ(second.property_text(0), "E<> n == 5");
  EXPECT_EQ(second.property_text(1), "A[] n <= 12");
  // A query adds what it needs to its own system only.
  EXPECT_EQ(second.print(), empty.print());
  EXPECT_NE(first.print(), empty.print());
  // And has the same answers as in a model of its own.
  Model alone = Model::load_text(kNetwork, "n.xta");
  alone.add_query("E<> n == 5");
  alone.add_query("A[] n <= 12");
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(answer(second.check(i, by(Search::BreadthFirst))), answer(alone.check(i, by(Search::BreadthFirst))));
  }
  first.add_query("E<> Q.b");
  EXPECT_EQ(first.check(1, {}).verdict, Verdict::Reachable);
  EXPECT_EQ(first.check(0, {}).holds, true);
}

TEST(Immutable, AnAdditionThatALimitEndsLeavesTheModelAsItWas) {
  Model model = Model::load_text(kNetwork, "n.xta");
  model.add_query("E<> n == 5");
  const std::string before = model.print();
  const std::atomic<bool> stop = true;
  LoadOptions stopped;
  stopped.stop = &stop;
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "E<> twice(table[n % 4]) == " + std::to_string(i) + "\n";
  bool ended = false;
  try {
    model.add_query(many, stopped);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Limit);
    ended = true;
  }
  if (ended) {
    EXPECT_EQ(model.property_count(), 1u);
    EXPECT_EQ(model.print(), before);
  }
  const size_t count = model.property_count();
  model.add_query("E<> twice(table[n % 4]) == 8 && P.done");
  ASSERT_EQ(model.property_count(), count + 1);
  EXPECT_EQ(model.check(0, {}).verdict, Verdict::Reachable);
  EXPECT_EQ(model.check(count, {}).verdict, Verdict::Unreachable);
}

TEST(Immutable, TwoThreadsCheckOneModel) {
  Model model = Model::load_text(kNetwork, "n.xta");
  const std::vector<std::string> queries = {"E<> P.done && Q.b", "A[] n < 10", "A[] n <= 12", "E<> deadlock"};
  for (const std::string& q : queries) model.add_query(q);
  for (const Search search : {Search::BreadthFirst, Search::Greedy, Search::Auto}) {
    std::vector<std::string> expected(queries.size());
    std::vector<std::string> found(queries.size());
    const auto ask = [&](std::vector<std::string>& into, size_t i) {
      const CheckResult r = model.check(i, by(search));
      into[i] = search == Search::Auto ? std::to_string(static_cast<int>(r.verdict)) : answer(r);
    };
    for (size_t i = 0; i < queries.size(); ++i) ask(expected, i);
    std::vector<std::function<void()>> work;
    for (size_t i = 0; i < queries.size(); ++i) work.emplace_back([&, i] { ask(found, i); });
    at_once(work);
    EXPECT_EQ(found, expected);
  }
}

TEST(Immutable, ThreadsAddQueriesToTheirCopiesWhileOthersCheck) {
  Model model = Model::load_text(kNetwork, "n.xta");
  model.add_query("A[] n <= 12");
  std::vector<std::function<void()>> work;
  for (int i = 0; i < 4; ++i) {
    work.emplace_back([&model, i] {
      Model mine = model;
      for (int k = 0; k < 3; ++k) {
        mine.add_query("E<> n == " + std::to_string(i + k) + " && twice(n) == " + std::to_string(2 * (i + k)));
      }
      EXPECT_EQ(mine.property_count(), 4u);
      EXPECT_EQ(mine.property_text(1), "E<> n == " + std::to_string(i) + " && twice(n) == " + std::to_string(2 * i));
      for (size_t p = 0; p < 4; ++p) EXPECT_EQ(mine.check(p, by(Search::BreadthFirst)).holds, true);
    });
    work.emplace_back([&model] { EXPECT_EQ(model.check(0, by(Search::BreadthFirst)).holds, true); });
  }
  at_once(work);
  EXPECT_EQ(model.property_count(), 1u);
}

TEST(Immutable, ThreadsRefineOneModel) {
  const std::vector<std::string> asked = {"ended == 2", "ended == 4 && started == 4", "ended > started", "ended == 3"};
  const Model before = Model::load_text(kLateProcesses, "late.pml", goals(asked));
  const api::InstancePtr first = api::Inside::first(before);
  std::vector<std::string> expected;
  for (size_t i = 0; i < asked.size(); ++i) {
    // A model of its own for each, so that every one has to be refined.
    const Model alone = Model::load_text(kLateProcesses, "late.pml", goals(asked));
    expected.push_back(std::to_string(static_cast<int>(alone.check(i, by(Search::DepthFirst)).verdict)));
  }
  std::vector<std::string> found(asked.size());
  std::vector<std::function<void()>> work;
  for (size_t i = 0; i < asked.size(); ++i) {
    work.emplace_back([&, i] {
      const CheckResult r = before.check(i, by(Search::DepthFirst));
      found[i] = std::to_string(static_cast<int>(r.verdict));
      if (r.verdict == Verdict::Reachable) {
        EXPECT_EQ(before.validate(r.trace_json, "trace").problem, "");
      }
    });
  }
  at_once(work);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(expected, (std::vector<std::string>{"0", "0", "1", "0"}));
  // The model was refined, and whoever has the instance of before keeps it.
  EXPECT_NE(api::Inside::first(before), first);
  EXPECT_LT(first->system().processes.size(), api::Inside::first(before)->system().processes.size());
  EXPECT_EQ(before.property_text(1), "ended == 4 && started == 4");
}

}  // namespace
}  // namespace harrier
