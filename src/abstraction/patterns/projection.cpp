#include "abstraction/patterns/projection.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace harrier::abstraction {

uint64_t Projection::combinations(const Factors& factors, std::span<const uint32_t> pattern) {
  uint64_t product = 1;
  for (const uint32_t v : pattern) {
    if (product > static_cast<uint64_t>(INT64_MAX) / factors.values(v)) return kTooMany;
    product *= factors.values(v);
  }
  return product;
}

Projection::Projection(const Factors& factors, Pattern pattern, const Watch& watch)
    : factors_(factors), pattern_(std::move(pattern)) {
  std::vector<uint32_t> position_of(factors.size(), kNothing);
  for (size_t i = 0; i < pattern_.size(); ++i) {
    position_of[pattern_[i]] = static_cast<uint32_t>(i);
    sizes_.push_back(factors.values(pattern_[i]));
    multipliers_.push_back(keys_);
    keys_ *= sizes_.back();
  }
  std::map<Parts, std::vector<uint32_t>> known;
  for (uint32_t l = 0; l < factors.labels().size(); ++l) {
    watch.poll();
    Parts parts = project(factors.labels()[l], position_of);
    if (std::any_of(parts.begin(), parts.end(),
                    [&](const Factors::Part& part) { return !factors.relation(part.relation).keeps(); })) {
      known[std::move(parts)].push_back(l);
    }
  }
  std::vector<Parts> operators;
  first_label_.push_back(0);
  for (const auto& [parts, labels] : known) {
    operators.push_back(parts);
    labels_.insert(labels_.end(), labels.begin(), labels.end());
    first_label_.push_back(static_cast<uint32_t>(labels_.size()));
  }
  add_goals(position_of);
  index(forward_, operators, true, watch);
  index(backward_, operators, false, watch);
}

Projection::Parts Projection::project(const Factors::Label& label, const std::vector<uint32_t>& position_of) const {
  Parts parts;
  for (const Factors::Part& part : factors_.parts(label)) {
    if (position_of[part.variable] != kNothing) parts.push_back({position_of[part.variable], part.relation});
  }
  return parts;
}

void Projection::add_goals(const std::vector<uint32_t>& position_of) {
  for (const Factors::Label& goal : factors_.goals()) {
    GoalValues values(pattern_.size());
    for (size_t i = 0; i < values.size(); ++i) {
      values[i].resize(sizes_[i]);
      std::iota(values[i].begin(), values[i].end(), Value{0});
    }
    for (const Factors::Part& part : project(goal, position_of)) {
      std::erase_if(values[part.variable],
                    [&](Value value) { return factors_.relation(part.relation).from(value).empty(); });
    }
    goals_.push_back(std::move(values));
  }
  std::sort(goals_.begin(), goals_.end());
  goals_.erase(std::unique(goals_.begin(), goals_.end()), goals_.end());
}

uint64_t Projection::key(const Value* state) const {
  uint64_t key = 0;
  for (size_t i = 0; i < pattern_.size(); ++i) key += state[pattern_[i]] * multipliers_[i];
  return key;
}

bool Projection::is_goal(const Value* values) const {
  return std::any_of(goals_.begin(), goals_.end(), [&](const GoalValues& goal) {
    for (size_t i = 0; i < goal.size(); ++i) {
      if (!std::binary_search(goal[i].begin(), goal[i].end(), values[i])) return false;
    }
    return true;
  });
}

Projection::Moves Projection::moves_of(const Factors::Part& part, bool forward) const {
  const Factors::Relation& relation = factors_.relation(part.relation);
  const auto multiplier = static_cast<int64_t>(multipliers_[part.variable]);
  std::vector<std::vector<int64_t>> by_value(relation.size());
  for (uint32_t from = 0; from < relation.size(); ++from) {
    for (const Value to : relation.from(static_cast<Value>(from))) {
      const int64_t delta = (int64_t{to} - int64_t{from}) * multiplier;
      by_value[forward ? from : to].push_back(forward ? delta : -delta);
    }
  }
  Moves moves;
  moves.first.push_back(0);
  for (const auto& deltas : by_value) {
    moves.deltas.insert(moves.deltas.end(), deltas.begin(), deltas.end());
    moves.first.push_back(static_cast<uint32_t>(moves.deltas.size()));
  }
  return moves;
}

void Projection::index(Side& side, const std::vector<Parts>& operators, bool forward, const Watch& watch) const {
  std::map<Factors::Part, uint32_t> known;
  std::vector<Entry> entries;
  for (uint32_t op = 0; op < operators.size(); ++op) {
    watch.poll();
    Entry entry;
    entry.step.op = op;
    entry.step.first_rest = static_cast<uint32_t>(side.rests.size());
    for (const Factors::Part& part : operators[op]) {
      const auto [at, fresh] = known.try_emplace(part, static_cast<uint32_t>(side.moves.size()));
      if (fresh) side.moves.push_back(moves_of(part, forward));
      const Moves& moves = side.moves[at->second];
      uint32_t starts = 0;  // values that it can be taken from
      Value start = 0;
      for (uint32_t value = 0; value < sizes_[part.variable]; ++value) {
        if (moves.at(static_cast<Value>(value)).empty()) continue;
        ++starts;
        start = static_cast<Value>(value);
      }
      if (starts == 1) entry.needs.push_back({part.variable, start});
      if (starts == 1 && moves.deltas.size() == 1) {
        entry.step.delta += moves.deltas[0];
      } else {
        side.rests.push_back({part.variable, at->second});
      }
    }
    entry.step.end_rest = static_cast<uint32_t>(side.rests.size());
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::tie(a.needs, a.step.op) < std::tie(b.needs, b.step.op); });
  build(side, entries, 0);
}

// The entries agree in their first `depth` needs and are sorted by the others. Returns the node, or nothing for none.
uint32_t Projection::build(Side& side, std::span<const Entry> entries, size_t depth) const {
  if (entries.empty()) return kNothing;
  const auto number = static_cast<uint32_t>(side.nodes.size());
  side.nodes.emplace_back();
  size_t at = 0;
  side.nodes[number].first_step = static_cast<uint32_t>(side.steps.size());
  for (; at < entries.size() && entries[at].needs.size() == depth; ++at) side.steps.push_back(entries[at].step);
  side.nodes[number].end_step = static_cast<uint32_t>(side.steps.size());
  if (at == entries.size()) return number;

  // The others are sorted by the position of what they need next: those of the first one are children.
  const uint32_t position = entries[at].needs[depth].position;
  const auto first_child = static_cast<uint32_t>(side.children.size());
  side.nodes[number].position = position;
  side.nodes[number].first_child = first_child;
  side.children.resize(side.children.size() + sizes_[position], kNothing);
  while (at < entries.size() && entries[at].needs[depth].position == position) {
    const Value value = entries[at].needs[depth].value;
    size_t end = at;
    while (end < entries.size() && entries[end].needs[depth] == Need{position, value}) ++end;
    const uint32_t child = build(side, entries.subspan(at, end - at), depth + 1);
    side.children[first_child + value] = child;
    at = end;
  }
  const uint32_t otherwise = build(side, entries.subspan(at), depth);
  side.nodes[number].otherwise = otherwise;
  return number;
}

}  // namespace harrier::abstraction
