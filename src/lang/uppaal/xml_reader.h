// Reads UPPAAL's XML format (flat-1_1 to flat-1_6) into the syntax tree.
//
// pugixml finds the elements. Their texts are decoded here once more from the file itself, because only then every byte
// of a label is known to stem from which line and column of the file.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "lang/uppaal/ast.h"

namespace harrier::uppaal {

// True if a text is XML rather than a textual model.
bool looks_like_xml(std::string_view text);

// A query inside a model; not parsed, since what is wrong with it is no fault of the model.
struct EmbeddedQuery {
  const TextPiece* formula = nullptr;
  std::string comment;
  std::string expected;  // "holds", "violated" or empty, from <expect outcome="success|failure">
};

// Reads the file number `file` of `sources`.
void read_xml(uint32_t file, Sources& sources, Diagnostics& diagnostics, Ast& ast, ModelNode& model,
              std::vector<EmbeddedQuery>& queries);

}  // namespace harrier::uppaal
