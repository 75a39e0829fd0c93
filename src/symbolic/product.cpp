#include "symbolic/product.h"

#include <algorithm>

namespace harrier::symbolic {

namespace {

constexpr uint64_t kMostPairs = 200'000;

// Which conjuncts come after each other.
class Ordering {
 public:
  Ordering(const BddManager& manager, const std::vector<Bdd>& conjuncts, const std::vector<int>& vanishing)
      : manager_(manager), bits_(static_cast<size_t>(manager.bits())), vanishes_(bits_), uses_(bits_) {
    for (const int bit : vanishing) vanishes_[static_cast<size_t>(bit)] = true;
    for (const Bdd& c : conjuncts) {
      supports_.push_back(support(c));
      for (const int bit : supports_.back()) ++uses_[static_cast<size_t>(bit)];
    }
  }

  std::vector<size_t> order() {
    std::vector<size_t> open(supports_.size());
    for (size_t i = 0; i < open.size(); ++i) open[i] = i;
    std::vector<size_t> out;
    while (!open.empty()) {
      size_t best = 0;
      double best_benefit = -1;
      for (size_t i = 0; i < open.size(); ++i) {
        manager_.budget().poll();
        const double b = benefit(supports_[open[i]]);
        if (b > best_benefit) {
          best_benefit = b;
          best = i;
        }
      }
      for (const int bit : supports_[open[best]]) {
        --uses_[static_cast<size_t>(bit)];
        present_.resize(bits_);
        present_[static_cast<size_t>(bit)] = true;
      }
      out.push_back(open[best]);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return out;
  }
  const std::vector<int>& support_of(size_t i) const { return supports_[i]; }

 private:
  double benefit(const std::vector<int>& bits) const {
    double vanishing = 0;  // in it
    double last = 0;       // nowhere else
    double fresh = 0;      // new and here to stay
    double lowest = 0;
    for (const int bit : bits) {
      const auto b = static_cast<size_t>(bit);
      if (vanishes_[b]) {
        ++vanishing;
        if (uses_[b] == 1) ++last;
        lowest = std::max(lowest, static_cast<double>(bit));
      } else if (present_.empty() || !present_[b]) {
        ++fresh;
      }
    }
    const double size = static_cast<double>(bits.size()) + 1;
    const auto all = static_cast<double>(bits_ + 1);
    return 2 * last / (vanishing + 1) + vanishing / size + (1 - fresh / size) + lowest / all;
  }

  const BddManager& manager_;
  size_t bits_;
  std::vector<bool> vanishes_;
  std::vector<uint32_t> uses_;
  std::vector<bool> present_;
  std::vector<std::vector<int>> supports_;
};

}  // namespace

Product::Product(const BddManager& manager, std::vector<Bdd> conjuncts, const std::vector<int>& vanishing) {
  Ordering ordering(manager, conjuncts, vanishing);
  const std::vector<size_t> order = ordering.order();
  std::vector<size_t> last_use(static_cast<size_t>(manager.bits()), 0);  // 1 + place in the order
  for (size_t place = 0; place < order.size(); ++place) {
    for (const int bit : ordering.support_of(order[place])) last_use[static_cast<size_t>(bit)] = place + 1;
  }
  std::vector<std::vector<int>> cubes(order.size() + 1);
  for (const int bit : vanishing) cubes[last_use[static_cast<size_t>(bit)]].push_back(bit);
  if (order.size() == 1) cubes[1].insert(cubes[1].end(), cubes[0].begin(), cubes[0].end());
  first_ = order.size() == 1 ? Bdd(true) : manager.cube(cubes[0]);
  for (size_t place = 0; place < order.size(); ++place) {
    factors_.push_back({std::move(conjuncts[order[place]]), manager.cube(cubes[place + 1])});
  }
}

Bdd Product::apply(const Bdd& states) const {
  Bdd out = exists(states, first_);
  for (const Factor& factor : factors_) {
    if (out.is_false()) return out;
    out = and_exists(out, factor.conjunct, factor.cube);
  }
  return out;
}

std::vector<Bdd> clustered(const BddManager& manager, std::vector<Bdd> conjuncts, const std::vector<int>& vanishing,
                           uint64_t most_nodes) {
  if (conjuncts.size() < 2) return conjuncts;
  Ordering ordering(manager, conjuncts, vanishing);
  std::vector<Bdd> out;
  uint64_t size = 0;  // of the last one
  for (const size_t i : ordering.order()) {
    const uint64_t own = node_count(conjuncts[i]);
    // A product can have as many nodes as both factors have pairs of them.
    if (!out.empty() && size * own <= kMostPairs) {
      Bdd joined = out.back() & conjuncts[i];
      if (const uint64_t both = node_count(joined); both <= most_nodes) {
        out.back() = std::move(joined);
        size = both;
        continue;
      }
    }
    out.push_back(std::move(conjuncts[i]));
    size = own;
  }
  return out;
}

}  // namespace harrier::symbolic
