#include "abstraction/patterns/additivity.h"

#include <algorithm>
#include <numeric>

namespace harrier::abstraction {

namespace {

using Numbers = std::vector<uint32_t>;

// Maximal cliques of the graph of additive pairs (Bron and Kerbosch 1973).
class Cliques {
 public:
  Cliques(const std::vector<std::vector<bool>>& pairs, size_t most) : pairs_(pairs), most_(most) {}

  std::vector<Numbers> find() {
    Numbers all(pairs_.size());
    std::iota(all.begin(), all.end(), 0);
    grow(std::move(all), {});
    return std::move(found_);
  }

 private:
  Numbers neighbours(const Numbers& of, uint32_t p) const {
    Numbers out;
    for (const uint32_t q : of) {
      if (q != p && pairs_[p][q]) out.push_back(q);
    }
    return out;
  }
  // Extends what was chosen by some that are open, without those that are done.
  void grow(Numbers open, Numbers done) {
    if (found_.size() >= most_) return;
    if (open.empty()) {
      if (done.empty() && !chosen_.empty()) found_.push_back(chosen_);
      return;
    }
    // One that goes with most: a clique without it has one that does not go with it.
    uint32_t pivot = open[0];
    for (const Numbers* list : {&open, &done}) {
      for (const uint32_t p : *list) {
        if (neighbours(open, p).size() > neighbours(open, pivot).size()) pivot = p;
      }
    }
    for (const uint32_t p : Numbers(open)) {
      if (p != pivot && pairs_[pivot][p]) continue;
      chosen_.push_back(p);
      grow(neighbours(open, p), neighbours(done, p));
      chosen_.pop_back();
      std::erase(open, p);
      done.push_back(p);
    }
  }

  const std::vector<std::vector<bool>>& pairs_;
  size_t most_;
  Numbers chosen_;
  std::vector<Numbers> found_;
};

}  // namespace

Additivity::Additivity(const Factors& factors, const Watch& watch)
    : together_(factors.size(), std::vector<bool>(factors.size(), false)) {
  for (const Factors::Label& label : factors.labels()) {
    watch.poll();
    for (const Factors::Part& a : factors.parts(label)) {
      if (factors.relation(a.relation).keeps()) continue;
      for (const Factors::Part& b : factors.parts(label)) {
        if (!factors.relation(b.relation).keeps()) together_[a.variable][b.variable] = true;
      }
    }
  }
  for (uint32_t v = 0; v < factors.size(); ++v) together_[v][v] = true;
}

bool Additivity::is_additive(const Pattern& a, const Pattern& b) const {
  return std::none_of(a.begin(), a.end(), [&](uint32_t u) {
    return std::any_of(b.begin(), b.end(), [&](uint32_t v) { return together_[u][v]; });
  });
}

std::vector<std::vector<uint32_t>> Additivity::maximal_sets(std::span<const Pattern> patterns, size_t most) const {
  std::vector<std::vector<bool>> pairs(patterns.size(), std::vector<bool>(patterns.size(), false));
  for (size_t a = 0; a < patterns.size(); ++a) {
    for (size_t b = 0; b < a; ++b) pairs[a][b] = pairs[b][a] = is_additive(patterns[a], patterns[b]);
  }
  return Cliques(pairs, most).find();
}

}  // namespace harrier::abstraction
