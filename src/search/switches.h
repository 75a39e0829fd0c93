// Context switches (Wehrle 2011, §4.3, §4.4.1): when a path leaves the context of its last transition.
//
// With process contexts (IB_P) a transition stays in the context of the one before if a process takes part in both;
// with interference contexts (IB_I) if it is in C_2 of the one before. What a transition leaves behind is a context
// with a number: transitions with the same number are followed by a switch in the same cases.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/system.h"
#include "search/config.h"
#include "search/contexts.h"

namespace harrier::search {

class Switches {
 public:
  // `interference` must outlive this; it is used with interference contexts only.
  Switches(const model::System& system, ContextBoundSearch::By by, Contexts* interference)
      : system_(system), by_(by), interference_(interference) {}

  // The context of a transition by these edges, as fired.
  uint32_t context_of(std::span<const uint32_t> edges);
  // Whether a transition of the second context after one of the first is a switch.
  bool between(uint32_t first, uint32_t second);

 private:
  uint32_t of_processes(std::span<const uint32_t> edges);
  uint32_t of_interference(uint32_t transition);

  const model::System& system_;
  ContextBoundSearch::By by_;
  Contexts* interference_;
  // Process contexts: the processes that took part, sorted.
  std::map<std::vector<uint32_t>, uint32_t> numbers_;
  std::vector<std::vector<uint32_t>> processes_;
  // Interference contexts: classes of transitions with the same C_2, each with one of them.
  std::unordered_map<uint32_t, uint32_t> class_of_;
  std::unordered_map<std::vector<bool>, uint32_t> classes_;
  std::vector<uint32_t> representative_;
};

}  // namespace harrier::search
