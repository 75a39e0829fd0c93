#include "step/edge_index.h"

#include <algorithm>

namespace harrier::step {

using model::Expr;
using model::ExprId;
using model::Op;

EdgeIndex::EdgeIndex(const model::System& system, std::span<const uint32_t> edges, Program& program,
                     const Watch& watch) {
  std::vector<Draft> drafts;
  std::vector<ExprId> rest;
  bool helps = false;
  for (const uint32_t e : edges) {
    watch.poll();
    Draft draft{static_cast<uint32_t>(entries_.size()), {}};
    rest.clear();
    for (const ExprId condition : system.edges[e].guard) take_needs(system, condition, draft.needs, rest);
    std::sort(draft.needs.begin(), draft.needs.end());
    draft.needs.erase(std::unique(draft.needs.begin(), draft.needs.end()), draft.needs.end());
    const auto contradict = [](const Need& a, const Need& b) { return a.variable == b.variable; };
    if (std::adjacent_find(draft.needs.begin(), draft.needs.end(), contradict) != draft.needs.end()) continue;
    helps = helps || !draft.needs.empty();
    entries_.push_back({e, program.condition(rest)});
    drafts.push_back(std::move(draft));
  }
  if (!helps) {
    entries_.clear();
    return;
  }
  std::sort(drafts.begin(), drafts.end(),
            [](const Draft& a, const Draft& b) { return a.needs != b.needs ? a.needs < b.needs : a.entry < b.entry; });
  // Those that need nothing of the first variable come last, so that they are one group; likewise further down.
  build(drafts, 0, watch);
}

// Takes a condition apart. As soon as there is something else in it, that and all that follows is the rest.
void EdgeIndex::take_needs(const model::System& system, ExprId condition, std::vector<Need>& needs,
                           std::vector<ExprId>& rest) {
  const Expr& e = system.expr(condition);
  if (rest.empty() && e.op == Op::And) {
    take_needs(system, e.a, needs, rest);
    take_needs(system, e.b, needs, rest);
    return;
  }
  if (rest.empty() && e.op == Op::Eq) {
    const bool left = system.expr(e.a).op == Op::Var;
    const Expr& variable = system.expr(left ? e.a : e.b);
    const auto value = system.constant(left ? e.b : e.a);
    if (variable.op == Op::Var && value) {
      needs.push_back({variable.base, *value});
      return;
    }
  }
  if (rest.empty() && e.op == Op::Not && system.expr(e.a).op == Op::Var) {
    needs.push_back({system.expr(e.a).base, 0});
    return;
  }
  rest.push_back(condition);
}

// The node of drafts that have the same first needs, so many. Those without more come first among sorted ones.
uint32_t EdgeIndex::build(std::span<const Draft> drafts, size_t depth, const Watch& watch) {
  const auto first = static_cast<uint32_t>(nodes_.size());
  for (uint32_t number = first;;) {
    watch.poll();
    nodes_.emplace_back();
    Node node;
    node.first_entry = static_cast<uint32_t>(listed_.size());
    while (!drafts.empty() && drafts[0].needs.size() == depth) {
      listed_.push_back(drafts[0].entry);
      drafts = drafts.subspan(1);
    }
    node.end_entry = static_cast<uint32_t>(listed_.size());
    if (drafts.empty()) {
      nodes_[number] = node;
      return first;
    }
    node.variable = drafts[0].needs[depth].variable;
    std::vector<Child> children;
    while (!drafts.empty() && drafts[0].needs[depth].variable == node.variable) {
      const Need need = drafts[0].needs[depth];
      size_t end = 1;
      while (end < drafts.size() && drafts[end].needs[depth] == need) ++end;
      children.push_back({need.value, build(drafts.first(end), depth + 1, watch)});
      drafts = drafts.subspan(end);
    }
    node.first_child = static_cast<uint32_t>(children_.size());
    children_.insert(children_.end(), children.begin(), children.end());
    node.end_child = static_cast<uint32_t>(children_.size());
    if (!drafts.empty()) node.otherwise = static_cast<uint32_t>(nodes_.size());
    nodes_[number] = node;
    if (drafts.empty()) return first;
    number = node.otherwise;
  }
}

uint32_t EdgeIndex::child(const Node& node, int32_t value) const {
  const Child* const first = children_.data() + node.first_child;
  const Child* const last = children_.data() + node.end_child - 1;
  if (value < first->value || value > last->value) return kNothing;
  if (last->value - first->value == last - first) return first[value - first->value].node;
  const Child* const at = std::lower_bound(first, last, value, [](const Child& c, int32_t v) { return c.value < v; });
  return at->value == value ? at->node : kNothing;
}

void EdgeIndex::walk(uint32_t number, const int32_t* values, std::vector<uint32_t>& out) const {
  while (number != kNothing) {
    const Node& node = nodes_[number];
    out.insert(out.end(), listed_.begin() + node.first_entry, listed_.begin() + node.end_entry);
    if (node.variable == kNothing) return;
    walk(child(node, values[node.variable]), values, out);
    number = node.otherwise;
  }
}

void EdgeIndex::collect(const int32_t* values, std::vector<uint32_t>& out) const {
  const auto before = static_cast<ptrdiff_t>(out.size());
  walk(0, values, out);
  std::sort(out.begin() + before, out.end());
}

}  // namespace harrier::step
