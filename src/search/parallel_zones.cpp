#include "search/parallel_zones.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace harrier::search {

using store::Origin;
using store::StateStore;
using store::ZoneBlock;
using store::ZonePattern;

namespace {

// Until it is settled, a new zone has the number of its candidate in its unit.
constexpr uint64_t kUnsettled = uint64_t{1} << 63;
constexpr uint32_t kCandidateBits = 32;

}  // namespace

// There is no reduction for models with clocks.
ParallelZoneSpace::ParallelZoneSpace(const step::Semantics& semantics, Budget& budget, uint32_t threads, bool,
                                     std::shared_ptr<const model::Symmetry> symmetry)
    : semantics_(semantics),
      budget_(budget),
      threads_(threads),
      symmetry_(std::move(symmetry)),
      width_(semantics.layout().words()),
      has_goal_(!semantics.goal().empty()),
      discrete_goal_(std::all_of(
          semantics.goal().begin(), semantics.goal().end(),
          [](const step::CompiledClause& c) { return c.clocks.empty() && c.deadlock == model::DeadlockTest::Ignore; })),
      nodes_(budget, 1) {
  for (uint32_t i = 0; i < threads; ++i) shares_.emplace_back(budget, width_);
}

void ParallelZoneSpace::hire(uint32_t) {
  workers_.push_back(std::make_unique<Worker>(semantics_, budget_));
  if (symmetry_) workers_.back()->generator.arrange_by(symmetry_);
}

// By one of the zones that were stored before the block.
bool ParallelZoneSpace::is_subsumed(ZoneCandidate& candidate, const ZonePattern& pattern, const List& list) const {
  const auto subsumes = [&](const ZoneBlock& stored) { return pattern.subsumed_by(stored); };
  if (list.index != nullptr) return list.index->find_above(pattern, subsumes) != nullptr;
  uint64_t length = 0;
  for (const ZoneBlock* stored = list.newest; stored != nullptr; stored = stored->next) {
    if (subsumes(*stored)) return true;
    ++length;
  }
  candidate.long_list = length >= store::ZoneIndex::kLong;
  return false;
}

void ParallelZoneSpace::add_candidate(Unit& unit, Worker& worker, size_t parent, uint32_t label) const {
  step::ZoneGenerator& generator = worker.generator;
  ++unit.generated;
  ZonePattern& pattern = worker.pattern;
  const uint32_t dim = generator.dim();
  pattern.set_thresholds(generator.thresholds(), dim);
  const uint64_t* words = generator.words();
  ZoneCandidate candidate;
  candidate.hash = hash_words(words, width_);
  candidate.parent = static_cast<uint32_t>(parent);
  candidate.label = label;
  candidate.generated = static_cast<uint32_t>(unit.generated);
  candidate.dim = dim;
  const Share& share = shares_[share_of(candidate.hash)];
  candidate.discrete = share.states.number_of(words);
  const List list = candidate.discrete == StateStore::kUnknown ? List() : *share.lists[candidate.discrete];
  if (is_subsumed(candidate, pattern, list)) return;
  unit.words.insert(unit.words.end(), words, words + width_);
  generator.extrapolate();
  pattern.set_zone(generator.bounds_of_zone(), dim);
  candidate.includes_known = list.index != nullptr;
  for (const ZoneBlock* stored = list.newest; stored != nullptr && !candidate.includes_known; stored = stored->next) {
    candidate.includes_known = pattern.includes(*stored);
  }
  candidate.bounds = unit.bounds.size();
  pattern.append_to(unit.bounds);
  unit.candidates.push_back(candidate);
}

void ParallelZoneSpace::expand_initial(Unit& unit) {
  Worker& worker = *workers_[0];
  uint32_t part = 0;
  generate_for(worker, unit, [&] {
    worker.generator.initial([&] {
      add_candidate(unit, worker, 0, part++);
      return true;
    });
  });
  worker.violated_in.resize(worker.generator.violations().size(), 0);
}

