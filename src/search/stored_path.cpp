#include "search/stored_path.h"

#include <utility>

#include "base/error.h"
#include "step/arrangement.h"
#include "step/discrete_generator.h"

namespace harrier::search {

void StoredPath::prepend(uint64_t parent, std::vector<model::PathStep> steps) {
  states_.push_back(parent);
  steps_.push_back(std::move(steps));
}

model::Path StoredPath::path(std::vector<int32_t> beginning, size_t goal_clause) const {
  model::Path out;
  out.goal_clause = goal_clause;
  out.beginning = std::move(beginning);
  for (size_t i = steps_.size(); i-- > 0;) out.steps.insert(out.steps.end(), steps_[i].begin(), steps_[i].end());
  return out;
}

void StoredPath::rename(model::Path& path, const step::Semantics& semantics,
                        const std::shared_ptr<const model::Symmetry>& symmetry,
                        const std::function<const uint64_t*(uint64_t)>& words_of) const {
  // Without limits: what has been reached once can be reached in any case.
  step::DiscreteGenerator walker(semantics, Watch::none());
  step::Arrangement arrangement(symmetry, semantics.system());
  step::Renaming renaming(semantics.system(), semantics.property());
  size_t k = 0;
  for (size_t i = steps_.size(); i-- > 0;) {
    walker.load(words_of(states_[i + 1]));
    for (const size_t end = k + steps_[i].size(); k < end; ++k) {
      std::vector<uint32_t> edges;
      for (const model::EdgeId e : path.steps[k].edges) edges.push_back(e.value);
      if (!walker.make(edges, path.steps[k].choices)) throw Error(ErrorKind::Internal, "a step is not possible");
      walker.keep();
      renaming.rename(path.steps[k]);
    }
    arrangement.arrange(walker.values(), {},
                        [&](uint32_t variable, int32_t value) { walker.rewrite(variable, value); });
    renaming.then(arrangement.applied());
    walker.keep();
  }
  for (; k < path.steps.size(); ++k) renaming.rename(path.steps[k]);
  if (path.goal_clause != step::kNoClause) path.goal_clause = renaming.clause(path.goal_clause);
}

}  // namespace harrier::search
