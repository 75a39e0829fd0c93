// Everything that knows the operators of the model, on random expressions of all of them.
#include "random/operators.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/analysis.h"
#include "model/interpreter.h"
#include "model/printer.h"
#include "model/ranges.h"
#include "random/evaluators.h"
#include "random/rng.h"
#include "step/program.h"

namespace harrier::testing_support {
namespace {

using model::Fault;

constexpr uint64_t kSystems = 1500;

// Each occurs, and not only now and then.
TEST(Operators, AreAllMade) {
  std::map<model::Op, int> operators;
  std::map<model::StmtKind, int> statements;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    const Occurrences here = occurrences(random_operators(seed));
    for (const model::Op op : here.operators) ++operators[op];
    for (const model::StmtKind kind : here.statements) ++statements[kind];
  }
  for (int op = 0; op < model::kOps; ++op) EXPECT_GT(operators[static_cast<model::Op>(op)], 10) << "operator " << op;
  for (int kind = 0; kind < model::kStmtKinds; ++kind) {
    EXPECT_GT(statements[static_cast<model::StmtKind>(kind)], 10) << "statement " << kind;
  }
}

// So that the comparison with the interpreter sees every special form of the compiler.
TEST(Operators, AreCompiledToAllInstructions) {
  std::map<step::Opcode, int> made;
  for (uint64_t seed = 1; seed <= kSystems; ++seed) {
    const model::System system = random_operators(seed);
    step::Program program(system);
    for (const model::Edge& e : system.edges) {
      program.condition(e.guard);
      program.effect(e.effect);
      for (const model::ClockConstraint& c : e.clock_guard) program.value(c.bound);
    }
    for (const step::Instruction& i : program.instructions()) ++made[i.op];
  }
  for (int op = 0; op < step::kOpcodes; ++op) EXPECT_GT(made[static_cast<step::Opcode>(op)], 10) << "opcode " << op;
}

TEST(Operators, AreCompiledAsTheyAreInterpreted) {
  for (uint64_t seed = 1; seed <= kSystems; ++seed) {
    EXPECT_EQ(compare_evaluators(random_operators(seed), seed).value_or(""), "") << "seed " << seed;
  }
}

std::vector<int32_t> random_values(const model::System& system, Rng& rng) {
  std::vector<int32_t> values;
  for (const model::Variable& v : system.variables) {
    const bool near = rng.chance(70);
    values.push_back(rng.between(near ? std::max(v.lo, -4) : v.lo, near ? std::min(v.hi, 4) : v.hi));
  }
  return values;
}

// A value lies in the interval, an expression fails only if it may, and is printed without a fault.
TEST(Operators, HaveValuesInTheirRangeAndFailWhereTheyMay) {
  uint64_t evaluated = 0;
  for (uint64_t seed = 1; seed <= kSystems; ++seed) {
    const model::System system = random_operators(seed);
    Rng rng(seed);
    model::Interpreter interpreter(system);
    std::vector<model::ExprId> all;
    for (const model::Edge& e : system.edges) {
      all.insert(all.end(), e.guard.begin(), e.guard.end());
      all.push_back(e.clock_guard[0].bound);
    }
    for (const model::ExprId id : all) {
      const model::Interval range = model::range_of(system, id);
      EXPECT_NE(model::to_text(system, id), "");
      for (int i = 0; i < 5; ++i) {
        try {
          const int32_t value = interpreter.value(id, random_values(system, rng));
          EXPECT_TRUE(range.contains(value)) << value << " of " << model::to_text(system, id) << ", seed " << seed;
          ++evaluated;
        } catch (const model::EvalFailure&) {
          EXPECT_TRUE(model::can_fail(system, id)) << model::to_text(system, id) << ", seed " << seed;
        }
      }
    }
  }
  EXPECT_GT(evaluated, kSystems);
}

// What an effect writes, and what its outcome depends on, is among its accesses.
TEST(Operators, AccessWhatTheyAreSaidTo) {
  uint64_t executed = 0;
  for (uint64_t seed = 1; seed <= kSystems; ++seed) {
    const model::System system = random_operators(seed);
    Rng rng(seed);
    model::Interpreter interpreter(system);
    model::Accesses accesses(system);
    for (const model::Edge& edge : system.edges) {
      const model::Access access = accesses.of(edge);
      const auto is_in = [](const std::vector<model::VarId>& set, size_t v) {
        return std::find(set.begin(), set.end(), model::VarId(v)) != set.end();
      };
      const auto outcome = [&](std::vector<int32_t> values) {
        std::vector<model::ClockReset> resets;
        Fault fault = Fault::None;
        try {
          interpreter.execute(edge.effect, values, resets);
        } catch (const model::EvalFailure& failure) {
          fault = failure.fault;
        }
        return std::pair(fault, std::move(values));
      };
      for (int i = 0; i < 3; ++i) {
        const std::vector<int32_t> before = random_values(system, rng);
        const auto [fault, after] = outcome(before);
        if (fault != Fault::None && fault != Fault::RangeViolation) {
          EXPECT_TRUE(model::can_stop(system)) << "seed " << seed;
        }
        for (size_t v = 0; v < before.size(); ++v) {
          EXPECT_TRUE(before[v] == after[v] || is_in(access.writes, v)) << "writes v" << v << ", seed " << seed;
        }
        // Another value of a variable that is not read changes nothing else.
        const size_t v = rng.below(before.size());
        if (is_in(access.reads, v) || is_in(access.writes, v)) continue;
        std::vector<int32_t> other = before;
        other[v] = random_values(system, rng)[v];
        auto [other_fault, other_after] = outcome(other);
        other_after[v] = after[v];
        EXPECT_EQ(other_fault, fault) << "reads v" << v << ", seed " << seed;
        EXPECT_EQ(other_after, after) << "reads v" << v << ", seed " << seed;
        ++executed;
      }
    }
  }
  EXPECT_GT(executed, kSystems / 4);
}

}  // namespace
}  // namespace harrier::testing_support
