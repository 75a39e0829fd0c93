// Random expressions, clock constraints, updates and functions over the names of a model.
#pragma once

#include <optional>
#include <vector>

#include "random/generator.h"
#include "random/rng.h"
#include "random/ta_model.h"

namespace harrier::testing_support {

// The names that an expression may use, besides the global ones.
struct Scope {
  const TaTemplate* of = nullptr;  // none inside of functions
  std::vector<TaSlot> slots;       // of the frame, all readable
  bool in_query = false;           // no parameters, no functions
};

class ExpressionGenerator {
 public:
  ExpressionGenerator(Rng& rng, TaModel& model, const Profile& profile) : rng_(rng), model_(model), profile_(profile) {}

  // Nothing is returned where the scope has nothing to build it from.
  TaExprPtr condition(const Scope& scope);
  TaExprPtr index(const Scope& scope, size_t size);  // within [0, size)
  TaExprPtr update(const Scope& scope);
  TaExprPtr impossible_update(const Scope& scope);  // always a range violation
  std::optional<TaClockAtom> clock_guard(const Scope& scope);
  std::optional<TaClockAtom> clock_invariant(const Scope& scope);
  std::optional<TaUpdate> reset(const Scope& scope);
  // Appends a function to the model. Functions with a value change nothing; the others change global variables.
  void add_function();

 private:
  struct Readable {
    TaExprPtr expr;
    int32_t lo = 0;
    int32_t hi = 0;
    bool is_bool = false;
  };

  void add_variables(const std::vector<TaVariable>& variables, TaScope in, const Scope& scope,
                     std::vector<Readable>& out);
  std::vector<Readable> readable(const Scope& scope);
  std::vector<Readable> writable(const Scope& scope);
  TaExprPtr integer(const Scope& scope, int depth);
  TaExprPtr boolean(const Scope& scope, int depth);
  TaExprPtr quantified(TaOp op, const Scope& scope, int depth);
  TaExprPtr call(const Scope& scope, bool with_value);
  TaExprPtr assignment(const Scope& scope, const Readable& target);
  std::vector<TaPlace> clocks(const Scope& scope) const;
  TaExprPtr clock_bound(const Scope& scope, int32_t lo);
  std::vector<TaStatement> statements(const Scope& scope, const TaFunction& f, size_t first_local, int depth);

  Rng& rng_;
  TaModel& model_;
  const Profile& profile_;
  size_t frame_ = 0;  // the largest frame that expressions of the current function need
};

}  // namespace harrier::testing_support