void ParallelZoneSpace::expand(uint32_t who, Unit& unit, std::span<const uint64_t> block) {
  Worker& worker = *workers_[who];
  expand_each(worker, unit, block, budget_.watch(), [&](uint64_t number) {
    const Node& node = *nodes_[number];
    if (!node.listed) unit.unlisted.push_back(number);
    worker.generator.load(shares_[node.share].states[node.discrete],
                          [&](zone::Bound* to) { store::ZoneStore::read(*node.block, to); });
    worker.generator.successors([&](const step::Firing& firing) {
      const uint32_t label = worker.labels.of(firing.edges, firing.part);
      add_candidate(unit, worker, unit.failed, label_of_all(label, who, threads_));
      return true;
    });
  });
}

void ParallelZoneSpace::take_in(uint32_t share, uint32_t shares, std::span<Unit> units,
                                std::span<const uint64_t> block) {
  const uint64_t expanded = block.empty() ? 0 : block.back() + 1;
  for (const Unit& unit : units) {
    for (const uint64_t number : unit.unlisted) {
      Node& node = *nodes_[number];
      if (node.share % shares != share) continue;
      shares_[node.share].zones.remove(node.block);
      node.block = nullptr;
    }
  }
  for (uint32_t u = 0; u < units.size(); ++u) {
    budget_.poll();
    for (uint32_t c = 0; c < units[u].candidates.size(); ++c) {
      const uint32_t of = share_of(units[u].candidates[c].hash);
      if (of % shares != share) continue;
      take_in(*workers_[share], of, units, u, c, expanded);
      if (units[u].candidates[c].fresh()) ++units[u].fresh[share];
    }
  }
}

void ParallelZoneSpace::take_in(Worker& worker, uint32_t of, std::span<Unit> units, uint32_t unit, uint32_t c,
                                uint64_t expanded) {
  Share& share = shares_[of];
  ZoneCandidate& candidate = units[unit].candidates[c];
  ZonePattern& pattern = worker.pattern;
  const zone::Bound* bounds = units[unit].bounds.data() + candidate.bounds;
  bool fresh = false;
  if (candidate.discrete == StateStore::kUnknown) {
    const store::Admission admission = share.states.insert(units[unit].words.data() + size_t{c} * width_);
    candidate.discrete = admission.id;
    fresh = admission.fresh;
    if (fresh) *share.lists.append() = {};
  }
  List& list = *share.lists[candidate.discrete];
  const auto subsumes = [&](const ZoneBlock& stored) { return pattern.subsumed_by(stored); };
  // Those that the block has added come first, and the others do not subsume it.
  const auto is_unsettled = [](const ZoneBlock* block) { return block != nullptr && (block->node & kUnsettled) != 0; };
  if (list.index != nullptr || is_unsettled(list.newest)) pattern.read_thresholds(bounds, candidate.dim);
  if (list.index != nullptr && list.index->newest_above(pattern, subsumes) != nullptr) return;
  for (const ZoneBlock* block = list.newest; is_unsettled(block); block = block->next) {
    if (subsumes(*block)) return;
  }
  pattern.read_zone(bounds, candidate.dim);
  drop_included(share, units, pattern, list, candidate.includes_known, expanded);
  ZoneBlock* block = share.zones.add(pattern, candidate.dim);
  block->node = kUnsettled | uint64_t{unit} << kCandidateBits | c;
  if (list.index != nullptr) {
    list.index->add(block);
  } else {
    block->next = list.newest;
    list.newest = block;
    if (candidate.long_list) {
      list.index = &share.indices.emplace_back(budget_);
      list.index->take(list.newest);
      list.newest = nullptr;
    }
  }
  candidate.at = of;
  candidate.fresh_discrete = fresh;
  candidate.block = block;
}

