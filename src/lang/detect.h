// Tells from its content which language a model is written in.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace harrier::lang {

// What only one of the languages has.
struct Signs {
  std::string_view start = {};                  // characters, one of which begins the text
  std::string_view line = {};                   // characters, one of which begins a line
  std::vector<std::string_view> words = {};     // a declaration begins with one of them
  std::vector<std::string_view> openings = {};  // with one of them and a `{`
};

// The language that has the first sign in the text; none: there is no sign in it.
std::optional<size_t> first_sign(std::string_view text, std::span<const Signs> languages);

}  // namespace harrier::lang
