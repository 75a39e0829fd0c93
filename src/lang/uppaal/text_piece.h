// A piece of source text to be parsed, and the way back from its bytes to the file.
//
// A `.xta` file is one piece. In XML every label and declaration is a piece of its own whose text was decoded
// (entities, CDATA), so that a byte of the text and its byte in the file are apart by a changing distance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace harrier::uppaal {

struct TextPiece {
  // text[at ...] stems from the file's bytes from `file_offset` on, up to the next run.
  struct Run {
    size_t at = 0;
    size_t file_offset = 0;
  };

  std::string text;
  std::vector<Run> runs{{0, 0}};
  uint32_t file = 0;
  uint32_t context = 0;  // for SourceRef::context

  size_t file_offset(size_t at) const {
    auto next = std::upper_bound(runs.begin(), runs.end(), at, [](size_t a, const Run& run) { return a < run.at; });
    const Run& run = next == runs.begin() ? runs.front() : *(next - 1);
    return run.file_offset + (at - run.at);
  }
};

}  // namespace harrier::uppaal
