// UPPAAL's language as one of those of lang/table.cpp.
#pragma once

#include "lang/frontend.h"

namespace harrier::uppaal {

lang::Frontend frontend();

}  // namespace harrier::uppaal
