// The C compiler of the machine, as a process that can be ended at any moment.
#pragma once

#include <sys/types.h>

#include <stop_token>
#include <string>

#include "native/private_directory.h"

namespace harrier::native {

// Makes a shared object of a text, in the directory, and returns its path. The compiler is $CC, with what it has of
// options, or else the first of cc, gcc and clang that there is. Throws Error(Unsupported) if there is none or it
// fails. Once a stop is requested, it ends what it has begun and returns an empty path.
std::string compile(const std::string& text, const PrivateDirectory& directory, const std::stop_token& stop);

}  // namespace harrier::native
