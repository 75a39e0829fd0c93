#include "search/contexts.h"

#include <algorithm>

#include "model/interpreter.h"
#include "model/value_sets.h"

namespace harrier::search {

namespace {

uint64_t key_of(uint32_t first, uint32_t second) { return (uint64_t{first} << 32) | second; }
constexpr uint32_t kAlone = UINT32_MAX;

// Whether the effect of a transition can make a condition true. Exact for constant assignments to the only variable of
// the condition; otherwise "yes" as soon as a variable of it is written.
bool can_satisfy(const model::System& system, const model::Transition& transition, model::ExprId condition,
                 model::Accesses& accesses, model::Interpreter& interpreter) {
  const std::vector<model::VarId> read = accesses.of(condition).reads;
  const model::Access access = accesses.of(transition);
  const auto is_read = [&](model::VarId v) { return std::binary_search(read.begin(), read.end(), v); };
  if (std::none_of(access.writes.begin(), access.writes.end(), is_read)) return false;
  if (read.size() != 1 || !transition.optional.empty()) return true;
  for (const model::EdgeId id : transition.edges) {
    const model::Edge& edge = system.edge(id);
    if (system.process(edge.process).location != read[0]) continue;
    std::vector<int32_t> values = system.initial_values();
    values[read[0].value] = static_cast<int32_t>(edge.target);
    try {
      return interpreter.value(condition, values) != 0;
    } catch (const model::EvalFailure&) {
      return true;
    }
  }
  return true;
}

}  // namespace

TransitionIndex::TransitionIndex(std::span<const model::Transition> transitions) {
  for (uint32_t t = 0; t < transitions.size(); ++t) {
    const auto& edges = transitions[t].edges;
    by_edges_.emplace(key_of(edges[0].value, edges.size() == 2 ? edges[1].value : kAlone), t);
  }
}

uint32_t TransitionIndex::find(std::span<const uint32_t> edges) const {
  if (edges.size() == 2) {
    if (const auto pair = by_edges_.find(key_of(edges[0], edges[1])); pair != by_edges_.end()) return pair->second;
  }
  return by_edges_.at(key_of(edges[0], kAlone));
}

Contexts::Contexts(const model::System& system, const std::vector<model::Clause>& goal, bool clocks, const Watch& watch)
    : watch_(watch), transitions_(model::flat_transitions(system, watch)), index_(transitions_) {
  const auto variables = static_cast<uint32_t>(system.variables.size());
  readers_.resize(variables + system.clocks.size());
  writers_.resize(readers_.size());
  model::Accesses accesses(system, watch);
  model::Interpreter interpreter(system);
  for (uint32_t t = 0; t < transitions_.size(); ++t) {
    watch_.poll();
    const model::Access access = accesses.of(transitions_[t]);
    Use use;
    for (const model::VarId v : access.reads) use.reads.push_back(v.value);
    if (clocks) {
      for (const model::ClockId c : access.clocks_read) use.reads.push_back(variables + c.value);
      for (const model::ClockId c : access.clocks_written) use.writes.push_back(variables + c.value);
    }
    for (const model::VarId v : access.writes) use.writes.push_back(v.value);
    for (const model::ProcessId p : model::participants(system, transitions_[t])) {
      // A process variable counts as written even by a loop (Wehrle 2011, ex. 4.2).
      use.writes.push_back(system.process(p).location.value);
    }
    std::sort(use.writes.begin(), use.writes.end());
    use.writes.erase(std::unique(use.writes.begin(), use.writes.end()), use.writes.end());
    for (const uint32_t v : use.reads) readers_[v].push_back(t);
    for (const uint32_t v : use.writes) writers_[v].push_back(t);
    uses_.push_back(std::move(use));

    bool innocent = true;
    for (const model::Clause& clause : goal) {
      innocent = innocent && clause.deadlock == model::DeadlockTest::Ignore && clause.clocks.empty();
      for (const model::ExprId c : clause.conditions) {
        innocent = innocent && !can_satisfy(system, transitions_[t], c, accesses, interpreter);
      }
    }
    innocent_.push_back(innocent);
  }
  distances_.resize(transitions_.size());
  find_closures();
  const bool committed = std::any_of(system.processes.begin(), system.processes.end(), [](const model::Process& p) {
    return std::any_of(p.locations.begin(), p.locations.end(), [](const model::Location& l) {
      return l.kind == model::LocationKind::Committed || !l.invariant.empty();
    });
  });
  const bool broadcast =
      std::any_of(system.channels.begin(), system.channels.end(), [](const auto& c) { return c.broadcast; });
  may_prune_ = system.clocks.size() == 1 && !committed && !broadcast && !system.is_preemptive();
}

void Contexts::find_closures() {
  // Connected components: flood from every transition that has none yet.
  closure_.assign(transitions_.size(), UINT32_MAX);
  uint32_t count = 0;
  for (uint32_t start = 0; start < transitions_.size(); ++start) {
    if (closure_[start] != UINT32_MAX) continue;
    const std::vector<uint8_t>& reached = distances_from(start);
    for (uint32_t t = 0; t < transitions_.size(); ++t) {
      if (reached[t] != kUnrelated) closure_[t] = count;
    }
    ++count;
  }
}

const std::vector<uint8_t>& Contexts::distances_from(uint32_t transition) {
  std::vector<uint8_t>& distance = distances_[transition];
  if (!distance.empty()) return distance;
  distance.assign(transitions_.size(), kUnrelated);
  distance[transition] = 0;
  // Breadth-first through variables: from one that is written to everyone who uses it, from one that is read to its
  // writers.
  std::vector<uint8_t> seen(readers_.size(), 0);  // 1: its writers were visited; 2: its readers too
  std::vector<uint32_t> layer{transition};
  for (uint8_t n = 1; !layer.empty() && n < kUnrelated; ++n) {
    std::vector<uint32_t> next;
    const auto visit = [&](const std::vector<uint32_t>& list) {
      for (const uint32_t t : list) {
        if (distance[t] != kUnrelated) continue;
        distance[t] = n;
        next.push_back(t);
      }
    };
    for (const uint32_t t : layer) {
      watch_.poll();
      for (const uint32_t v : uses_[t].reads) {
        if (seen[v] >= 1) continue;
        seen[v] = 1;
        visit(writers_[v]);
      }
      for (const uint32_t v : uses_[t].writes) {
        if (seen[v] == 2) continue;
        if (seen[v] == 0) visit(writers_[v]);
        seen[v] = 2;
        visit(readers_[v]);
      }
    }
    layer = std::move(next);
  }
  return distance;
}

uint8_t Contexts::distance(uint32_t first, uint32_t second) { return distances_from(first)[second]; }

}  // namespace harrier::search
