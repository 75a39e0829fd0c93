#include "task/label_index.h"

#include <algorithm>
#include <optional>

namespace harrier::task {

namespace {

// The one fact that a condition stands for, if that is so.
std::optional<Fact> single_fact(const Task& task, const Condition& condition) {
  const Decisions& decisions = task.decisions();
  if (condition.decision == Decisions::kNone || Decisions::is_leaf(condition.decision)) return std::nullopt;
  std::optional<Fact> out;
  const auto children = decisions.children(condition.decision);
  for (size_t value = 0; value < children.size(); ++value) {
    if (!Decisions::is_leaf(children[value])) return std::nullopt;
    if (Decisions::result(children[value]) == 0) continue;
    if (out) return std::nullopt;
    out = Fact{decisions.variable(condition.decision), static_cast<Value>(value)};
  }
  return out;
}

}  // namespace

LabelIndex::LabelIndex(const Task& task, const Watch& watch) : task_(task) {
  std::vector<Entry> entries;
  for (uint32_t l = 0; l < task.labels().size(); ++l) {
    watch.poll();
    Entry entry{l, {}};
    if (add_needs(task, task.labels()[l], entry.needs)) entries.push_back(std::move(entry));
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::lexicographical_compare(a.needs.begin(), a.needs.end(), b.needs.begin(), b.needs.end());
  });
  build(task, entries, 0, watch);
}

// False if it needs two values of one variable, or one that the variable never has.
bool LabelIndex::add_needs(const Task& task, const Label& label, std::vector<Fact>& out) {
  for (const Move& move : task.moves(label)) {
    const Domain& domain = task.domain(move.variable);
    if (domain.is_wide()) continue;
    const auto from = domain.find(move.from);
    if (!from) return false;
    out.push_back({move.variable, *from});
  }
  for (const uint32_t id : task.conditions(label)) {
    if (const auto fact = single_fact(task, task.condition(id))) out.push_back(*fact);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return std::adjacent_find(out.begin(), out.end(),
                            [](const Fact& a, const Fact& b) { return a.variable == b.variable; }) == out.end();
}

// The node of labels that have the same first needs, so many. Those without more come first among sorted ones.
uint32_t LabelIndex::build(const Task& task, std::span<const Entry> entries, size_t depth, const Watch& watch) {
  watch.poll();
  if (entries.empty()) return kNothing;
  const auto number = static_cast<uint32_t>(nodes_.size());
  nodes_.emplace_back();
  Node node;
  node.first_label = static_cast<uint32_t>(labels_.size());
  while (!entries.empty() && entries[0].needs.size() == depth) {
    labels_.push_back(entries[0].label);
    entries = entries.subspan(1);
  }
  node.end_label = static_cast<uint32_t>(labels_.size());
  if (!entries.empty()) {
    const auto take_while = [&](auto&& wanted) {
      const auto end = std::find_if_not(entries.begin(), entries.end(), wanted);
      const auto taken = entries.first(static_cast<size_t>(end - entries.begin()));
      entries = entries.subspan(taken.size());
      return taken;
    };
    node.variable = entries[0].needs[depth].variable;
    const uint32_t size = task.domain(node.variable).size();
    node.first_child = static_cast<uint32_t>(children_.size());
    children_.resize(children_.size() + size, kNothing);
    for (uint32_t value = 0; value < size; ++value) {
      const Fact need{node.variable, static_cast<Value>(value)};
      const auto group = take_while([&](const Entry& e) { return e.needs[depth] == need; });
      const uint32_t child = build(task, group, depth + 1, watch);
      children_[node.first_child + value] = child;
    }
    node.otherwise = build(task, entries, depth, watch);
  }
  nodes_[number] = node;
  return number;
}

}  // namespace harrier::task
