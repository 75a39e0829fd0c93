// Promela as one of the languages of lang/table.cpp.
#pragma once

#include "lang/frontend.h"

namespace harrier::promela {

lang::Frontend frontend();

}  // namespace harrier::promela
