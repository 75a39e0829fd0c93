#include "abstraction/diagrams/distance_diagram.h"

#include <utility>

namespace harrier::abstraction {

namespace {

constexpr uint32_t kBits = 32;  // of a value

}  // namespace

DistanceDiagram::DistanceDiagram(std::vector<Digit> digits, std::vector<Node> nodes, uint32_t root, uint32_t far)
    : digits_(std::move(digits)), nodes_(std::move(nodes)), root_(root), far_(far) {}

uint64_t DistanceDiagram::bytes() const {
  return sizeof(*this) + digits_.size() * sizeof(Digit) + nodes_.size() * sizeof(Node);
}

void DistanceDiagram::save(ArchiveWriter& out) const {
  std::vector<uint32_t> variables;
  std::vector<uint32_t> shifts;
  std::vector<int32_t> least;
  for (const Digit& d : digits_) {
    variables.push_back(d.variable);
    shifts.push_back(d.shift);
    least.push_back(d.lo);
  }
  std::vector<uint32_t> nodes;
  nodes.reserve(3 * nodes_.size());
  for (const Node& n : nodes_) nodes.insert(nodes.end(), {n.digit, n.next[0], n.next[1]});
  out.list(variables);
  out.list(shifts);
  out.list(least);
  out.list(nodes);
  out.number(root_);
  out.number(far_);
}

DistanceDiagram DistanceDiagram::load(ArchiveReader& in, uint64_t variables) {
  const std::vector<uint32_t> of = in.list<uint32_t>();
  const std::vector<uint32_t> shifts = in.list<uint32_t>(of.size(), kBits);
  const std::vector<int32_t> least = in.list<int32_t>();
  const std::vector<uint32_t> nodes = in.list<uint32_t>();
  if (least.size() != of.size() || nodes.size() % 3 != 0) in.fail("a list has the wrong length");
  DistanceDiagram out(0);
  for (size_t i = 0; i < of.size(); ++i) {
    if (of[i] >= variables) in.fail("a number is out of range");
    out.digits_.push_back({of[i], shifts[i], least[i]});
  }
  out.nodes_.reserve(nodes.size() / 3);
  for (size_t i = 0; i < nodes.size(); i += 3) out.nodes_.push_back({nodes[i], {nodes[i + 1], nodes[i + 2]}});
  out.root_ = static_cast<uint32_t>(in.number(UINT32_MAX));
  out.far_ = static_cast<uint32_t>(in.number(UINT32_MAX));
  if (!out.leads_on()) in.fail("its nodes do not fit together");
  return out;
}

// Whether every way down ends, with a distance that is not beyond what is far.
bool DistanceDiagram::leads_on() const {
  const auto is_fine = [&](uint32_t next, uint64_t before, uint32_t after_digit, bool from_node) {
    if (next < kFirstNode) return next == kFar || next < far_;
    if (next - kFirstNode >= before) return false;
    return !from_node || nodes_[next - kFirstNode].digit > after_digit;
  };
  for (uint64_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.digit >= digits_.size()) return false;
    for (const uint32_t next : node.next) {
      if (!is_fine(next, i, node.digit, true)) return false;
    }
  }
  return is_fine(root_, nodes_.size(), 0, false);
}

}  // namespace harrier::abstraction
