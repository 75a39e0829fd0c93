#include "search/discrete_space.h"

#include <algorithm>

namespace harrier::search {

using model::DeadlockTest;

DiscreteSpace::DiscreteSpace(const model::System& system, const model::Property& property, Budget& budget,
                             bool track_cost, const DiscreteOptions& options)
    : system_(system),
      network_(system, budget.watch()),
      goal_(compile_goal(network_, property.goal)),
      accepting_(compile_goal(network_, property.accepting)),
      machine_(network_.program()),
      probe_(network_.program()),
      layout_(system),
      store_(budget, layout_.words()),
      origins_(budget, 1),
      cost_(budget, 1),
      track_cost_(track_cost),
      by_context_(options.by_context),
      places_(budget, 1),
      newest_(budget, 1),
      has_priorities_(system.has_priorities()),
      values_(system.initial_values()),
      source_words_(layout_.words()),
      words_(layout_.words()),
      pass_through_(options.pass_through && system.control.valid()),
      inner_(budget, layout_.words()) {
  if (options.reduce && system.edges.size() <= kAlone) reduction_.emplace(system, property.goal);
}

void DiscreteSpace::pack_candidate() {
  if (incremental_) {
    words_ = source_words_;
    for (const JournalEntry& entry : machine_.journal()) {
      layout_.set(words_.data(), entry.variable, values_[entry.variable]);
    }
  } else {
    layout_.pack(values_.data(), words_.data());
  }
}

uint32_t DiscreteSpace::process_to_follow() {
  if (system_.control.valid() && values_[system_.control.value] != 0) return kNobody;
  for (const uint32_t p : reduction_->processes()) {
    if (!reduction_->safe(p, values_[system_.processes[p].location.value])) continue;
    bool any = false;
    bool all_new = true;
    network_.for_each_firing_of(machine_, values_.data(), p, false, [&](const Firing& firing) {
      if (network_.fire(machine_, values_.data(), firing.edges)) {
        incremental_ = true;
        pack_candidate();
        all_new = !store_.contains(words_.data());
        any = true;
      }
      machine_.undo(values_.data());
      return all_new;
    });
    if (all_new && any) return p;
  }
  return kNobody;
}

Admission DiscreteSpace::admit(uint64_t parent, uint32_t ordinal, uint32_t cost, uint32_t context) {
  pack_candidate();
  const auto [id, fresh] = store_.insert(words_.data());
  if (by_context_) return admit_in_context(id, fresh, {parent, ordinal}, cost, context);
  if (fresh) {
    if (is_transient()) ++transient_;
    *origins_.append() = {parent, ordinal};
    if (track_cost_) *cost_.append() = cost;
    return {id, true};
  }
  if (!track_cost_ || *cost_[id] <= cost) return {id, false};
  *cost_[id] = cost;
  *origins_[id] = {parent, ordinal};
  return {id, true};
}

Admission DiscreteSpace::admit_in_context(uint64_t discrete, bool fresh, Origin origin, uint32_t cost,
                                          uint32_t context) {
  if (fresh) {
    if (is_transient()) ++transient_;
    *newest_.append() = kNone;
  }
  // Going on from another context saves one at most: what was reached at lower cost in any context is as good.
  uint64_t& newest = *newest_[discrete];
  for (uint64_t id = newest; id != kNone && *cost_[id] <= cost; id = places_[id]->older) {
    if (*cost_[id] < cost || places_[id]->context == context) return {id, false};
  }
  const uint64_t id = origins_.size();
  *origins_.append() = origin;
  *cost_.append() = cost;
  *places_.append() = {discrete, newest, context};
  newest = id;
  return {id, true};
}

std::optional<int64_t> DiscreteSpace::highest_priority() {
  std::optional<int64_t> highest;
  network_.for_each_firing(machine_, values_.data(), [&](const Firing& firing) {
    const int64_t priority = network_.priority(firing.edges);
    if ((!highest || priority > *highest) && network_.fire(machine_, values_.data(), firing.edges)) highest = priority;
    machine_.undo(values_.data());
    return true;
  });
  return highest;
}

bool DiscreteSpace::is_deadlock() {
  bool dead = true;
  network_.for_each_firing(probe_, values_.data(), [&](const Firing& firing) {
    dead = !network_.fire(probe_, values_.data(), firing.edges);
    probe_.undo(values_.data());
    return dead;
  });
  return dead;
}

std::optional<size_t> DiscreteSpace::goal() {
  for (size_t i = 0; i < goal_.size(); ++i) {
    const CompiledClause& clause = goal_[i];
    if (!conditions_hold(probe_, clause, values_.data())) continue;
    if (clause.deadlock != DeadlockTest::Ignore && is_deadlock() != (clause.deadlock == DeadlockTest::IsDeadlock)) {
      continue;
    }
    return i;
  }
  return std::nullopt;
}

bool DiscreteSpace::accepting() {
  return std::any_of(accepting_.begin(), accepting_.end(),
                     [&](const CompiledClause& clause) { return conditions_hold(probe_, clause, values_.data()); });
}

model::Path DiscreteSpace::path_to(uint64_t id, size_t goal_clause) {
  std::vector<uint32_t> ordinals;
  for (uint64_t at = id; !origins_[at]->initial(); at = origins_[at]->parent()) {
    ordinals.push_back(origins_[at]->ordinal());
  }
  model::Path path;
  path.goal_clause = goal_clause;
  recover();
  values_ = system_.initial_values();
  for (auto wanted = ordinals.rbegin(); wanted != ordinals.rend(); ++wanted) {
    std::vector<int32_t> next;
    const auto append = [&](std::span<const uint32_t> edges) {
      model::PathStep step;
      for (const uint32_t e : edges) step.edges.push_back(model::EdgeId(e));
      path.steps.push_back(std::move(step));
    };
    const auto take = [&](uint32_t ordinal, const Firing& firing) {
      if (ordinal != *wanted) return true;
      for (const auto edges : inner_.steps_to(inner_source_)) append(edges);
      append(firing.edges);
      next = values_;
      return false;
    };
    if (reduction_ && (*wanted & kAlone) != 0) {
      follow(network_.edge(*wanted & ~kAlone).process, take);
    } else if (pass_through_ && !is_transient()) {
      layout_.pack(values_.data(), source_words_.data());
      expand_through(take);
    } else {
      expand(take);
    }
    values_ = std::move(next);
  }
  return path;
}

}  // namespace harrier::search
