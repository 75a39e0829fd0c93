#include "search/neighbourhood.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "search/discrete_space.h"

namespace harrier::search {

namespace {

class Neighbourhood {
 public:
  Neighbourhood(const step::Semantics& semantics, Budget& budget)
      : budget_(budget), space_(semantics, budget, false), successors_(budget, 1) {}

  // False if the path cannot be followed.
  bool follow(const model::Path& path) {
    bool started = false;
    space_.for_each_initial([&] {
      started = true;
      take_in();
      return true;
    });
    uint64_t at = 0;
    for (const model::PathStep& step : path.steps) {
      std::optional<uint64_t> next;
      budget_.poll();
      space_.for_each_successor(at, [&](const step::Firing& firing) {
        ++generated_;
        if (!std::equal(step.edges.begin(), step.edges.end(), firing.edges.begin(), firing.edges.end(), same_edge)) {
          return true;
        }
        next = take_in();
        return false;
      });
      if (!next) return false;
      at = *next;
    }
    return started;
  }

  // Expands the states in the order in which they were found: rings round the path.
  void grow(uint64_t work) {
    for (uint64_t id = 0; id < space_.stored() && generated_ < work; ++id) {
      budget_.poll();
      ends_.push_back(successors_.size());
      space_.for_each_successor(id, [&](const step::Firing&) {
        ++generated_;
        *successors_.append() = {take_in(), space_.origin(id)};
        return true;
      });
      ends_.back() = successors_.size();
    }
  }

  // Breadth-first through what is known.
  std::optional<model::Path> shortest() {
    std::vector<std::optional<store::Origin>> reached_by(space_.stored());
    std::vector<uint64_t> queue{0};
    reached_by[0] = store::Origin(store::Origin::kNoParent, 0);
    for (size_t head = 0; head < queue.size(); ++head) {
      const uint64_t id = queue[head];
      if (const auto goal = goals_.find(id); goal != goals_.end()) return path_to(id, reached_by, goal->second);
      if (id >= ends_.size()) continue;
      for (uint64_t i = id == 0 ? 0 : ends_[id - 1]; i < ends_[id]; ++i) {
        const Successor& next = *successors_[i];
        if (reached_by[next.id]) continue;
        reached_by[next.id] = next.origin;
        queue.push_back(next.id);
      }
    }
    return std::nullopt;
  }

  uint64_t generated() const { return generated_; }

 private:
  struct Successor {
    uint64_t id = 0;
    store::Origin origin;
  };

  static bool same_edge(model::EdgeId a, uint32_t b) { return a.value == b; }

  // The number of the candidate.
  uint64_t take_in() {
    const store::Admission admission = space_.admit(store::Origin::kNoParent, 0);
    if (admission.fresh) {
      if (const auto clause = space_.goal()) goals_.emplace(admission.id, *clause);
    }
    return admission.id;
  }

  model::Path path_to(uint64_t id, const std::vector<std::optional<store::Origin>>& reached_by, size_t goal_clause) {
    model::Path path;
    path.goal_clause = goal_clause;
    for (; id != 0; id = reached_by[id]->parent()) path.steps.push_back(space_.steps_of(*reached_by[id]).front());
    std::reverse(path.steps.begin(), path.steps.end());
    return path;
  }

  Budget& budget_;
  DiscreteSpace space_;
  std::unordered_map<uint64_t, size_t> goals_;
  ChunkedArray<Successor> successors_;  // of all expanded states, one after the other
  std::vector<uint64_t> ends_;          // by state, where its successors end
  uint64_t generated_ = 0;
};

}  // namespace

std::optional<model::Path> shorter_nearby(const step::Semantics& semantics, const model::Path& path, uint64_t work,
                                          Budget& budget) {
  std::optional<model::Path> best;
  // Round a shorter path, the same effort reaches farther.
  for (uint64_t used = 0; used < work;) {
    const model::Path& start = best ? *best : path;
    Neighbourhood neighbourhood(semantics, budget);
    if (!neighbourhood.follow(start)) break;
    neighbourhood.grow((work - used) / 2);
    used += neighbourhood.generated();
    std::optional<model::Path> shorter = neighbourhood.shortest();
    if (!shorter || shorter->steps.size() >= start.steps.size()) break;
    best = std::move(shorter);
  }
  return best;
}

}  // namespace harrier::search
