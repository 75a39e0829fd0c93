#include "abstraction/factors.h"

#include <algorithm>
#include <numeric>

namespace harrier::abstraction {

using task::kNone;
using task::VariableDomains;

Factors::Factors(std::shared_ptr<const VariableDomains> domains, const Watch& watch) : domains_(std::move(domains)) {
  number_of_.assign(domains_->size(), kNone);
  by_system_.assign(system().variables.size(), kNone);
  for (uint32_t d = 0; d < domains_->size(); ++d) {
    const VariableDomains::Variable& variable = domains_->variable(d);
    // Labels do not tell who has control, nor does the range of its values.
    if (d == domains_->goal() || model::VarId(variable.variable) == system().control) continue;
    number_of_[d] = size();
    by_system_[variable.variable] = size();
    variables_.push_back(d);
  }
  std::map<std::vector<Part>, uint32_t> known;
  for (const VariableDomains::Label& label : domains_->labels()) {
    watch.poll();
    std::map<uint32_t, Images> changes;
    for (const VariableDomains::Part& part : domains_->parts(label)) {
      if (number_of_[part.variable] != kNone) changes[number_of_[part.variable]] = image_of(part.variable, &part);
    }
    if (label.split_from != kNone) come_along(domains_->task().labels()[label.split_from], changes);
    add(label, std::move(changes), known);
  }
  known_relations_.clear();
}

// What a part of the domains makes of each value of its variable; without one, values stay.
Factors::Images Factors::image_of(uint32_t v, const VariableDomains::Part* part) const {
  Images images(domains_->variable(v).size);
  for (uint32_t value = 0; value < images.size(); ++value) {
    const auto from = static_cast<Value>(value);
    if (part != nullptr && !domains_->contains(part->set, from)) continue;
    const Value to = part != nullptr ? domains_->mapped(part->map, from) : from;
    if (to == task::kAnyValue) {
      images[value].resize(images.size());
      std::iota(images[value].begin(), images[value].end(), Value{0});
    } else {
      images[value] = {to};
    }
  }
  return images;
}

// What the other receivers of a broadcast may do.
void Factors::come_along(const task::Label& label, std::map<uint32_t, Images>& changes) const {
  const task::Task& task = domains_->task();
  const auto process_of = [&](const task::Label& l) {
    return l.receiver.valid() ? system().edge(l.receiver).process : model::ProcessId();
  };
  const auto images_of = [&](uint32_t v) -> Images& {
    Images& images = changes[v];
    if (images.empty()) images = image_of(variables_[v], nullptr);
    return images;
  };
  const auto insert = [](std::vector<Value>& values, Value value) {
    const auto at = std::lower_bound(values.begin(), values.end(), value);
    if (at == values.end() || *at != value) values.insert(at, value);
  };
  for (const task::Label& other : task.labels_of(label.transition)) {
    if (!other.receiver.valid() || process_of(other) == process_of(label)) continue;
    for (const task::Move& move : task.own_moves(other)) {
      const uint32_t v = by_system_[move.variable];
      if (v == kNone) continue;
      const auto from = task.domain(move.variable).find(move.from);
      const auto to = task.domain(move.variable).find(move.to);
      if (!from || !to) continue;
      std::vector<Value>& image = images_of(v)[*from];
      if (!image.empty()) insert(image, *to);
    }
    for (const uint32_t id : task.own_effects(other)) {
      for (const model::VarId written : task.effect(id).writes) {
        const uint32_t v = by_system_[written.value];
        if (v == kNone) continue;
        for (std::vector<Value>& image : images_of(v)) {
          if (image.empty()) continue;
          image.resize(values(v));
          std::iota(image.begin(), image.end(), Value{0});
        }
      }
    }
  }
}

void Factors::add(const VariableDomains::Label& label, std::map<uint32_t, Images>&& changes,
                  std::map<std::vector<Part>, uint32_t>& known) {
  const bool is_goal = label.split_from == kNone;
  std::vector<Part> parts;
  bool moves = false;
  for (const auto& [variable, images] : changes) {
    const Part part{variable, relation_id(images)};
    const Relation& relation = relations_[part.relation];
    if (relation.keeps() && relation.total()) continue;
    moves = moves || !relation.keeps();
    parts.push_back(part);
  }
  if (!is_goal && !moves) return;
  const uint32_t cost = is_goal ? 0 : domains_->task().labels()[label.split_from].cost;
  std::vector<Label>& labels = is_goal ? goals_ : labels_;
  if (!is_goal) {
    const auto [at, fresh] = known.try_emplace(parts, static_cast<uint32_t>(labels_.size()));
    if (!fresh) {
      labels_[at->second].cost = std::min(labels_[at->second].cost, cost);
      return;
    }
  }
  labels.push_back({label.transition, cost, static_cast<uint32_t>(parts_.size()), 0});
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  labels.back().end_part = static_cast<uint32_t>(parts_.size());
}

uint32_t Factors::relation_id(const Images& images) {
  const auto [at, fresh] = known_relations_.try_emplace(images, static_cast<uint32_t>(relations_.size()));
  if (fresh) {
    Relation relation;
    relation.first_.push_back(0);
    for (size_t value = 0; value < images.size(); ++value) {
      const std::vector<Value>& to = images[value];
      relation.total_ = relation.total_ && !to.empty();
      relation.keeps_ = relation.keeps_ && (to.empty() || (to.size() == 1 && to[0] == value));
      relation.to_.insert(relation.to_.end(), to.begin(), to.end());
      relation.first_.push_back(static_cast<uint32_t>(relation.to_.size()));
    }
    relations_.push_back(std::move(relation));
  }
  return at->second;
}

}  // namespace harrier::abstraction
