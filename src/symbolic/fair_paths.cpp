#include "symbolic/fair_paths.h"

#include "base/error.h"

namespace harrier::symbolic {

Bdd FairPaths::before(const Bdd& some) {
  ++images_;
  Bdd out = space_.transitions().preimage(some) & states_;
  space_.manager().collect();
  return out;
}

Bdd FairPaths::until(const Bdd& left, const Bdd& right) {
  Bdd all = right;
  Bdd fresh = right;
  while (!fresh.is_false()) {
    fresh = (before(fresh) & left) - all;
    all |= fresh;
  }
  return all;
}

Bdd FairPaths::always(const Bdd& some) {
  Bdd left = some;
  while (true) {
    const Bdd old = left;
    for (const Bdd& set : space_.accepting()) left &= before(until(left, left & set));
    if (space_.accepting().empty()) left &= before(left);
    if (left == old) return left;
  }
}

// From a state through all accepting sets and back. Where there is no way back, the states that can be reached are
// fewer from there on, so that it is tried again from where it ended.
size_t FairPaths::go_round(std::vector<StateValues>& path, const Bdd& inside) const {
  const auto go = [&](const Bdd& targets, bool moves) {
    const auto way = way_to(space_, path.back(), targets & inside, inside, moves);
    if (way) path.insert(path.end(), way->begin() + 1, way->end());
    return way.has_value();
  };
  while (true) {
    const size_t loop_start = path.size() - 1;
    const Bdd start = space_.encoding().states(path.back());
    for (const Bdd& set : space_.accepting()) {
      if (!go(set, false)) throw Error(ErrorKind::Internal, "a fair state has no way to an accepting set");
    }
    if (go(start, true)) return loop_start;
    if (path.size() - 1 == loop_start && !go(Bdd(true), true)) {
      throw Error(ErrorKind::Internal, "a fair state has no successor");
    }
  }
}

}  // namespace harrier::symbolic
