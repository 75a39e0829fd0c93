// Symbolic execution: what guards, invariants and effects of the model come to, as terms over the state before them.
//
//     Symbolic run(system, terms, opaque, values);
//     run.execute(edge.effect);
//     run.value(expr)          // after the effects
//     run.writes(), run.resets(), run.conditions()
//
// Functions, arrays with computed indexes, quantifiers and loops are followed as far as that stays small; what does not
// is given up, and everything that it may write has an unknown value. Variables that are *opaque* have an unknown value
// from the start, the same for every look at it. Conditions are what must hold for the effects not to fail: a value
// outside the domain of its variable keeps a transition from being taken. Run-time errors are not among them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "abstraction/predicates/terms.h"
#include "model/analysis.h"
#include "model/system.h"
#include "model/value_sets.h"

namespace harrier::abstraction {

class Symbolic {
 public:
  struct Reset {
    uint32_t clock = 0;
    std::optional<TermId> value;  // none: anything
  };

  // Keeps references. A variable that can have one value only is that constant.
  Symbolic(const model::System& system, Terms& terms, model::Accesses& accesses, const std::vector<bool>& opaque,
           const std::vector<model::ValueSet>& values);

  // Forgets what was executed.
  void start();
  void execute(std::span<const model::StmtId> statements);
  // Of a variable now.
  TermId read(uint32_t variable);
  void write(uint32_t variable, TermId value) { writes_[variable] = value; }
  // The value of an expression, and its truth as a condition without unknowns that holds wherever it can.
  TermId value(model::ExprId expr);
  TermId condition(model::ExprId expr) { return terms_.weaken(value(expr)); }

  const std::map<uint32_t, TermId>& writes() const { return writes_; }
  const std::vector<Reset>& resets() const { return resets_; }
  const std::vector<TermId>& conditions() const { return conditions_; }

 private:
  struct GiveUp {};
  struct Frame {
    std::vector<TermId> slots;
    TermId result = 0;
    TermId running = 1;  // it has not returned
  };

  TermId initial(uint32_t variable);
  TermId evaluate(model::ExprId id);
  TermId load(uint32_t first, uint32_t count, TermId index);
  TermId load_local(uint32_t first, uint32_t count, TermId index);
  TermId quantifier(const model::Expr& e);
  TermId call(const model::Expr& e);
  TermId store(const model::Expr& e);
  TermId store_local(const model::Expr& e);
  void assign(uint32_t variable, TermId value, TermId when);
  void run(model::StmtId id);
  void loop(const model::Stmt& s);
  void reset(const model::Stmt& s);
  void forget(std::span<const model::StmtId> statements);
  // Under which execution is here.
  TermId here() { return terms_.conjunction(path_, frame_.running); }
  void check_size();

  const model::System& system_;
  Terms& terms_;
  model::Accesses& accesses_;
  const std::vector<bool>& opaque_;
  const std::vector<model::ValueSet>& values_;
  std::map<uint32_t, TermId> initial_;  // of opaque variables
  std::map<uint32_t, TermId> writes_;
  std::vector<Reset> resets_;
  std::vector<TermId> conditions_;
  Frame frame_;
  TermId path_ = 1;
  int depth_ = 0;
  size_t size_at_start_ = 0;
};

}  // namespace harrier::abstraction
