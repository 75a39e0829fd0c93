#include "search/guide.h"

#include <algorithm>

#include "base/hash.h"
#include "model/analysis.h"

namespace harrier::search {

namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr uint32_t kUnknown = UINT32_MAX - 1;
constexpr uint32_t kUnsafeInfinity = 1 << 19;  // behind all estimates, but still to be looked at

bool intersect(const auto& a, const auto& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& x) { return std::binary_search(b.begin(), b.end(), x); });
}

}  // namespace

Guide::Guide(const model::System& system, const std::vector<model::Clause>& goal,
             std::unique_ptr<heur::Heuristic> heuristic, const GuideOptions& options, Budget& budget)
    : system_(system),
      options_(options),
      heuristic_(std::move(heuristic)),
      arrival_(budget, 1),
      depth_(budget, 1),
      allowed_(budget, 1),
      known_(budget, 1),
      table_(options.cache_size, kUnknown) {
  if (options.contexts || options.bounding == Bounding::Interference) {
    contexts_ = std::make_unique<Contexts>(system, goal, options.context_clocks, budget.watch());
  }
  if (options.bounding != Bounding::None) switches_.emplace(system, options.bounding, contexts_.get());
  if (options.useless) {
    removed_.resize(system.edges.size());
    removed_known_.resize(system.edges.size(), false);
    model::Accesses accesses(system, budget.watch());
    for (const model::Edge& edge : system.edges) {
      budget.poll();
      const model::Access access = accesses.of(edge);
      EdgeUse use{{}, {}, access.writes, access.clocks_written};
      for (const model::ExprId condition : edge.guard) {
        const auto read = accesses.of(condition).reads;
        use.tests.insert(use.tests.end(), read.begin(), read.end());
      }
      for (const model::ClockConstraint& c : edge.clock_guard) {
        const auto read = accesses.of(c).clocks_read;
        use.clocks_tested.insert(use.clocks_tested.end(), read.begin(), read.end());
      }
      std::sort(use.tests.begin(), use.tests.end());
      std::sort(use.clocks_tested.begin(), use.clocks_tested.end());
      edge_use_.push_back(std::move(use));
    }
  }
}

void Guide::begin(uint64_t id, const heur::StateView& source) {
  source_ = id;
  source_view_ = source;
  if (contexts_ || switches_) {
    const uint32_t last = *arrival_[id];
    arrived_by_ = last == kNone ? std::nullopt : std::optional(last);
    restricted_to_ = *allowed_[id];
  }
  // The preferred transitions of the state; its estimate is known, the path is not.
  if (options_.preferred && heuristic_) heuristic_->evaluate(source);
}

uint32_t Guide::restriction_after(uint32_t transition) const {
  const bool restricts = contexts_->may_prune() && contexts_->innocent(transition);
  return restricts ? contexts_->closure(transition) : kNone;
}

bool Guide::prunes(std::span<const uint32_t> edges) const {
  return contexts_ && restricted_to_ != kNone && contexts_->closure(contexts_->find(edges)) != restricted_to_;
}

bool Guide::reconsider(uint64_t id, std::span<const uint32_t> edges) {
  if (!options_.contexts || *allowed_[id] == kNone || restriction_after(contexts_->find(edges)) == *allowed_[id])
    return false;
  *allowed_[id] = kNone;
  return true;
}

uint32_t Guide::cost(uint32_t cost_of_parent, uint32_t steps, std::span<const uint32_t> edges) {
  if (!switches_) return cost_of_parent + steps;
  return cost_of_parent + (arrived_by_ && switches_->between(*arrived_by_, switches_->context_of(edges)) ? 1 : 0);
}

uint32_t Guide::context(std::span<const uint32_t> edges) {
  // 0 is for the initial state, which is in none.
  return switches_ && !edges.empty() ? switches_->context_of(edges) + 1 : 0;
}

