// Symbolic reachability: layers of states as decision diagrams, forward, backward, or both ways until they meet.
#pragma once

#include "search/method.h"

namespace harrier::search {

struct SymbolicSearch {
  enum class Way : uint8_t { Forward, Backward, Both };

  Way way = Way::Forward;

  std::string describe() const;
  void check(const Config& config, const model::Property& property) const;
  Traits traits() const;
  std::unique_ptr<Task> task(Aims& aims, Budget& budget) const;
};

}  // namespace harrier::search
