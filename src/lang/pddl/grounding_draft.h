// A ground task while it is made: everything in few long vectors, conditions with atoms that will turn out to be always
// true or never (grounding_pruning.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace harrier::pddl {

// An atom times two, plus one if it is negated.
using LiteralWord = uint32_t;
using Literals = std::vector<LiteralWord>;

constexpr LiteralWord literal_word(uint32_t atom, bool positive) { return atom * 2 + (positive ? 0 : 1); }
constexpr uint32_t atom_of(LiteralWord literal) { return literal / 2; }
constexpr bool is_positive(LiteralWord literal) { return literal % 2 == 0; }
constexpr LiteralWord complement(LiteralWord literal) { return literal ^ 1; }

struct Draft {
  struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;
    bool empty() const { return begin == end; }
    uint64_t size() const { return end - begin; }
  };
  struct Atom {
    uint32_t predicate = UINT32_MAX;  // of none: made for a condition
    uint32_t tuple = 0;               // in the predicate's relation
    bool derived = false;
    bool initial = false;
  };
  struct Effect {
    Range conditions;
    LiteralWord literal = 0;  // that it makes true
  };
  struct Operator {
    uint32_t action = 0;
    uint32_t cost = 1;
    Range arguments;  // in Draft::arguments
    Range preconditions;
    Range effects;
  };
  struct Axiom {
    Range body;
    uint32_t head = 0;
  };

  std::vector<Atom> atoms;
  std::vector<LiteralWord> literals;  // of all conditions
  std::vector<uint32_t> arguments;    // objects
  std::vector<Effect> effects;
  std::vector<Operator> operators;
  std::vector<Axiom> axioms;
  std::vector<Range> goals;  // one of them has to hold

  std::span<const LiteralWord> of(Range range) const { return {literals.data() + range.begin, range.size()}; }
  Range add(std::span<const LiteralWord> condition) {
    literals.insert(literals.end(), condition.begin(), condition.end());
    return {literals.size() - condition.size(), literals.size()};
  }
};

}  // namespace harrier::pddl
