#include "search/frontier.h"

#include <algorithm>
#include <utility>

namespace harrier::search {

void ByDepth::add(const Ticket& ticket) {
  Bucket& bucket = buckets_.try_emplace(ticket.cost, budget_).first->second;
  // The sign goes to the lowest bit; seven bits a byte, the lowest first, and the eighth where more follow.
  const auto step = static_cast<int64_t>(ticket.id - bucket.last_added);
  uint64_t rest = static_cast<uint64_t>(step) << 1 ^ static_cast<uint64_t>(step >> 63);
  bucket.last_added = ticket.id;
  for (; rest >= 0x80; rest >>= 7) *bucket.bytes.append() = static_cast<uint8_t>(rest | 0x80);
  *bucket.bytes.append() = static_cast<uint8_t>(rest);
  ++size_;
}

std::optional<Next> ByDepth::next() {
  while (!buckets_.empty() && buckets_.begin()->second.read == buckets_.begin()->second.bytes.size()) {
    buckets_.erase(buckets_.begin());
  }
  if (buckets_.empty()) return std::nullopt;
  auto& [depth, bucket] = *buckets_.begin();
  uint64_t coded = 0;
  uint8_t byte = 0x80;
  for (uint32_t shift = 0; (byte & 0x80) != 0; shift += 7) {
    byte = *bucket.bytes[bucket.read++];
    coded |= uint64_t{byte & 0x7fu} << shift;
  }
  bucket.last_read += (coded >> 1) ^ (~(coded & 1) + 1);
  --size_;
  return Next{bucket.last_read, depth, 0};
}

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
      near_(std::move(other.near_)),
      far_(std::move(other.far_)),
      lowest_(other.lowest_),
      near_size_(other.near_size_),
      size_(other.size_),
      bytes_(std::exchange(other.bytes_, 0)),
      counts_(other.counts_) {}

void BucketQueue::take(uint64_t bytes) {
  budget_->take(bytes);
  bytes_ += bytes;
}

BucketQueue::Bucket& BucketQueue::bucket_of(uint32_t key) {
  if (key < kNearKeys) {
    if (near_.size() <= key) {
      take((key + 1 - near_.size()) * sizeof(Bucket));
      near_.resize(key + 1);
    }
    return near_[key];
  }
  const auto known = far_.find(key);
  if (known != far_.end()) return known->second;
  take(sizeof(*known));
  return far_[key];
}

void BucketQueue::push(uint32_t key, const Next& entry) {
  Bucket& bucket = bucket_of(key);
  std::vector<Next>& entries = bucket.entries;
  if (entries.size() == entries.capacity()) {
    if (bucket.head > entries.size() / 2) {
      entries.erase(entries.begin(), entries.begin() + static_cast<ptrdiff_t>(bucket.head));
      bucket.head = 0;
    } else {
      const size_t grown = std::max<size_t>(8, entries.capacity() * 2);
      take((grown - entries.capacity()) * sizeof(Next));
      entries.reserve(grown);
    }
  }
  entries.push_back(entry);
  ++size_;
  if (key < kNearKeys) {
    lowest_ = near_size_ == 0 ? key : std::min(lowest_, key);
    ++near_size_;
  }
  ++counts_.pushed;
}

Next BucketQueue::pop_from(Bucket& bucket) {
  const Next entry = bucket.entries[bucket.head++];
  if (bucket.head == bucket.entries.size()) {
    bucket.entries.clear();
    bucket.head = 0;
  }
  return entry;
}

Next BucketQueue::pop() {
  --size_;
  ++counts_.popped;
  if (near_size_ != 0) {
    while (near_[lowest_].entries.empty()) ++lowest_;
    --near_size_;
    return pop_from(near_[lowest_]);
  }
  while (far_.begin()->second.entries.empty()) drop_first_far();  // there was no memory for what it was made for
  Bucket& bucket = far_.begin()->second;
  const Next entry = pop_from(bucket);
  if (bucket.entries.empty()) drop_first_far();
  return entry;
}

void BucketQueue::drop_first_far() {
  const auto first = far_.begin();
  const uint64_t bytes = sizeof(*first) + first->second.entries.capacity() * sizeof(Next);
  far_.erase(first);
  budget_->give_back(bytes);
  bytes_ -= bytes;
}

BestFirst::BestFirst(Budget& budget, uint32_t cost_weight, uint32_t estimate_weight, Turns turns, size_t estimates)
    : budget_(budget), cost_weight_(cost_weight), estimate_weight_(estimate_weight), turns_(turns), lanes_(estimates) {}

void BestFirst::push(Set& set, const Ticket& ticket, uint32_t estimate) {
  while (set.queues.size() <= ticket.rank) set.queues.emplace_back(budget_);
  const uint64_t key = uint64_t{cost_weight_} * ticket.cost + uint64_t{estimate_weight_} * estimate;
  set.queues[ticket.rank].push(static_cast<uint32_t>(std::min<uint64_t>(key, UINT32_MAX)),
                               {ticket.id, ticket.cost, ticket.rank});
  set.first = set.size == 0 ? ticket.rank : std::min(set.first, ticket.rank);
  ++set.size;
  ++size_;
}

void BestFirst::add(const Ticket& ticket) {
  bool progress = false;
  const bool aside = turns_ == Turns::Boosted || (turns_ == Turns::Alternating && ticket.rank == 0);
  for (size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    const uint32_t estimate = ticket.estimates[i];
    progress = progress || estimate < lane.best_estimate;
    lane.best_estimate = std::min(lane.best_estimate, estimate);
    push(lane.regular, ticket, estimate);
    if (aside && ticket.preferred) push(lane.preferred, ticket, estimate);
  }
  if (turns_ != Turns::Boosted || !progress) return;
  for (Lane& lane : lanes_) lane.preferred.turn -= kBoost;
}

// Of the sets that suit the one that has had the fewest turns; of equal ones a preferred one.
template <class Suits>
BestFirst::Set* BestFirst::next_in_turn(Suits&& suits) {
  Set* best = nullptr;
  for (Set Lane::*member : {&Lane::preferred, &Lane::regular}) {
    for (Lane& lane : lanes_) {
      Set& set = lane.*member;
      if (suits(set) && (best == nullptr || set.turn < best->turn)) best = &set;
    }
  }
  return best;
}

BestFirst::Set& BestFirst::set_to_read() {
  const auto has_any = [](const Set& set) { return set.size != 0; };
  if (turns_ != Turns::Alternating) {
    Set& set = *next_in_turn(has_any);
    ++set.turn;
    return set;
  }
  // A turn counts only if nobody had to be passed over for it.
  Set* const set = next_in_turn([](const Set& s) { return !s.queues.empty() && !s.queues[0].empty(); });
  if (set == nullptr) return *next_in_turn(has_any);
  if (set->turn <= next_in_turn([](const Set&) { return true; })->turn) ++set->turn;
  return *set;
}

std::optional<Next> BestFirst::next() {
  if (size_ == 0) return std::nullopt;
  Set& set = set_to_read();
  while (set.queues[set.first].empty()) ++set.first;
  --set.size;
  --size_;
  return set.queues[set.first].pop();
}

std::vector<QueueCounts> BestFirst::counts() const {
  std::vector<QueueCounts> out;
  for (const Lane& lane : lanes_) {
    for (const Set* set : {&lane.regular, &lane.preferred}) {
      for (const BucketQueue& queue : set->queues) out.push_back(queue.counts());
    }
  }
  return out;
}

}  // namespace harrier::search
