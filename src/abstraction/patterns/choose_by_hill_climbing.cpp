// Hill climbing in the space of collections of patterns (Haslum et al. 2007).
//
// It starts with the smallest patterns that tell goal states from others. In each round, a pattern of the collection
// with one more variable, which is relevant to it, is added: the one that makes the canonical combination larger in
// most of some sampled states. The estimates of sampled states are all that is kept of a candidate.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "abstraction/patterns/additivity.h"
#include "abstraction/patterns/pattern_choice.h"
#include "base/rng.h"

namespace harrier::abstraction {

namespace {

constexpr size_t kSamples = 200;
constexpr size_t kLeastImproved = 2;  // samples, for a pattern to be worth its memory
constexpr size_t kMostPatterns = 64;
constexpr size_t kMostSets = 128;       // of additive patterns
constexpr uint32_t kLongestWalk = 500;  // steps

class Climb {
 public:
  explicit Climb(const ChoiceTask& task)
      : task_(task),
        allowance_(task.allowance.part(0.8)),
        additivity_(task.factors, task.allowance.watch()),
        relevant_(relevant_variables(task.factors, task.allowance.watch())) {}

  Choice run() {
    for (const Pattern& pattern : goal_patterns(task_.factors)) {
      auto made = make_pattern(task_, pattern, room(), task_.allowance);
      choice_.cut = choice_.cut || !made;
      if (made) choice_.patterns.push_back(std::move(*made));
    }
    if (choice_.patterns.empty()) return std::move(choice_);
    sample();
    for (const ChosenPattern& pattern : choice_.patterns) collected_.push_back(estimates(pattern));
    while (choice_.patterns.size() < kMostPatterns && climb()) {
    }
    return std::move(choice_);
  }

 private:
  using Estimates = std::vector<uint32_t>;  // by sample
  struct Candidate {
    uint64_t states = 0;
    Estimates estimates;
  };

  uint64_t room() const {
    uint64_t used = 0;
    for (const ChosenPattern& pattern : choice_.patterns) used += pattern.space.size();
    return task_.allowance.states() - std::min(used, task_.allowance.states());
  }

  // States at the ends of random walks, some of them far away, some near.
  void sample() {
    uint32_t length = 1;
    for (const ChosenPattern& pattern : choice_.patterns) {
      if (pattern.initial() != kInfinity) length = std::max(length, pattern.initial());
    }
    length = std::min(4 * length, kLongestWalk);
    const auto labels = task_.factors.labels();
    while (samples_.size() < kSamples && !allowance_.is_over()) {
      std::vector<Value> state = task_.initial;
      for (uint64_t steps = rng_.below(length + 1); steps > 0 && !labels.empty(); --steps) {
        allowance_.poll();
        const uint64_t start = rng_.below(labels.size());
        for (size_t i = 0; i < labels.size(); ++i) {
          if (take(labels[(start + i) % labels.size()], state)) break;
        }
      }
      samples_.push_back(std::move(state));
    }
  }
  bool take(const Factors::Label& label, std::vector<Value>& state) {
    const auto parts = task_.factors.parts(label);
    const auto image = [&](const Factors::Part& part) {
      return task_.factors.relation(part.relation).from(state[part.variable]);
    };
    if (std::any_of(parts.begin(), parts.end(), [&](const Factors::Part& part) { return image(part).empty(); })) {
      return false;
    }
    for (const Factors::Part& part : parts) {
      const auto values = image(part);
      state[part.variable] = values[rng_.below(values.size())];
    }
    return true;
  }

  Estimates estimates(const ChosenPattern& pattern) const {
    Estimates out;
    for (const std::vector<Value>& state : samples_) {
      const uint32_t number = pattern.space.find(pattern.space.projection().key(state.data()));
      out.push_back(number == KeyNumbers::kNone ? 0 : pattern.distances[number]);
    }
    return out;
  }

