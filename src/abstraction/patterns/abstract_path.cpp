#include "abstraction/patterns/abstract_path.h"

#include <algorithm>
#include <optional>

namespace harrier::abstraction {

namespace {

// A state of the factors that follows an abstract path.
class Follower {
 public:
  Follower(const Factors& factors, std::span<const Value> initial, const Projection& projection)
      : factors_(factors),
        projection_(projection),
        state_(initial.begin(), initial.end()),
        position_of_(initial.size(), task::kNone),
        values_(projection.width()) {
    for (size_t i = 0; i < projection.width(); ++i) position_of_[projection.pattern()[i]] = static_cast<uint32_t>(i);
  }

  std::vector<uint32_t> take_flaws() {
    std::sort(flaws_.begin(), flaws_.end());
    flaws_.erase(std::unique(flaws_.begin(), flaws_.end()), flaws_.end());
    return std::move(flaws_);
  }
  // Whether the label can be taken; if not, what stands in its way is a flaw.
  bool try_label(uint32_t number, uint64_t target) {
    const auto parts = factors_.parts(factors_.labels()[number]);
    const size_t before = flaws_.size();
    for (const Factors::Part& part : parts) {
      if (factors_.relation(part.relation).from(state_[part.variable]).empty()) flaws_.push_back(part.variable);
    }
    if (flaws_.size() > before) return false;
    projection_.decode(target, values_.data());
    for (const Factors::Part& part : parts) {
      const auto image = factors_.relation(part.relation).from(state_[part.variable]);
      Value& value = state_[part.variable];
      if (position_of_[part.variable] != task::kNone) {
        value = values_[position_of_[part.variable]];
      } else if (!std::binary_search(image.begin(), image.end(), value)) {
        value = image[0];
      }
    }
    flaws_.clear();
    return true;
  }
  // Whether the goal is reached; if not, what it lacks is a flaw.
  bool try_goal() {
    for (const Factors::Label& goal : factors_.goals()) {
      const size_t before = flaws_.size();
      for (const Factors::Part& part : factors_.parts(goal)) {
        const bool holds = !factors_.relation(part.relation).from(state_[part.variable]).empty();
        // A clause that fails in the pattern is not the one that the path leads to.
        if (!holds && position_of_[part.variable] != task::kNone) {
          flaws_.resize(before);
          break;
        }
        if (!holds) flaws_.push_back(part.variable);
      }
      if (flaws_.size() == before && satisfied(goal)) {
        flaws_.clear();
        return true;
      }
    }
    return false;
  }

 private:
  bool satisfied(const Factors::Label& goal) const {
    const auto parts = factors_.parts(goal);
    return std::all_of(parts.begin(), parts.end(), [&](const Factors::Part& part) {
      return !factors_.relation(part.relation).from(state_[part.variable]).empty();
    });
  }

  const Factors& factors_;
  const Projection& projection_;
  std::vector<Value> state_;
  std::vector<uint32_t> position_of_;  // in the pattern, by variable
  std::vector<Value> values_;
  std::vector<uint32_t> flaws_;
};

}  // namespace

std::vector<uint32_t> find_flaws(const Factors& factors, std::span<const Value> initial, const AbstractSpace& space,
                                 std::span<const uint32_t> distances, std::span<const uint32_t> label_costs) {
  const Projection& projection = space.projection();
  const std::vector<uint32_t> costs = space.operator_costs(label_costs);
  Follower follower(factors, initial, projection);
  std::vector<Value> values(projection.width());
  struct Way {
    uint32_t op = 0;
    uint64_t target = 0;
  };
  std::vector<Way> ways;
  uint32_t state = space.initial();
  // Steps without cost could lead in circles: so many at most.
  for (uint64_t steps = 0; steps <= space.size(); ++steps) {
    const uint64_t key = space.key(state);
    projection.decode(key, values.data());
    if (projection.is_goal(values.data())) break;
    ways.clear();
    projection.for_each_successor(key, values.data(), [&](uint32_t op, uint64_t target) {
      const uint32_t next = space.find(target);
      if (target == key || distances[next] == kInfinity || distances[next] + costs[op] != distances[state]) return;
      ways.push_back({op, target});
    });
    bool taken = false;
    for (size_t w = 0; w < ways.size() && !taken; ++w) {
      for (const uint32_t label : projection.labels_of(ways[w].op)) {
        if (label_costs[label] != costs[ways[w].op] || !follower.try_label(label, ways[w].target)) continue;
        state = space.find(ways[w].target);
        taken = true;
        break;
      }
    }
    if (!taken) return follower.take_flaws();
  }
  if (follower.try_goal()) return {};
  return follower.take_flaws();
}

}  // namespace harrier::abstraction
