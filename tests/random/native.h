// Native code against the bytecode that it stands for: of a model's pieces and transitions in random states, and of
// searches.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "model/system.h"
#include "step/instruction.h"

namespace harrier::testing_support {

// What differs in random states, if anything: what guards, effects, bounds and transitions come to, what is written
// down of it, and where what fails. `all`: it is wrong, too, if an effect has no native code.
std::optional<std::string> compare_pieces(model::System system, uint64_t seed, bool all);

// The system without the statements that native code leaves to the bytecode.
model::System translatable(model::System system);

// What its guards, effects and bounds are compiled to.
std::set<step::Opcode> opcodes_of(const model::System& system);

// What differs in the results of a few searches, paths and counts included, if anything.
std::optional<std::string> compare_native_searches(const model::System& system, const model::Property& property,
                                                   uint64_t seed);

}  // namespace harrier::testing_support
