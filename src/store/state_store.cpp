#include "store/state_store.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace harrier::store {

namespace {

constexpr uint64_t kFree = ~uint64_t{0};
constexpr uint64_t kFirstSlots = 1024;

}  // namespace

StateStore::StateStore(Budget& budget, uint32_t words_per_state)
    : budget_(budget), words_(words_per_state), states_(budget, words_per_state) {
  rebuild(kFirstSlots);
}

StateStore::~StateStore() { budget_.give_back(slots_.size() * sizeof(uint64_t)); }

void StateStore::rebuild(uint64_t slot_count) {
  // The old table is not needed to make the new one, so both are never in memory together.
  budget_.take((slot_count - slots_.size()) * sizeof(uint64_t));
  slots_ = {};
  slots_.assign(slot_count, kFree);
  for (uint64_t id = 0; id < states_.size(); ++id) {
    const uint64_t h = hash_words(states_[id], words_);
    uint64_t at = home(h);
    while (slots_[at] != kFree) at = next(at);
    slots_[at] = tag_of(h) | id;
  }
}

uint64_t StateStore::find(const uint64_t* words, uint64_t h) const {
  const uint64_t tag = tag_of(h);
  uint64_t at = home(h);
  for (; slots_[at] != kFree; at = next(at)) {
    if ((slots_[at] & ~kIdMask) == tag && std::equal(words, words + words_, states_[slots_[at] & kIdMask])) break;
  }
  return at;
}

bool StateStore::contains(const uint64_t* words) const {
  return slots_[find(words, hash_words(words, words_))] != kFree;
}

StateStore::Inserted StateStore::insert(const uint64_t* words) {
  const uint64_t h = hash_words(words, words_);
  uint64_t at = find(words, h);
  if (slots_[at] != kFree) return {slots_[at] & kIdMask, false};
  if ((states_.size() + 1) * 5 > slots_.size() * 4) {
    rebuild(slots_.size() + slots_.size() / 2);
    at = home(h);
    while (slots_[at] != kFree) at = next(at);
  }
  const uint64_t id = states_.size();
  std::copy(words, words + words_, states_.append());
  slots_[at] = tag_of(h) | id;
  return {id, true};
}

}  // namespace harrier::store
