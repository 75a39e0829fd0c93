// Patterns as users write them: names of variables and processes separated by commas, patterns by semicolons. A process
// stands for its location.
//
//     "S1, S2, granted; queue[0]"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abstraction/patterns/projection.h"

namespace harrier::abstraction {

// Throws Error(Usage) if a name is not known or is that of a variable that no pattern can have.
std::vector<Pattern> parse_patterns(const Factors& factors, std::string_view text);
std::string pattern_text(const Factors& factors, const Pattern& pattern);

}  // namespace harrier::abstraction
