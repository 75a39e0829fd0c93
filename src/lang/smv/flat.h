// A model without modules: every variable by its full name, every assignment and constraint as a term, and the
// processes that take turns. `flatten` makes it from the syntax tree.
//
//   p0.state, p0.turn[3]    names of variables
//   processes               `main` first; a model without `process` has no other
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lang/smv/ast.h"
#include "lang/smv/values.h"

namespace harrier::smv {

struct Variable {
  std::string name;
  VarClass kind = VarClass::State;
  Type type;
  int32_t lo = 0;
  int32_t hi = 0;
  std::vector<int32_t> values = {};  // of an enumeration of numbers with gaps: which there are; else all from lo to hi
  SourceRef at;
  bool watches = false;  // it is no part of the model, but of a specification

  bool has(int32_t value) const;
};

struct Assignment {
  uint32_t variable = 0;
  AssignTime time = AssignTime::Always;
  uint32_t process = 0;
  Value value;
  SourceRef at;
};

struct Constraint {
  ConstraintKind kind = ConstraintKind::Init;
  TermId term;
  TermId second = {};  // of Compassion
  SourceRef at;
};

// A formula over state formulas.
struct Formula {
  enum class Kind : uint8_t { State, Not, And, Or, Implies, Iff, Xor, Temporal };
  Kind kind = Kind::State;
  Temporal temporal = Temporal::EX;
  TermId state = {};
  std::vector<std::unique_ptr<const Formula>> parts = {};
  SourceRef at;
};
using FormulaPtr = std::unique_ptr<const Formula>;

struct Spec {
  SpecKind kind = SpecKind::Invariant;
  std::string text;
  std::string name;
  std::string refusal;  // why it is none that could be checked; else empty
  FormulaPtr formula;
  SourceRef at;
};

struct Process {
  std::string name;
  std::string module;
  SourceRef at;
};

struct FlatModel {
  explicit FlatModel(Diagnostics& diagnostics) : values(diagnostics) {}

  Values values;
  std::vector<Variable> variables;
  std::vector<Process> processes;
  std::vector<Assignment> assignments;
  std::vector<Constraint> constraints;
  std::vector<Spec> specs;

  TermId current(uint32_t variable);
  TermId next(uint32_t variable);
  // What a term says after the step.
  TermId shifted(TermId term);
  Value shifted(const Value& value);

 private:
  Terms::Memo shifts_;
};

inline constexpr size_t kMaxVariables = 100'000;
inline constexpr size_t kMaxInstances = 100'000;

// Errors go to the diagnostics; then the model means nothing.
std::unique_ptr<FlatModel> flatten(const ModelNode& model, const std::string& main, Diagnostics& diagnostics,
                                   const SpecNode* condition = nullptr);

}  // namespace harrier::smv
