// Evaluates expressions and runs statements of the model for all states at once.
//
//     Evaluator run(encoding, watch);
//     run.begin(guard);                       // in the states where it holds, over the bits of now
//     run.execute(edge.effect);
//     run.number(x);                          // what x is afterwards
//
// The definitions are those of the interpreter, with a condition instead of a way through the code: `reached` says in
// which states, and for which choices, the statement at hand is run. What is computed for others means nothing.
//
// Conditions pile up as `conjuncts`, which are not multiplied out: those of choices, assumptions and violated ranges. A
// failure is what happens where its condition and all conjuncts before it hold.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/watch.h"
#include "model/interpreter.h"
#include "model/system.h"
#include "symbolic/encoding.h"

namespace harrier::symbolic {

class Evaluator {
 public:
  struct Failure {
    model::EvalFailure what;
    Bdd when;
    size_t conjuncts = 0;  // as many of them come before it
  };
  // A choice that is made where `when` holds.
  struct Choice {
    Number number;
    Bdd when;
  };
  // What a range violation is: something that does not happen, or a failure, as in queries.
  enum class Violations : uint8_t { Block, Fail };

  Evaluator(Encoding& encoding, const Watch& watch) : encoding_(encoding), watch_(watch) {}

  // Forgets everything. What comes is run where `where` holds.
  void begin(const Bdd& where, Violations violations = Violations::Block);
  // From now on the slot stands for what the variable is after the step: the effect chooses or computes it once, at its
  // top level, and stores it there unchanged. To be called after `begin`.
  void bind(uint32_t slot, model::VarId variable) { bound_[slot] = variable; }

  Number evaluate(model::ExprId expr);
  // Where all conditions hold, from left to right; goes on there.
  Bdd assume_all(std::span<const model::ExprId> conditions);
  void execute(std::span<const model::StmtId> statements);
  // Runs the statements under a condition only.
  void execute_if(const Bdd& condition, std::span<const model::StmtId> statements);
  // Of the invariant of a location, where `condition` holds: where it does not, nothing goes on.
  void require_if(const Bdd& condition, std::span<const model::ExprId> conditions);

  const Number& number(model::VarId v) const;
  // Sets a variable, where the condition holds.
  void set(model::VarId v, const Number& value, const Bdd& condition = Bdd(true));
  // A number from a range that is open.
  Number choose(int64_t low, uint64_t count);
  void add_conjunct(Bdd conjunct);
  void add_failure(const model::EvalFailure& what, const Bdd& when);

  const Bdd& alive() const { return alive_; }  // where nothing has failed or violated a range
  const std::map<model::VarId, Number>& written() const { return values_; }
  const std::vector<Bdd>& conjuncts() const { return conjuncts_; }
  const std::vector<Failure>& failures() const { return failures_; }
  const std::vector<Choice>& choices() const { return choices_; }

 private:
  struct Frame {
    std::vector<Number> slots;
    Bdd running;  // where the code that it belongs to has begun and not returned: others have no use for it
  };

  void fault(model::Fault what, SourceRef at, const Bdd& where);
  void round(SourceRef at);
  [[noreturn]] void refuse(const std::string& what, SourceRef at) const;
  Number in_32_bits(const Number& value, SourceRef at);
  void write_slot(Frame& frame, uint32_t slot, const Number& value) const;

  Number eval(model::ExprId id, Frame& frame);
  Number arithmetic(const model::Expr& e, const Number& a, const Number& b);
  Bdd compare(model::Op op, const Number& a, const Number& b) const;
  Number connective(const model::Expr& e, Frame& frame);
  Number conditional(const model::Expr& e, Frame& frame);
  Number quantify(const model::Expr& e, Frame& frame);
  Number call(const model::Expr& e, Frame& frame);
  Number store(const model::Expr& e, Frame& frame);
  Number store_local(const model::Expr& e, Frame& frame);
  void check_index(const model::Expr& e, const Number& index);
  // Calls visit(i, where) for each element that an access can mean.
  template <class Visit>
  void for_each_element(const model::Expr& e, const Number& index, const Visit& visit);
  void store_variable(model::VarId v, const Number& value, SourceRef at);

  void run(model::StmtId id, Frame& frame);
  void run_if(const model::Stmt& s, Frame& frame);
  void run_while(const model::Stmt& s, Frame& frame);
  void run_choose(const model::Stmt& s, Frame& frame);
  void run_assume(const model::Stmt& s, Frame& frame);

  Encoding& encoding_;
  const Watch& watch_;
  Violations violations_ = Violations::Block;
  Bdd alive_;
  Bdd reached_;
  Bdd returned_;   // from the function that is running
  Number result_;  // there
  std::map<model::VarId, Number> values_;
  std::map<uint32_t, model::VarId> bound_;
  std::vector<Bdd> conjuncts_;
  std::vector<Failure> failures_;
  std::vector<Choice> choices_;
  size_t choice_bits_ = 0;
  uint32_t rounds_ = 0;
  uint32_t depth_ = 0;  // of calls
};

}  // namespace harrier::symbolic