// Takes the zones inside that of a pattern out of their list. `known`: there may be such from before the block.
void ParallelZoneSpace::drop_included(Share& share, std::span<Unit> units, const ZonePattern& pattern, List& list,
                                      bool known, uint64_t expanded) {
  if (list.index != nullptr) {
    list.index->take_out_below(pattern, [&](ZoneBlock* block) {
      if (!pattern.includes(*block)) return false;
      unlist(share, units, block, expanded);
      return true;
    });
    return;
  }
  for (ZoneBlock** link = &list.newest; *link != nullptr;) {
    ZoneBlock* block = *link;
    if ((block->node & kUnsettled) == 0 && !known) return;
    if (!pattern.includes(*block)) {
      link = &block->next;
      continue;
    }
    *link = block->next;
    unlist(share, units, block, expanded);
  }
}

// A zone goes that is in no list any more, unless it waits on the layer that is being expanded.
void ParallelZoneSpace::unlist(Share& share, std::span<Unit> units, ZoneBlock* block, uint64_t expanded) {
  if ((block->node & kUnsettled) != 0) {
    const uint64_t at = block->node & ~kUnsettled;
    units[at >> kCandidateBits].candidates[at & UINT32_MAX].block = nullptr;
  } else {
    Node& node = *nodes_[block->node];
    node.listed = false;
    if (block->node >= expanded && block->node < layer_end_) return;
    node.block = nullptr;
  }
  share.zones.remove(block);
}

void ParallelZoneSpace::settle(uint32_t who, Unit& unit, std::span<const uint64_t> block) {
  uint64_t number = unit.number;
  bool over = false;
  for (size_t c = 0; c < unit.candidates.size(); ++c) {
    const ZoneCandidate& candidate = unit.candidates[c];
    if (!candidate.fresh()) continue;
    const Origin origin(block.empty() ? Origin::kNoParent : block[candidate.parent], candidate.label);
    *nodes_[number] = {origin, candidate.block, candidate.discrete, candidate.at, candidate.block != nullptr};
    if (candidate.block != nullptr) candidate.block->node = number;
    if (has_goal_ && !over && (!discrete_goal_ || candidate.fresh_discrete)) {
      over = shows_something(*workers_[who], unit, c, number);
    }
    ++number;
  }
}

bool ParallelZoneSpace::shows_something(Worker& worker, Unit& unit, size_t c, uint64_t number) const {
  const ZoneCandidate& candidate = unit.candidates[c];
  step::ZoneGenerator& generator = worker.generator;
  generator.load(unit.words.data() + c * width_, [&](zone::Bound* to) {
    ZonePattern::read_zone(unit.bounds.data() + candidate.bounds, candidate.dim, to);
  });
  return look_for_goal(generator, unit, candidate, number, [&] { return generator.goal_of_source(); });
}

uint64_t ParallelZoneSpace::stored(uint64_t) const {
  uint64_t sum = 0;
  for (const Share& share : shares_) sum += share.zones.size();
  return sum;
}

model::Path ParallelZoneSpace::path_to(uint64_t number, size_t goal_clause) {
  std::vector<uint32_t> labels;
  for (; !nodes_[number]->origin.initial(); number = nodes_[number]->origin.parent()) {
    labels.push_back(nodes_[number]->origin.label());
  }
  std::reverse(labels.begin(), labels.end());
  // Through the abstract zones, exactly as the search did.
  return workers_[0]->generator.follow(
      nodes_[number]->origin.label(), labels.size(), goal_clause, [&](uint64_t k, std::vector<uint32_t>& edges) {
        uint32_t part = 0;
        workers_[labels[k] % threads_]->labels.for_each_step(labels[k] / threads_,
                                                             [&](std::span<const uint32_t> fired, uint32_t wanted) {
                                                               edges.assign(fired.begin(), fired.end());
                                                               part = wanted;
                                                             });
        return part;
      });
}

void ParallelZoneSpace::for_each_discrete(const std::function<bool(const int32_t*)>& visit) const {
  std::vector<int32_t> values(semantics_.system().variables.size());
  for (const Share& share : shares_) {
    for (uint64_t i = 0; i < share.states.size(); ++i) {
      semantics_.layout().unpack(share.states[i], values.data());
      if (!visit(values.data())) return;
    }
  }
}

}  // namespace harrier::search
