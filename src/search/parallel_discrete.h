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
#include "search/step_names.h"
#include "step/arrangement.h"
#include "step/discrete_generator.h"
#include "step/layers.h"
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

  // `reduce`: by partial orders, where it is possible.
  ParallelDiscreteSpace(const step::Semantics& semantics, Budget& budget, uint32_t threads, bool reduce,
                        std::shared_ptr<const model::Symmetry> symmetry);

  void hire(uint32_t who);
  void begin_layer(uint64_t) {}
  void expand_initial(Unit& unit);
  void expand(uint32_t who, Unit& unit, std::span<const uint64_t> block);
  void take_in(uint32_t share, uint32_t shares, std::span<Unit> units, std::span<const uint64_t> block);
  void make_room(uint64_t states);
  void settle(uint32_t who, Unit& unit, std::span<const uint64_t> block);

  bool dropped(uint64_t) const { return false; }
  uint64_t stored(uint64_t numbered) const { return numbered; }
  model::Path path_to(uint64_t number, size_t goal_clause) const { return path_to(number, goal_clause, {}); }
  model::Path path_to_failure(uint64_t number, const Unit& unit) const;
  void for_each_discrete(const std::function<bool(const int32_t*)>& visit) const;
  std::vector<step::Machine::Violation> violations() const;

 private:
  // What one thread has to itself.
  struct Worker {
    Worker(ParallelDiscreteSpace& of, uint32_t number);
    void recover(Unit& unit);
    void count_passed(Unit& unit);
    ParallelDiscreteSpace& space;
    uint32_t who;
    step::DiscreteGenerator generator;
    step::Layers layers;
    std::optional<step::Arrangement> arrangement;
    StepNames names;
    uint64_t passed = 0;                // of the layers, as far as units have them
    bool leads_on = false;              // the state that is being expanded: for the reduction (step/reduction.h)
    std::vector<uint64_t> violated_in;  // by violation: the state from which it was seen first
    struct Own {
      uint32_t unit = 0;
      uint32_t candidate = 0;
    };
    std::vector<Own> own;  // what it has to take in
    std::vector<uint32_t> of_part;
  };

  uint64_t hash_of(uint64_t number) const;
  // The number of a state that the store has, or PartedTable::kNone.
  uint64_t number_of(uint64_t hash, const uint64_t* words) const;
  std::vector<model::PathStep> steps_of(uint32_t label) const;
  model::Path path_to(uint64_t number, size_t goal_clause, std::vector<model::PathStep> more) const;
  // The candidate of the generator, from this state of the block; `end`: the states before this number are expanded.
  void take_candidate(Worker& worker, Unit& unit, const step::Firing& firing, uint64_t end) const;
  void add_candidate(Unit& unit, const uint64_t* words, uint64_t hash, size_t parent, uint32_t label) const;
  void sift(Unit& unit) const;
  void list_own(Worker& worker, uint32_t share, uint32_t shares, std::span<Unit> units) const;
  bool shows_something(Worker& worker, Unit& unit, const Candidate& candidate, uint64_t number) const;

  const step::Semantics& semantics_;
  Budget& budget_;
  uint32_t threads_;
  uint32_t width_;  // words of a state
  bool has_goal_;
  bool has_control_;
  step::LayerOptions layers_;
  std::shared_ptr<const step::Independence> independence_;
  std::shared_ptr<const model::Symmetry> symmetry_;
  ChunkedArray<uint64_t> states_;
  ChunkedArray<store::Origin> origins_;
  store::PartedTable table_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace harrier::search
