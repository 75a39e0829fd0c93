// From the text of a Promela model to its syntax tree: preprocessor, lexer, parser.
//
// Errors are collected in `diagnostics`, several in one run; with errors the result is incomplete. Nesting is limited,
// so that no text exhausts the stack.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "lang/promela/ast.h"

namespace harrier::promela {

// Names and values that are defined before the first line, as by `spin -DNAME=VALUE`.
using Defines = std::vector<std::pair<std::string, std::string>>;

class Macros;  // what the preprocessor knows at the end of a model

struct Parsed {
  ModelNode model;
  std::shared_ptr<const Macros> macros;
};

// `file` is the number of the model's text in `sources`; files that it includes are looked for beside it and added.
Parsed parse_model(Sources& sources, uint32_t file, const Defines& defines, Diagnostics& diagnostics);

// A single expression (--goal), or an ltl formula (--ltl), as a text of its own that may use the macros of the model.
// Null after an error.
ExprPtr parse_expression(Sources& sources, uint32_t file, const Macros& macros, Diagnostics& diagnostics);
ExprPtr parse_formula(Sources& sources, uint32_t file, const Macros& macros, Diagnostics& diagnostics);

}  // namespace harrier::promela
