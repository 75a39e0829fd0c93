// The reference interpreter: walks the nodes of the model, one at a time, with no preparation and no cleverness.
// The trace validator and the differential tests trust it; the searches use `step::Program`.
//
//     Interpreter run(system);
//     std::vector<int32_t> values = system.initial_values();
//     bool enabled = run.holds(edge.guard, values);
//     std::vector<ClockReset> resets;
//     run.execute(edge.effect, values, resets);   // values changed in place
//
// Order of evaluation: operands from left to right; a store evaluates and checks its index, then its value, then
// checks the domain; a reset its offset, then its value. Every round of a loop and of a quantifier counts as one step
// towards kMaxSteps; the count starts anew with each call of the interface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "model/choices.h"
#include "model/system.h"

namespace harrier::model {

struct ClockReset {
  ClockId clock;
  int32_t value = 0;
};

// What went wrong, and where. Thrown by every evaluation.
struct EvalFailure {
  Fault fault = Fault::None;
  SourceRef at;
};

// The failure as an Error(Runtime) that shows the place.
struct RunTimeError : Error {
  RunTimeError(const std::string& text, const EvalFailure& what) : Error(ErrorKind::Runtime, text), failure(what) {}
  EvalFailure failure;
};
RunTimeError to_error(const System& system, const EvalFailure& failure);

class Interpreter {
 public:
  explicit Interpreter(const System& system) : system_(system) {}

  // For evaluation while some variables have no known value. Where the value of such a variable is needed, `missing`
  // names it, and what comes out means nothing. What is written is known from then on.
  struct Knowledge {
    struct Write {
      VarId variable;
      int32_t old_value = 0;
      bool was_known = false;
    };
    std::vector<bool> known;  // by variable
    VarId missing;
    std::vector<Write> written;
  };
  // From now on, or with null no longer. Infinite loops that only a missing value causes end with an EvalFailure.
  void use(Knowledge* knowledge) { knowledge_ = knowledge; }

  // The value of an expression that writes no variable. Throws EvalFailure.
  int32_t value(ExprId expr, std::span<const int32_t> values);
  // Whether all conditions hold, from left to right. Throws EvalFailure.
  bool holds(std::span<const ExprId> conditions, std::span<const int32_t> values);
  // Runs statements on `values`, appending clock resets in order. Throws EvalFailure, with `values` half changed.
  void execute(std::span<const StmtId> statements, std::vector<int32_t>& values, std::vector<ClockReset>& resets);
  // The same for statements that may choose, with what the choices say next. False: an Assume is violated, or a choice
  // that was set does not exist; `values` are half changed.
  bool execute(std::span<const StmtId> statements, std::vector<int32_t>& values, std::vector<ClockReset>& resets,
               Choices& choices);

 private:
  struct Machine;

  const System& system_;
  Knowledge* knowledge_ = nullptr;
};

}  // namespace harrier::model
