#include "search/switches.h"

#include <algorithm>

namespace harrier::search {

namespace {

constexpr uint8_t kContextBound = 2;  // Wehrle 2011, §4.4.1

}  // namespace

uint32_t Switches::context_of(std::span<const uint32_t> edges) {
  return by_ == ContextBoundSearch::By::Process ? of_processes(edges) : of_interference(interference_->find(edges));
}

uint32_t Switches::of_processes(std::span<const uint32_t> edges) {
  std::vector<uint32_t> processes;
  for (const uint32_t e : edges) processes.push_back(system_.edges[e].process.value);
  std::sort(processes.begin(), processes.end());
  const auto [at, fresh] = numbers_.emplace(std::move(processes), static_cast<uint32_t>(processes_.size()));
  if (fresh) processes_.push_back(at->first);
  return at->second;
}

uint32_t Switches::of_interference(uint32_t transition) {
  const auto [known, fresh] = class_of_.emplace(transition, 0);
  if (!fresh) return known->second;
  std::vector<bool> near(interference_->size());
  for (uint32_t t = 0; t < near.size(); ++t) near[t] = interference_->distance(transition, t) <= kContextBound;
  const auto [at, first] = classes_.emplace(std::move(near), static_cast<uint32_t>(representative_.size()));
  if (first) representative_.push_back(transition);
  return known->second = at->second;
}

bool Switches::between(uint32_t first, uint32_t second) {
  if (by_ == ContextBoundSearch::By::Interference) {
    return interference_->distance(representative_[first], representative_[second]) > kContextBound;
  }
  const auto& a = processes_[first];
  const auto& b = processes_[second];
  return std::none_of(a.begin(), a.end(), [&](uint32_t p) { return std::binary_search(b.begin(), b.end(), p); });
}

}  // namespace harrier::search
