// What Harrier stands on, with versions, for reports.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace harrier {

// By name: the libraries that the program or library was built with, or that it runs with where they tell.
std::vector<std::pair<std::string, std::string>> libraries();

}  // namespace harrier
