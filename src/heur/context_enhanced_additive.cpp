#include "heur/context_enhanced_additive.h"

#include <algorithm>

namespace harrier::heur {

namespace {

constexpr uint32_t kInfinity = UINT32_MAX;
constexpr uint32_t kMostSteps = 1 << 18;
constexpr uint32_t kNone = UINT32_MAX;
constexpr task::Value kUnchosen = task::kAnyValue;

// The order of a queue of nodes.
constexpr auto kLater = [](const auto& a, const auto& b) {
  return a.priority != b.priority ? a.priority > b.priority : a.node > b.node;
};

}  // namespace

ContextEnhancedAdditive::ContextEnhancedAdditive(std::shared_ptr<const task::VariableDomains> domains,
                                                 const Watch& watch)
    : domains_(std::move(domains)),
      watch_(watch),
      graphs_(*domains_, nullptr, watch),
      largest_(graphs_.unit_costs() ? kMostSteps : model::kMostCost),
      state_(domains_->size()),
      banned_(domains_->labels().size(), 0),
      preferred_(*domains_) {
  uint32_t values = 0;
  for (uint32_t variable = 0; variable < domains_->size(); ++variable) {
    first_problem_.push_back(values);
    values += domains_->variable(variable).size;
  }
  problem_of_value_.resize(values);
}

ContextEnhancedAdditive::Value* ContextEnhancedAdditive::context(uint32_t node) {
  const Problem& p = problems_[nodes_[node].problem];
  return contexts_.data() + p.first_context + (node - p.first_node) * graphs_.context(p.variable).size();
}

void ContextEnhancedAdditive::push(uint32_t node) {
  queue_.push_back({problems_[nodes_[node].problem].base + nodes_[node].cost, node});
  std::push_heap(queue_.begin(), queue_.end(), kLater);
}

// The problem of taking a variable elsewhere from a value; it starts now if it is new.
uint32_t ContextEnhancedAdditive::problem(uint32_t number, Value start, uint32_t priority) {
  ProblemOfValue& known = problem_of_value_[first_problem_[number] + start];
  if (known.stamp == stamp_) return known.problem;
  const auto id = static_cast<uint32_t>(problems_.size());
  known = {stamp_, id};
  const auto first_node = static_cast<uint32_t>(nodes_.size());
  const auto first_context = static_cast<uint32_t>(contexts_.size());
  problems_.push_back({number, std::min(priority, largest_), first_node, first_context});
  const uint32_t size = domains_->variable(number).size;
  nodes_.resize(nodes_.size() + size, {id, kInfinity, kNone, kNone, kNone, false});
  contexts_.resize(contexts_.size() + size_t{size} * graphs_.context(number).size());
  nodes_[first_node + start].cost = 0;
  push(first_node + start);
  return id;
}

void ContextEnhancedAdditive::expand(uint32_t number) {
  nodes_[number].expanded = true;
  const Node node = nodes_[number];
  const uint32_t variable = problems_[node.problem].variable;
  const std::vector<uint32_t>& others = graphs_.context(variable);
  Value* const own = context(number);
  if (node.attempt == kNone) {
    for (size_t i = 0; i < others.size(); ++i) own[i] = state_[others[i]];
  } else {
    const Attempt& by = attempts_[node.attempt];
    std::copy_n(context(by.source), others.size(), own);
    uint32_t choice = by.first_choice;
    for (const Need& need : graphs_.needs(graphs_.edge(by.edge))) {
      const Value chosen = choices_[choice++];
      const Value after = domains_->mapped(need.map, chosen);
      own[need.position] = after == task::kAnyValue ? chosen : after;
    }
  }
  const Value value = value_of(number);
  for (const Edge& edge : graphs_.edges_from(variable, value)) {
    watch_.poll();
    if (!bans_ || banned_[edge.label] != stamp_) attempt(edge, number);
  }
  for (uint32_t w = nodes_[number].waiting; w != kNone; w = waits_[w].next) {
    const Wait wait = waits_[w];
    satisfy(wait.attempt, wait.need, value, node.cost);
  }
}

void ContextEnhancedAdditive::attempt(const Edge& edge, uint32_t source) {
  const Problem& own = problems_[nodes_[source].problem];
  const uint32_t cost = std::min(nodes_[source].cost + edge.cost, largest_);
  const uint32_t priority = own.base + nodes_[source].cost;
  if (edge.to != task::kAnyValue && nodes_[own.first_node + edge.to].cost <= cost) return;
  const auto id = static_cast<uint32_t>(attempts_.size());
  const std::span<const Need> needs = graphs_.needs(edge);
  const auto count = static_cast<uint32_t>(needs.size());
  attempts_.push_back({graphs_.number(edge), source, cost, count + 1, static_cast<uint32_t>(choices_.size())});
  choices_.resize(choices_.size() + count, kUnchosen);
  for (uint32_t n = 0; n < count; ++n) {
    const Need& need = needs[n];
    const Value current = context(source)[need.position];
    if (domains_->contains(need.set, current)) {
      satisfy(id, n, current, 0);
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
      satisfy(id, n, best, nodes_[nodes + best].cost);
      continue;
    }
    for (const Value w : wanted) {
      waits_.push_back({id, n, nodes_[nodes + w].waiting});
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
  a.cost = std::min(a.cost + cost, largest_);
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
  const Value to = graphs_.edge(a.edge).to;
  if (to != task::kAnyValue) {
    reach(own.first_node + to);
    return;
  }
  const uint32_t size = domains_->variable(own.variable).size;
  for (uint32_t target = 0; target < size; ++target) reach(own.first_node + target);
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
  ++stamp_;
  preferred_.clear();
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
  const Edge& edge = graphs_.edge(a.edge);
  bool ready = true;
  uint32_t choice = a.first_choice;
  for (const Need& need : graphs_.needs(edge)) {
    const Value chosen = choices_[choice++];
    const Value current = state_[need.variable];
    if (domains_->contains(need.set, current)) continue;
    ready = false;
    const uint32_t problem = problem_of_value_[first_problem_[need.variable] + current].problem;
    mark_preferred(problems_[problem].first_node + chosen);
  }
  if (ready && domains_->makes_steps(problems_[nodes_[node].problem].variable)) preferred_.mark(edge.label);
}

}  // namespace harrier::heur
