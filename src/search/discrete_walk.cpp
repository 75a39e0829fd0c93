#include "search/discrete_walk.h"

#include <algorithm>

#include "base/hash.h"

namespace harrier::search {

using step::Firing;

namespace {

// The part of a variable in the hash of a state, which is the exclusive or of them all (Zobrist 1970).
uint64_t hash_of(uint32_t variable, int32_t value) {
  return mix64((uint64_t{variable} << 32 | static_cast<uint32_t>(value)) + 0x9e3779b97f4a7c15ULL);
}

std::vector<uint32_t> all_but_claim(const step::Network& network) {
  std::vector<uint32_t> out;
  for (uint32_t p = 0; p < network.process_count(); ++p) {
    if (!network.is_claim(p)) out.push_back(p);
  }
  return out;
}

}  // namespace

DiscreteWalk::DiscreteWalk(const step::Semantics& semantics, Budget& budget, bool hashed)
    : generator_(semantics, budget.watch()),
      network_(semantics.network()),
      record_(budget),
      processes_(all_but_claim(network_)),
      hashed_(hashed),
      seen_(hashed ? semantics.system().variables.size() : 0, 0) {}

bool DiscreteWalk::start(Rng& rng) {
  record_.clear();
  const bool possible = generator_.load_random_initial(rng);
  beginning_.assign(generator_.choices().begin(), generator_.choices().end());
  hash_anew();
  return possible;
}

void DiscreteWalk::list() {
  moves_.clear();
  generator_.firings([&](const Firing& firing) {
    moves_.add(firing);
    return true;
  });
}

void DiscreteWalk::begin_listing() {
  processes_.restart();
  something_ = false;
  whole_ = false;
  listed_all_ = false;
  committed_ = network_.committed(values());
}

bool DiscreteWalk::list_more(Rng& rng) {
  if (listed_all_) return false;
  if (network_.controlled(values())) {
    listed_all_ = true;
    list();
    return true;
  }
  if (generator_.semantics().has_priorities() && !whole_) share_out();
  moves_.clear();
  while (const std::optional<uint32_t> process = processes_.draw(rng)) {
    if (whole_) {
      if (list_from_all(*process)) return true;
      continue;
    }
    generator_.firings_of(*process, committed_, [&](const Firing& firing) {
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
  const model::ProcessId claim = generator_.semantics().system().claim;
  return whole_ && claim.valid() && list_from_all(claim.value);
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
  const Firing firing = moves_.firing(i);
  return generator_.make(firing.edges, firing.choices);
}

void DiscreteWalk::keep(size_t i) {
  if (hashed_) hash_ = hash();
  const Firing firing = moves_.firing(i);
  record_.append(firing.edges, 0, firing.choices);
  generator_.keep();
}

uint64_t DiscreteWalk::hash() {
  // A variable may be written more than once; the first entry has the value before the move.
  ++round_;
  uint64_t h = hash_;
  for (const step::JournalEntry& entry : generator_.journal()) {
    if (seen_[entry.variable] == round_) continue;
    seen_[entry.variable] = round_;
    h ^= hash_of(entry.variable, entry.old_value) ^ hash_of(entry.variable, values()[entry.variable]);
  }
  return h;
}

void DiscreteWalk::hash_anew() {
  hash_ = 0;
  for (uint32_t v = 0; v < seen_.size(); ++v) hash_ ^= hash_of(v, values()[v]);
}

void DiscreteWalk::return_to(uint64_t length) {
  record_.cut(length);
  generator_.load_initial(beginning_);
  record_.for_each(length, [&](const WalkRecord::Step& step) {
    generator_.make(step.edges, step.choices);
    generator_.keep();
  });
  hash_anew();
}

model::Path DiscreteWalk::path(size_t goal_clause) {
  model::Path path;
  path.goal_clause = goal_clause;
  if (generator_.semantics().system().beginning.valid()) path.beginning = beginning_;
  record_.for_each(record_.steps(), [&](const WalkRecord::Step& step) {
    path.steps.emplace_back().choices = step.choices;
    for (const uint32_t e : step.edges) path.steps.back().edges.push_back(model::EdgeId(e));
  });
  return path;
}

}  // namespace harrier::search
