// A trace as a page for browsers: one file that needs nothing else, with everything in it that a reader may want to
// look at. docs/page.md shows it to users.
//
// The page itself is in page/ (HTML, CSS, JavaScript); what is written here is the data that it shows, a JSON object
// in an element of its own. The data is never markup: whatever could end the element is written as \u…, and the page
// puts it into the document as text only. The policy in the head of the page allows its own script and style, told by
// their hashes, and nothing else: no request leaves it.
//
//     {"format": "harrier-page/1", "model": …, "property": …, "facts": [["search", "bfs"], …],
//      "processes": …, "variables": …, "clocks": …, "shapes": …, "edges": …, "files": …,   // page_structure.h
//      "initial": …, "steps": […], "end": …, "loop": 3}                                    // page_steps.h
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/drawing.h"
#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

// What else there is to say about a trace, by title: {"search", "bfs"}.
using PageFacts = std::vector<std::pair<std::string, std::string>>;

// `system` is the one that the trace was built from or validated with.
std::string to_page(const model::System& system, const model::Drawing& drawing, const Trace& trace,
                    const PageFacts& facts, const Watch& watch = Watch::none());

}  // namespace harrier::trace
