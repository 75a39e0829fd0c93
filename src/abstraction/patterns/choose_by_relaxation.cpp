// Patterns by the monotonicity abstraction.
//
// Russian dolls (Kupferschmid, Hoffmann and Larsen 2008): the variables that occur in an abstract error path, those
// near the error first.
//
// Downward refinement (Kupferschmid and Wehrle 2011): all variables that have an influence on the goal but those
// without which abstract error paths stay real. While the pattern is too large for its paths to be known, relaxed ones
// have to do: a variable goes if they get no cheaper, or else the one that makes them cheaper by the least. Later on a
// variable goes if a shortest path of the smaller pattern is one of the larger pattern, too, that is, if the initial
// state stays as far from the goal as it was.
#include <algorithm>
#include <optional>

#include "abstraction/patterns/pattern_choice.h"
#include "abstraction/patterns/relaxed_factors.h"

namespace harrier::abstraction {

namespace {

constexpr uint64_t kBetweenAttempts = 16;  // the pattern is built when it has become so many times smaller

class Downward {
 public:
  explicit Downward(const ChoiceTask& task)
      : task_(task),
        coarse_(task.allowance.part(0.5)),
        relaxed_(task.factors, task.costs, task.initial),
        kept_(task.factors.size(), false) {}

  Choice run() {
    std::vector<uint32_t> order = by_dependency(task_.factors, task_.allowance.watch());
    for (const uint32_t v : order) kept_[v] = true;
    std::reverse(order.begin(), order.end());
    std::optional<ChosenPattern> whole = shrink_until_it_fits(order);
    Choice choice;
    choice.cut = cut_ || !whole;
    if (!whole) return choice;
    for (const uint32_t v : order) {
      if (!kept_[v] || whole->pattern().size() == 1) continue;
      if (task_.allowance.is_over()) break;
      auto smaller = make_pattern(task_, without(whole->pattern(), v), task_.allowance.states(), task_.allowance);
      if (!smaller || smaller->initial() != whole->initial()) continue;
      whole = std::move(smaller);
      kept_[v] = false;
    }
    choice.patterns.push_back(std::move(*whole));
    return choice;
  }

 private:
  Pattern pattern() const {
    Pattern out;
    for (uint32_t v = 0; v < kept_.size(); ++v) {
      if (kept_[v]) out.push_back(v);
    }
    return out;
  }
  // Whether there is time to tell the relaxed cost of the goal.
  bool measure(const std::vector<bool>& kept, uint64_t& cost) {
    if (coarse_.is_over() || !relaxed_.explore(kept, coarse_)) return false;
    cost = relaxed_.goal_cost();
    return true;
  }

  std::optional<ChosenPattern> shrink_until_it_fits(const std::vector<uint32_t>& order) {
    const uint64_t room = task_.allowance.states();
    uint64_t attempted = Projection::kTooMany;
    uint64_t cost = RelaxedFactors::kNever;
    measure(kept_, cost);
    while (true) {
      const Pattern now = pattern();
      const uint64_t size = Projection::combinations(task_.factors, now);
      if (now.empty()) return std::nullopt;
      if (size <= room) return make_pattern(task_, now, room, task_.allowance);
      if (size <= attempted / kBetweenAttempts && !coarse_.is_over()) {
        attempted = size;
        if (auto made = make_pattern(task_, now, room, coarse_)) return made;
      }
      cut_ = true;
      remove_one(order, cost);
    }
  }
  // The farthest that costs nothing, or the one that costs least; the farthest at all when the time is over.
  void remove_one(const std::vector<uint32_t>& order, uint64_t& cost) {
    uint32_t best = task::kNone;
    uint64_t best_cost = 0;
    for (const uint32_t v : order) {
      if (!kept_[v]) continue;
      kept_[v] = false;
      uint64_t left = 0;
      const bool known = measure(kept_, left);
      kept_[v] = true;
      if (best == task::kNone || left > best_cost) {
        best = v;
        best_cost = left;
      }
      if (!known || left >= cost) break;
    }
    kept_[best] = false;
    cost = best_cost;
  }

  const ChoiceTask& task_;
  Allowance coarse_;
  RelaxedFactors relaxed_;
  std::vector<bool> kept_;  // by variable
  bool cut_ = false;
};

}  // namespace

Choice choose_doll(const ChoiceTask& task) {
  RelaxedFactors relaxed(task.factors, task.costs, task.initial);
  const std::vector<bool> all(task.factors.size(), true);
  if (!relaxed.explore(all, task.allowance) || relaxed.goal_cost() == RelaxedFactors::kNever) return choose_cone(task);
  return fill(task, relaxed.on_the_way());
}

Choice choose_downward(const ChoiceTask& task) { return Downward(task).run(); }

}  // namespace harrier::abstraction
