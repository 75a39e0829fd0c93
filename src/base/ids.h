// Strong index types, so that a variable's number cannot be passed where a clock's is meant.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace harrier {

// An index with a tag. A default-made id is "none".
template <class Tag>
struct Id {
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(size_t v) : value(static_cast<uint32_t>(v)) {}
  constexpr bool valid() const { return value != kNone; }
  constexpr auto operator<=>(const Id&) const = default;
};

}  // namespace harrier

template <class Tag>
struct std::hash<harrier::Id<Tag>> {
  size_t operator()(harrier::Id<Tag> id) const noexcept { return std::hash<uint32_t>()(id.value); }
};
