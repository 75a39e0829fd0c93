// A path through stored states, put together from its end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "model/path.h"
#include "model/symmetry.h"
#include "step/semantics.h"

namespace harrier::search {

class StoredPath {
 public:
  explicit StoredPath(uint64_t last) : states_{last} {}

  uint64_t first() const { return states_.back(); }
  // These steps lead from there to the first state so far.
  void prepend(uint64_t parent, std::vector<model::PathStep> steps);

  model::Path path(std::vector<int32_t> beginning, size_t goal_clause) const;
  // Where stored states stand for others (step/arrangement.h), that path, to which steps may have been added at the
  // end, becomes one through those.
  void rename(model::Path& path, const step::Semantics& semantics,
              const std::shared_ptr<const model::Symmetry>& symmetry,
              const std::function<const uint64_t*(uint64_t)>& words_of) const;

 private:
  std::vector<uint64_t> states_;                     // the last one first
  std::vector<std::vector<model::PathStep>> steps_;  // to each of these but the initial one
};

}  // namespace harrier::search
