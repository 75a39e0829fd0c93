// Terms: what expressions and effects come to in a state, symbolically. Equal terms are one, constants are folded.
//
// A leaf is a constant, a variable of the state, or *unknown*: a value of which nothing is known but an interval, such
// as that of a variable which others may have changed. Inner nodes are the operators of model::Op that compute
// something. All values are 32-bit integers, truth is 0 or 1, as in the model.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/expr.h"

namespace harrier::abstraction {

using TermId = uint32_t;

class Terms {
 public:
  enum class Kind : uint8_t { Constant, Variable, Unknown, Operation };
  struct Term {
    Kind kind = Kind::Constant;
    model::Op op = model::Op::Const;  // of an operation
    int32_t value = 0;                // of a constant; of an unknown: the lowest value
    int32_t highest = 0;              // of an unknown
    uint32_t number = 0;              // of a variable or an unknown
    TermId a = 0, b = 0, c = 0;

    bool operator==(const Term&) const = default;
  };

  Terms();

  TermId constant(int32_t value);
  TermId variable(uint32_t number);
  // Another one with every call.
  TermId unknown(int32_t lowest = INT32_MIN, int32_t highest = INT32_MAX);
  TermId make(model::Op op, TermId a, TermId b = 0, TermId c = 0);
  TermId make_not(TermId a) { return make(model::Op::Not, a); }
  TermId conjunction(TermId a, TermId b) { return make(model::Op::And, a, b); }
  TermId disjunction(TermId a, TermId b) { return make(model::Op::Or, a, b); }
  TermId truth(bool value) { return value ? 1 : 0; }

  const Term& operator[](TermId id) const { return terms_[id]; }
  size_t size() const { return terms_.size(); }
  bool is_constant(TermId id) const { return terms_[id].kind == Kind::Constant; }
  bool is_true(TermId id) const { return is_constant(id) && terms_[id].value != 0; }
  bool is_false(TermId id) const { return is_constant(id) && terms_[id].value == 0; }
  // Whether it is 0 or 1 by what it computes.
  bool is_truth(TermId id) const;
  bool has_unknown(TermId id) const { return vague_[id]; }
  // The variables and unknowns in it.
  std::vector<TermId> leaves(TermId id);
  // The numbers of its variables, sorted.
  std::vector<uint32_t> variables(TermId id);

  // With other terms instead of its variables and unknowns.
  using Replace = std::function<TermId(TermId leaf)>;
  TermId replace(TermId id, const Replace& leaf);

  // A condition that holds wherever `condition` can, whatever the unknowns are: without unknowns, and made of
  // comparisons by And and Or.
  TermId weaken(TermId condition) { return weaken(condition, true); }
  // The conjuncts of a condition.
  void conjuncts(TermId condition, std::vector<TermId>& out);
  // Calls visit(comparison) for all comparisons that a condition is made of, each once.
  void comparisons(TermId condition, const std::function<void(TermId)>& visit);

  // In a state; none if it has no value there (division by zero, …) or depends on something unknown.
  std::optional<int32_t> value(TermId id, std::span<const int32_t> state);

  // sum of coefficient * variable, plus a constant.
  struct Linear {
    std::vector<std::pair<uint32_t, int64_t>> parts;  // by variable, none with coefficient 0
    int64_t constant = 0;
  };
  // None if it is not linear, or has large coefficients.
  std::optional<Linear> linear(TermId id) const;

 private:
  struct Hash {
    size_t operator()(const Term& term) const;
  };

  TermId add(const Term& term, bool vague);
  TermId weaken(TermId condition, bool positive);
  TermId make_weaker(TermId condition, bool positive);
  std::optional<TermId> fold(model::Op op, TermId a, TermId b, TermId c);
  std::optional<TermId> simplify(model::Op op, TermId a, TermId b);
  std::optional<TermId> simplify_comparison(model::Op op, TermId a, TermId b);
  std::optional<TermId> simplify_arithmetic(model::Op op, TermId a, TermId b);
  bool add_linear(TermId id, int64_t factor, Linear& out, int depth) const;
  // How many operands an operation has.
  static int arity(model::Op op);
  bool fresh(TermId id);  // not seen since next_round()
  void next_round();

  std::vector<Term> terms_;
  std::vector<bool> vague_;  // an unknown is in it
  std::unordered_map<Term, TermId, Hash> known_;
  std::unordered_map<uint64_t, TermId> weakened_;  // by term and sign
  uint32_t unknowns_ = 0;
  std::vector<uint32_t> seen_;  // round in which a term was last visited
  uint32_t round_ = 0;
  std::vector<std::optional<int32_t>> values_;
};

}  // namespace harrier::abstraction
