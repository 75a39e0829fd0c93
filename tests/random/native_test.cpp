// Native code of random operators and statements: what it says and where it fails must be what the bytecode does.
#include "random/native.h"

#include <gtest/gtest.h>

#include "base/sanitized.h"
#include "random/operators.h"

namespace harrier::testing_support {
namespace {

TEST(Native, OperatorsAndStatementsMeanTheSame) {
  // A compiler is started for each.
  const uint64_t systems = kSanitized ? 12 : 80;
  std::set<step::Opcode> seen;
  for (uint64_t seed = 1; seed <= systems; ++seed) {
    ASSERT_EQ(compare_pieces(random_operators(seed), seed, seen).value_or(""), "") << "seed " << seed;
  }
  if (kSanitized) return;
  using step::Opcode;
  const std::set<Opcode> left_out{Opcode::Reset, Opcode::ResetConst, Opcode::ResetElement, Opcode::Choose,
                                  Opcode::ClearFrame};
  for (int op = 0; op < step::kOpcodes; ++op) {
    const auto opcode = static_cast<Opcode>(op);
    EXPECT_EQ(seen.contains(opcode), !left_out.contains(opcode)) << "opcode " << op;
  }
}

}  // namespace
}  // namespace harrier::testing_support
