// From a formula of linear temporal logic to a Büchi automaton.
//
// A state is a set of formulas that the rest of the word has to satisfy (Gerth, Peled, Vardi, Wolper 1995; with
// acceptance on transitions, as Couvreur 1999 does it). Counting through the acceptance conditions makes one of many;
// then what accepts nothing is removed and what behaves alike is merged.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/watch.h"
#include "lang/ltl/formulas.h"

namespace harrier::ltl {

struct Buchi {
  struct Literal {
    uint32_t atom = 0;
    bool negated = false;
    auto operator<=>(const Literal&) const = default;
  };
  struct Transition {
    std::vector<Literal> guard;  // a conjunction, in order
    uint32_t target = 0;
    auto operator<=>(const Transition&) const = default;
  };
  struct State {
    bool accepting = false;
    bool universal = false;  // accepts every word; has no transitions
    std::vector<Transition> transitions;
  };
  std::vector<State> states;  // the first is the initial one; it may have no transitions

  // Every accepting state is universal: a word is accepted because of how it starts.
  bool is_finite() const;
};

// The automaton of the words that satisfy the formula. Nothing if it would be too large.
std::optional<Buchi> translate(const Formulas& formulas, Formulas::Id formula, const Watch& watch = Watch::none());

}  // namespace harrier::ltl
