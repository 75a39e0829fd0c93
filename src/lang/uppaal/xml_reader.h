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

// Reads the file number `file` of `sources`. The texts of embedded queries are appended to `queries`, not parsed: what
// is wrong with them is no fault of the model.
void read_xml(uint32_t file, Sources& sources, Diagnostics& diagnostics, Ast& ast, ModelNode& model,
              std::vector<const TextPiece*>& queries);

}  // namespace harrier::uppaal
