#include "heur/causal_graph.h"

#include <algorithm>

namespace harrier::heur {

namespace {

constexpr uint32_t kInfinity = UINT32_MAX;
constexpr uint32_t kMostSteps = 1 << 18;
constexpr uint32_t kNoRow = UINT32_MAX;
constexpr uint32_t kNoEdge = UINT32_MAX;
constexpr size_t kMostKept = 1 << 18;       // entries of all rows of one variable that are kept for good,
constexpr size_t kMostKeptInAll = 1 << 23;  // and of all variables

}  // namespace

CausalGraphHeuristic::CausalGraphHeuristic(const std::shared_ptr<const task::VariableDomains>& domains,
                                           const Watch& watch)
    : CausalGraphHeuristic(domains, task::CausalGraph(*domains, watch), watch) {}

CausalGraphHeuristic::CausalGraphHeuristic(std::shared_ptr<const task::VariableDomains> domains,
                                           const task::CausalGraph& graph, const Watch& watch)
    : domains_(std::move(domains)),
      watch_(watch),
      graphs_(*domains_, &graph, watch),
      largest_(graphs_.unit_costs() ? kMostSteps : model::kMostCost),
      order_(graph.order()),
      state_(domains_->size()),
      banned_(domains_->labels().size(), 0),
      changed_(domains_->size(), 0),
      preferred_(*domains_),
      seen_edges_(graphs_.edge_count(), 0) {
  make_room_for_rows();
}

void CausalGraphHeuristic::make_room_for_rows() {
  variables_.resize(domains_->size());
  uint32_t rows = 0;
  size_t kept = 0;
  for (const uint32_t number : order_) {
    watch_.poll();
    Variable& v = variables_[number];
    v.size = domains_->variable(number).size;
    for (const uint32_t p : graphs_.context(number)) {
      v.ancestors.push_back(p);
      const auto& further = variables_[p].ancestors;
      v.ancestors.insert(v.ancestors.end(), further.begin(), further.end());
    }
    std::sort(v.ancestors.begin(), v.ancestors.end());
    v.ancestors.erase(std::unique(v.ancestors.begin(), v.ancestors.end()), v.ancestors.end());

    size_t entries = size_t{v.size} * v.size;
    for (const uint32_t a : v.ancestors) entries = std::min(entries * domains_->variable(a).size, 2 * kMostKept);
    v.kept = entries <= kMostKept && kept + entries <= kMostKeptInAll;
    if (v.kept) {
      kept += entries;
      v.rows.assign(entries / v.size, kNoRow);
    }
    v.contexts.resize(size_t{v.size} * graphs_.context(number).size());
    v.entries.resize(v.size);
    v.settled.resize(v.size);
    v.first_row = rows;
    rows += v.size;
  }
  row_of_value_.resize(rows);
}

const CausalGraphHeuristic::Entry* CausalGraphHeuristic::row(uint32_t number, Value from) {
  Variable& v = variables_[number];
  if (v.kept && !(bans_ && changed_[number] == stamp_)) {
    size_t index = from;
    for (const uint32_t a : v.ancestors) index = index * variables_[a].size + state_[a];
    if (v.rows[index] == kNoRow) {
      compute(number, from);
      v.rows[index] = static_cast<uint32_t>(kept_.size());
      kept_.insert(kept_.end(), v.entries.begin(), v.entries.end());
    }
    return kept_.data() + v.rows[index];
  }
  RowOfValue& known = row_of_value_[v.first_row + from];
  if (known.stamp != stamp_) {
    compute(number, from);
    known = {stamp_, static_cast<uint32_t>(rows_.size())};
    rows_.insert(rows_.end(), v.entries.begin(), v.entries.end());
  }
  return rows_.data() + known.row;
}

CausalGraphHeuristic::Value CausalGraphHeuristic::cheapest(const Entry* row, uint32_t set) const {
  const std::vector<Value>& values = domains_->set(set).values;
  return *std::min_element(values.begin(), values.end(), [&](Value a, Value b) { return row[a].cost < row[b].cost; });
}

// Wehrle 2011, fig. 5.4.
void CausalGraphHeuristic::compute(uint32_t number, Value from) {
  Variable& v = variables_[number];
  const std::vector<uint32_t>& predecessors = graphs_.context(number);
  const size_t width = predecessors.size();
  std::fill(v.entries.begin(), v.entries.end(), Entry{kInfinity, kNoEdge});
  std::fill(v.settled.begin(), v.settled.end(), uint8_t{0});
  v.entries[from].cost = 0;
  for (size_t i = 0; i < width; ++i) v.contexts[from * width + i] = state_[predecessors[i]];
  const auto later = [](const Waiting& a, const Waiting& b) {
    return a.cost != b.cost ? a.cost > b.cost : a.value > b.value;
  };
  v.queue.clear();
  v.queue.push_back({0, from});
  while (!v.queue.empty()) {
    const Value source = v.queue.front().value;
    std::pop_heap(v.queue.begin(), v.queue.end(), later);
    v.queue.pop_back();
    if (v.settled[source]) continue;
    v.settled[source] = 1;
    const uint32_t source_cost = v.entries[source].cost;
    const Value* const context = v.contexts.data() + source * width;
    for (const Edge& edge : graphs_.edges_from(number, source)) {
      watch_.poll();
      if (bans_ && banned_[edge.label] == stamp_) continue;
      const bool any = edge.to == task::kAnyValue;
      const uint32_t bound = any ? kInfinity : v.settled[edge.to] ? 0 : v.entries[edge.to].cost;
      uint32_t cost = std::min(source_cost + edge.cost, largest_);
      for (const Need& need : graphs_.needs(edge)) {
        if (cost >= bound) break;
        const Value m = context[need.position];
        if (domains_->contains(need.set, m)) continue;
        const Entry* const setup = row(need.variable, m);
        const uint32_t setup_cost = setup[cheapest(setup, need.set)].cost;
        cost = setup_cost == kInfinity ? kInfinity : std::min(cost + setup_cost, largest_);
      }
      if (cost >= bound) continue;
      const auto reach = [&](Value target) {
        if (v.settled[target] || v.entries[target].cost <= cost) return;
        v.entries[target] = {cost, source == from ? graphs_.number(edge) : v.entries[source].first};
        Value* const reached = v.contexts.data() + target * width;
        std::copy_n(context, width, reached);
        for (const Need& need : graphs_.needs(edge)) {
          const Value m = context[need.position];
          const Value chosen = domains_->contains(need.set, m) ? m : cheapest(row(need.variable, m), need.set);
          const Value after = domains_->mapped(need.map, chosen);
          reached[need.position] = after == task::kAnyValue ? chosen : after;
        }
        v.queue.push_back({cost, target});
        std::push_heap(v.queue.begin(), v.queue.end(), later);
      };
      if (any) {
        for (uint32_t target = 0; target < v.size; ++target) reach(static_cast<Value>(target));
      } else {
        reach(edge.to);
      }
    }
  }
}

uint32_t CausalGraphHeuristic::estimate(const int32_t* values) {
  domains_->read(values, state_.data());
  rows_.clear();
  return row(domains_->goal(), 0)[1].cost;
}

uint32_t CausalGraphHeuristic::evaluate(const StateView& state) {
  ++stamp_;
  const uint32_t cost = estimate(state.values);
  preferred_.clear();
  if (cost != kInfinity) mark_preferred(domains_->goal(), 0, 1);
  return cost;
}

uint32_t CausalGraphHeuristic::evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t) {
  ++stamp_;
  for (const uint32_t e : edges) {
    for (const uint32_t label : domains_->labels_of(e)) {
      if (banned_[label] == stamp_) continue;
      banned_[label] = stamp_;
      for (const task::VariableDomains::Part& part : domains_->parts(domains_->labels()[label])) {
        if (part.affects) changed_[part.variable] = stamp_;
      }
    }
  }
  for (const uint32_t v : order_) {
    const auto& predecessors = graphs_.context(v);
    if (std::any_of(predecessors.begin(), predecessors.end(), [&](uint32_t p) { return changed_[p] == stamp_; })) {
      changed_[v] = stamp_;
    }
  }
  bans_ = true;
  const uint32_t cost = estimate(state.values);
  bans_ = false;
  return cost;
}

// Follows the first edge of a cheapest path; if it cannot be taken at once, what it needs comes first.
void CausalGraphHeuristic::mark_preferred(uint32_t number, Value from, Value to) {
  if (from == to) return;
  const uint32_t first = row(number, from)[to].first;
  if (seen_edges_[first] == stamp_) return;
  seen_edges_[first] = stamp_;
  const Edge& edge = graphs_.edge(first);
  bool ready = true;
  for (const Need& need : graphs_.needs(edge)) {
    const Value m = state_[need.variable];
    if (domains_->contains(need.set, m)) continue;
    ready = false;
    mark_preferred(need.variable, m, cheapest(row(need.variable, m), need.set));
  }
  if (ready && domains_->makes_steps(number)) preferred_.mark(edge.label);
}

}  // namespace harrier::heur
