// Breadth-first search by several threads, with the result of the search by one.
//
// A layer is worked off in *blocks* of states, and a block in three steps that all threads take together:
//
//   expand    The block is cut into *units*. A thread takes the next unit, generates the successors of its states and
//             keeps those as *candidates* that the store does not have. Nobody writes to the store meanwhile.
//   take in   A thread has a share of the store, told by hashes. It goes through the candidates of all units in their
//             order and takes in those that belong to its share and are still new.
//   settle    New states get their numbers, in the order of the units and of the candidates in them: each unit knows
//             how many there are before it. A thread takes the next unit, writes its states to where their numbers
//             say, and looks whether they are in the goal.
//
// With partial-order reduction or symmetry, all that is said here holds of the reduced space; the states of a block
// count as expanded before any of them is (step/reduction.h), so that nothing depends on the threads either. Paths of
// the reduction need not be shortest ones.
//
// So nothing is locked, and nothing depends on which thread is faster: a state has the number and the parent that it
// has in the search by one thread, where it is admitted at the same place in the order of all successors. A goal, or a
// failure of the model, ends the search at the first such place; what was done beyond it is not counted.
//
// Sharing states by their hashes so that no two threads write the same ones goes back to Stern and Dill (1997); that a
// shared table in one memory scales, and what a cache line costs there, is from Laarman, van de Pol and Weber (2010).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "model/interpreter.h"
#include "model/symmetry.h"
#include "search/config.h"
#include "search/crew.h"
#include "search/explorer.h"
#include "search/task.h"
#include "step/goal.h"

namespace harrier::search {

// States of a block that one thread works on, and what came of it. Spaces add their candidates.
struct Unit {
  size_t first = 0;  // in the block
  size_t last = 0;
  uint64_t generated = 0;
  // The expansion of this state of the block failed, after `generated` successors of the unit.
  std::optional<model::EvalFailure> failure;
  size_t failed = 0;
  uint64_t passed = 0;          // successors that were passed through; they are among those that were generated
  uint64_t reduced = 0;         // states of which processes were left out
  std::optional<uint32_t> way;  // the label of the steps from that state to where it did; none if there are none
  std::vector<uint64_t> fresh;  // candidates that were taken in, by share of the store
  uint64_t number = 0;          // of the first of them
  uint64_t transient = 0;       // how many of them are
  // What the first of them showed that is in the goal, or where the goal fails.
  struct Sight {
    uint64_t number = 0;
    size_t parent = 0;       // in the block
    uint64_t generated = 0;  // successors of the unit so far, with this one
    size_t clause = 0;
    std::optional<model::EvalFailure> failure;
  };
  std::optional<Sight> sight;

