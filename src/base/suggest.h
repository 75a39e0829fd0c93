// "did you mean …?" for a name that is not known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace harrier {

// "did you mean 'x'?" where some known name is close enough to what was written, else "".
//
//     suggestion("gaurd", names)   "did you mean 'guard'?"
std::string suggestion(std::string_view wrong, std::span<const std::string> known);

// "'x' is not one of a, b, c", with a suggestion if there is one.
std::string not_one_of(std::string_view wrong, std::span<const std::string> known);

}  // namespace harrier
