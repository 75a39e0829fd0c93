// Native code of random operators and statements: what it says and where it fails must be what the bytecode does.
#include "random/native.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/sanitized.h"
#include "random/operators.h"

namespace harrier::testing_support {
namespace {

using step::Opcode;

// A compiler is started for each system: they are those in which an instruction is one of the first few of its kind.
TEST(Native, OperatorsAndStatementsMeanTheSame) {
  constexpr uint64_t kSystems = 1500;
  const int often = kSanitized ? 1 : 3;
  std::map<Opcode, int> tried;
  for (uint64_t seed = 1; seed <= kSystems; ++seed) {
    const model::System system = translatable(random_operators(seed));
    const std::set<Opcode> opcodes = opcodes_of(system);
    if (std::none_of(opcodes.begin(), opcodes.end(), [&](Opcode op) { return tried[op] < often; })) continue;
    for (const Opcode op : opcodes) ++tried[op];
    ASSERT_EQ(compare_pieces(system, seed, true).value_or(""), "") << "seed " << seed;
  }
  const std::set<Opcode> left_out{Opcode::Reset, Opcode::ResetConst, Opcode::ResetElement, Opcode::Choose,
                                  Opcode::ClearFrame};
  for (int op = 0; op < step::kOpcodes; ++op) {
    const auto opcode = static_cast<Opcode>(op);
    EXPECT_EQ(tried[opcode] >= often, !left_out.contains(opcode)) << "opcode " << op;
  }
}

TEST(Native, WhatIsNotTranslatedIsLeftToTheBytecode) {
  const uint64_t systems = kSanitized ? 3 : 20;
  for (uint64_t seed = 1; seed <= systems; ++seed) {
    ASSERT_EQ(compare_pieces(random_operators(seed), seed, false).value_or(""), "") << "seed " << seed;
  }
}

}  // namespace
}  // namespace harrier::testing_support