uint32_t Guide::estimate(uint64_t key, const heur::StateView& state) {
  uint32_t* known;
  if (!table_.empty()) {
    known = &table_[mix64(key) % table_.size()];
  } else {
    while (known_.size() <= key) *known_.append() = kUnknown;
    known = known_[key];
  }
  if (*known == kUnknown) {
    *known = heuristic_->evaluate(state);
    ++evaluated_;
  }
  return *known;
}

const std::vector<uint32_t>& Guide::removed_with(uint32_t edge) {
  std::vector<uint32_t>& out = removed_[edge];
  if (removed_known_[edge]) return out;
  removed_known_[edge] = true;
  const model::Edge& own = system_.edges[edge];
  const EdgeUse& use = edge_use_[edge];
  std::vector<model::VarId> written;
  for (const model::VarId v : use.writes) {
    if (system_.variable(v).kind == model::VarKind::Data) written.push_back(v);
  }
  for (uint32_t e = 0; e < system_.edges.size(); ++e) {
    const model::Edge& other = system_.edges[e];
    const bool same_target = other.process == own.process && other.target == own.target;
    if (e == edge || same_target || intersect(written, edge_use_[e].tests) ||
        intersect(use.clocks_written, edge_use_[e].clocks_tested)) {
      out.push_back(e);
    }
  }
  return out;
}

bool Guide::is_useless(std::span<const uint32_t> edges, uint32_t estimate) {
  removal_.clear();
  for (const uint32_t e : edges) {
    const auto& removed = removed_with(e);
    removal_.insert(removal_.end(), removed.begin(), removed.end());
  }
  return heuristic_->evaluate_without(source_view_, removal_, estimate) <= estimate;
}

Assessment Guide::assess(uint64_t id, uint64_t discrete, uint32_t cost, const heur::StateView& state,
                         std::span<const uint32_t> edges) {
  Assessment result;
  result.preferred = options_.preferred && heuristic_ && !edges.empty() && heuristic_->prefers(edges);
  std::optional<uint32_t> arrival;
  if (contexts_ || switches_) {
    if (!edges.empty()) arrival = switches_ ? switches_->context_of(edges) : contexts_->find(edges);
    while (arrival_.size() <= id) {
      *arrival_.append() = kNone;
      *allowed_.append() = kNone;
    }
    *arrival_[id] = arrival.value_or(kNone);
    *allowed_[id] = arrival && options_.contexts ? restriction_after(*arrival) : kNone;
  }
  uint32_t distance = 0;
  if (options_.contexts && arrival && arrived_by_ && contexts_->innocent(*arrived_by_)) {
    // The queues of 000 table 4.5: the first one holds C_0 and C_1, the next one C_2 without them, and so on.
    distance = std::max<uint32_t>(contexts_->distance(*arrived_by_, *arrival), 1) - 1;
  }
  if (heuristic_) {
    result.estimate = estimate(options_.clocks ? id : discrete, state);
  } else if (options_.breadth_first) {
    while (depth_.size() <= id) *depth_.append() = 0;
    result.estimate = *depth_[id] = edges.empty() ? 0 : *depth_[source_] + 1;
  }
  if (result.estimate == heur::kDeadEnd && !options_.safe) result.estimate = kUnsafeInfinity;
  if (result.estimate == heur::kDeadEnd) {
    ++dead_ends_;
    result.dead_end = true;
    return result;
  }
  const bool useless = options_.useless && heuristic_ && !edges.empty() && is_useless(edges, result.estimate);
  if (options_.bounding != Bounding::None) {
    result.rank = cost;  // all states with fewer context switches come first
    return result;
  }
  // Distances are at most kUnrelated, so that this keeps the queues of useless transitions behind all others.
  result.rank = options_.contexts ? distance + (useless ? Contexts::kUnrelated + 1u : 0u) : (useless ? 1u : 0u);
  return result;
}

}  // namespace harrier::search
