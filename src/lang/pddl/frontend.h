// PDDL and SAS+ as two of the languages of lang/table.cpp.
#pragma once

#include "lang/frontend.h"

namespace harrier::pddl {

lang::Frontend frontend();
lang::Frontend sas_frontend();

}  // namespace harrier::pddl
