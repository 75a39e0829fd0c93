#include "search/zone_space.h"

#include <algorithm>
#include <vector>

namespace harrier::search {

using store::Admission;
using store::Origin;
using store::ZoneBlock;

ZoneSpace::ZoneSpace(const step::Semantics& semantics, Budget& budget, bool track_cost,
                     std::shared_ptr<const model::Symmetry> symmetry)
    : generator_(semantics, budget.watch()),
      store_(budget, semantics.layout().words()),
      labels_(budget),
      lists_(budget, 1),
      budget_(budget),
      zones_(budget),
      nodes_(budget, 1),
      track_cost_(track_cost),
      discrete_goal_(std::all_of(semantics.goal().begin(), semantics.goal().end(), [](const step::CompiledClause& c) {
        return c.clocks.empty() && c.deadlock == model::DeadlockTest::Ignore;
      })) {
  if (symmetry) generator_.arrange_by(std::move(symmetry));
}

Admission ZoneSpace::admit(uint64_t parent, uint32_t cost, uint32_t context) {
  const uint32_t dim = generator_.dim();
  pattern_.set_thresholds(generator_.thresholds(), dim);
  const auto [discrete, fresh] = store_.insert(generator_.words());
  if (fresh) *lists_.append() = {};
  known_discrete_ = !fresh;
  candidate_discrete_ = discrete;
  List& list = *lists_[discrete];
  const auto subsumes = [&](const ZoneBlock& block) {
    return pattern_.subsumed_by(block) && (!track_cost_ || nodes_[block.node]->as_cheap_as(cost, context));
  };
  uint64_t length = 0;
  if (list.index == nullptr) {
    for (const ZoneBlock* block = list.newest; block != nullptr; block = block->next) {
      if (subsumes(*block)) return {block->node, false};
      ++length;
    }
  } else if (const ZoneBlock* larger = list.index->newest_above(pattern_, subsumes)) {
    return {larger->node, false};
  }
  // The costly step can wait until here: it does not change what subsumes the zone.
  generator_.extrapolate();
  pattern_.set_zone(generator_.bounds_of_zone(), dim);
  const Origin origin = edges_.empty() ? Origin(Origin::kNoParent, part_) : Origin(parent, labels_.of(edges_, part_));
  Node added{origin, discrete, nullptr, cost, context & 0x3fffffff, 0, 1};
  drop_zones_inside(added, list);
  const uint64_t id = nodes_.size();
  ZoneBlock* block = zones_.add(pattern_, dim);
  added.block = block;
  *nodes_.append() = added;
  block->node = id;
  enlist(block, list, length);
  return {id, true};
}

// Takes stored zones that are inside the new one out of their list. They go, unless they wait on an earlier layer.
void ZoneSpace::drop_zones_inside(const Node& added, List& list) {
  const auto inside = [&](const ZoneBlock* block) {
    if (!pattern_.includes(*block)) return false;
    const Node& node = *nodes_[block->node];
    return !track_cost_ || added.as_cheap_as(node.cost, node.context);
  };
  if (list.index != nullptr) {
    list.index->take_out_below(pattern_, [&](ZoneBlock* block) {
      if (!inside(block)) return false;
      unlist(block);
      return true;
    });
    return;
  }
  for (ZoneBlock** link = &list.newest; *link != nullptr;) {
    ZoneBlock* const block = *link;
    if (!inside(block)) {
      link = &block->next;
      continue;
    }
    *link = block->next;
    unlist(block);
  }
}

void ZoneSpace::unlist(ZoneBlock* block) {
  Node& node = *nodes_[block->node];
  node.listed = 0;
  if (node.released || block->node >= keep_below_) {
    node.block = nullptr;
    zones_.remove(block);
  }
}

// `length`: that the list had when it was gone through.
void ZoneSpace::enlist(ZoneBlock* block, List& list, uint64_t length) {
  if (list.index != nullptr) {
    list.index->add(block);
    return;
  }
  block->next = list.newest;
  list.newest = block;
  if (length < store::ZoneIndex::kLong) return;
  list.index = &indices_.emplace_back(budget_);
  list.index->take(list.newest);
  list.newest = nullptr;
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
  if (!discrete_goal_) return generator_.goal();
  // The zone does not matter: one answer for all states with the same variables.
  if (known_discrete_) {
    const auto known = goal_states_.find(candidate_discrete_);
    return known == goal_states_.end() ? std::nullopt : std::optional(known->second);
  }
  const auto clause = generator_.goal();
  if (clause) goal_states_.emplace(candidate_discrete_, *clause);
  return clause;
}

model::Path ZoneSpace::path_to(uint64_t id, size_t goal_clause) {
  std::vector<uint32_t> labels;
  for (; !nodes_[id]->origin.initial(); id = nodes_[id]->origin.parent()) labels.push_back(nodes_[id]->origin.label());
  std::reverse(labels.begin(), labels.end());
  // Through the abstract zones, exactly as the search did.
  return generator_.follow(nodes_[id]->origin.label(), labels.size(), goal_clause,
                           [&](uint64_t k, std::vector<uint32_t>& edges) {
                             uint32_t part = 0;
                             labels_.for_each_step(labels[k], [&](std::span<const uint32_t> fired, uint32_t wanted) {
                               edges.assign(fired.begin(), fired.end());
                               part = wanted;
                             });
                             return part;
                           });
}

}  // namespace harrier::search
