// Numbers for the transitions that lead to stored states, each kept once: so an origin is one word, and a path needs no
// search for its steps.
//
// A label is a transition, that is, the edges that fire together and, where they lead to several zones, which of them;
// or one label after another, where a state is several steps away from its parent.
//
//     const uint32_t a = labels.of(edges);
//     const uint32_t b = labels.then(a, labels.of(more));
//     labels.for_each_step(b, [&](std::span<const uint32_t> edges, uint32_t part) { … });   // two steps
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/counted_vector.h"
#include "base/number_table.h"

namespace harrier::store {

class Labels {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  explicit Labels(Budget& budget) : words_(budget), ends_(budget), table_(budget, kFirstSlots), alone_(budget) {}

  // Throw Error(Unsupported) if there are too many.
  uint32_t of(std::span<const uint32_t> edges, uint32_t part = 0);
  // kNone before a label is nothing.
  uint32_t then(uint32_t first, uint32_t second);

  // Calls visit(edges, part) for every step of a label.
  template <class Visit>
  void for_each_step(uint32_t label, Visit&& visit) const {
    chain_of(label, [&](std::span<const uint32_t> record) { visit(record.subspan(1), record[0]); });
  }
  uint32_t size() const { return static_cast<uint32_t>(ends_.size()); }

 private:
  static constexpr uint64_t kFirstSlots = 64;
  static constexpr uint32_t kChain = UINT32_MAX;  // instead of a part: the record is two labels

  std::span<const uint32_t> record(uint64_t label) const {
    const size_t first = label == 0 ? 0 : ends_[label - 1];
    return {words_.data() + first, ends_[label] - first};
  }
  uint32_t intern(std::span<const uint32_t> record);
  // Of a record of three words.
  uint32_t triple(uint32_t kind, uint32_t a, uint32_t b) {
    Recent& recent = recent_[(a * 31 + b) % kRecent];
    if (recent.a != a || recent.b != b || recent.kind != kind || recent.label == kNone) {
      const uint32_t record[] = {kind, a, b};
      recent = {kind, a, b, intern(record)};
    }
    return recent.label;
  }
  template <class Visit>
  void chain_of(uint32_t label, Visit&& visit) const {
    std::vector<uint32_t> after;  // labels that come later, the next one last
    for (;;) {
      const std::span<const uint32_t> r = record(label);
      if (r[0] == kChain) {
        after.push_back(r[2]);
        label = r[1];
        continue;
      }
      visit(r);
      if (after.empty()) return;
      label = after.back();
      after.pop_back();
    }
  }

  CountedVector<uint32_t> words_;  // the records: part and edges
  CountedVector<uint64_t> ends_;   // of each in `words_`
  NumberTable table_;
  CountedVector<uint32_t> alone_;  // by edge: the label of that edge alone
  // Of pairs of edges and of two labels in a row, which most of the others are, those that were asked for last.
  struct Recent {
    uint32_t kind = 0;
    uint32_t a = 0;
    uint32_t b = 0;
    uint32_t label = kNone;
  };
  static constexpr uint32_t kRecent = 256;
  std::array<Recent, kRecent> recent_;
  std::vector<uint32_t> scratch_;
};

}  // namespace harrier::store
