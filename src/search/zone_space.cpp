#include "search/zone_space.h"

#include <algorithm>

namespace harrier::search {

ZoneSpace::ZoneSpace(const model::System& system, const model::Property& property, Budget& budget, bool track_cost,
                     std::span<const ClockBounds::Entry> watched)
    : ZoneGraph(system, property, budget.watch(), false, watched),
      layout_(system),
      store_(budget, layout_.words()),
      lists_(budget, 1),
      zones_(budget),
      nodes_(budget, 1),
      track_cost_(track_cost),
      source_words_(layout_.words()),
      words_(layout_.words()),
      discrete_goal_(std::all_of(goal_.begin(), goal_.end(), [](const CompiledClause& c) {
        return c.clocks.empty() && c.deadlock == model::DeadlockTest::Ignore;
      })) {
  read_zone_.resize(system.clocks.size() * system.clocks.size());
  read_.local.assign(system.clocks.size(), 0);
}

bool ZoneSpace::load(uint64_t id) {
  const Node& node = *nodes_[id];
  if (node.block == nullptr) return false;
  std::copy_n(store_[node.discrete], source_words_.size(), source_words_.data());
  layout_.unpack(source_words_.data(), values_.data());
  find_active(values_.data(), source_);
  ZoneStore::read(*node.block, source_zone_.data());
  return true;
}

ZoneView ZoneSpace::read_zone(uint64_t id, const int32_t* values) {
  find_active(values, read_);
  ZoneStore::read(*nodes_[id]->block, read_zone_.data());
  return {read_zone_.data(), read_.local.data(), read_.dim()};
}

Admission ZoneSpace::admit(uint64_t parent, uint32_t ordinal, uint32_t cost, uint32_t context) {
  if (incremental_) {
    words_ = source_words_;
    for (const JournalEntry& entry : machine_.journal()) {
      layout_.set(words_.data(), entry.variable, values_[entry.variable]);
    }
  } else {
    layout_.pack(values_.data(), words_.data());
  }
  const uint32_t dim = target_.dim();
  Bound* zone = target_zone_.data();
  const bool use_alu = bounds_.diagonals().empty();
  if (use_alu) {
    thresholds_.resize(size_t{dim} * dim);
    dbm::alu_thresholds(zone, dim, target_.lower.data(), target_.upper.data(), thresholds_.data());
  }
  pattern_.set_thresholds(use_alu ? thresholds_.data() : zone, dim);
  const auto [discrete, fresh] = store_.insert(words_.data());
  if (fresh) *lists_.append() = nullptr;
  known_discrete_ = !fresh;
  candidate_discrete_ = discrete;
  ZoneBlock** const head = lists_[discrete];
  for (const ZoneBlock* block = *head; block != nullptr; block = block->next) {
    if (pattern_.subsumed_by(*block) && (!track_cost_ || nodes_[block->node]->as_cheap_as(cost, context))) {
      return {block->node, false};
    }
  }
  // a_LU of a zone and of its extrapolation are the same, so the costly step can wait until here.
  if (use_alu) dbm::extrapolate_lu_plus(zone, dim, target_.lower.data(), target_.upper.data());
  pattern_.set_zone(zone, dim);
  Node added{Origin(parent, ordinal), discrete, nullptr, cost, context & 0x3fffffff, 0, 1};
  // The new zone stays. Stored ones inside it go, unless they are waiting on an earlier layer.
  for (ZoneBlock** link = head; *link != nullptr;) {
    ZoneBlock* block = *link;
    Node& node = *nodes_[block->node];
    if (!pattern_.includes(*block) || (track_cost_ && !added.as_cheap_as(node.cost, node.context))) {
      link = &block->next;
      continue;
    }
    *link = block->next;
    node.listed = 0;
    if (node.released || block->node >= keep_below_) {
      node.block = nullptr;
      zones_.remove(block);
    }
  }
  const uint64_t id = nodes_.size();
  ZoneBlock* block = zones_.add(pattern_, dim);
  added.block = block;
  *nodes_.append() = added;
  block->node = id;
  block->next = *head;
  *head = block;
  return {id, true};
}

void ZoneSpace::release(uint64_t id) {
  Node& node = *nodes_[id];
  node.released = 1;
  if (!node.listed && node.block != nullptr) {
    zones_.remove(node.block);
    node.block = nullptr;
  }
}

std::optional<size_t> ZoneSpace::goal() {
  if (!discrete_goal_) return goal_in(target_zone_.data(), target_, values_.data(), nullptr);
  // The zone does not matter: one answer for all states with the same variables.
  if (known_discrete_) {
    const auto known = goal_states_.find(candidate_discrete_);
    return known == goal_states_.end() ? std::nullopt : std::optional(known->second);
  }
  const auto clause = goal_in(target_zone_.data(), target_, values_.data(), nullptr);
  if (clause) goal_states_.emplace(candidate_discrete_, *clause);
  return clause;
}

std::vector<Zone> ZoneSpace::goal_parts() {
  std::vector<Zone> out;
  const Zone whole(target_.dim(), target_zone_.data());
  for (const CompiledClause& clause : goal_) {
    if (!conditions_hold(probe_, clause, values_.data())) continue;
    for (Piece& part : parts_of(clause, whole, whole, target_, values_.data())) out.push_back(std::move(part.zone));
  }
  return out;
}

model::Path ZoneSpace::path_to(uint64_t id, size_t goal_clause) {
  std::vector<uint32_t> ordinals;
  uint64_t at = id;
  for (; !nodes_[at]->origin.initial(); at = nodes_[at]->origin.parent()) {
    ordinals.push_back(nodes_[at]->origin.ordinal());
  }
  const uint32_t first = nodes_[at]->origin.ordinal();
  // Through the abstract zones, exactly as the search did.
  return follow(first, ordinals.size(), goal_clause, [&](uint64_t k, uint32_t number, const Firing&) {
    return number == ordinals[ordinals.size() - 1 - k];
  });
}

}  // namespace harrier::search
