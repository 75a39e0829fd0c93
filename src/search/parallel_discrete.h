// The states of a model without clocks, for a search by several threads (parallel_search.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "model/path.h"
#include "search/parallel_search.h"
#include "step/discrete_generator.h"
#include "store/labels.h"
#include "store/origin.h"
#include "store/parted_table.h"

namespace harrier::search {

class ParallelDiscreteSpace {
 public:
  static constexpr size_t kBlock = 8192;
  static constexpr size_t kUnit = 128;
  static constexpr size_t kThreadsFrom = 1024;

  struct Unit : search::Unit {
    std::vector<Candidate> candidates;
    std::vector<uint64_t> words;  // of each
    size_t sifted = 0;            // these candidates are unknown to the store
    void clear() {
      candidates.clear();
      words.clear();
      sifted = 0;
    }
  };

  ParallelDiscreteSpace(const step::Semantics& semantics, Budget& budget, uint32_t threads);

  void hire(uint32_t who);
  void begin_layer(uint64_t) {}
  void expand_initial(Unit& unit);
  void expand(uint32_t who, Unit& unit, std::span<const uint64_t> block);
  void take_in(uint32_t share, uint32_t shares, std::span<Unit> units, std::span<const uint64_t> block);
  void make_room(uint64_t states);
  void settle(uint32_t who, Unit& unit, std::span<const uint64_t> block);

  bool dropped(uint64_t) const { return false; }
  uint64_t stored(uint64_t numbered) const { return numbered; }
  model::Path path_to(uint64_t number, size_t goal_clause) const;
  void for_each_discrete(const std::function<bool(const int32_t*)>& visit) const;
  std::vector<step::Machine::Violation> violations() const;

 private:
  // What one thread has to itself.
  struct Worker {
    Worker(const step::Semantics& semantics, Budget& budget)
        : generator(semantics, budget.watch()), labels(budget), choices(budget) {}
    step::DiscreteGenerator generator;
    store::Labels labels;
    store::Labels choices;
    std::vector<uint64_t> violated_in;  // by violation: the state from which it was seen first
    struct Own {
      uint32_t unit = 0;
      uint32_t candidate = 0;
    };
    std::vector<Own> own;  // what it has to take in
    std::vector<uint32_t> of_part;
  };

  uint64_t hash_of(uint64_t number) const;
  uint32_t choice_number(uint32_t who, std::span<const int32_t> choices);
  std::vector<int32_t> choices_of(uint32_t number) const;
  void add_candidate(Unit& unit, Worker& worker, size_t parent, uint32_t label) const;
  void sift(Unit& unit) const;
  void list_own(Worker& worker, uint32_t share, uint32_t shares, std::span<Unit> units) const;
  bool shows_something(Worker& worker, Unit& unit, const Candidate& candidate, uint64_t number) const;

  const step::Semantics& semantics_;
  Budget& budget_;
  uint32_t threads_;
  uint32_t width_;  // words of a state
  bool has_goal_;
  bool has_control_;
  ChunkedArray<uint64_t> states_;
  ChunkedArray<store::Origin> origins_;
  store::PartedTable table_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace harrier::search
