// Conditions on single variables that have too many values for a fact each, as in `n >= 1000` (Kupferschmid et
// al. 2006, §4).
//
// Such a variable is an interval in the relaxation: an assignment `v := v + c` moves its upper border to infinity at
// once, `v := v - c` the lower one to minus infinity. So there is
//
//   - a fact for every condition `v ~ c` of a guard or the goal that can be written so;
//   - a fact "v can grow", which implies `v >= c` and `v != c`, and `v == c` if `v < c` was possible;
//   - a fact "v can shrink", likewise.
//
// An assignment of a known value makes the conditions true that the value satisfies, any other assignment all of them.
// An abstract path repeats what makes a variable grow as often as it takes (Kupferschmid et al. 2006, fig. 5).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "heur/fact.h"
#include "model/system.h"
#include "task/task.h"
#include "task/threshold.h"

namespace harrier::heur {

using task::Threshold;
using task::threshold_of;

class Thresholds {
 public:
  // Of the wide variables of a task. Facts are numbered from `first_fact`.
  Thresholds(const task::Task& task, uint32_t first_fact);

  uint32_t end_fact() const { return end_fact_; }
  std::vector<Implication> implications() const;
  size_t implication_count() const { return ways_.size(); }
  // How often the variable has to grow (or shrink) from its value in a state, by the largest steps known, until the
  // conclusion of an implication holds; at least 1.
  uint32_t repetitions(size_t implication, const int32_t* values) const;
  // The fact that a condition stands for, if it is one of those collected.
  std::optional<uint32_t> find(model::ExprId condition) const;

  // Appends what becomes true when a variable is assigned: a value, the value of an expression (over the variables as
  // they were before the transition), or anything.
  void assign(uint32_t variable, int32_t value, Facts& out) const;
  void assign(uint32_t variable, model::ExprId value, Facts& out);
  void assign_anything(uint32_t variable, Facts& out) const;

  // Calls visit(fact) for those that write() knows of.
  template <class Visit>
  void for_each_fact(Visit&& visit) const {
    for (const auto& [threshold, fact] : facts_) visit(fact);
  }
  // Writes the facts that hold in a state; returns the end.
  uint32_t* write(const int32_t* values, uint32_t* out) const {
    for (const auto& [threshold, fact] : facts_) {
      if (threshold.holds(values[threshold.variable])) *out++ = fact;
    }
    return out;
  }

 private:
  // A border of a variable that can move to infinity.
  struct Border {
    uint32_t fact = 0;
    int64_t step = 1;  // the largest known
  };
  struct Borders {
    Border upper, lower;
  };
  // What an implication says: the threshold holds when the variable has grown (or shrunk) enough.
  struct Way {
    Threshold threshold;
    bool grows = false;
  };

  void collect(const Threshold& threshold);

  const model::System& system_;
  std::map<Threshold, uint32_t> facts_;
  std::map<uint32_t, Borders> borders_;  // by variable
  std::vector<Way> ways_;
  uint32_t end_fact_;
};

}  // namespace harrier::heur
