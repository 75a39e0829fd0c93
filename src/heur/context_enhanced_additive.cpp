#include "heur/context_enhanced_additive.h"

#include <algorithm>

namespace harrier::heur {

namespace {

constexpr uint32_t kInfinity = UINT32_MAX;
constexpr uint32_t kLargestCost = 1 << 18;  // larger ones are not told apart
constexpr uint32_t kNone = UINT32_MAX;
constexpr task::Value kUnchosen = task::kAnyValue;

// The order of a queue of nodes.
constexpr auto kLater = [](const auto& a, const auto& b) {
  return a.priority != b.priority ? a.priority > b.priority : a.node > b.node;
};

}  // namespace

ContextEnhancedAdditive::ContextEnhancedAdditive(std::shared_ptr<const task::VariableDomains> domains,
                                                 const Watch& watch)
    : domains_(std::move(domains)), watch_(watch) {
  link();
  state_.resize(domains_->size());
  banned_.assign(domains_->labels().size(), 0);
  preferred_.assign(domains_->task().transitions().size(), 0);
}

void ContextEnhancedAdditive::link() {
  std::vector<uint32_t> position(domains_->size(), kNone);
  uint32_t values = 0;
  for (uint32_t number = 0; number < domains_->size(); ++number) {
    Variable v;
    v.size = domains_->variable(number).size;
    v.first_edge = static_cast<uint32_t>(first_edge_of_value_.size());
    v.first_problem = values;
    values += v.size;
    Value from = 0;
    first_edge_of_value_.push_back(static_cast<uint32_t>(edges_.size()));
    for (const task::VariableDomains::Edge& e : domains_->edges(number)) {
      watch_.poll();
      for (; from < e.from; ++from) first_edge_of_value_.push_back(static_cast<uint32_t>(edges_.size()));
      Edge edge{e.label, static_cast<uint32_t>(needs_.size()), 0, e.to};
      for (const task::VariableDomains::Part& part : domains_->parts(domains_->labels()[e.label])) {
        if (part.variable == number) continue;
        if (position[part.variable] == kNone) {
          position[part.variable] = static_cast<uint32_t>(v.neighbours.size());
          v.neighbours.push_back(part.variable);
        }
        needs_.push_back({position[part.variable], part.variable, part.set, part.map});
      }
      edge.end_need = static_cast<uint32_t>(needs_.size());
      edges_.push_back(edge);
    }
    for (; from < v.size; ++from) first_edge_of_value_.push_back(static_cast<uint32_t>(edges_.size()));
    for (const uint32_t n : v.neighbours) position[n] = kNone;
    variables_.push_back(std::move(v));
  }
  problem_of_value_.resize(values);
}

ContextEnhancedAdditive::Value* ContextEnhancedAdditive::context(uint32_t node) {
  const Problem& p = problems_[nodes_[node].problem];
  return contexts_.data() + p.first_context + (node - p.first_node) * variables_[p.variable].neighbours.size();
}

void ContextEnhancedAdditive::push(uint32_t node) {
  queue_.push_back({problems_[nodes_[node].problem].base + nodes_[node].cost, node});
  std::push_heap(queue_.begin(), queue_.end(), kLater);
}

// The problem of taking a variable elsewhere from a value; it starts now if it is new.
uint32_t ContextEnhancedAdditive::problem(uint32_t number, Value start, uint32_t priority) {
  const Variable& v = variables_[number];
  ProblemOfValue& known = problem_of_value_[v.first_problem + start];
  if (known.stamp == stamp_) return known.problem;
  const auto id = static_cast<uint32_t>(problems_.size());
  known = {stamp_, id};
  const auto first_node = static_cast<uint32_t>(nodes_.size());
  const auto first_context = static_cast<uint32_t>(contexts_.size());
  problems_.push_back({number, std::min(priority, kLargestCost), first_node, first_context});
  nodes_.resize(nodes_.size() + v.size, {id, kInfinity, kNone, kNone, kNone, false});
  contexts_.resize(contexts_.size() + size_t{v.size} * v.neighbours.size());
  nodes_[first_node + start].cost = 0;
  push(first_node + start);
  return id;
}

void ContextEnhancedAdditive::expand(uint32_t number) {
  nodes_[number].expanded = true;
  const Node node = nodes_[number];
  const Variable& v = variables_[problems_[node.problem].variable];
  Value* const own = context(number);
  if (node.attempt == kNone) {
    for (size_t i = 0; i < v.neighbours.size(); ++i) own[i] = state_[v.neighbours[i]];
  } else {
    const Attempt& by = attempts_[node.attempt];
    std::copy_n(context(by.source), v.neighbours.size(), own);
    const Edge& edge = edges_[by.edge];
    for (uint32_t n = edge.first_need; n < edge.end_need; ++n) {
      const Value chosen = choices_[by.first_choice + (n - edge.first_need)];
      const Value after = domains_->mapped(needs_[n].map, chosen);
      own[needs_[n].position] = after == task::kAnyValue ? chosen : after;
    }
  }
  const Value value = value_of(number);
  const uint32_t end = first_edge_of_value_[v.first_edge + value + 1];
  for (uint32_t e = first_edge_of_value_[v.first_edge + value]; e < end; ++e) {
    watch_.poll();
    if (!bans_ || banned_[edges_[e].label] != stamp_) attempt(edges_[e], number);
  }
  for (uint32_t w = nodes_[number].waiting; w != kNone; w = waits_[w].next) {
    const Wait wait = waits_[w];
    satisfy(wait.attempt, wait.need, value, node.cost);
  }
}

void ContextEnhancedAdditive::attempt(const Edge& edge, uint32_t source) {
  const Problem& own = problems_[nodes_[source].problem];
  const uint32_t step = own.variable == domains_->goal() ? 0 : 1;
  const uint32_t cost = std::min(nodes_[source].cost + step, kLargestCost);
  const uint32_t priority = own.base + nodes_[source].cost;
  if (edge.to != task::kAnyValue && nodes_[own.first_node + edge.to].cost <= cost) return;
  const auto id = static_cast<uint32_t>(attempts_.size());
  attempts_.push_back({static_cast<uint32_t>(&edge - edges_.data()), source, cost, edge.end_need - edge.first_need + 1,
                       static_cast<uint32_t>(choices_.size())});
  choices_.resize(choices_.size() + (edge.end_need - edge.first_need), kUnchosen);
  for (uint32_t n = edge.first_need; n < edge.end_need; ++n) {
    const Need& need = needs_[n];
    const Value current = context(source)[need.position];
    if (domains_->contains(need.set, current)) {
      satisfy(id, n - edge.first_need, current, 0);
      continue;
    }
    const uint32_t nodes = problems_[problem(need.variable, current, priority)].first_node;
    const std::vector<Value>& wanted = domains_->set(need.set).values;
    // Of those that are reached already, the cheapest; else the first that will be.
    Value best = kUnchosen;
    for (const Value w : wanted) {
      const Node& node = nodes_[nodes + w];
      if (node.expanded && (best == kUnchosen || node.cost < nodes_[nodes + best].cost)) best = w;
    }
    if (best != kUnchosen) {
      satisfy(id, n - edge.first_need, best, nodes_[nodes + best].cost);
      continue;
    }
    for (const Value w : wanted) {
      waits_.push_back({id, n - edge.first_need, nodes_[nodes + w].waiting});
      nodes_[nodes + w].waiting = static_cast<uint32_t>(waits_.size() - 1);
    }
  }
  // The last one that was missing: that all needs have been looked at.
  if (--attempts_[id].unmet == 0) fire(id);
}

void ContextEnhancedAdditive::satisfy(uint32_t id, uint32_t need, Value value, uint32_t cost) {
  Attempt& a = attempts_[id];
  Value& choice = choices_[a.first_choice + need];
  if (choice != kUnchosen) return;
  choice = value;
  a.cost = std::min(a.cost + cost, kLargestCost);
  if (--a.unmet == 0) fire(id);
}

void ContextEnhancedAdditive::fire(uint32_t id) {
  const Attempt& a = attempts_[id];
  const Problem& own = problems_[nodes_[a.source].problem];
  const auto reach = [&](uint32_t target) {
    Node& node = nodes_[target];
    if (node.expanded || node.cost <= a.cost) return;
    node.cost = a.cost;
    node.attempt = id;
    node.first = nodes_[a.source].first == kNone ? id : nodes_[a.source].first;
    push(target);
  };
  const Value to = edges_[a.edge].to;
  if (to != task::kAnyValue) {
    reach(own.first_node + to);
    return;
  }
  for (uint32_t target = 0; target < variables_[own.variable].size; ++target) reach(own.first_node + target);
}

uint32_t ContextEnhancedAdditive::estimate(const int32_t* values, uint32_t limit) {
  domains_->read(values, state_.data());
  problems_.clear();
  nodes_.clear();
  contexts_.clear();
  attempts_.clear();
  choices_.clear();
  waits_.clear();
  queue_.clear();
  const uint32_t goal = problems_[problem(domains_->goal(), 0, 0)].first_node + 1;
  while (!queue_.empty()) {
    watch_.poll();
    const Entry next = queue_.front();
    std::pop_heap(queue_.begin(), queue_.end(), kLater);
    queue_.pop_back();
    const Node& node = nodes_[next.node];
    if (node.expanded || problems_[node.problem].base + node.cost < next.priority) continue;
    if (next.node == goal) return node.cost;
    if (next.priority > limit) return kDeadEnd;
    expand(next.node);
  }
  return kDeadEnd;
}

uint32_t ContextEnhancedAdditive::evaluate(const StateView& state) {
  preferred_stamp_ = ++stamp_;
  const uint32_t cost = estimate(state.values, kInfinity - 1);
  if (cost != kDeadEnd) {
    marked_.assign(attempts_.size(), 0);
    mark_preferred(problems_[0].first_node + 1);
  }
  return cost;
}

uint32_t ContextEnhancedAdditive::evaluate_without(const StateView& state, std::span<const uint32_t> edges,
                                                   uint32_t limit) {
  ++stamp_;
  for (const uint32_t e : edges) {
    for (const uint32_t label : domains_->labels_of(e)) banned_[label] = stamp_;
  }
  bans_ = true;
  const uint32_t cost = estimate(state.values, limit);
  bans_ = false;
  return cost;
}

// Follows the first edge of the way to a node; if it cannot be taken at once, what it needs comes first.
void ContextEnhancedAdditive::mark_preferred(uint32_t node) {
  const uint32_t first = nodes_[node].first;
  if (first == kNone || marked_[first] != 0) return;
  marked_[first] = 1;
  const Attempt& a = attempts_[first];
  const Edge& edge = edges_[a.edge];
  bool ready = true;
  for (uint32_t n = edge.first_need; n < edge.end_need; ++n) {
    const Need& need = needs_[n];
    const Value current = state_[need.variable];
    if (domains_->contains(need.set, current)) continue;
    ready = false;
    const uint32_t problem = problem_of_value_[variables_[need.variable].first_problem + current].problem;
    mark_preferred(problems_[problem].first_node + choices_[a.first_choice + (n - edge.first_need)]);
  }
  if (ready && problems_[nodes_[node].problem].variable != domains_->goal()) {
    preferred_[domains_->labels()[edge.label].transition] = preferred_stamp_;
  }
}

bool ContextEnhancedAdditive::prefers(std::span<const uint32_t> edges) const {
  const auto labels = domains_->labels_of(edges[0]);
  return std::any_of(labels.begin(), labels.end(), [&](uint32_t label) {
    const uint32_t t = domains_->labels()[label].transition;
    return preferred_[t] == preferred_stamp_ && domains_->task().fires(t, edges);
  });
}

}  // namespace harrier::heur
