// Paths of Promela models as Spin's trails, so that `spin -t -p -k FILE MODEL` replays them.
//
// A line a statement: the number of the step, of the process, and of the statement as Spin numbers it over the whole
// model. Both halves of a rendezvous have a line, the steps of a claim have none, and a line marks the start of a
// cycle.
#pragma once

#include <span>
#include <string>

#include "lang/promela/promela.h"
#include "model/path.h"
#include "model/system.h"

namespace harrier::promela {

// `names` says by edge how Spin knows it.
std::string to_trail(const model::System& system, std::span<const TrailStep> names, const model::Path& path);

}  // namespace harrier::promela
