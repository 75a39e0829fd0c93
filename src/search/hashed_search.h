// Depth-first search that keeps no states but those on its stack: what it has seen, it remembers by bits in an array of
// fixed size (store/bit_array.h, Holzmann 1998), or by a hash (store/fingerprints.h, Wolper and Leroy 1993).
//
// A state that was not seen may be taken for one that was, and then nothing of what lies behind it need be found. So
// this search proves nothing: where it finds no goal, the verdict is unknown, and the reason says how many states it
// expects to have left out. What it finds is real: the stack is a path of the model, and it is validated like any
// other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "search/method.h"

namespace harrier::search {

struct HashedSearch {
  std::optional<uint64_t> seed = {};       // successors are shuffled
  std::optional<uint64_t> megabytes = {};  // of bits; none: hashes are kept
  uint32_t functions = 3;                  // that set a bit each

  std::string describe() const;
  void check(const Config& config, const model::Property& property) const;
  Traits traits() const { return {.any_path = true, .reducible = true}; }
  std::unique_ptr<Task> task(Aims& aims, const Config& config, Budget& budget) const;
};

}  // namespace harrier::search
