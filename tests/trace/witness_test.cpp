// Searches and traces together: every witness that a search finds in a random network can be timed and is valid, and
// what a walk on a time grid reaches is reachable for the search as well.
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

#include "base/error.h"
#include "model/printer.h"
#include "support/options.h"
#include "support/system_builder.h"
#include "trace/concrete.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::trace {
namespace {

using model::ClockId;
using model::DeadlockTest;
using model::EdgeId;
using model::LocationKind;
using model::Op;
using testing_support::SystemBuilder;

class RandomNetwork {
 public:
  explicit RandomNetwork(unsigned seed) : rng_(seed) {
    n_ = b.var("n", 0, 2);
    for (const char* name : {"x", "y"}) clocks_.push_back(b.clock(name));
    const bool priorities = chance(4);
    b.channel("c", false, chance(6), priorities ? pick(2) : 0);
    b.channel("w", true, chance(6), priorities ? pick(2) : 0);
    const size_t processes = 2 + static_cast<size_t>(pick(2));
    for (size_t i = 0; i < processes; ++i) {
      const auto p = b.process("P" + std::to_string(i), {"a", "b", "d"});
      if (priorities) b.system.processes[p.value].priority = pick(2);
      for (size_t l = 0; l < 3; ++l) {
        if (chance(3)) b.location(p, l).clock_invariant = {upper()};
        if (chance(8)) b.location(p, l).kind = chance(2) ? LocationKind::Urgent : LocationKind::Committed;
      }
      for (int k = 3 + pick(3); k > 0; --k) random_edge(p);
    }
    const model::ProcessId last(processes - 1);
    property = b.reachable({b.at(model::ProcessId(0), 1 + pick(2)), b.at(last, pick(3))});
    if (chance(3)) property.goal[0].clocks = {constraint()};
    if (chance(4)) property = b.reachable({}, {}, DeadlockTest::IsDeadlock);
  }

  SystemBuilder b;
  model::Property property;

 private:
  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(rng_); }
  bool chance(int one_in) { return pick(one_in) == 0; }
  ClockId clock() { return clocks_[static_cast<size_t>(pick(2))]; }
  model::ClockConstraint upper() { return chance(2) ? b.le(clock(), 1 + pick(3)) : b.lt(clock(), 1 + pick(3)); }
  model::ClockConstraint constraint() {
    switch (pick(3)) {
      case 0: return upper();
      case 1: return b.ge(clock(), pick(4));
      default: return b.gt(clock(), pick(3));
    }
  }
  void random_edge(model::ProcessId p) {
    const auto source = static_cast<uint32_t>(pick(3));
    const auto target = static_cast<uint32_t>(pick(3));
    const model::ChannelId channel(static_cast<size_t>(pick(2)));
    EdgeId e;
    bool timed = true;
    switch (pick(4)) {
      case 0: e = b.send(p, source, target, channel); break;
      case 1: e = b.receive(p, source, target, channel); break;
      default: e = b.edge(p, source, target);
    }
    if (b.edge(e).channel.valid()) {
      // No clock guards on urgent channels and for receivers of broadcasts, as in UPPAAL.
      const auto& c = b.system.channel(channel);
      timed = !c.urgent && !(c.broadcast && b.edge(e).direction == model::Direction::Receive);
    }
    if (chance(3)) b.edge(e).guard = {b.eq(n_, pick(3))};
    if (timed && chance(2)) b.edge(e).clock_guard = {constraint()};
    if (chance(3)) b.edge(e).effect.push_back(b.run(b.store(n_, b.op(Op::Add, b.get(n_), b.num(1)))));
    if (chance(6)) b.edge(e).effect.push_back(b.set(n_, 0));
    if (chance(2)) b.edge(e).effect.push_back(b.reset(clock(), chance(4) ? 1 : 0));
  }

  std::mt19937 rng_;
  model::VarId n_;
  std::vector<ClockId> clocks_;
};

// Explores in steps of 1/3 with all clocks cut off beyond the largest constant.
bool grid_reaches(const model::System& system, const model::Property& property) {
  constexpr int64_t kUnits = 3;
  constexpr int64_t kLargest = 5 * kUnits;
  ConcreteSemantics semantics(system, kUnits);
  std::deque<ConcreteSemantics::State> open{semantics.initial()};
  std::set<std::pair<std::vector<int32_t>, std::vector<int64_t>>> seen;
  if (!semantics.invariant_holds(open.front())) return false;
  while (!open.empty() && seen.size() < 4000) {
    auto state = std::move(open.front());
    open.pop_front();
    for (int64_t& clock : state.clocks) clock = std::min(clock, kLargest);
    if (!seen.insert({state.values, state.clocks}).second) continue;
    if (semantics.goal(property.goal, state)) return true;
    if (!semantics.delay_obstacle(state, 1)) open.push_back(ConcreteSemantics::delayed(state, 1));
    for (auto& move : semantics.enabled(state)) open.push_back(std::move(move.target));
  }
  return false;
}

TEST(Witness, EveryWitnessIsValid) {
  size_t witnesses = 0;
  size_t proofs = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    const RandomNetwork random(seed);
    const model::System& system = random.b.system;
    for (const auto kind : {Search::BreadthFirst, Search::DepthFirst}) {
      CheckOptions options;
      options.search = kind;
      const auto result = search::run(system, random.property, options);
      ASSERT_NE(result.verdict, Verdict::Unknown);
      if (result.verdict == Verdict::Unreachable) {
        ++proofs;
        if (kind == Search::BreadthFirst) {
          ASSERT_FALSE(grid_reaches(system, random.property))
              << "seed " << seed << ": " << to_text(system, random.property.goal[0]) << "\n"
              << to_text(system);
        }
        continue;
      }
      ++witnesses;
      ASSERT_TRUE(result.path);
      Trace trace;
      ASSERT_NO_THROW(trace = build_trace(system, random.property, *result.path))
          << "seed " << seed << ": " << to_text(system, random.property.goal[0]) << "\n"
          << to_text(system);
      const auto report = validate(system, random.property, trace);
      ASSERT_TRUE(report.valid) << "seed " << seed << ": " << report.text() << "\n" << to_text(system);
    }
  }
  EXPECT_GT(witnesses, 100U);
  EXPECT_GT(proofs, 100U);
}

}  // namespace
}  // namespace harrier::trace
