// Patterns by counterexample-guided refinement (Rovner, Sievers and Helmert 2019).
//
// Every pattern has a shortest abstract path to the goal. Somebody tries to follow it in the factors; where a step
// cannot be taken because of a variable that the pattern does not have, or where the path does not end in a goal state,
// that variable is a flaw. A pattern is united with the one that has the variable, or gets it itself, or, if that
// becomes too large, the variable is not asked for again. A pattern whose path can be followed is done.
#include <algorithm>
#include <optional>
#include <set>

#include "abstraction/patterns/abstract_path.h"
#include "abstraction/patterns/pattern_choice.h"
#include "abstraction/patterns/relaxed_factors.h"
#include "base/rng.h"

namespace harrier::abstraction {

namespace {

constexpr int kMostFailures = 4;  // patterns that turn out to be too large only when they are built

class Refinement {
 public:
  explicit Refinement(const ChoiceTask& task) : task_(task), banned_(task.factors.size(), false) {}

  Choice run() {
    Choice choice;
    for (const Pattern& pattern : goal_patterns(task_.factors)) {
      Pattern fresh;
      for (const uint32_t v : pattern) {
        if (!owner(v)) fresh.push_back(v);
      }
      if (fresh.size() < pattern.size()) continue;
      if (!add(fresh)) choice.cut = true;
    }
    while (!entries_.empty() && failures_ < kMostFailures) {
      task_.allowance.poll();
      if (task_.allowance.is_over()) {
        choice.cut = true;
        break;
      }
      const std::optional<size_t> next = unsolved();
      if (!next) break;
      if (!refine(*next)) entries_[*next].solved = true;
    }
    if (!entries_.empty() && failures_ == 0 && !choice.cut) widen();
    choice.cut = choice.cut || std::find(banned_.begin(), banned_.end(), true) != banned_.end();
    for (Entry& entry : entries_) choice.patterns.push_back(std::move(entry.chosen));
    return choice;
  }

 private:
  struct Entry {
    ChosenPattern chosen;
    bool solved = false;

    const Pattern& pattern() const { return chosen.pattern(); }
    uint64_t size() const { return chosen.space.size(); }
  };

  std::optional<size_t> owner(uint32_t variable) const {
    for (size_t i = 0; i < entries_.size(); ++i) {
      const Pattern& pattern = entries_[i].pattern();
      if (std::binary_search(pattern.begin(), pattern.end(), variable)) return i;
    }
    return std::nullopt;
  }
  std::optional<size_t> unsolved() const {
    std::optional<size_t> smallest;
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].solved) continue;
      if (!smallest || entries_[i].size() < entries_[*smallest].size()) smallest = i;
    }
    return smallest;
  }
  uint64_t used() const {
    uint64_t states = 0;
    for (const Entry& entry : entries_) states += entry.size();
    return states;
  }
  bool add(const Pattern& pattern) {
    if (used() >= task_.allowance.states()) return false;
    auto made = make_pattern(task_, pattern, task_.allowance.states() - used(), task_.allowance);
    if (made) entries_.push_back({std::move(*made)});
    return made.has_value();
  }

  void widen() {
    RelaxedFactors relaxed(task_.factors, task_.costs, task_.initial);
    const std::vector<bool> all(task_.factors.size(), true);
    if (!relaxed.explore(all, task_.allowance.part(0.5)) || relaxed.goal_cost() == RelaxedFactors::kNever) return;
    const auto best = std::max_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return a.chosen.initial() < b.chosen.initial();
    });
    Pattern larger = best->pattern();
    for (const uint32_t v : relaxed.on_the_way()) larger = with(larger, v);
    if (larger == best->pattern()) return;
    const uint64_t room = task_.allowance.states() - used() + best->size();
    if (auto made = make_pattern(task_, larger, room, task_.allowance.part(0.5))) best->chosen = std::move(*made);
  }

  // False if there is nothing to be done about the pattern.
  bool refine(size_t number) {
    Entry& entry = entries_[number];
    if (entry.chosen.initial() == kInfinity) return false;
    std::vector<uint32_t> flaws =
        find_flaws(task_.factors, task_.initial, entry.chosen.space, entry.chosen.distances, task_.costs);
    std::erase_if(flaws, [&](uint32_t v) { return banned_[v]; });
    if (flaws.empty()) return false;
    const uint32_t flaw = flaws[rng_.below(flaws.size())];
    const std::optional<size_t> other = owner(flaw);
    Pattern larger = entry.pattern();
    uint64_t room = task_.allowance.states() - used() + entry.size();
    if (other) {
      for (const uint32_t v : entries_[*other].pattern()) larger = with(larger, v);
      room += entries_[*other].size();
    } else {
      larger = with(larger, flaw);
    }
    auto made = make_pattern(task_, larger, room, task_.allowance);
    if (!made) {
      banned_[flaw] = true;
      ++failures_;
      return true;
    }
    entry.chosen = std::move(*made);
    if (other) entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(*other));
    return true;
  }

  const ChoiceTask& task_;
  std::vector<Entry> entries_;
  std::vector<bool> banned_;  // by variable
  int failures_ = 0;
  Rng rng_{1};
};

}  // namespace

Choice choose_by_counterexamples(const ChoiceTask& task) { return Refinement(task).run(); }

}  // namespace harrier::abstraction
