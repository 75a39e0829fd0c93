// Z3, for questions about terms that neither syntax nor enumeration settles (de Moura and Bjørner 2008). One context
// for all questions; what a question asks again was translated already. Questions that Z3 gives up on are answered as
// if everything were possible.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "abstraction/predicates/part.h"
#include "abstraction/predicates/terms.h"

namespace harrier::abstraction {

class Solver {
 public:
  static constexpr uint16_t kAny = UINT16_MAX;

  // Keeps references. Once it is over, everything is possible.
  explicit Solver(
      Workbench& bench, std::function<bool()> over = [] { return false; });
  ~Solver();

  // What each term is in all states that satisfy the conditions, kAny where they differ; none if there is no such
  // state. The terms have values from 0 to 65,534.
  std::optional<std::vector<uint16_t>> common(std::span<const TermId> conditions, std::span<const TermId> outputs);

  // A constraint of a path: `condition`, or if it is timed,
  //     condition != 0  implies  (T_late + late_offset) - (T_early + early_offset) < bound, or <= bound,
  // where T_i is the time of the i-th transition, a real number.
  struct Constraint {
    TermId condition = 1;
    bool timed = false;
    uint32_t late = 0;
    uint32_t early = 0;
    TermId late_offset = 0;
    TermId early_offset = 0;
    TermId bound = 0;
    bool strict = false;
  };
  // The constraints that cannot hold together, by number; none if all can. Times are in order, from T_0 = 0 on.
  std::optional<std::vector<size_t>> conflict(std::span<const Constraint> constraints, size_t times);

  uint64_t calls() const { return calls_; }

 private:
  class Machine;

  Workbench& bench_;
  std::function<bool()> over_;
  std::unique_ptr<Machine> machine_;  // made when it is first needed
  uint64_t calls_ = 0;
};

}  // namespace harrier::abstraction
