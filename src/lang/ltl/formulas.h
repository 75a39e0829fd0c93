// Formulas of linear temporal logic in negation normal form.
//
// A formula is a number in a pool, and equal formulas have equal numbers. The builders simplify what needs no look at
// the whole, so that `a U (a U b)` is `a U b`. Atoms are numbers; what they mean is for the caller to know.
//
//     Formulas f;
//     Formulas::Id always_p = f.release(f.constant(false), f.literal(0, false));
//     Formulas::Id finally_not_p = f.negation(always_p);
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace harrier::ltl {

class Formulas {
 public:
  using Id = uint32_t;
  enum class Kind : uint8_t { False, True, Literal, And, Or, Next, Until, Release };
  struct Node {
    Kind kind = Kind::False;
    Id a = 0;  // of a literal: the atom
    Id b = 0;  // of a literal: 1 if it is negated
    auto operator<=>(const Node&) const = default;
  };

  Formulas();
  const Node& operator[](Id id) const { return nodes_[id]; }

  Id constant(bool value) const { return value ? kTrue : kFalse; }
  Id literal(uint32_t atom, bool negated) { return add({Kind::Literal, atom, negated ? 1U : 0U}); }
  Id both(Id a, Id b);
  Id either(Id a, Id b);
  Id next(Id a);
  Id until(Id a, Id b);    // b comes, and a holds before
  Id release(Id a, Id b);  // b holds up to and including the moment at which a does, for ever if it never does
  Id eventually(Id a) { return until(kTrue, a); }
  Id always(Id a) { return release(kFalse, a); }
  Id negation(Id a);

 private:
  static constexpr Id kFalse = 0;
  static constexpr Id kTrue = 1;

  Id add(Node node);
  bool opposite(Id a, Id b) const;

  std::vector<Node> nodes_;
  std::map<Node, Id> numbers_;
};

}  // namespace harrier::ltl
