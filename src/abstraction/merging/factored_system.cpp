#include "abstraction/merging/factored_system.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

namespace harrier::abstraction {

FactoredSystem::FactoredSystem(const Factors& factors, std::span<const uint32_t> variables, const Watch& watch)
    : watch_(watch), sets_(static_cast<uint32_t>(factors.goals().size())) {
  add_variables(factors, variables);
  std::vector<uint32_t> number_of(factors.size(), task::kNone);
  for (uint32_t f = 0; f < variables.size(); ++f) number_of[variables[f]] = f;
  std::map<Factors::Part, std::vector<uint32_t>> groups;  // labels by factor and relation
  for (const Factors::Label& label : factors.labels()) {
    watch_.poll();
    bool matters = false;
    for (const Factors::Part& part : factors.parts(label)) {
      const uint32_t f = number_of[part.variable];
      if (f == task::kNone) continue;
      matters = true;
      groups[{f, part.relation}].push_back(label_count());
    }
    if (matters) costs_.push_back(label.cost);
  }
  alive_.assign(label_count(), 1);
  labels_left_ = label_count();
  for (auto& [part, labels] : groups) {
    watch_.poll();
    const Factors::Relation& relation = factors.relation(part.relation);
    TransitionSystem::Group group;
    group.labels = std::move(labels);
    for (uint32_t value = 0; value < relation.size(); ++value) {
      for (const Value to : relation.from(static_cast<Value>(value))) group.arcs.push_back({value, to});
    }
    factors_[part.variable].system.add(std::move(group));
  }
}

void FactoredSystem::add_variables(const Factors& factors, std::span<const uint32_t> variables) {
  std::vector<std::vector<uint32_t>> goals(factors.size());  // by variable and value
  for (const uint32_t v : variables) goals[v].assign(factors.values(v), sets_.all());
  for (uint32_t c = 0; c < factors.goals().size(); ++c) {
    watch_.poll();
    for (const Factors::Part& part : factors.parts(factors.goals()[c])) {
      const Factors::Relation& relation = factors.relation(part.relation);
      std::vector<uint32_t>& of_values = goals[part.variable];
      for (uint32_t value = 0; value < of_values.size(); ++value) {
        if (relation.from(static_cast<Value>(value)).empty()) of_values[value] = sets_.without(of_values[value], c);
      }
    }
  }
  const std::vector<int32_t> initial = factors.system().initial_values();
  for (const uint32_t v : variables) {
    Node leaf;
    leaf.variable = v;
    leaf.states.resize(factors.values(v));
    std::iota(leaf.states.begin(), leaf.states.end(), 0U);
    active_.push_back(static_cast<uint32_t>(factors_.size()));
    factors_.push_back({TransitionSystem(std::move(goals[v]), factors.read(v, initial.data())),
                        static_cast<uint32_t>(nodes_.size()), 0});
    nodes_.push_back(std::move(leaf));
    changed_.push_back(1);
  }
}

void FactoredSystem::remove_label(uint32_t label) {
  if (alive_[label] == 0) return;
  alive_[label] = 0;
  --labels_left_;
}

void FactoredSystem::apply(uint32_t factor, const TransitionSystem::Mapping& mapping) {
  factors_[factor].system.apply(mapping, sets_);
  for (uint32_t& s : nodes_[factors_[factor].node].states) {
    if (is_state(s)) s = mapping.to[s];
  }
}

void FactoredSystem::shrink(uint32_t factor, const TransitionSystem::Mapping& mapping) {
  apply(factor, mapping);
  changed_[factor] = 1;
}

void FactoredSystem::settle() {
  const auto keep = [&](uint32_t l) { return is_label(l); };
  for (bool again = true; again;) {
    std::vector<uint32_t> impossible;
    for (const uint32_t f : active_) {
      watch_.poll();
      TransitionSystem& system = factors_[f].system;
      const auto is_whole = [&](const TransitionSystem::Group& group) {
        return std::all_of(group.labels.begin(), group.labels.end(), keep);
      };
      if (changed_[f] == 0 && std::all_of(system.groups().begin(), system.groups().end(), is_whole)) continue;
      changed_[f] = 0;
      ++factors_[f].revision;
      system.tidy(keep, impossible);
      system.measure(costs_);
      const auto pruning = system.pruning();
      if (!pruning) continue;
      apply(f, *pruning);
      system.tidy(impossible);
    }
    for (const uint32_t l : impossible) remove_label(l);
    again = !impossible.empty();
  }
}

void FactoredSystem::drop_trivial() {
  const auto is_trivial = [&](uint32_t f) { return factors_[f].system.is_trivial(sets_); };
  std::copy_if(active_.begin(), active_.end(), std::back_inserter(dropped_), is_trivial);
  std::erase_if(active_, is_trivial);
}

std::optional<uint32_t> FactoredSystem::merge(uint32_t a, uint32_t b, Allowance& allowance) {
  const TransitionSystem& left = factors_[a].system;
  const TransitionSystem& right = factors_[b].system;
  auto product = TransitionSystem::product(left, right, sets_, label_count(), allowance);
  if (!product) return std::nullopt;
  Node node;
  node.left = factors_[a].node;
  node.right = factors_[b].node;
  node.stride = right.size();
  node.states.resize(product->size());
  std::iota(node.states.begin(), node.states.end(), 0U);
  const auto number = static_cast<uint32_t>(factors_.size());
  std::erase_if(active_, [&](uint32_t f) { return f == a || f == b; });
  active_.push_back(number);
  factors_[a].system = factors_[b].system = TransitionSystem();
  factors_.push_back({std::move(*product), static_cast<uint32_t>(nodes_.size()), 0});
  nodes_.push_back(std::move(node));
  changed_.push_back(1);
  return number;
}

}  // namespace harrier::abstraction
