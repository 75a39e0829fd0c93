#include "heur/causal_graph.h"

#include <algorithm>
#include <unordered_map>

namespace harrier::heur {

namespace {

constexpr uint32_t kInfinity = UINT32_MAX;
constexpr uint32_t kLargestCost = 1 << 18;  // larger ones are not told apart
constexpr uint32_t kNoRow = UINT32_MAX;
constexpr uint32_t kNoEdge = UINT32_MAX;
constexpr size_t kMostKept = 1 << 18;       // entries of all rows of one variable that are kept for good,
constexpr size_t kMostKeptInAll = 1 << 23;  // and of all variables

struct Arc {
  uint32_t from = 0;
  uint32_t to = 0;
  uint32_t weight = 0;  // number of transitions
};

std::vector<Arc> causal_arcs(const VariableDomains& domains, const Watch& watch) {
  struct Count {
    uint32_t last = kNoRow;  // transition; the labels of one transition follow each other
    uint32_t transitions = 0;
  };
  std::unordered_map<uint64_t, Count> counts;
  for (const VariableDomains::Label& label : domains.labels()) {
    watch.poll();
    for (const VariableDomains::Part& to : domains.parts(label)) {
      if (!to.affects) continue;
      for (const VariableDomains::Part& from : domains.parts(label)) {
        if (from.variable == to.variable) continue;
        Count& count = counts[(uint64_t{from.variable} << 32) | to.variable];
        if (count.transitions != 0 && count.last == label.transition) continue;
        count.last = label.transition;
        ++count.transitions;
      }
    }
  }
  std::vector<Arc> out;
  for (const auto& [key, count] : counts) {
    out.push_back({static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key), count.transitions});
  }
  std::sort(out.begin(), out.end(),
            [](const Arc& a, const Arc& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  return out;
}

// The strongly connected components (Tarjan 1972), each after those that it can be reached from.
class Components {
 public:
  explicit Components(std::vector<std::vector<uint32_t>> successors)
      : successors_(std::move(successors)),
        number_(successors_.size(), 0),
        low_(successors_.size(), 0),
        open_(successors_.size(), false) {
    for (uint32_t v = 0; v < successors_.size(); ++v) {
      if (number_[v] == 0) visit(v);
    }
    std::reverse(found.begin(), found.end());
  }
  std::vector<std::vector<uint32_t>> found;

 private:
  void visit(uint32_t root) {
    struct Frame {
      uint32_t vertex = 0;
      size_t next = 0;
    };
    std::vector<Frame> frames{{root}};
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const uint32_t v = frame.vertex;
      if (frame.next == 0) {
        number_[v] = low_[v] = ++count_;
        stack_.push_back(v);
        open_[v] = true;
      }
      if (frame.next < successors_[v].size()) {
        const uint32_t w = successors_[v][frame.next++];
        if (number_[w] == 0) {
          frames.push_back({w});
        } else if (open_[w]) {
          low_[v] = std::min(low_[v], number_[w]);
        }
        continue;
      }
      if (low_[v] == number_[v]) {
        std::vector<uint32_t> component;
        do {
          component.push_back(stack_.back());
          open_[stack_.back()] = false;
          stack_.pop_back();
        } while (component.back() != v);
        std::sort(component.begin(), component.end());
        found.push_back(std::move(component));
      }
      frames.pop_back();
      if (!frames.empty()) low_[frames.back().vertex] = std::min(low_[frames.back().vertex], low_[v]);
    }
  }

  std::vector<std::vector<uint32_t>> successors_;
  std::vector<uint32_t> number_;
  std::vector<uint32_t> low_;
  std::vector<bool> open_;
  std::vector<uint32_t> stack_;
  uint32_t count_ = 0;
};

}  // namespace

CausalGraph::CausalGraph(const VariableDomains& domains, const Watch& watch)
    : predecessors_(domains.size()), all_predecessors_(domains.size()) {
  const std::vector<Arc> arcs = causal_arcs(domains, watch);
  // Integers, processes, goal: arcs back are ignored (000 §5.5.1).
  const auto group = [&](uint32_t v) { return v == domains.goal() ? 2 : domains.variable(v).is_process ? 1 : 0; };
  std::vector<std::vector<uint32_t>> successors(domains.size());
  std::vector<std::vector<Arc>> from(domains.size());
  for (const Arc& arc : arcs) {
    if (group(arc.from) > group(arc.to)) continue;
    successors[arc.from].push_back(arc.to);
    from[arc.from].push_back(arc);
  }
  const std::vector<std::vector<uint32_t>> components = Components(std::move(successors)).found;
  std::vector<uint32_t> rank(domains.size(), 0);
  std::vector<uint64_t> incoming(domains.size(), 0);
  std::vector<bool> inside(domains.size(), false);
  for (int g = 0; g <= 2; ++g) {
    for (const std::vector<uint32_t>& component : components) {
      if (group(component[0]) != g) continue;  // no component spans groups
      // As in Fast Downward: the variable whose incoming arcs cost least is next, and its outgoing arcs count no more.
      for (const uint32_t v : component) inside[v] = true;
      for (const uint32_t v : component) {
        for (const Arc& arc : from[v]) {
          if (inside[arc.to]) incoming[arc.to] += arc.weight;
        }
      }
      std::vector<uint32_t> left = component;
      while (!left.empty()) {
        watch.poll();
        const auto next = std::min_element(left.begin(), left.end(),
                                           [&](uint32_t a, uint32_t b) { return incoming[a] < incoming[b]; });
        const uint32_t v = *next;
        left.erase(next);
        inside[v] = false;
        rank[v] = static_cast<uint32_t>(order_.size());
        order_.push_back(v);
        for (const Arc& arc : from[v]) {
          if (inside[arc.to]) incoming[arc.to] -= arc.weight;
        }
      }
    }
  }
  for (const Arc& arc : arcs) {
    all_predecessors_[arc.to].push_back(arc.from);
    if (rank[arc.from] < rank[arc.to]) predecessors_[arc.to].push_back(arc.from);
  }
}

CausalGraphHeuristic::CausalGraphHeuristic(std::shared_ptr<const VariableDomains> domains, const Watch& watch)
    : domains_(std::move(domains)), watch_(watch) {
  link(CausalGraph(*domains_, watch));
  state_.resize(domains_->size());
  banned_.assign(domains_->labels().size(), 0);
  changed_.assign(domains_->size(), 0);
  preferred_.assign(domains_->transitions().size(), 0);
  seen_edges_.assign(edges_.size(), 0);
}

void CausalGraphHeuristic::link(const CausalGraph& graph) {
  order_ = graph.order();
  variables_.resize(domains_->size());
  std::vector<uint32_t> position(domains_->size(), kNoRow);
  uint32_t rows = 0;
  size_t kept = 0;
  for (const uint32_t number : order_) {
    Variable& v = variables_[number];
    v.size = domains_->variable(number).size;
    v.predecessors = graph.predecessors(number);
    for (uint32_t i = 0; i < v.predecessors.size(); ++i) {
      position[v.predecessors[i]] = i;
      v.ancestors.push_back(v.predecessors[i]);
      const auto& further = variables_[v.predecessors[i]].ancestors;
      v.ancestors.insert(v.ancestors.end(), further.begin(), further.end());
    }
    std::sort(v.ancestors.begin(), v.ancestors.end());
    v.ancestors.erase(std::unique(v.ancestors.begin(), v.ancestors.end()), v.ancestors.end());

    v.first_edge = static_cast<uint32_t>(first_edge_of_value_.size());
    Value from = 0;
    first_edge_of_value_.push_back(static_cast<uint32_t>(edges_.size()));
    for (const VariableDomains::Edge& e : domains_->edges(number)) {
      watch_.poll();
      for (; from < e.from; ++from) first_edge_of_value_.push_back(static_cast<uint32_t>(edges_.size()));
      Edge edge{e.label, static_cast<uint32_t>(needs_.size()), 0, e.to};
      for (const VariableDomains::Part& part : domains_->parts(domains_->labels()[e.label])) {
        if (position[part.variable] != kNoRow)
          needs_.push_back({position[part.variable], part.variable, part.set, part.map});
      }
      edge.end_need = static_cast<uint32_t>(needs_.size());
      edges_.push_back(edge);
    }
    for (; from < v.size; ++from) first_edge_of_value_.push_back(static_cast<uint32_t>(edges_.size()));
    for (const uint32_t p : v.predecessors) position[p] = kNoRow;

    size_t entries = size_t{v.size} * v.size;
    for (const uint32_t a : v.ancestors) entries = std::min(entries * domains_->variable(a).size, 2 * kMostKept);
    v.kept = entries <= kMostKept && kept + entries <= kMostKeptInAll;
    if (v.kept) {
      kept += entries;
      v.rows.assign(entries / v.size, kNoRow);
    }
    v.contexts.resize(size_t{v.size} * v.predecessors.size());
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

// 000 fig. 5.4.
void CausalGraphHeuristic::compute(uint32_t number, Value from) {
  Variable& v = variables_[number];
  const size_t width = v.predecessors.size();
  const uint32_t step = number == domains_->goal() ? 0 : 1;
  std::fill(v.entries.begin(), v.entries.end(), Entry{kInfinity, kNoEdge});
  std::fill(v.settled.begin(), v.settled.end(), uint8_t{0});
  v.entries[from].cost = 0;
  for (size_t i = 0; i < width; ++i) v.contexts[from * width + i] = state_[v.predecessors[i]];
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
    const Edge* const end = edges_from(v, static_cast<Value>(source + 1));
    for (const Edge* edge = edges_from(v, source); edge != end; ++edge) {
      watch_.poll();
      if (bans_ && banned_[edge->label] == stamp_) continue;
      const bool any = edge->to == VariableDomains::kAnyValue;
      const uint32_t bound = any ? kInfinity : v.settled[edge->to] ? 0 : v.entries[edge->to].cost;
      uint32_t cost = std::min(source_cost + step, kLargestCost);
      for (uint32_t n = edge->first_need; n < edge->end_need && cost < bound; ++n) {
        const Need& need = needs_[n];
        const Value m = context[need.position];
        if (domains_->contains(need.set, m)) continue;
        const Entry* const setup = row(need.variable, m);
        const uint32_t setup_cost = setup[cheapest(setup, need.set)].cost;
        cost = setup_cost == kInfinity ? kInfinity : std::min(cost + setup_cost, kLargestCost);
      }
      if (cost >= bound) continue;
      const auto reach = [&](Value target) {
        if (v.settled[target] || v.entries[target].cost <= cost) return;
        v.entries[target] = {cost,
                             source == from ? static_cast<uint32_t>(edge - edges_.data()) : v.entries[source].first};
        Value* const reached = v.contexts.data() + target * width;
        std::copy_n(context, width, reached);
        for (uint32_t n = edge->first_need; n < edge->end_need; ++n) {
          const Need& need = needs_[n];
          const Value m = context[need.position];
          const Value chosen = domains_->contains(need.set, m) ? m : cheapest(row(need.variable, m), need.set);
          const Value after = domains_->mapped(need.map, chosen);
          reached[need.position] = after == VariableDomains::kAnyValue ? chosen : after;
        }
        v.queue.push_back({cost, target});
        std::push_heap(v.queue.begin(), v.queue.end(), later);
      };
      if (any) {
        for (uint32_t target = 0; target < v.size; ++target) reach(static_cast<Value>(target));
      } else {
        reach(edge->to);
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
  preferred_stamp_ = stamp_;
  if (cost != kInfinity) mark_preferred(domains_->goal(), 0, 1);
  return cost;
}

uint32_t CausalGraphHeuristic::evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t) {
  ++stamp_;
  for (const uint32_t e : edges) {
    for (const uint32_t label : domains_->labels_of(e)) {
      if (banned_[label] == stamp_) continue;
      banned_[label] = stamp_;
      for (const VariableDomains::Part& part : domains_->parts(domains_->labels()[label])) {
        if (part.affects) changed_[part.variable] = stamp_;
      }
    }
  }
  for (const uint32_t v : order_) {
    const auto& predecessors = variables_[v].predecessors;
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
  if (seen_edges_[first] == preferred_stamp_) return;
  seen_edges_[first] = preferred_stamp_;
  const Edge& edge = edges_[first];
  bool ready = true;
  for (uint32_t n = edge.first_need; n < edge.end_need; ++n) {
    const Need& need = needs_[n];
    const Value m = state_[need.variable];
    if (domains_->contains(need.set, m)) continue;
    ready = false;
    mark_preferred(need.variable, m, cheapest(row(need.variable, m), need.set));
  }
  if (ready && number != domains_->goal()) preferred_[domains_->labels()[edge.label].transition] = preferred_stamp_;
}

bool CausalGraphHeuristic::prefers(std::span<const uint32_t> edges) const {
  const auto labels = domains_->labels_of(edges[0]);
  return std::any_of(labels.begin(), labels.end(), [&](uint32_t label) {
    const uint32_t t = domains_->labels()[label].transition;
    return preferred_[t] == preferred_stamp_ && domains_->fires(t, edges);
  });
}

}  // namespace harrier::heur
