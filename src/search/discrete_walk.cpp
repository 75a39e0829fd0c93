#include "search/discrete_walk.h"

#include <algorithm>

#include "base/hash.h"

namespace harrier::search {

using model::DeadlockTest;

namespace {

// The part of a variable in the hash of a state, which is the exclusive or of them all (Zobrist 1970).
uint64_t hash_of(uint32_t variable, int32_t value) {
  return mix64((uint64_t{variable} << 32 | static_cast<uint32_t>(value)) + 0x9e3779b97f4a7c15ULL);
}

std::vector<uint32_t> all_but_claim(const Network& network) {
  std::vector<uint32_t> out;
  for (uint32_t p = 0; p < network.process_count(); ++p) {
    if (!network.is_claim(p)) out.push_back(p);
  }
  return out;
}

}  // namespace

DiscreteWalk::DiscreteWalk(const model::System& system, const model::Property& property, Budget& budget, bool hashed)
    : system_(system),
      network_(system, budget.watch()),
      goal_(compile_goal(network_, property.goal)),
      accepting_(compile_goal(network_, property.accepting)),
      machine_(network_.program()),
      probe_(network_.program()),
      has_priorities_(system.has_priorities()),
      initial_(system.initial_values()),
      values_(initial_),
      record_(budget),
      processes_(all_but_claim(network_)),
      hashed_(hashed),
      seen_(hashed ? system.variables.size() : 0, 0) {}

bool DiscreteWalk::start(Rng&) {
  values_ = initial_;
  record_.clear();
  if (hashed_) {
    hash_ = 0;
    for (uint32_t v = 0; v < values_.size(); ++v) hash_ ^= hash_of(v, values_[v]);
  }
  return network_.invariants_hold(machine_, values_.data());
}

void DiscreteWalk::list() {
  moves_.clear();
  if (!has_priorities_) {
    network_.for_each_firing(machine_, values_.data(), [&](const Firing& firing) {
      moves_.add(firing);
      return true;
    });
    return;
  }
  // Only what is of the highest priority among what can happen.
  std::optional<int64_t> highest;
  network_.for_each_firing(machine_, values_.data(), [&](const Firing& firing) {
    const int64_t priority = network_.priority(firing.edges);
    if (highest && priority < *highest) return true;
    const bool possible = network_.fire(machine_, values_.data(), firing.edges);
    machine_.undo(values_.data());
    if (!possible) return true;
    if (highest && priority > *highest) moves_.clear();
    highest = priority;
    moves_.add(firing);
    return true;
  });
}

void DiscreteWalk::begin_listing() {
  processes_.restart();
  something_ = false;
  whole_ = false;
  listed_all_ = false;
  committed_ = network_.committed(values_.data());
}

bool DiscreteWalk::list_more(Rng& rng) {
  if (listed_all_) return false;
  if (network_.controlled(values_.data())) {
    listed_all_ = true;
    list();
    return true;
  }
  if (has_priorities_ && !whole_) share_out();
  moves_.clear();
  while (const std::optional<uint32_t> process = processes_.draw(rng)) {
    if (whole_) {
      if (list_from_all(*process)) return true;
      continue;
    }
    network_.for_each_firing_of(machine_, values_.data(), *process, committed_, [&](const Firing& firing) {
      moves_.add(firing);
      return true;
    });
    if (moves_.size() != 0) {
      something_ = true;
      return true;
    }
  }
  if (!whole_ && !something_ && network_.has_idle_edges()) {
    share_out();
    return list_more(rng);
  }
  listed_all_ = true;
  return whole_ && system_.claim.valid() && list_from_all(system_.claim.value);
}

void DiscreteWalk::share_out() {
  list();
  std::swap(moves_, all_);
  whole_ = true;
  processes_.restart();
}

bool DiscreteWalk::list_from_all(uint32_t process) {
  moves_.clear();
  for (size_t i = 0; i < all_.size(); ++i) {
    const Firing firing = all_.firing(i);
    if (network_.edge(firing.edges[0]).process == process) moves_.add(firing);
  }
  return moves_.size() != 0;
}

bool DiscreteWalk::make(size_t i, Rng&) {
  if (network_.fire(machine_, values_.data(), moves_.firing(i).edges)) return true;
  machine_.undo(values_.data());
  return false;
}

void DiscreteWalk::keep(size_t i) {
  if (hashed_) hash_ = hash();
  record_.append(moves_.firing(i).edges, 0);
  machine_.keep();
}

uint64_t DiscreteWalk::hash() {
  // A variable may be written more than once; the first entry has the value before the move.
  ++round_;
  uint64_t h = hash_;
  for (const JournalEntry& entry : machine_.journal()) {
    if (seen_[entry.variable] == round_) continue;
    seen_[entry.variable] = round_;
    h ^= hash_of(entry.variable, entry.old_value) ^ hash_of(entry.variable, values_[entry.variable]);
  }
  return h;
}

bool DiscreteWalk::can_move() {
  bool can = false;
  network_.for_each_firing(probe_, values_.data(), [&](const Firing& firing) {
    can = network_.fire(probe_, values_.data(), firing.edges);
    probe_.undo(values_.data());
    return !can;
  });
  return can;
}

std::optional<size_t> DiscreteWalk::goal(bool stuck) {
  for (size_t i = 0; i < goal_.size(); ++i) {
    const CompiledClause& clause = goal_[i];
    if (clause.deadlock == DeadlockTest::IsDeadlock && !stuck) continue;
    if (!conditions_hold(probe_, clause, values_.data())) continue;
    if (clause.deadlock == DeadlockTest::NotDeadlock && (stuck || !can_move())) continue;
    return i;
  }
  return std::nullopt;
}

bool DiscreteWalk::accepting() {
  return std::any_of(accepting_.begin(), accepting_.end(),
                     [&](const CompiledClause& clause) { return conditions_hold(probe_, clause, values_.data()); });
}

void DiscreteWalk::return_to(uint64_t length) {
  record_.cut(length);
  values_ = initial_;
  record_.for_each(length, [&](const WalkRecord::Step& step) {
    network_.fire(machine_, values_.data(), step.edges);
    machine_.keep();
  });
  if (hashed_) {
    hash_ = 0;
    for (uint32_t v = 0; v < values_.size(); ++v) hash_ ^= hash_of(v, values_[v]);
  }
}

model::Path DiscreteWalk::path(size_t goal_clause) {
  model::Path path;
  path.goal_clause = goal_clause;
  record_.for_each(record_.steps(), [&](const WalkRecord::Step& step) {
    path.steps.emplace_back();
    for (const uint32_t e : step.edges) path.steps.back().edges.push_back(model::EdgeId(e));
  });
  return path;
}

}  // namespace harrier::search
