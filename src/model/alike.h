// Whether an expression, a statement or a constraint is the image of another one under an exchange (automorphism.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/automorphism.h"
#include "model/ranges.h"
#include "model/system.h"
#include "model/value_classes.h"

namespace harrier::model {

// Of an access to a block: its index, if that is always the same one and fits where it is checked.
std::optional<uint32_t> constant_index(const System& system, ExprId index);

class Alike {
 public:
  Alike(const System& system, const ValueClasses& classes, const Exchange& exchange)
      : system_(system), classes_(classes), exchange_(exchange) {}

  // The conditions of one list hold where those of the other hold in the image, and fail where they fail.
  bool conditions(const std::vector<ExprId>& a, const std::vector<ExprId>& b);
  bool constraints(const std::vector<ClockConstraint>& a, const std::vector<ClockConstraint>& b);
  // They do the same, one after the other.
  bool effects(const std::vector<StmtId>& a, const std::vector<StmtId>& b);

 private:
  // Where expressions are: in functions, or outside.
  struct Frames {
    uint32_t a = 0;
    uint32_t b = 0;
  };
  // A name, or a number, times a constant, in an index: that x of [lo, hi] which the tests let through.
  struct Term {
    int64_t factor = 1;
    ExprId expr;
    uint32_t kind = 0;
    Interval range;
  };
  struct Index {
    int64_t constant = 0;
    int64_t constants = 0;  // the sum of their sizes
    std::vector<Term> terms;
  };

  // The value of b in the image is that of a, exchanged as values of this kind are.
  bool same(ExprId a, ExprId b, Frames frames, uint32_t kind);
  bool same_operands(const Expr& a, const Expr& b, Frames frames);
  bool same_quantifier(const Expr& a, const Expr& b, Frames frames);
  bool same_call(const Expr& a, const Expr& b, Frames frames);
  bool same_store(const Expr& a, const Expr& b, Frames frames, bool local);
  bool same_functions(uint32_t a, uint32_t b);
  // Its last statement returns a value, whatever happens.
  bool returns(StmtId body) const;
  bool same(StmtId a, StmtId b, Frames frames);
  bool same(const ClockConstraint& a, const ClockConstraint& b);
  template <class List, class Same, class Fails>
  bool same_in_any_order(const List& a, const List& b, Same&& same, Fails&& fails);
  void operands_of(Op op, ExprId e, std::vector<ExprId>& out) const;

  // Element i of the block that starts at a is mapped to that which `b` names in the image: image(i) is its number in
  // the whole.
  template <class Image>
  bool same_place(uint32_t first_a, uint32_t first_b, uint32_t count, ExprId a, ExprId b, Frames frames, Image&& image);
  template <class Image>
  bool same_elements(uint32_t first_a, uint32_t first_b, uint32_t count, const Index& index, Image&& image);
  // False: it is not linear, or too many values are possible.
  bool split(ExprId id, uint32_t frame, int64_t factor, Index& out) const;
  // Keeps the values of the only term for which lo <= index < hi. Whether they are closed under the exchange.
  bool restrict_to(Index& index, int64_t lo, int64_t hi) const;

  bool stays(uint32_t kind) const { return kind >= ValueClasses::kAny || exchange_.names[kind].empty(); }
  // Values of both kinds are exchanged in the same way.
  bool agree(uint32_t a, uint32_t b) const;
  int32_t name(uint32_t kind, int32_t value) const {
    return kind >= ValueClasses::kAny ? value : exchange_.name(kind, value);
  }

  const System& system_;
  const ValueClasses& classes_;
  const Exchange& exchange_;
  std::map<std::pair<uint32_t, uint32_t>, bool> functions_;  // compared already, or about to be
};

}  // namespace harrier::model
