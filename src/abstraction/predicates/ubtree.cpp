#include "abstraction/predicates/ubtree.h"

#include <algorithm>

namespace harrier::abstraction {

void UBTree::insert(std::span<const uint32_t> set, uint32_t number) {
  uint32_t at = 0;
  nodes_[0].smallest = std::min(nodes_[0].smallest, number);
  for (const uint32_t element : set) {
    uint32_t before = 0;
    uint32_t child = nodes_[at].child;
    while (child != 0 && nodes_[child].element < element) {
      before = child;
      child = nodes_[child].next;
    }
    if (child == 0 || nodes_[child].element != element) {
      Node fresh;
      fresh.element = element;
      fresh.next = child;
      child = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back(fresh);
      (before == 0 ? nodes_[at].child : nodes_[before].next) = child;
    }
    at = child;
    nodes_[at].smallest = std::min(nodes_[at].smallest, number);
  }
  if (nodes_[at].own == kNone) ++sets_;
  nodes_[at].own = std::min(nodes_[at].own, number);
}

void UBTree::freeze() {
  if (frozen_) return;
  std::vector<Node> out{nodes_[0]};
  std::vector<uint32_t> children;
  // Each node's children are put next to each other when the node is reached, the most promising first.
  std::vector<uint32_t> origin{0};
  for (size_t at = 0; at < out.size(); ++at) {
    children.clear();
    for (uint32_t child = nodes_[origin[at]].child; child != 0; child = nodes_[child].next) children.push_back(child);
    std::stable_sort(children.begin(), children.end(),
                     [&](uint32_t a, uint32_t b) { return nodes_[a].smallest < nodes_[b].smallest; });
    out[at].child = static_cast<uint32_t>(out.size());
    for (const uint32_t child : children) {
      out.push_back(nodes_[child]);
      origin.push_back(child);
    }
    out[at].next = static_cast<uint32_t>(out.size());
  }
  nodes_ = std::move(out);
  frozen_ = true;
}

void UBTree::walk(uint32_t node, const uint8_t* member, uint32_t& limit) const {
  limit = std::min(limit, nodes_[node].own);
  for (uint32_t child = nodes_[node].child; child != 0; child = nodes_[child].next) {
    if (member[nodes_[child].element] != 0 && nodes_[child].smallest < limit) walk(child, member, limit);
  }
}

void UBTree::walk_frozen(uint32_t node, const uint8_t* member, uint32_t& limit) const {
  const Node& at = nodes_[node];
  limit = std::min(limit, at.own);
  for (uint32_t child = at.child; child != at.next && nodes_[child].smallest < limit; ++child) {
    if (member[nodes_[child].element] != 0) walk_frozen(child, member, limit);
  }
}

bool UBTree::find(uint32_t node, const uint8_t* member) const {
  if (nodes_[node].own != kNone) return true;
  if (frozen_) {
    for (uint32_t child = nodes_[node].child; child != nodes_[node].next; ++child) {
      if (member[nodes_[child].element] != 0 && find(child, member)) return true;
    }
    return false;
  }
  for (uint32_t child = nodes_[node].child; child != 0; child = nodes_[child].next) {
    if (member[nodes_[child].element] != 0 && find(child, member)) return true;
  }
  return false;
}

}  // namespace harrier::abstraction
