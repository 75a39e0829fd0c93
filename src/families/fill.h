// Fills the blanks of a model text.
#pragma once

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

}  // namespace harrier::families
