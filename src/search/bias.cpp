#include "search/bias.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "heur/heuristic.h"

namespace harrier::search {

namespace {

// Every tenth choice of a greedy walk is blind.
constexpr double kBlind = 0.1;

}  // namespace

double Bias::distance(uint32_t estimate) const {
  const double h = estimate == heur::kDeadEnd ? largest_ + 1.0 : estimate;
  return options_.reverse ? largest_ - h : h;
}

void Bias::see(uint32_t estimate) {
  if (estimate != heur::kDeadEnd) largest_ = std::max(largest_, estimate);
}

size_t Bias::pick(const std::vector<uint32_t>& estimates, Rng& rng) {
  for (const uint32_t h : estimates) see(h);
  weights_.clear();
  for (const uint32_t h : estimates) weights_.push_back(distance(h));
  const double least = *std::min_element(weights_.begin(), weights_.end());
  const bool blind = options_.bias == RandomWalks::Bias::Greedy && rng.uniform() < kBlind;
  for (double& w : weights_) {
    switch (options_.bias) {
      case RandomWalks::Bias::Linear: w = largest_ + 1.0 - w; break;  // the farthest has a chance, too
      case RandomWalks::Bias::Softmax: w = std::exp((least - w) / options_.temperature); break;
      case RandomWalks::Bias::Greedy: w = blind || w == least ? 1 : 0; break;
      case RandomWalks::Bias::Steps: w = 1; break;  // such a walk does not ask for estimates of states
    }
  }
  return draw(weights_, rng);
}

size_t Bias::draw(const std::vector<double>& weights, Rng& rng) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum == 0) return rng.below(weights.size());
  double at = rng.uniform() * sum;
  size_t last = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    last = i;
    if (at < weights[i]) break;
    at -= weights[i];
  }
  return last;
}

bool Bias::accept(uint32_t here, uint32_t estimate, Rng& rng) {
  see(here);
  see(estimate);
  const double from = distance(here);
  const double to = distance(estimate);
  switch (options_.bias) {
    case RandomWalks::Bias::Linear: return rng.uniform() * (largest_ + 1.0) < largest_ + 1.0 - to;
    case RandomWalks::Bias::Softmax: return to <= from || rng.uniform() < std::exp((from - to) / options_.temperature);
    case RandomWalks::Bias::Greedy: return to < from || rng.uniform() < kBlind;
    case RandomWalks::Bias::Steps: break;
  }
  return true;
}

}  // namespace harrier::search
