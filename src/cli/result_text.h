// Answers as text for people.
#pragma once

#include <string>

#include "cli/answer.h"

namespace harrier::cli {

// What the verdict is, in one word: "reachable", "unreachable", "unknown".
const char* verdict_name(Verdict verdict);
double steps_per_second(const Statistics& statistics);

// One line, and with details one for each of them.
std::string to_text(const AbstractionReport& report, bool details);

// A line; empty if there was no translation.
std::string to_text(const Translation& translation);

// Quiet: the verdict only.
std::string to_text(const Answer& answer, bool quiet);

}  // namespace harrier::cli
