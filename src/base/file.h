// Reading files and pipes without waiting for ever.
#pragma once

#include <string>

#include "base/watch.h"

namespace harrier {

// The content of a file or pipe. Throws Error(Input) if it cannot be read, Error(Limit) when the watch ends the wait
// for a writer that is silent.
std::string read_whole(const std::string& path, const Watch& watch);

}  // namespace harrier
