// Native code against the bytecode that it stands for: of a model's pieces and transitions in random states, and of searches.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "model/system.h"
#include "step/instruction.h"

namespace harrier::testing_support {

// What differs in random states, if anything: what guards, effects, bounds and transitions come to, what is written
// down of it, and where what fails. Opcodes of code that was run natively are added to `seen`.
std::optional<std::string> compare_pieces(model::System system, uint64_t seed, std::set<step::Opcode>& seen);

// What differs in the results of a few searches, paths and counts included, if anything.
std::optional<std::string> compare_native_searches(const model::System& system, const model::Property& property,
                                                   uint64_t seed);

}  // namespace harrier::testing_support
