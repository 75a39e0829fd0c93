// The symbolic searches against plain enumeration by the concrete semantics: verdicts, shortest lengths, numbers of
// states, failures, and paths that can be replayed.
#include "symbolic/reachability.h"

#include <gtest/gtest.h>

#include <map>

#include "symbolic/compare.h"
#include "symbolic/random_network.h"
#include "trace/failure.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::testing_support {
namespace {

using symbolic::Reachability;
using Way = Reachability::Way;

constexpr size_t kMostStates = 20'000;

// All states, layer by layer, until one has a goal or a failure.
struct Enumeration {
  bool complete = true;
  std::optional<size_t> goal;     // at this distance
  std::optional<size_t> failure;  // likewise
  size_t states = 0;
};

Enumeration enumerate(const model::System& system, const model::Property& property) {
  trace::ConcreteSemantics semantics(system);
  Enumeration out;
  std::set<Values> known;
  std::vector<Values> layer;
  try {
    for (const auto& s : semantics.initial_states()) {
      if (semantics.invariant_holds(s) && known.insert(s.values).second) layer.push_back(s.values);
    }
  } catch (const model::RunTimeError&) {
    out.failure = 0;
    return out;
  }
  for (size_t depth = 0; !layer.empty(); ++depth) {
    std::vector<Values> next;
    for (const Values& values : layer) {
      try {
        if (semantics.goal(property.goal, {values, {0}})) out.goal = depth;
      } catch (const model::RunTimeError&) {
        out.failure = depth;
      }
      const Successors after = concrete_successors(semantics, values);
      if (after.failure) out.failure = depth;
      for (const Values& v : after.states) {
        if (known.insert(v).second) next.push_back(v);
      }
    }
    out.states = known.size();
    out.complete = known.size() <= kMostStates;
    if (out.goal || out.failure || !out.complete) break;
    layer = std::move(next);
  }
  return out;
}

// What the validator says of a path.
std::string problem_with(const model::System& system, const model::Property& property, const model::Path& path) {
  if (path.failure) return trace::failure_trace(system, property, path) ? "" : "no failure there";
  const trace::Trace trace = trace::build_trace(system, property, path);
  const trace::ValidationReport report = trace::validate(system, property, trace);
  return report.valid ? "" : report.text();
}

class Tally {
 public:
  std::string compare(const model::System& system, const model::Property& property, Way way) {
    const Enumeration expected = enumerate(system, property);
    if (!expected.complete) return {};
    Budget budget;
    symbolic::Space space(system, property, budget);
    Reachability search(space, way);
    while (search.advance() == Reachability::Status::Running) {
    }
    if (search.status() == Reachability::Status::Exhausted) {
      if (expected.goal || expected.failure) return "nothing is found";
      if (way == Way::Forward && search.states() != static_cast<long double>(expected.states)) return "states";
      ++unreachable;
      return {};
    }
    const model::Path path = search.path();
    if (!expected.goal && !expected.failure) return "something is found";
    const size_t length = expected.goal ? *expected.goal : *expected.failure;
    if (path.steps.size() != length) return "the path has another length";
    if (path.failure ? !expected.failure : !expected.goal) return "another verdict";
    ++(path.failure ? failed : reachable);
    return problem_with(system, property, path);
  }

  int reachable = 0;
  int unreachable = 0;
  int failed = 0;
};

TEST(SymbolicReachability, AgreesWithEnumerationOnRandomNetworks) {
  Tally tally;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    model::System system = RandomNetwork(seed).make();
    const model::Property property = RandomNetwork::goal(system, seed);
    for (const Way way : {Way::Forward, Way::Backward, Way::Both}) {
      ASSERT_EQ(tally.compare(system, property, way), "") << "seed " << seed << ", way " << static_cast<int>(way);
    }
  }
  EXPECT_GT(tally.reachable, 300);
  EXPECT_GT(tally.unreachable, 500);
  EXPECT_GT(tally.failed, 200);
}

// Goal and failure at the same distance are found as the goal by forward search.
TEST(SymbolicReachability, PrefersTheGoal) {
  SystemBuilder b;
  const auto v = b.var("v", 0, 3);
  const auto p = b.process("P", {"a", "b"});
  const auto e = b.edge(p, 0, 1);
  b.edge(e).effect = {b.set(v, 1)};
  b.edge(b.edge(p, 1, 1)).guard = {b.op(model::Op::Div, b.num(1), b.op(model::Op::Sub, b.get(v), b.num(1)))};
  const model::Property property = SystemBuilder::reachable({b.eq(v, 1)});
  Budget budget;
  symbolic::Space space(b.system, property, budget);
  Reachability search(space, Way::Forward);
  while (search.advance() == Reachability::Status::Running) {
  }
  EXPECT_FALSE(search.path().failure);
  EXPECT_EQ(search.path().steps.size(), 1u);
}

TEST(SymbolicReachability, RefusesClocks) {
  SystemBuilder b;
  b.clock("x");
  b.process("P", {"a"});
  const model::Property property = SystemBuilder::reachable({});
  Budget budget;
  EXPECT_THROW(symbolic::Space(b.system, property, budget), Error);
}

}  // namespace
}  // namespace harrier::testing_support
