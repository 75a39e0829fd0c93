// Merging: which two factors become one next.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "abstraction/merging/factored_system.h"

namespace harrier::abstraction {

// What orders look at besides the factors themselves.
struct MergeContext {
  std::vector<uint32_t> levels;  // by variable: its place in the causal graph, variables that influence others first
  std::optional<uint32_t> last;  // the factor that the last merge made
};

struct MergeOrder {
  const char* name;
  const char* summary;
  const char* citation;
  // Two active factors; none if no further merge can improve the estimate.
  std::optional<std::pair<uint32_t, uint32_t>> (*next)(const FactoredSystem& system, const MergeContext& context);
};

std::span<const MergeOrder> merge_orders();
// Throws Error(Usage) if there is none of this name.
const MergeOrder& merge_order(std::string_view name);

}  // namespace harrier::abstraction
