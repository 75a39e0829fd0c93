// The UPPAAL front end: `.xta`/`.ta` text (old and new syntax), `.xml`, and `.q` query files, to `model::System`.
//
//     Diagnostics diagnostics;
//     Loaded loaded = uppaal::load(text, "model.xta", diagnostics);
//     if (diagnostics.has_errors()) …   // nothing else may be read from `loaded` but its sources
//
// Stages: lexer, parser (text or XML to syntax tree, `ast.h`), elaborator (names, types and lowering, `elaborator.h`).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/source.h"
#include "model/system.h"

namespace harrier::uppaal {

class Scope;  // names of the model, as queries see them

// A model that was read. Queries are added to it afterwards, because they may come from other places.
struct Loaded {
  std::shared_ptr<model::System> system;  // never null; its `sources` hold the texts for diagnostics
  std::shared_ptr<const Scope> scope;
  std::vector<model::Property> embedded_queries;  // those inside an XML model, in order, refused ones too
};

// Reads a model. `name` is shown in diagnostics; the syntax is told from the content (XML or text).
// With errors in `diagnostics`, only `system->sources` of the result is meaningful.
Loaded load(std::string text, const std::string& name, Diagnostics& diagnostics);

// Parses the queries of a text (a `.q` file: one query a line, `\` continues a line, `//` and `/* */` comments)
// against a loaded model. A query that cannot be used is returned with its refusal, and reported in `diagnostics`.
//
// What a comment before a query or behind it in its line says is kept; `expect: VERDICT` in it is the verdict that is
// promised.
std::vector<model::Property> parse_queries(Loaded& loaded, std::string text, const std::string& name,
                                           Diagnostics& diagnostics);

}  // namespace harrier::uppaal
