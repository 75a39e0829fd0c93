#include "abstraction/diagrams/layer_merger.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/hash.h"

namespace harrier::abstraction {

namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr uint32_t kFirstNode = DistanceDiagram::kFirstNode;
constexpr uint64_t kFirstSlots = 1024;
// What is not needed any more is thrown away when there are so many times the nodes that are allowed. A layer that
// makes as many again is too large: it needs all that it makes.
constexpr uint64_t kSpare = 2;
constexpr uint64_t kMostNodes = (uint64_t{kNone} - kFirstNode) / (2 * kSpare);

uint64_t hash_of(const DistanceDiagram::Node& node) {
  const std::array<uint64_t, 2> words = {node.digit, uint64_t{node.next[0]} << 32 | node.next[1]};
  return hash_words(words.data(), words.size());
}

}  // namespace

LayerMerger::LayerMerger(Budget& budget, uint64_t most_nodes)
    : budget_(budget), most_(std::min(most_nodes, kMostNodes)), nodes_(budget), known_(budget, kFirstSlots) {}

bool LayerMerger::add(const symbolic::Bdd& layer) {
  const uint32_t next = lay_over(root_, layer.node());
  if (next == kNone) return false;
  if (nodes_.size() > most_) {
    const std::vector<bool> needed = reached(next);
    if (static_cast<uint64_t>(std::count(needed.begin(), needed.end(), true)) > most_) return false;
  }
  root_ = next;
  ++layers_;
  if (nodes_.size() > kSpare * most_) collect();
  return true;
}

// Both are walked down together, without recursion, as there may be many bits.
uint32_t LayerMerger::lay_over(uint32_t below, int above) {
  std::unordered_map<uint64_t, uint32_t> done;
  const auto key = [](uint32_t a, int b) { return uint64_t{a} << 32 | static_cast<uint32_t>(b); };
  const auto result = [&](uint32_t a, int b) {
    if (b <= 1) return b == 0 ? a : layers_;
    const auto at = done.find(key(a, b));
    return at == done.end() ? kNone : at->second;
  };
  std::vector<std::pair<uint32_t, int>> open{{below, above}};
  while (!open.empty()) {
    budget_.poll();
    const auto [a, b] = open.back();
    if (result(a, b) != kNone) {
      open.pop_back();
      continue;
    }
    const symbolic::Branch layer = symbolic::branch(b);
    const Node* under = node(a);
    Node made{static_cast<uint32_t>(layer.bit), {}};
    if (under != nullptr) made.digit = std::min(made.digit, under->digit);
    const bool of_layer = static_cast<uint32_t>(layer.bit) == made.digit;
    for (const size_t answer : {0, 1}) {
      const uint32_t a_next = under != nullptr && under->digit == made.digit ? under->next[answer] : a;
      const int b_next = !of_layer ? b : answer == 0 ? layer.low : layer.high;
      made.next[answer] = result(a_next, b_next);
      if (made.next[answer] == kNone) open.emplace_back(a_next, b_next);
    }
    if (made.next[0] == kNone || made.next[1] == kNone) continue;
    const uint32_t number = made.next[0] == made.next[1] ? made.next[0] : number_of(made);
    if (number == kNone) return kNone;
    done.emplace(key(a, b), number);
    open.pop_back();
  }
  return result(below, above);
}

uint32_t LayerMerger::number_of(const Node& node) {
  const uint64_t hash = hash_of(node);
  const NumberTable::Slot slot =
      known_.find(hash, [&](uint64_t i) { return nodes_[i].digit == node.digit && nodes_[i].next == node.next; });
  if (slot.number != NumberTable::kNone) return kFirstNode + static_cast<uint32_t>(slot.number);
  if (nodes_.size() >= 2 * kSpare * most_) return kNone;
  const NumberTable::Slot free = known_.with_room(slot, hash, [&](uint64_t i) { return hash_of(nodes_[i]); });
  nodes_.push_back(node);
  known_.put(free, hash);
  return kFirstNode + static_cast<uint32_t>(nodes_.size() - 1);
}

std::vector<bool> LayerMerger::reached(uint32_t from) const {
  std::vector<bool> out(nodes_.size());
  if (from < kFirstNode) return out;
  out[from - kFirstNode] = true;
  for (size_t i = nodes_.size(); i-- > 0;) {
    if (!out[i]) continue;
    for (const uint32_t next : nodes_[i].next) {
      if (next >= kFirstNode) out[next - kFirstNode] = true;
    }
  }
  return out;
}

void LayerMerger::collect() {
  const std::vector<bool> needed = reached(root_);
  std::vector<uint32_t> number(nodes_.size());
  const auto moved = [&](uint32_t at) { return at < kFirstNode ? at : number[at - kFirstNode]; };
  uint32_t count = 0;
  for (size_t i = 0; i < number.size(); ++i) {
    if (!needed[i]) continue;
    const Node node{nodes_[i].digit, {moved(nodes_[i].next[0]), moved(nodes_[i].next[1])}};
    number[i] = kFirstNode + count;
    nodes_[count++] = node;
  }
  nodes_.cut(count);
  known_.clear();
  for (size_t i = 0; i < count; ++i) {
    const uint64_t hash = hash_of(nodes_[i]);
    const NumberTable::Slot slot = known_.find(hash, [](uint64_t) { return false; });
    known_.put(known_.with_room(slot, hash, [&](uint64_t n) { return hash_of(nodes_[n]); }), hash);
  }
  root_ = moved(root_);
}

DistanceDiagram LayerMerger::diagram(const symbolic::Encoding& encoding, uint32_t far) const {
  // By bit, those that are asked for.
  std::vector<uint32_t> number(static_cast<size_t>(encoding.manager().bits()), kNone);
  const std::vector<bool> needed = reached(root_);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (needed[i]) number[nodes_[i].digit] = 0;
  }
  uint32_t count = 0;
  for (uint32_t& n : number) {
    if (n != kNone) n = count++;
  }
  std::vector<DistanceDiagram::Digit> digits(count);
  for (size_t v = 0; v < encoding.system().variables.size(); ++v) {
    const model::VarId variable(v);
    const std::vector<int>& bits = encoding.bits(variable, symbolic::Moment::Now);
    for (uint32_t i = 0; i < bits.size(); ++i) {
      const uint32_t digit = number[static_cast<size_t>(bits[i])];
      if (digit == kNone) continue;
      digits[digit] = {variable.value, i, static_cast<int32_t>(encoding.domain(variable).lo)};
    }
  }
  std::vector<Node> nodes;
  std::vector<uint32_t> moved(needed.size());
  const auto target = [&](uint32_t at) { return at < kFirstNode ? at : moved[at - kFirstNode]; };
  for (size_t i = 0; i < needed.size(); ++i) {
    if (!needed[i]) continue;
    const Node& n = nodes_[i];
    moved[i] = kFirstNode + static_cast<uint32_t>(nodes.size());
    nodes.push_back({number[n.digit], {target(n.next[0]), target(n.next[1])}});
  }
  return {std::move(digits), std::move(nodes), target(root_), far};
}

}  // namespace harrier::abstraction
