// Symbolic reachability: sets of states as decision diagrams; layers of states forward, backward, or both ways until
// they meet, or guided by a symbolic pattern database; or no layers, but one transition after the other on all that has
// been reached. The one that goes forward by layers also answers what is asked about
// infinite paths.
#pragma once

#include "search/method.h"

namespace harrier::search {

struct SymbolicSearch {
  enum class Way : uint8_t { Forward, Backward, Both, Guided, Chained };

  Way way = Way::Forward;

  std::string describe() const;
  void check(const Config& config, const model::Property& property) const;
  bool answers(Question question) const;
  Traits traits() const;
  std::unique_ptr<Task> task(Aims& aims, Budget& budget) const;
};

}  // namespace harrier::search
