#include "lang/pddl/grounding_relation.h"

#include <algorithm>

#include "base/error.h"

namespace harrier::pddl {

namespace {

constexpr size_t kFirstSlots = 16;
// Atoms are numbered through, and a bit more is used for the sign of a literal.
constexpr uint32_t kMaxTuples = uint32_t{1} << 30;

// The high bits, which a product mixes best, come down.
uint64_t extend(uint64_t hash, uint32_t object) {
  hash = (hash ^ object) * 0x9fb21c651e98df25ULL;
  return hash ^ (hash >> 32);
}

}  // namespace

uint64_t Relation::hash(const uint32_t* tuple) const {
  uint64_t h = 0x9e3779b97f4a7c15ULL;
  for (uint32_t i = 0; i < arity_; ++i) h = extend(h, tuple[i]);
  return h;
}

uint32_t Relation::find(const uint32_t* wanted) const {
  if (slots_.empty()) return kNone;
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash(wanted) & mask; slots_[at] != kNone; at = (at + 1) & mask) {
    if (std::equal(wanted, wanted + arity_, tuple(slots_[at]))) return slots_[at];
  }
  return kNone;
}

std::pair<uint32_t, bool> Relation::add(const uint32_t* added) {
  if (slots_.size() <= size_t{size_} * 2) grow();
  const size_t mask = slots_.size() - 1;
  size_t at = hash(added) & mask;
  for (; slots_[at] != kNone; at = (at + 1) & mask) {
    if (std::equal(added, added + arity_, tuple(slots_[at]))) return {slots_[at], false};
  }
  slots_[at] = size_;
  return {append(added), true};
}

uint32_t Relation::append(const uint32_t* added) {
  if (size_ == kMaxTuples) throw Error(ErrorKind::Unsupported, "unsupported: more than 1,073,741,824 atoms");
  objects_.insert(objects_.end(), added, added + arity_);
  return size_++;
}

void Relation::grow() {
  slots_.assign(std::max(kFirstSlots, slots_.size() * 2), kNone);
  const size_t mask = slots_.size() - 1;
  for (uint32_t number = 0; number < size_; ++number) {
    size_t at = hash(tuple(number)) & mask;
    while (slots_[at] != kNone) at = (at + 1) & mask;
    slots_[at] = number;
  }
}

void Relation::enter() {
  for (const auto& index : indexes_) index->enter(entered_);
  ++entered_;
}

void Relation::enter_all() {
  while (entered_ < size_) enter();
}

const Index& Relation::index(const std::vector<uint32_t>& columns) {
  for (const auto& index : indexes_) {
    if (index->columns() == columns) return *index;
  }
  Index& made = *indexes_.emplace_back(std::make_unique<Index>(*this, columns));
  for (uint32_t number = 0; number < entered_; ++number) made.enter(number);
  return made;
}

// Looked at again only when there are many more tuples.
uint32_t Relation::distinct(uint32_t column) {
  distinct_.resize(arity_);
  auto& [count, when] = distinct_[column];
  if (count == 0 || when < entered_ / 2) {
    std::vector<uint32_t> seen(entered_);
    for (uint32_t number = 0; number < entered_; ++number) seen[number] = tuple(number)[column];
    std::sort(seen.begin(), seen.end());
    count = static_cast<uint32_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
    when = entered_;
  }
  return count;
}

size_t Index::slot_of(uint32_t number) const {
  const uint32_t* tuple = relation_.tuple(number);
  uint64_t h = 0x9e3779b97f4a7c15ULL;
  for (const uint32_t column : columns_) h = extend(h, tuple[column]);
  const size_t mask = slots_.size() - 1;
  for (size_t at = h & mask;; at = (at + 1) & mask) {
    if (slots_[at] == Relation::kNone) return at;
    const uint32_t* there = relation_.tuple(slots_[at]);
    const auto same = [&](uint32_t column) { return there[column] == tuple[column]; };
    if (std::all_of(columns_.begin(), columns_.end(), same)) return at;
  }
}

void Index::enter(uint32_t number) {
  if (columns_.size() == 1) {
    const uint32_t object = relation_.tuple(number)[columns_.front()];
    if (object >= slots_.size()) slots_.resize(object + 1, Relation::kNone);
    next_.push_back(slots_[object]);
    slots_[object] = number;
    return;
  }
  if (slots_.size() <= size_t{keys_} * 2) grow();
  const size_t at = slot_of(number);
  if (slots_[at] == Relation::kNone) ++keys_;
  next_.push_back(slots_[at]);
  slots_[at] = number;
}

void Index::grow() {
  std::vector<uint32_t> old(std::max(kFirstSlots, slots_.size() * 2), Relation::kNone);
  old.swap(slots_);
  for (const uint32_t number : old) {
    if (number != Relation::kNone) slots_[slot_of(number)] = number;
  }
}

uint32_t Index::first(const uint32_t* key) const {
  if (columns_.size() == 1) return *key < slots_.size() ? slots_[*key] : Relation::kNone;
  if (slots_.empty()) return Relation::kNone;
  uint64_t h = 0x9e3779b97f4a7c15ULL;
  for (size_t i = 0; i < columns_.size(); ++i) h = extend(h, key[i]);
  const size_t mask = slots_.size() - 1;
  for (size_t at = h & mask; slots_[at] != Relation::kNone; at = (at + 1) & mask) {
    const uint32_t* there = relation_.tuple(slots_[at]);
    size_t i = 0;
    while (i < columns_.size() && there[columns_[i]] == key[i]) ++i;
    if (i == columns_.size()) return slots_[at];
  }
  return Relation::kNone;
}

}  // namespace harrier::pddl
