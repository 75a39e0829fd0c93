// What was built, from which commit, and with which libraries.
#pragma once

#include <string>

namespace harrier::cli {

// "harrier 0.1.0 (commit 0123456789ab)", and a line about the libraries.
std::string version_text();

}  // namespace harrier::cli
