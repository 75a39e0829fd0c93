// The set of packed discrete states once more, in less memory: by tree compression (Blom, Lisser, van de Pol and Weber
// 2007; Laarman, van de Pol and Weber 2011).
//
// A state is cut into pieces of two words. Each distinct piece is kept once, in a table of its own, and numbered; two
// numbers side by side are a piece again, up to the root, which is a pair of numbers: eight bytes a state. As most
// steps change few pieces, there are far fewer of these than states, and the pieces of the state that was looked up
// last need no look into their tables.
//
//     words   w0 w1 | w2 w3 | w4
//     numbers    a      b      c          leaves
//                (a, b) = d    c          inner pieces
//                    (d, c)               the root
//
// A state that is read is put together in memory of the tree, until the next one is read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "base/hash.h"
#include "base/number_table.h"
#include "store/origin.h"

namespace harrier::store {

class StateTree {
 public:
  // States must have two words at least.
  StateTree(Budget& budget, uint32_t words_per_state);

  Admission insert(const uint64_t* words);
  bool contains(const uint64_t* words) const;
  const uint64_t* operator[](uint64_t id) const;
  uint64_t size() const { return roots_.size(); }
  uint64_t bytes() const;

 private:
  // Distinct pieces of one or two words, by number.
  class Pieces {
   public:
    Pieces(Budget& budget, uint32_t words) : words_(words), pieces_(budget, words), table_(budget, kFirstSlots) {}
    // Throws Error(Unsupported) if there are too many.
    uint32_t number_of(const uint64_t* piece);
    // NumberTable::kNone if it is not known.
    uint64_t find(const uint64_t* piece) const { return slot_of(piece, hash_words(piece, words_)).number; }
    const uint64_t* operator[](uint32_t number) const { return pieces_[number]; }
    uint64_t bytes() const { return pieces_.bytes() + table_.bytes(); }

   private:
    NumberTable::Slot slot_of(const uint64_t* piece, uint64_t hash) const {
      return table_.find(hash, [&](uint64_t i) { return std::equal(piece, piece + words_, pieces_[i]); });
    }

    uint32_t words_;
    ChunkedArray<uint64_t> pieces_;
    NumberTable table_;
  };
  // Where a piece comes from: words of the state (a leaf), or two other nodes.
  struct Node {
    uint32_t first_word = 0;
    uint32_t words = 0;  // 0: no leaf
    uint32_t left = 0;
    uint32_t right = 0;
  };
  static constexpr uint64_t kFirstSlots = 64;
  static constexpr uint64_t kMostPieces = UINT32_MAX;

  uint32_t root() const { return static_cast<uint32_t>(nodes_.size() - 1); }
  static uint64_t pair(uint32_t left, uint32_t right) { return uint64_t{left} << 32 | right; }
  NumberTable::Slot slot_of(uint64_t root) const {
    return table_.find(hash_words(&root, 1), [&](uint64_t id) { return *roots_[id] == root; });
  }
  void unfold(uint32_t node, uint64_t pair) const;

  uint32_t words_;
  std::vector<Node> nodes_;    // the parts of each before it, the root last
  std::deque<Pieces> pieces_;  // by node, but for the root
  ChunkedArray<uint64_t> roots_;
  NumberTable table_;
  // The state that was looked up last, and the numbers of its pieces.
  std::vector<uint64_t> recent_;
  std::vector<uint32_t> numbers_;
  std::vector<bool> changed_;
  bool has_recent_ = false;
  mutable std::vector<uint64_t> read_;
};

}  // namespace harrier::store
