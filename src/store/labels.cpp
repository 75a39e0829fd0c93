#include "store/labels.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "store/origin.h"

namespace harrier::store {

namespace {

uint64_t hash_of(std::span<const uint32_t> record) {
  uint64_t h = 0x9e3779b97f4a7c15ULL;
  for (const uint32_t word : record) h = (h ^ mix64(word)) * 0x9fb21c651e98df25ULL;
  return mix64(h);
}

}  // namespace

uint32_t Labels::of(std::span<const uint32_t> edges, uint32_t part) {
  const bool alone = edges.size() == 1 && part == 0;
  if (alone && edges[0] < alone_.size() && alone_[edges[0]] != kNone) return alone_[edges[0]];
  if (edges.size() == 2) return triple(part, edges[0], edges[1]);
  scratch_.assign(1, part);
  scratch_.insert(scratch_.end(), edges.begin(), edges.end());
  const uint32_t label = intern(scratch_);
  if (alone) {
    while (alone_.size() <= edges[0]) alone_.push_back(kNone);
    alone_[edges[0]] = label;
  }
  return label;
}

uint32_t Labels::then(uint32_t first, uint32_t second) {
  if (first == kNone) return second;
  return triple(kChain, first, second);
}

uint32_t Labels::intern(std::span<const uint32_t> wanted) {
  const uint64_t hash = hash_of(wanted);
  NumberTable::Slot slot = table_.find(hash, [&](uint64_t label) {
    const std::span<const uint32_t> known = record(label);
    return std::equal(known.begin(), known.end(), wanted.begin(), wanted.end());
  });
  if (slot.number != NumberTable::kNone) return static_cast<uint32_t>(slot.number);
  if (ends_.size() == Origin::kMostLabels) {
    throw Error(ErrorKind::Unsupported,
                "unsupported: more than " + std::to_string(Origin::kMostLabels) + " different transitions");
  }
  slot = table_.with_room(slot, hash, [&](uint64_t label) { return hash_of(record(label)); });
  words_.append(wanted);
  ends_.push_back(words_.size());
  table_.put(slot, hash);
  return size() - 1;
}

}  // namespace harrier::store
