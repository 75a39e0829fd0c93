// SMV as one of the languages of lang/table.cpp.
#pragma once

#include "lang/frontend.h"

namespace harrier::smv {

lang::Frontend frontend();

}  // namespace harrier::smv
