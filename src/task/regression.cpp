#include "task/regression.h"

#include <algorithm>

namespace harrier::task {

Regression::Regression(const VariableDomains& domains, const Watch& watch) : domains_(domains) {
  for (uint32_t v = 0; v < domains.size(); ++v) {
    first_of_variable_.push_back(first_label_.size());
    std::vector<std::vector<uint32_t>> into(domains.variable(v).size);
    for (const VariableDomains::Edge& edge : domains.edges(v)) {
      watch.poll();
      if (edge.to != kAnyValue) {
        into[edge.to].push_back(edge.label);
        continue;
      }
      for (auto& labels : into) labels.push_back(edge.label);
    }
    for (auto& labels : into) {
      std::sort(labels.begin(), labels.end());
      labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
      first_label_.push_back(labels_.size());
      labels_.insert(labels_.end(), labels.begin(), labels.end());
    }
  }
  first_label_.push_back(labels_.size());
}

std::optional<Region> Regression::regress(uint32_t label, const Region& target) const {
  // Both are sorted by variable. What follows from a step is not in its label.
  const VariableDomains::Label& own = domains_.labels()[label];
  const bool step = own.transition != kNone;
  const auto parts = domains_.parts(own);
  Region out;
  auto part = parts.begin();
  auto wanted = target.begin();
  while (part != parts.end() || wanted != target.end()) {
    if (part == parts.end() || (wanted != target.end() && wanted->variable < part->variable)) {
      if (!step || !domains_.variable(wanted->variable).derived) out.push_back(*wanted);
      ++wanted;
      continue;
    }
    const std::vector<Value>* values =
        wanted != target.end() && wanted->variable == part->variable ? &(wanted++)->values : nullptr;
    if (step && domains_.variable(part->variable).derived) values = nullptr;
    Restriction before{part->variable, {}};
    const uint32_t size = domains_.variable(part->variable).size;
    for (uint32_t i = 0; i < size; ++i) {
      const auto from = static_cast<Value>(i);
      if (!domains_.contains(part->set, from)) continue;
      const Value to = domains_.mapped(part->map, from);
      if (values == nullptr || to == kAnyValue || std::binary_search(values->begin(), values->end(), to)) {
        before.values.push_back(from);
      }
    }
    if (before.values.empty()) return std::nullopt;
    if (before.values.size() < size) out.push_back(std::move(before));
    ++part;
  }
  return out;
}

bool Regression::contains(const Region& region, const Value* state) {
  return std::all_of(region.begin(), region.end(), [&](const Restriction& r) {
    return std::binary_search(r.values.begin(), r.values.end(), state[r.variable]);
  });
}

}  // namespace harrier::task
