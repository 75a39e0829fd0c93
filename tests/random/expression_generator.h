// Random expressions, clock constraints, updates and functions over the names of a model.
#pragma once

#include <optional>
#include <vector>

#include "random/generator.h"
#include "random/rng.h"
#include "random/ta_model.h"

namespace harrier::testing_support {

// What an expression may use, besides what is global. Declarations are made in the order in which they are written, so
// that everything there is may be used.
struct Scope {
  const TaTemplate* of = nullptr;  // none inside of global functions
  std::vector<size_t> slots;       // all readable
  bool in_query = false;           // no references
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
  // Appends a function to the model, or to a template. Functions with a value change nothing.
  void add_function(TaTemplate* of);
  size_t new_slot(const std::string& letter, TaSlot slot);
  // A small range, possibly that of a type definition.
  TaSlot small_range(const TaTemplate* of, int32_t longest);

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
  TaExprPtr within(const Scope& scope, int32_t lo, int32_t hi);  // a value of the range
  enum class Wanted : uint8_t { Value, BoundedValue, Effect, LocalEffect };
  TaExprPtr call(const Scope& scope, Wanted wanted, const std::vector<size_t>& locals = {});
  TaExprPtr assignment(const Scope& scope, const Readable& target);
  std::vector<TaPlace> clocks(const Scope& scope) const;
  TaExprPtr clock_bound(const Scope& scope, int32_t lo);

  // A function that is made.
  struct Draft {
    TaFunction f;
    std::vector<size_t> locals;     // slots that it may write
    std::optional<size_t> counter;  // of loops, which nothing else writes
  };
  void add_locals(Scope& scope, Draft& draft, std::vector<TaLocal>& into);
  std::vector<TaStatement> statements(const Scope& scope, Draft& draft, int depth);
  void add_statement(const Scope& scope, Draft& draft, int depth, std::vector<TaStatement>& out);
  void add_loop(const Scope& scope, Draft& draft, std::vector<TaStatement>& out);
  TaStatement simple_statement(const Scope& scope, Draft& draft);
  TaStatement return_statement(const Scope& scope, const Draft& draft);

  Rng& rng_;
  TaModel& model_;
  const Profile& profile_;
};

}  // namespace harrier::testing_support
