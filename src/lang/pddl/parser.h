// PDDL as text to a Task, names resolved and types checked. What is wrong goes to the diagnostics, with its place.
#pragma once

#include <string_view>

#include "base/source.h"
#include "lang/pddl/task.h"

namespace harrier::pddl {

enum class FileKind : uint8_t { Unknown, Domain, Problem };

// What a text is, by its "(define (domain …" or "(define (problem …"; comments and blanks may come before.
FileKind kind_of(std::string_view text);

// Files are numbers in the sources. With errors, the result must not be used.
Task parse(const Sources& sources, uint32_t domain_file, uint32_t problem_file, Diagnostics& diagnostics);

}  // namespace harrier::pddl
