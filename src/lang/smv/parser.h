// The recursive-descent parser of SMV: from text to the syntax tree of `ast.h`.
//
// The language is that of NuSMV 2.6 (Cavada et al. 2010), without reals, unbounded integers, clocks, PSL and
// predicates. After an error it goes on behind the next `;` or at the next section, so that one run reports several
// errors.
#pragma once

#include <memory>

#include "base/source.h"
#include "lang/smv/ast.h"

namespace harrier::smv {

// The whole text. What is wrong goes to the diagnostics; the tree has what could be read.
std::shared_ptr<const ModelNode> parse(const Sources& sources, uint32_t file, Diagnostics& diagnostics);

// A text that is one expression: a module with a specification, which says that it holds.
std::shared_ptr<const ModelNode> parse_condition(const Sources& sources, uint32_t file, Diagnostics& diagnostics);

}  // namespace harrier::smv
