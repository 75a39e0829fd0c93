// Open lists: the states that wait to be expanded, and which of them is next.
//
// A frontier is told about every admitted state, in the order of generation, through `add`; `end_of_expansion` marks
// where the successors of one state end; `next` hands out the state to expand.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "base/rng.h"

namespace harrier::search {

// A state on its way into the open list, with what the search knows about it.
struct Ticket {
  uint64_t id = 0;
  uint32_t cost = 0;  // of the path to it
  uint32_t rank = 0;  // the queue it belongs to; lower ones are emptied first
  bool preferred = false;
  std::span<const uint32_t> estimates = {};  // of the distance to the goal, as many as the frontier was made for
};

struct Next {
  uint64_t id = 0;
  uint32_t cost = 0;  // as it was when the state was added
  uint32_t rank = 0;
};

class Frontier {
 public:
  virtual ~Frontier() = default;
  virtual void add(const Ticket& ticket) = 0;
  virtual void end_of_expansion() {}
  virtual std::optional<Next> next() = 0;
  // States that wait, those that turn out to be stale included.
  virtual uint64_t size() const = 0;
  // A layered frontier expands states in the order of their numbers; this is the first number of the next layer.
  virtual std::optional<uint64_t> layer_end() const { return std::nullopt; }
};

// First in, first out. States are numbered as they are admitted and expanded in the same order, so a counter does.
class BreadthFirst : public Frontier {
 public:
  void add(const Ticket& ticket) override { admitted_ = ticket.id + 1; }
  std::optional<Next> next() override {
    if (next_ == admitted_) return std::nullopt;
    if (next_ == layer_end_) {
      layer_end_ = admitted_;
      ++depth_;
    }
    return Next{next_++, depth_ - 1, 0};
  }
  uint64_t size() const override { return admitted_ - next_; }
  std::optional<uint64_t> layer_end() const override { return layer_end_; }

 private:
  uint64_t next_ = 0;
  uint64_t admitted_ = 0;
  uint64_t layer_end_ = 0;
  uint32_t depth_ = 0;
};

// By depth, where a successor may be several steps deeper than its parent: a bucket for each depth (Dial 1969). A state
// that was found again at a smaller depth waits in both buckets; the later entry is stale. In a bucket are the
// differences of the states' numbers in as few bytes as they need: most follow one another, so that a state that waits
// takes a byte or two.
class ByDepth : public Frontier {
 public:
  explicit ByDepth(Budget& budget) : budget_(budget) {}
  void add(const Ticket& ticket) override;
  std::optional<Next> next() override;
  uint64_t size() const override { return size_; }

 private:
  struct Bucket {
    explicit Bucket(Budget& budget) : bytes(budget, 1) {}
    ChunkedArray<uint8_t> bytes;
    uint64_t read = 0;  // so many
    uint64_t last_added = 0;
    uint64_t last_read = 0;
  };

  Budget& budget_;
  std::map<uint32_t, Bucket> buckets_;
  uint64_t size_ = 0;
};

// Last in, first out, but the successors of one state in the order in which they were generated, or shuffled. One stack
// a rank.
class DepthFirst : public Frontier {
 public:
  DepthFirst(Budget& budget, std::optional<uint64_t> seed);
  void add(const Ticket& ticket) override { successors_.push_back({ticket.id, ticket.cost, ticket.rank}); }
  void end_of_expansion() override;
  std::optional<Next> next() override;
  uint64_t size() const override;

 private:
  Budget& budget_;
  std::optional<Rng> rng_;
  std::vector<Next> successors_;
  std::deque<ChunkedArray<Next>> stacks_;  // by rank
  uint32_t first_ = 0;                     // lower ranks are empty
};

// Statistics of one queue.
struct QueueCounts {
  uint64_t pushed = 0;
  uint64_t popped = 0;
};

// A priority queue of integers, most of them small: the oldest state of the best key first, which keeps paths short.
class BucketQueue {
 public:
  explicit BucketQueue(Budget& budget) : budget_(&budget) {}
  BucketQueue(BucketQueue&& other) noexcept;
  ~BucketQueue() { budget_->give_back(bytes_); }

  bool empty() const { return size_ == 0; }
  void push(uint32_t key, const Next& entry);
  Next pop();
  const QueueCounts& counts() const { return counts_; }

 private:
  static constexpr uint32_t kNearKeys = 1 << 12;  // these have their buckets side by side

  Budget* budget_;
  struct Bucket {
    std::vector<Next> entries;
    size_t head = 0;  // those before it are gone
  };
  Bucket& bucket_of(uint32_t key);
  void take(uint64_t bytes);
  static Next pop_from(Bucket& bucket);
  void drop_first_far();

  std::vector<Bucket> near_;
  std::map<uint32_t, Bucket> far_;  // by key: dead ends of unsafe heuristics, and estimates without measure
  uint32_t lowest_ = 0;             // no near key below it
  uint64_t near_size_ = 0;
  uint64_t size_ = 0;
  uint64_t bytes_ = 0;
  QueueCounts counts_;
};

// How preferred states, which are put into a second set of queues as well, get their turns.
enum class Turns : uint8_t {
  None,     // they are not told apart
  Boosted,  // both sets in turns, that of the preferred states more often after progress (as in Fast Downward)
  // In turns, without a boost (Wehrle 2011, fig. 3.7). What is put back (rank above 0) comes last, preferred or not.
  Alternating,
};

// Best first: key = cost_weight * cost + estimate_weight * estimate, one queue a rank. Of several estimates each has a
// set of queues (and one of preferred states), and they take turns (Röger and Helmert 2010).
class BestFirst : public Frontier {
 public:
  BestFirst(Budget& budget, uint32_t cost_weight, uint32_t estimate_weight, Turns turns = Turns::None,
            size_t estimates = 1);
  void add(const Ticket& ticket) override;
  std::optional<Next> next() override;
  uint64_t size() const override { return size_; }
  // Of each queue by rank, regular ones first, then the preferred ones; of several estimates those of the first come
  // first.
  std::vector<QueueCounts> counts() const;

 private:
  static constexpr int64_t kBoost = 1000;

  struct Set {
    std::vector<BucketQueue> queues;  // by rank
    int64_t turn = 0;                 // the set with the lowest turn is next
    uint32_t first = 0;               // lower ranks are empty
    uint64_t size = 0;
  };
  struct Lane {
    Set regular;
    Set preferred;
    uint32_t best_estimate = UINT32_MAX;
  };
  void push(Set& set, const Ticket& ticket, uint32_t estimate);
  template <class Suits>
  Set* next_in_turn(Suits&& suits);
  Set& set_to_read();

  Budget& budget_;
  uint32_t cost_weight_;
  uint32_t estimate_weight_;
  Turns turns_;
  std::vector<Lane> lanes_;  // by estimate
  uint64_t size_ = 0;
};

}  // namespace harrier::search
