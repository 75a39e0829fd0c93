#include "abstraction/patterns/abstract_space.h"

#include <algorithm>
#include <map>

namespace harrier::abstraction {

namespace {

constexpr uint64_t kMostNumbers = uint64_t{1} << 31;
constexpr uint64_t kBetweenLooks = 1024;  // states and steps between two looks at the clock

// Tells now and then whether it is time to stop. A single state can have more steps than there is time for: a step that
// sets several variables may come from all of their values.
class Pace {
 public:
  struct Over {};

  explicit Pace(const Allowance& allowance) : allowance_(allowance) {}
  // Inside a visit of steps, which nothing else ends.
  void step() {
    if (is_over()) throw Over{};
  }
  bool is_over() {
    if (++count_ % kBetweenLooks != 0) return false;
    allowance_.poll();
    return allowance_.is_over();
  }

 private:
  const Allowance& allowance_;
  uint64_t count_ = 0;
};

}  // namespace

bool KeyNumbers::insert(uint64_t key) {
  size_t slot = slot_of(key);
  if (slots_[slot] != kNone) return false;
  if ((keys_.size() + 1) * 3 > slots_.size() * 2) {
    slots_.assign(slots_.size() * 2, kNone);
    for (uint32_t i = 0; i < keys_.size(); ++i) slots_[slot_of(keys_[i])] = i;
    slot = slot_of(key);
  }
  slots_[slot] = static_cast<uint32_t>(keys_.size());
  keys_.push_back(key);
  return true;
}

std::optional<AbstractSpace> AbstractSpace::build(const Factors& factors, const Pattern& pattern, const Value* initial,
                                                  uint64_t most, const Allowance& allowance) {
  most = std::min(most, kMostNumbers);
  if (most == 0 || Projection::combinations(factors, pattern) == Projection::kTooMany) return std::nullopt;
  AbstractSpace space;
  space.projection_ = std::make_shared<const Projection>(factors, pattern, allowance.watch());
  const uint64_t start = space.projection_->key(initial);
  if (space.projection_->keys() <= most) {
    space.initial_ = static_cast<uint32_t>(start);
    return space;
  }
  auto numbers = std::make_shared<KeyNumbers>();
  if (!space.explore(most, allowance, *numbers, start)) return std::nullopt;
  numbers->shrink_to_fit();
  space.numbers_ = std::move(numbers);
  return space;
}

bool AbstractSpace::explore(uint64_t most, const Allowance& allowance, KeyNumbers& numbers, uint64_t initial) const {
  Pace pace(allowance);
  std::vector<Value> values(projection_->width());
  numbers.insert(initial);
  try {
    for (uint32_t state = 0; state < numbers.size(); ++state) {
      pace.step();
      const uint64_t key = numbers.key(state);
      projection_->decode(key, values.data());
      projection_->for_each_successor(key, values.data(), [&](uint32_t, uint64_t next) {
        pace.step();
        if (numbers.insert(next) && numbers.size() > most) throw Pace::Over{};
      });
    }
  } catch (const Pace::Over&) {
    return false;
  }
  return numbers.size() <= most;
}

std::optional<std::vector<uint32_t>> AbstractSpace::distances(std::span<const uint32_t> costs,
                                                              const Allowance& allowance) const {
  Pace pace(allowance);
  std::vector<uint32_t> distance(size(), kInfinity);
  std::map<uint32_t, std::vector<uint32_t>> queue;  // by distance
  std::vector<Value> values(projection_->width());
  std::vector<uint32_t>& goals = queue[0];
  const auto start = [&](uint32_t state) {
    if (distance[state] == 0) return;
    distance[state] = 0;
    goals.push_back(state);
  };
  if (numbers_ == nullptr) {
    projection_->for_each_goal([&](uint64_t key) { start(static_cast<uint32_t>(key)); });
  } else {
    for (uint32_t state = 0; state < size(); ++state) {
      projection_->decode(key(state), values.data());
      if (projection_->is_goal(values.data())) start(state);
    }
  }
  try {
    while (!queue.empty()) {
      const uint32_t d = queue.begin()->first;
      std::vector<uint32_t> now = std::move(queue.begin()->second);
      queue.erase(queue.begin());
      // Steps without cost lead to states of the same distance, which are appended.
      uint32_t bucket_of = 0;
      std::vector<uint32_t>* bucket = nullptr;
      for (size_t i = 0; i < now.size(); ++i) {
        pace.step();
        const uint32_t state = now[i];
        if (distance[state] != d) continue;
        const uint64_t from = key(state);
        projection_->decode(from, values.data());
        projection_->for_each_predecessor(from, values.data(), [&](uint32_t op, uint64_t before) {
          pace.step();
          const uint32_t other = find(before);
          if (numbers_ != nullptr && other == KeyNumbers::kNone) return;
          const uint32_t cost = costs[op];
          if (cost >= kInfinity - d || distance[other] <= d + cost) return;
          distance[other] = d + cost;
          if (cost == 0) {
            now.push_back(other);
            return;
          }
          if (bucket == nullptr || bucket_of != d + cost) {
            bucket_of = d + cost;
            bucket = &queue[bucket_of];
          }
          bucket->push_back(other);
        });
      }
    }
  } catch (const Pace::Over&) {
    return std::nullopt;
  }
  return distance;
}

std::optional<std::vector<uint32_t>> AbstractSpace::saturated(std::span<const uint32_t> distances,
                                                              const Allowance& allowance) const {
  Pace pace(allowance);
  std::vector<uint32_t> needed(projection_->operators(), 0);
  std::vector<Value> values(projection_->width());
  try {
    for (uint32_t state = 0; state < size(); ++state) {
      pace.step();
      const uint32_t d = distances[state];
      if (d == kInfinity) continue;
      const uint64_t from = key(state);
      projection_->decode(from, values.data());
      projection_->for_each_predecessor(from, values.data(), [&](uint32_t op, uint64_t before) {
        pace.step();
        const uint32_t other = find(before);
        if (numbers_ != nullptr && other == KeyNumbers::kNone) return;
        const uint32_t h = distances[other];
        if (h > d && h != kInfinity) needed[op] = std::max(needed[op], h - d);
      });
    }
  } catch (const Pace::Over&) {
    return std::nullopt;
  }
  return needed;
}

std::vector<uint32_t> AbstractSpace::operator_costs(std::span<const uint32_t> label_costs) const {
  std::vector<uint32_t> costs;
  for (uint32_t op = 0; op < projection_->operators(); ++op) {
    uint32_t cost = UINT32_MAX;
    for (const uint32_t label : projection_->labels_of(op)) cost = std::min(cost, label_costs[label]);
    costs.push_back(cost);
  }
  return costs;
}

}  // namespace harrier::abstraction
