// What a compiler made of a model, for a program to use instead of its bytecode; native/source.h writes it down.
//
// A native function decides what is ordinary, and nothing else. Where anything is special, a run-time error or a range
// that is left, it returns 0 and says no more: then the bytecode runs, as if there were no native function. So faults,
// their places and what is told of violations are of one making.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "step/journal.h"

namespace harrier::step {

struct NativeCode {
  // A condition or an expression; 0: ask the bytecode.
  using Value = int (*)(const int32_t* values, int32_t* result);
  // An effect, or all that the firing of an edge alone writes. 0: ask the bytecode, after the writes are taken back,
  // which are noted in any case. There must be room for kMostWrites entries.
  using Effect = int (*)(int32_t* values, JournalEntry* journal, uint32_t* written);
  // Writes down the internal edges of a group (Network::Starts) whose guards hold, in order, also those for which the
  // bytecode has to say whether they do, with kUnsure added; returns how many.
  using Starts = uint32_t (*)(const int32_t* values, uint32_t* edges);
  // Layout::unpack.
  using Unpack = void (*)(const uint64_t* words, int32_t* values);

  static constexpr uint32_t kMostWrites = 64;
  static constexpr uint32_t kUnsure = uint32_t{1} << 31;

  // Null where there is none.
  std::vector<Value> values;    // by the start of the code
  std::vector<Effect> effects;  // likewise
  std::vector<Starts> starts;   // by number of the group
  std::vector<Effect> firings;  // by edge: effect, new location and what is forgotten
  Unpack unpack = nullptr;
};

}  // namespace harrier::step