  void begin(size_t from, size_t to, uint32_t shares) {
    first = from;
    last = to;
    generated = transient = passed = reduced = 0;
    failure.reset();
    way.reset();
    fresh.assign(shares, 0);
    sight.reset();
  }
};

// A state that the search has come to, seen from where it was generated.
struct Candidate {
  uint64_t hash = 0;
  uint32_t parent = 0;     // in the block
  uint32_t label = 0;      // of the transition
  uint32_t generated = 0;  // successors of the unit so far, with this one
  uint32_t at = kKnown;    // for the space, if it was taken in
  static constexpr uint32_t kKnown = UINT32_MAX;
  bool fresh() const { return at != kKnown; }
};

// The label of one thread in the count of all: theirs follow each other in turns.
uint32_t label_of_all(uint32_t label, uint32_t who, uint32_t threads);

// The violations that the search by one thread has seen. `violated_in` tells for each of a worker the state from which
// it was seen first. Whoever comes to a state where an edge leaves its range knows that from there or from an earlier
// state, unless it knows as many from earlier states as are kept.
template <class Workers>
std::vector<step::Machine::Violation> first_violations(const Workers& workers) {
  std::vector<std::pair<uint64_t, step::Machine::Violation>> all;
  for (const auto& worker : workers) {
    const auto& violations = worker->generator.violations();
    for (size_t i = 0; i < worker->violated_in.size(); ++i) all.emplace_back(worker->violated_in[i], violations[i]);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<step::Machine::Violation> out;
  for (const auto& seen : all) {
    const auto is_same = [&](const auto& v) { return v.edge == seen.second.edge; };
    if (out.size() == step::Machine::kMostViolations) break;
    if (std::none_of(out.begin(), out.end(), is_same)) out.push_back(seen.second);
  }
  return out;
}

// Generates states for a unit, by the generator of a worker. What fails there is the unit's.
template <class Worker, class Unit, class Work>
void generate_for(Worker& worker, Unit& unit, Work&& work) {
  try {
    work();
  } catch (const model::EvalFailure& failure) {
    worker.recover(unit);
    unit.failure = failure;
  }
}

// The states of a unit one after the other: visit(number) generates the successors of each.
template <class Worker, class Unit, class Visit>
void expand_each(Worker& worker, Unit& unit, std::span<const uint64_t> block, const Watch& watch, Visit&& visit) {
  generate_for(worker, unit, [&] {
    for (unit.failed = unit.first; unit.failed < unit.last; ++unit.failed) {
      watch.poll();
      visit(block[unit.failed]);
      worker.violated_in.resize(worker.generator.violations().size(), block[unit.failed]);
    }
  });
}

// Looks at a new state, which the generator has loaded, for the last step: whether it is in the goal, or the goal fails
// there.
template <class Generator, class Goal>
bool look_for_goal(Generator& generator, Unit& unit, const Candidate& candidate, uint64_t number, Goal&& goal) {
  Unit::Sight sight{.number = number, .parent = candidate.parent, .generated = candidate.generated};
  try {
    const std::optional<size_t> clause = goal();
    if (!clause) return false;
    sight.clause = *clause;
  } catch (const model::EvalFailure& failure) {
    generator.recover();
    sight.failure = failure;
  }
  unit.sight = sight;
  return true;
}

// A space for this (parallel_discrete.h, parallel_zones.h) is made of a semantics, a budget, the number of threads,
// whether to reduce, and a symmetry or null. It has
//   using Unit                                   with candidates, and clear() for a new block
//   void hire(uint32_t who)                      make what a thread needs; its recover(unit) is called after a failure
//   void expand_initial(Unit&)
//   void expand(who, Unit&, block)               the first step; of a failure it fills failure and failed
//   void take_in(share, shares, units, block)    the second; fills fresh
//   void make_room(states)                       numbers below this are settled next
//   void settle(who, Unit&, block)               the third; fills transient and sight
//   bool dropped(number); Path path_to(number, clause); Path path_to_failure(number, unit); variable_count,
//   for_each_discrete, violations, stored as of Task
template <class S>
class ParallelSearch : public Task {
 public:
  struct Options {
    uint32_t threads = 1;
    std::optional<uint64_t> threads_from;  // smaller blocks are for one; by default S::kThreadsFrom
    std::optional<uint64_t> depth_limit;
    bool reduce = false;                                        // by partial orders, where that is possible
    std::shared_ptr<const model::Symmetry> symmetry = nullptr;  // states are arranged by this
  };

  ParallelSearch(const step::Semantics& semantics, Budget& budget, const Options& options)
      : options_(options),
        watch_(budget.watch()),
        space_(semantics, budget, options.threads, options.reduce, options.symmetry),
        crew_(options.threads) {}

  Status advance(uint64_t expansions) override {
    const uint64_t enough = expanded_ + expansions;
    if (!started_) start();
    while (status_ == Status::Running && expanded_ < enough) {
      watch_.poll();
      if (next_ == layer_end_ && !begin_layer()) break;
      fill_block();
      work_on_block(false);
    }
    return status_;
  }

  uint64_t work() const override { return generated_; }
  model::Path path() override { return space_.path_to(goal_, goal_clause_); }
  bool for_each_state(const std::function<bool(const int32_t*)>& visit) const override {
    if (options_.reduce || options_.symmetry) return false;  // there may be others
    space_.for_each_discrete(visit);
    return true;
  }
  double reduced_part() const override {
    const auto passed = static_cast<double>(passed_);
    return (passed + static_cast<double>(reduced_)) / (passed + static_cast<double>(expanded_));
  }
  std::vector<step::Machine::Violation> violations() const override { return space_.violations(); }

  Statistics statistics() const override {
    Statistics s;
    s.expanded = expanded_;
    s.generated = generated_;
    s.stored = space_.stored(numbered_);
    s.transient = transient_;
    s.open = numbered_ - next_;
    s.depth = depth_;
    if (options_.symmetry) s.interchangeable = options_.symmetry->processes();
    return s;
  }

 private:
  using SpaceUnit = typename S::Unit;

  void start() {
    started_ = true;
    space_.hire(0);
    block_.clear();
    work_on_block(true);
  }

  // The states that were found last are expanded next. False: the search is over.
  bool begin_layer() {
    if (numbered_ == layer_end_) {
      status_ = Status::Exhausted;
      return false;
    }
    const uint64_t depth = layer_end_ == 0 ? 0 : depth_ + 1;
    if (options_.depth_limit && depth >= *options_.depth_limit) {
      status_ = Status::Cut;
      return false;
    }
    depth_ = depth;
    layer_end_ = numbered_;
    space_.begin_layer(layer_end_);
    return true;
  }

  void fill_block() {
    block_.clear();
    for (; next_ != layer_end_ && block_.size() < S::kBlock; ++next_) {
      if (!space_.dropped(next_)) block_.push_back(next_);
    }
  }

  // So many take part, all having what they need.
  uint32_t hands() {
    if (options_.threads == 1 || block_.size() < options_.threads_from.value_or(S::kThreadsFrom) || block_.size() <= 1)
      return 1;
    for (; hired_ < options_.threads; ++hired_) space_.hire(hired_);
    return options_.threads;
  }

  void work_on_block(bool initial) {
    const uint32_t hands = this->hands();
    size_t count = cut_into_units(hands);
    const auto failed = [](const SpaceUnit& unit) { return unit.failure.has_value(); };
    count = for_each_unit(hands, count, failed, [&](uint32_t who, SpaceUnit& unit) {
      if (initial) {
        space_.expand_initial(unit);
      } else {
        space_.expand(who, unit, block_);
      }
    });
    const std::span<SpaceUnit> units(units_.data(), count);
    crew_.each(hands, [&](uint32_t who) { space_.take_in(who, hands, units, block_); });
    uint64_t end = numbered_;
    for (SpaceUnit& unit : units) {
      unit.number = end;
      for (const uint64_t fresh : unit.fresh) end += fresh;
    }
    space_.make_room(end);
    const auto ends_search = [](const SpaceUnit& unit) { return unit.sight || unit.failure; };
    count = for_each_unit(hands, count, ends_search,
                          [&](uint32_t who, SpaceUnit& unit) { space_.settle(who, unit, block_); });
    for (size_t i = 0; i < count; ++i) {
      SpaceUnit& unit = units_[i];
      transient_ += unit.transient;
      passed_ += unit.passed;
      reduced_ += unit.reduced;
      if (ends_search(unit)) return end_with(unit, initial);
      if (!initial) generated_ += unit.generated;
      expanded_ += unit.last - unit.first;
    }
    numbered_ = end;
  }

  // Several for each, since some take longer than others.
  size_t cut_into_units(uint32_t hands) {
    const size_t size = hands == 1 ? S::kBlock : std::clamp<size_t>(block_.size() / (8 * size_t{hands}), 1, S::kUnit);
    const size_t count = std::max<size_t>(1, (block_.size() + size - 1) / size);
    if (units_.size() < count) units_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      units_[i].begin(i * size, std::min(block_.size(), (i + 1) * size), hands);
      units_[i].clear();
    }
    return count;
  }

  // Units are taken in their order; those after one that is the last are left out. The number of those that count.
  template <class IsLast, class Work>
  size_t for_each_unit(uint32_t hands, size_t count, IsLast&& is_last, Work&& work) {
    std::atomic<size_t> next = 0;
    std::atomic<size_t> end = count;
    crew_.each(hands, [&](uint32_t who) {
      for (size_t i = next++; i < end; i = next++) {
        work(who, units_[i]);
        if (!is_last(units_[i])) continue;
        size_t known = end;
        while (i + 1 < known && !end.compare_exchange_weak(known, i + 1)) {
        }
      }
    });
    return end;
  }

  void end_with(const SpaceUnit& unit, bool initial) {
    const auto& sight = unit.sight;
    if (!initial) {
      generated_ += sight ? sight->generated : unit.generated;
      expanded_ += (sight ? sight->parent : unit.failed) + 1 - unit.first;
    }
    if (!sight) {
      numbered_ = unit.number;
      for (const uint64_t fresh : unit.fresh) numbered_ += fresh;
      throw ModelFailure(*unit.failure, initial ? model::Path() : space_.path_to_failure(block_[unit.failed], unit));
    }
    numbered_ = sight->number + 1;
    if (sight->failure) throw ModelFailure(*sight->failure, space_.path_to(sight->number, step::kNoClause));
    goal_ = sight->number;
    goal_clause_ = sight->clause;
    status_ = Status::Found;
  }

  Options options_;
  const Watch& watch_;
  S space_;
  Crew crew_;
  uint32_t hired_ = 1;
  std::vector<SpaceUnit> units_;
  std::vector<uint64_t> block_;  // numbers of the states that are expanded
  Status status_ = Status::Running;
  bool started_ = false;
  uint64_t next_ = 0;       // to be expanded
  uint64_t layer_end_ = 0;  // the first of the next layer
  uint64_t numbered_ = 0;
  uint64_t depth_ = 0;  // of the layer
  uint64_t expanded_ = 0;
  uint64_t generated_ = 0;
  uint64_t transient_ = 0;
  uint64_t passed_ = 0;
  uint64_t reduced_ = 0;
  uint64_t goal_ = 0;
  size_t goal_clause_ = 0;
};

std::unique_ptr<Task> make_parallel_task(const step::Semantics& semantics, const Config& config,
                                         std::shared_ptr<const model::Symmetry> symmetry, Budget& budget);

}  // namespace harrier::search
