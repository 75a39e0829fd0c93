// The model inside, as text for a reader: `harrier print MODEL`.
#pragma once

#include <string>

#include "model/system.h"

namespace harrier::model {

// How a unary or binary operator is written.
const char* symbol(Op op);

std::string to_text(const System& system, ExprId expr);
std::string to_text(const System& system, StmtId stmt);
std::string to_text(const System& system, const ClockConstraint& constraint);
std::string to_text(const System& system, const Edge& edge);
std::string to_text(const System& system, const Clause& clause);
// The whole system.
std::string to_text(const System& system);

}  // namespace harrier::model
