// The index finds the edges whose guards hold, in their order, and no others.
#include "step/edge_index.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "random/rng.h"
#include "step/machine.h"
#include "support/system_builder.h"

namespace harrier::step {
namespace {

using model::ExprId;
using model::Op;
using testing_support::Rng;
using testing_support::SystemBuilder;

// Variables with few values and one with values far apart.
struct Many {
  explicit Many(uint64_t seed) : rng(seed) {
    for (int v = 0; v < 4; ++v) variables.push_back(b.var("v" + std::to_string(v), 0, 3));
    variables.push_back(b.var("wide", -1'000'000, 1'000'000));
    const auto p = b.process("P", {"l"});
    for (int e = 0; e < 60; ++e) {
      std::vector<ExprId> guard;
      for (int c = rng.between(0, 4); c > 0; --c) {
        const ExprId condition = this->condition();
        guard.push_back(condition);
      }
      const auto edge = b.edge(p, 0, 0);
      b.edge(edge).guard = guard;
      edges.push_back(edge.value);
    }
  }

  int32_t value_of(model::VarId v) { return v == variables.back() ? rng.between(-2, 2) * 400'000 : rng.between(0, 3); }
  ExprId condition() {
    const model::VarId v = rng.pick(variables);
    const ExprId constant = b.num(value_of(v));
    switch (rng.between(0, 9)) {
      case 0: return b.op(Op::Le, b.get(v), constant);
      case 1: return b.system.make_unary(Op::Not, b.get(v));
      case 2: return b.op(Op::Eq, constant, b.get(v));
      case 3: {
        const ExprId left = b.op(Op::Eq, b.get(v), constant);
        const ExprId right = condition();
        return b.op(Op::And, left, right);
      }
      default: return b.op(Op::Eq, b.get(v), constant);
    }
  }

  Rng rng;
  SystemBuilder b;
  std::vector<model::VarId> variables;
  std::vector<uint32_t> edges;
};

TEST(EdgeIndex, FindsWhatGuardsAllow) {
  size_t found = 0;
  size_t rests = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Many many(seed);
    Program program(many.b.system);
    std::vector<Code> guards;
    for (const uint32_t e : many.edges) guards.push_back(program.condition(many.b.system.edges[e].guard));
    const EdgeIndex index(many.b.system, many.edges, program, Watch::none());
    ASSERT_FALSE(index.empty());
    Machine machine(program);
    std::vector<int32_t> values = many.b.system.initial_values();
    for (int state = 0; state < 30; ++state) {
      for (const model::VarId v : many.variables) values[v.value] = many.value_of(v);
      std::vector<uint32_t> wanted;
      for (const uint32_t e : many.edges) {
        if (machine.holds(guards[e], values.data())) wanted.push_back(e);
      }
      std::vector<uint32_t> entries{7};  // what is there stays there
      index.collect(values.data(), entries);
      ASSERT_EQ(entries[0], 7u);
      std::vector<uint32_t> got;
      for (size_t i = 1; i < entries.size(); ++i) {
        rests += index.rest(entries[i]).empty() ? 0 : 1;
        if (machine.holds(index.rest(entries[i]), values.data())) got.push_back(index.edge(entries[i]));
      }
      EXPECT_EQ(got, wanted) << "seed " << seed;
      found += got.size();
    }
  }
  EXPECT_GT(found, 10000u);
  EXPECT_GT(rests, 1000u);
}

// What comes after a condition that may fail is looked at after it, and so are its mistakes.
TEST(EdgeIndex, LeavesWhatFollowsAnythingElse) {
  SystemBuilder b;
  const auto v = b.var("v", 0, 3);
  const auto p = b.process("P", {"l"});
  const auto e = b.edge(p, 0, 0);
  const ExprId division = b.op(Op::Eq, b.op(Op::Div, b.num(4), b.get(v)), b.num(1));
  const ExprId first = b.op(Op::Eq, b.get(v), b.num(0));
  const ExprId last = b.op(Op::Eq, b.get(v), b.num(2));
  b.edge(e).guard = {first, division, last};
  Program program(b.system);
  const EdgeIndex index(b.system, std::vector<uint32_t>{e.value}, program, Watch::none());
  std::vector<uint32_t> entries;
  index.collect(std::vector<int32_t>{0, 0}.data(), entries);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_FALSE(index.rest(entries[0]).empty());
  entries.clear();
  index.collect(std::vector<int32_t>{2, 0}.data(), entries);
  EXPECT_TRUE(entries.empty());
}

// Without anything to tell edges apart by, there is no index.
TEST(EdgeIndex, IsEmptyWhereItDoesNotHelp) {
  SystemBuilder b;
  const auto v = b.var("v", 0, 3);
  const auto p = b.process("P", {"l"});
  std::vector<uint32_t> edges;
  for (int i = 0; i < 20; ++i) {
    const ExprId condition = b.op(Op::Le, b.get(v), b.num(i));
    const auto e = b.edge(p, 0, 0);
    b.edge(e).guard = {condition};
    edges.push_back(e.value);
  }
  Program program(b.system);
  EXPECT_TRUE(EdgeIndex(b.system, edges, program, Watch::none()).empty());
}

}  // namespace
}  // namespace harrier::step
