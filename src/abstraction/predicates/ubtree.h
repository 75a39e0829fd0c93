// A tree of sets, to find those that are subsets of another one: UBTree, an unlimited branching tree (Hoffmann and
// Koehler 1999). Each set has a number, and what is asked for is the smallest number of a subset.
//
//     UBTree tree;
//     tree.insert(std::vector<uint32_t>{1, 4, 7}, 3);
//     tree.freeze();
//     tree.smallest_subset(member, UINT32_MAX)      // member[e]: whether e is in the set that is asked about
//
// A set is a path of its elements in increasing order, so that sets with the same beginning share it. A query follows
// only elements that it has, and only where a smaller number than the best so far is to be found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/archive.h"

namespace harrier::abstraction {

class UBTree {
 public:
  UBTree() : nodes_(1) {}

  // A sorted set without duplicates. Of one that is inserted again the smaller number counts.
  void insert(std::span<const uint32_t> set, uint32_t number);
  // Puts what is looked at together into one place. Nothing may be inserted afterwards.
  void freeze();

  // The smallest number below `limit` of a set that has none but the given elements; `limit` if there is none.
  uint32_t smallest_subset(const uint8_t* member, uint32_t limit) const {
    if (nodes_[0].smallest < limit) frozen_ ? walk_frozen(0, member, limit) : walk(0, member, limit);
    return limit;
  }
  // Whether there is a subset at all.
  bool has_subset(const uint8_t* member) const { return find(0, member); }

  // Of one that is frozen. What is loaded has no elements but those below `elements`; Error(Input) if it is no tree.
  void save(ArchiveWriter& out) const;
  static UBTree load(ArchiveReader& in, uint32_t elements);

  size_t sets() const { return sets_; }
  size_t bytes() const { return nodes_.capacity() * sizeof(Node); }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    uint32_t element = 0;
    uint32_t own = kNone;       // the number of the set that ends here
    uint32_t smallest = kNone;  // at or below this node
    uint32_t child = 0;         // the first one; 0: none. Sorted by element, after freezing: by smallest
    uint32_t next = 0;          // the next child of the same parent; frozen: the end of the children
  };

  void walk(uint32_t node, const uint8_t* member, uint32_t& limit) const;
  void walk_frozen(uint32_t node, const uint8_t* member, uint32_t& limit) const;
  bool find(uint32_t node, const uint8_t* member) const;

  std::vector<Node> nodes_;
  size_t sets_ = 0;
  bool frozen_ = false;
};

}  // namespace harrier::abstraction