  // Patterns with one more variable than some of the collection.
  std::set<Pattern> neighbours() const {
    std::set<Pattern> out;
    for (const ChosenPattern& chosen : choice_.patterns) {
      for (const uint32_t v : chosen.pattern()) {
        for (const uint32_t other : relevant_[v]) out.insert(with(chosen.pattern(), other));
      }
      for (const Factors::Label& goal : task_.factors.goals()) {
        for (const Factors::Part& part : task_.factors.parts(goal)) out.insert(with(chosen.pattern(), part.variable));
      }
    }
    for (const ChosenPattern& chosen : choice_.patterns) out.erase(chosen.pattern());
    return out;
  }

  // The collection is changed by one pattern. False if none is worth it.
  bool climb() {
    std::vector<Pattern> patterns;
    for (const ChosenPattern& chosen : choice_.patterns) patterns.push_back(chosen.pattern());
    const auto sets = additivity_.maximal_sets(patterns, kMostSets);
    const Pattern* best = nullptr;
    size_t most = kLeastImproved - 1;
    const std::set<Pattern> all = neighbours();
    for (const Pattern& pattern : all) {
      allowance_.poll();
      const Candidate* candidate = known(pattern);
      if (candidate == nullptr) return false;
      if (candidate->estimates.empty() || candidate->states > room()) continue;
      const size_t improved = improvement(pattern, candidate->estimates, patterns, sets);
      if (improved <= most) continue;
      most = improved;
      best = &pattern;
    }
    if (best == nullptr) return false;
    auto made = make_pattern(task_, *best, room(), allowance_);
    choice_.cut = choice_.cut || !made;
    if (!made) return false;
    collected_.push_back(known_.at(*best).estimates);
    choice_.patterns.push_back(std::move(*made));
    return true;
  }
  // None if the time is over. One that is too large has no estimates.
  const Candidate* known(const Pattern& pattern) {
    const auto [at, fresh] = known_.try_emplace(pattern);
    if (!fresh) return &at->second;
    const uint64_t size = Projection::combinations(task_.factors, pattern);
    std::optional<ChosenPattern> made;
    if (size <= room()) made = make_pattern(task_, pattern, room(), allowance_);
    if (allowance_.is_over()) {
      choice_.cut = true;
      known_.erase(at);
      return nullptr;
    }
    if (made) {
      at->second = {made->space.size(), estimates(*made)};
    } else {
      choice_.cut = true;
    }
    return &at->second;
  }
  // In how many samples the canonical combination grows.
  size_t improvement(const Pattern& pattern, const Estimates& estimates, const std::vector<Pattern>& patterns,
                     const std::vector<std::vector<uint32_t>>& sets) const {
    std::vector<bool> additive;
    for (const Pattern& other : patterns) additive.push_back(additivity_.is_additive(pattern, other));
    size_t improved = 0;
    for (size_t s = 0; s < samples_.size(); ++s) {
      uint64_t before = 0;
      uint64_t with_it = 0;
      for (const auto& set : sets) {
        uint64_t all = 0;
        uint64_t some = estimates[s];
        for (const uint32_t p : set) {
          all += collected_[p][s];
          if (additive[p]) some += collected_[p][s];
        }
        before = std::max(before, all);
        with_it = std::max(with_it, some);
      }
      // Dead ends are far away, and no pattern is of use behind one.
      if (before < kInfinity && with_it > before) ++improved;
    }
    return improved;
  }

  const ChoiceTask& task_;
  Allowance allowance_;
  Additivity additivity_;
  std::vector<std::vector<uint32_t>> relevant_;
  std::vector<std::vector<Value>> samples_;
  Choice choice_;
  std::vector<Estimates> collected_;  // by pattern of the choice
  std::map<Pattern, Candidate> known_;
  Rng rng_{1};
};

}  // namespace

Choice choose_by_hill_climbing(const ChoiceTask& task) { return Climb(task).run(); }

}  // namespace harrier::abstraction
