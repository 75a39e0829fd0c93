#include "abstraction/factors.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace harrier::abstraction {

using task::kNone;
using task::VariableDomains;

Factors::Factors(std::shared_ptr<const VariableDomains> domains, const Watch& watch) : domains_(std::move(domains)) {
  number_of_.assign(domains_->size(), kNone);
  by_system_.assign(system().variables.size(), kNone);
  for (uint32_t d = 0; d < domains_->size(); ++d) {
    const VariableDomains::Variable& variable = domains_->variable(d);
    // Labels do not tell who has control, nor does the range of its values; nor what follows from axioms.
    if (d == domains_->goal() || variable.derived || model::VarId(variable.variable) == system().control) continue;
    number_of_[d] = size();
    by_system_[variable.variable] = size();
    variables_.push_back(d);
  }
  std::map<std::vector<Part>, uint32_t> known;
  task::Evaluator evaluator(domains_->task());
  std::vector<Value> state(domains_->task().variable_count(), 0);
  for (const VariableDomains::Label& label : domains_->labels()) {
    watch.poll();
    if (label.axiom) continue;
    std::map<uint32_t, Images> changes;
    for (const VariableDomains::Part& part : domains_->parts(label)) {
      if (number_of_[part.variable] != kNone) changes[number_of_[part.variable]] = image_of(part.variable, &part);
    }
    if (label.split_from != kNone) {
      const task::Label& whole = domains_->task().labels()[label.split_from];
      respect_committed(whole, changes);
      come_along(whole, changes, evaluator, state);
    }
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

Factors::Images& Factors::images_of(uint32_t v, std::map<uint32_t, Images>& changes) const {
  Images& images = changes[v];
  if (images.empty()) images = image_of(variables_[v], nullptr);
  return images;
}

// Whether an edge of a receiver may be ready where a label can be taken, as far as the values of single variables tell.
bool Factors::may_receive(const task::Label& receiver, const std::map<uint32_t, Images>& changes,
                          task::Evaluator& evaluator, std::vector<Value>& state) const {
  const task::Task& task = domains_->task();
  const auto possible = [&](uint32_t variable, auto&& holds) {
    const uint32_t v = by_system_[variable];
    if (v == kNone) return true;
    const auto at = changes.find(v);
    for (uint32_t value = 0; value < values(v); ++value) {
      if ((at == changes.end() || !at->second[value].empty()) && holds(static_cast<Value>(value))) return true;
    }
    return false;
  };
  for (const task::Move& move : task.own_moves(receiver)) {
    const auto from = task.domain(move.variable).find(move.from);
    if (!possible(move.variable, [&](Value value) { return from == value; })) return false;
  }
  for (const uint32_t id : task.own_conditions(receiver)) {
    const task::Condition& condition = task.condition(id);
    if (condition.reads.size() != 1 || !task.is_exact(condition.reads)) continue;
    const uint32_t variable = condition.reads[0].value;
    if (!possible(variable, [&](Value value) {
          state[variable] = value;
          return evaluator.holds(condition, state.data());
        })) {
      return false;
    }
  }
  return true;
}

// What the other receivers of a broadcast may do. One that is ready has to come along.
void Factors::come_along(const task::Label& label, std::map<uint32_t, Images>& changes, task::Evaluator& evaluator,
                         std::vector<Value>& state) const {
  const task::Task& task = domains_->task();
  const auto process_of = [&](const task::Label& l) {
    return l.receiver.valid() ? system().edge(l.receiver).process : model::ProcessId();
  };
  struct Targets {
    std::set<Value> values;
    bool may_stay = true;
  };
  std::map<std::pair<uint32_t, Value>, Targets> targets;  // by location of a process, and its value
  std::set<uint32_t> written;
  for (const task::Label& other : task.labels_of(label.transition)) {
    if (!other.receiver.valid() || process_of(other) == process_of(label)) continue;
    if (!may_receive(other, changes, evaluator, state)) continue;
    const model::Edge& edge = system().edge(other.receiver);
    for (const task::Move& move : task.own_moves(other)) {
      const auto from = task.domain(move.variable).find(move.from);
      const auto to = task.domain(move.variable).find(move.to);
      if (by_system_[move.variable] == kNone || !from || !to) continue;
      Targets& of_location = targets[{by_system_[move.variable], *from}];
      of_location.values.insert(*to);
      if (edge.guard.empty() && edge.clock_guard.empty()) of_location.may_stay = false;
    }
    for (const uint32_t id : task.own_effects(other)) {
      for (const model::VarId v : task.effect(id).writes) {
        if (by_system_[v.value] != kNone) written.insert(by_system_[v.value]);
      }
    }
  }
  for (const uint32_t v : written) {
    for (std::vector<Value>& image : images_of(v, changes)) {
      if (image.empty()) continue;
      image.resize(values(v));
      std::iota(image.begin(), image.end(), Value{0});
    }
  }
  for (auto& [place, of_location] : targets) {
    std::vector<Value>& image = images_of(place.first, changes)[place.second];
    if (image.empty()) continue;
    if (of_location.may_stay) of_location.values.insert(image.begin(), image.end());
    image.assign(of_location.values.begin(), of_location.values.end());
  }
}

// While a process is in a committed location, a transition has to leave one.
void Factors::respect_committed(const task::Label& label, std::map<uint32_t, Images>& changes) const {
  const task::Task& task = domains_->task();
  const auto leaves_committed = [&](model::EdgeId id) {
    const model::Edge& edge = system().edge(id);
    return system().process(edge.process).locations[edge.source].kind == model::LocationKind::Committed;
  };
  const model::Transition& transition = task.transitions()[label.transition];
  if (std::any_of(transition.edges.begin(), transition.edges.end(), leaves_committed) ||
      std::any_of(transition.optional.begin(), transition.optional.end(), leaves_committed)) {
    return;
  }
  for (const model::Process& process : system().processes) {
    const uint32_t v = by_system_[process.location.value];
    if (v == kNone) continue;
    for (size_t l = 0; l < process.locations.size(); ++l) {
      if (process.locations[l].kind != model::LocationKind::Committed) continue;
      const auto value = task.domain(process.location.value).find(static_cast<int32_t>(l));
      if (value) images_of(v, changes)[*value].clear();
    }
  }
}

void Factors::add(const VariableDomains::Label& label, std::map<uint32_t, Images>&& changes,
                  std::map<std::vector<Part>, uint32_t>& known) {
  const bool is_goal = label.split_from == kNone;
  std::vector<Part> parts;
  bool moves = false;
  for (const auto& [variable, images] : changes) {
    if (std::all_of(images.begin(), images.end(), [](const auto& image) { return image.empty(); })) return;
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
