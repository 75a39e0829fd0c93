// The coordinates in an XML model: where its editor draws locations, edges and their labels.
#pragma once

#include "model/drawing.h"
#include "model/system.h"

namespace harrier::uppaal {

// Of a system that was read from XML. A process is drawn if all its locations are; nothing is in a textual model.
model::Drawing drawing_of(const model::System& system);

}  // namespace harrier::uppaal
