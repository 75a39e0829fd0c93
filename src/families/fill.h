// Fills the blanks of a model text.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace harrier::families {

struct Blank {
  std::string_view name;  // written `$name` in the text
  std::string value;
};

// Replaces every `$name`. Precondition: no name is the beginning of another one.
std::string fill(std::string_view text, std::initializer_list<Blank> blanks);

// The text once for each place of a ring of n, first to n, with `$i` for the place and `$next` for the one behind it,
// which is 1 for the last one.
std::string each(uint32_t n, std::string_view text, std::string_view between, uint32_t first = 1);

}  // namespace harrier::families
