#include "search/survey.h"

#include <algorithm>

#include "search/aim.h"
#include "step/generator.h"

namespace harrier::search {

namespace {

uint32_t least_initial(step::Generator auto generator, heur::Heuristic& heuristic) {
  uint32_t least = heur::kDeadEnd;
  generator.initial([&] {
    least = std::min(least, heuristic.evaluate({generator.values(), generator.zone()}));
    return true;
  });
  return least;
}

}  // namespace

Survey survey(const step::Semantics& semantics, const Estimate& estimate,
              const std::shared_ptr<abstraction::Workshop>& workshop, const Watch& watch) {
  Aims aims(semantics, workshop);
  const Guidance guidance = aims.guidance(heur::Recipe(estimate.heuristic), estimate, false, watch);
  Survey out;
  out.safe = guidance.safe;
  out.estimate = semantics.timed() ? least_initial(step::ZoneGenerator(semantics, watch), *guidance.heuristic)
                                   : least_initial(step::DiscreteGenerator(semantics, watch), *guidance.heuristic);
  return out;
}

}  // namespace harrier::search
