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

void UBTree::save(ArchiveWriter& out) const {
  out.number(sets_);
  for (const auto member : {&Node::element, &Node::own, &Node::smallest, &Node::child, &Node::next}) {
    std::vector<uint32_t> values;
    values.reserve(nodes_.size());
    for (const Node& node : nodes_) values.push_back(node.*member);
    out.list(values);
  }
}

UBTree UBTree::load(ArchiveReader& in, uint32_t elements) {
  UBTree out;
  out.sets_ = in.number();
  out.frozen_ = true;
  for (const auto member : {&Node::element, &Node::own, &Node::smallest, &Node::child, &Node::next}) {
    const std::vector<uint32_t> values = in.list<uint32_t>();
    if (member == &Node::element) out.nodes_.resize(values.size());
    if (values.empty() || values.size() != out.nodes_.size()) in.fail("its sets are no tree");
    for (size_t i = 0; i < values.size(); ++i) out.nodes_[i].*member = values[i];
  }
  // Children come later, in increasing order along every path: so there is an end.
  for (size_t at = 0; at < out.nodes_.size(); ++at) {
    const Node& node = out.nodes_[at];
    bool fits = node.child > at && node.child <= node.next && node.next <= out.nodes_.size();
    for (uint32_t child = node.child; fits && child < node.next; ++child) {
      const uint32_t element = out.nodes_[child].element;
      fits = element < elements && (at == 0 || element > node.element);
    }
    if (!fits) in.fail("its sets are no tree");
  }
  return out;
}

}  // namespace harrier::abstraction
