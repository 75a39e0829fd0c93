#include "search/frontier.h"

#include <algorithm>
#include <utility>

namespace harrier::search {

DepthFirst::DepthFirst(Budget& budget, std::optional<uint64_t> seed) : budget_(budget) {
  if (seed) rng_.emplace(*seed);
}

void DepthFirst::end_of_expansion() {
  if (rng_) {
    for (size_t i = successors_.size(); i > 1; --i) std::swap(successors_[i - 1], successors_[rng_->below(i)]);
  }
  for (size_t i = successors_.size(); i-- > 0;) {
    const Next& entry = successors_[i];
    while (stacks_.size() <= entry.rank) stacks_.emplace_back(budget_, 1);
    *stacks_[entry.rank].append() = entry;
    first_ = std::min(first_, entry.rank);
  }
  successors_.clear();
}

uint64_t DepthFirst::size() const {
  uint64_t sum = 0;
  for (const ChunkedArray<Next>& stack : stacks_) sum += stack.size();
  return sum;
}

std::optional<Next> DepthFirst::next() {
  while (first_ < stacks_.size() && stacks_[first_].size() == 0) ++first_;
  if (first_ == stacks_.size()) return std::nullopt;
  ChunkedArray<Next>& stack = stacks_[first_];
  const Next top = *stack[stack.size() - 1];
  stack.remove_last();
  return top;
}

BucketQueue::BucketQueue(BucketQueue&& other) noexcept
    : budget_(other.budget_),
      buckets_(std::move(other.buckets_)),
      lowest_(other.lowest_),
      size_(other.size_),
      bytes_(std::exchange(other.bytes_, 0)),
      counts_(other.counts_) {}

void BucketQueue::push(uint32_t key, const Next& entry) {
  key = std::min(key, kLargestKey);
  if (buckets_.size() <= key) {
    const uint64_t added = (key + 1 - buckets_.size()) * sizeof(buckets_[0]);
    budget_->take(added);
    bytes_ += added;
    buckets_.resize(key + 1);
  }
  Bucket& bucket = buckets_[key];
  std::vector<Next>& entries = bucket.entries;
  if (entries.size() == entries.capacity()) {
    if (bucket.head > entries.size() / 2) {
      entries.erase(entries.begin(), entries.begin() + static_cast<ptrdiff_t>(bucket.head));
      bucket.head = 0;
    } else {
      const size_t grown = std::max<size_t>(8, entries.capacity() * 2);
      const uint64_t added = (grown - entries.capacity()) * sizeof(Next);
      budget_->take(added);
      bytes_ += added;
      entries.reserve(grown);
    }
  }
  entries.push_back(entry);
  lowest_ = size_ == 0 ? key : std::min(lowest_, key);
  ++size_;
  ++counts_.pushed;
}

Next BucketQueue::pop() {
  while (buckets_[lowest_].entries.empty()) ++lowest_;
  Bucket& bucket = buckets_[lowest_];
  const Next entry = bucket.entries[bucket.head++];
  if (bucket.head == bucket.entries.size()) {
    bucket.entries.clear();
    bucket.head = 0;
  }
  --size_;
  ++counts_.popped;
  return entry;
}

BestFirst::BestFirst(Budget& budget, uint32_t cost_weight, uint32_t estimate_weight, Turns turns)
    : budget_(budget), cost_weight_(cost_weight), estimate_weight_(estimate_weight), turns_(turns) {}

void BestFirst::push(Set& set, const Ticket& ticket) {
  while (set.queues.size() <= ticket.rank) set.queues.emplace_back(budget_);
  const uint64_t key = uint64_t{cost_weight_} * ticket.cost + uint64_t{estimate_weight_} * ticket.estimate;
  set.queues[ticket.rank].push(static_cast<uint32_t>(std::min<uint64_t>(key, UINT32_MAX)),
                               {ticket.id, ticket.cost, ticket.rank});
  set.first = set.size == 0 ? ticket.rank : std::min(set.first, ticket.rank);
  ++set.size;
}

void BestFirst::add(const Ticket& ticket) {
  if (turns_ == Turns::Boosted && ticket.estimate < best_estimate_) {
    best_estimate_ = ticket.estimate;
    preferred_.turn -= kBoost;
  }
  push(regular_, ticket);
  const bool aside = turns_ == Turns::Boosted || (turns_ == Turns::Alternating && ticket.rank == 0);
  if (aside && ticket.preferred) push(preferred_, ticket);
}

BestFirst::Set& BestFirst::set_to_read() {
  const bool preferred = preferred_.size != 0;
  if (turns_ == Turns::Alternating) {
    const bool regular = !regular_.queues.empty() && !regular_.queues[0].empty();
    const bool in_turn = preferred && preferred_.turn <= regular_.turn;
    if (in_turn || (regular && regular_.turn <= preferred_.turn)) {
      Set& set = in_turn ? preferred_ : regular_;
      ++set.turn;
      return set;
    }
    return preferred ? preferred_ : regular_;
  }
  Set& set = preferred && (regular_.size == 0 || preferred_.turn <= regular_.turn) ? preferred_ : regular_;
  ++set.turn;
  return set;
}

std::optional<Next> BestFirst::next() {
  if (regular_.size + preferred_.size == 0) return std::nullopt;
  Set& set = set_to_read();
  while (set.queues[set.first].empty()) ++set.first;
  --set.size;
  return set.queues[set.first].pop();
}

std::vector<QueueCounts> BestFirst::counts() const {
  std::vector<QueueCounts> out;
  for (const Set* set : {&regular_, &preferred_}) {
    for (const BucketQueue& queue : set->queues) out.push_back(queue.counts());
  }
  return out;
}

}  // namespace harrier::search
