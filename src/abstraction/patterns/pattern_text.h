// Patterns as users write them: names of variables and processes separated by commas, patterns by semicolons. A process
// stands for its location.
//
//     "S1, S2, granted; queue[0]"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abstraction/patterns/projection.h"
#include "model/system.h"

namespace harrier::abstraction {

// The names in each of the patterns. Throws Error(Usage) if one is missing.
std::vector<std::vector<std::string>> names_in_patterns(std::string_view text);
// The name of each variable of the system for users: that of the process for a location.
std::vector<std::string> names_for_users(const model::System& system);
// Throws Error(Usage).
[[noreturn]] void refuse_name(const std::string& name, const std::vector<std::string>& known);

// Throws Error(Usage) if a name is not known or is that of a variable that no pattern can have.
std::vector<Pattern> parse_patterns(const Factors& factors, std::string_view text);
std::string pattern_text(const Factors& factors, const Pattern& pattern);

}  // namespace harrier::abstraction
