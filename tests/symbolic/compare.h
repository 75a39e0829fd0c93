// The relations of a model against the concrete semantics, state by state.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "model/system.h"
#include "random/rng.h"
#include "support/random_axioms.h"
#include "symbolic/order.h"
#include "symbolic/transitions.h"
#include "trace/concrete.h"

namespace harrier::testing_support {

using Values = std::vector<int32_t>;

inline Values random_state(const model::System& system, Rng& rng) {
  Values out;
  for (const model::Variable& v : system.variables) out.push_back(rng.between(v.lo, v.hi));
  RandomAxioms::derive(system, out);
  return out;
}

// What a state leads to, or how it fails.
struct Successors {
  std::set<Values> states;
  std::optional<model::EvalFailure> failure;
};

inline Successors concrete_successors(trace::ConcreteSemantics& semantics, const Values& values) {
  Successors out;
  try {
    for (const auto& move : semantics.enabled({values, {0}})) out.states.insert(move.target.values);
  } catch (const model::RunTimeError& error) {
    out.failure = error.failure;
  }
  return out;
}

class Comparison {
 public:
  explicit Comparison(const model::System& system)
      : system_(system),
        semantics_(system),
        manager_(budget_),
        encoding_(manager_, system,
                  symbolic::variable_orders(system, symbolic::declared_domains(system), Watch::none()).front(),
                  symbolic::declared_domains(system)),
        transitions_(encoding_, Watch::none()) {}

  // What differs in some states in which the invariants hold: random ones, and those that they lead to.
  std::string difference(uint64_t seed, int states) {
    Rng rng(seed);
    std::vector<Values> all;
    for (int i = 0; i < states; ++i) {
      all.push_back(random_state(system_, rng));
      if (system_.control.valid()) all.back()[system_.control.value] = system_.control_at_rest();
    }
    for (size_t i = 0; i < all.size(); ++i) {
      const Values values = all[i];
      try {
        if (!semantics_.invariant_holds({values, {0}})) continue;
      } catch (const model::RunTimeError&) {
        continue;
      }
      const Successors expected = concrete_successors(semantics_, values);
      if (std::string text = at(values, expected); !text.empty()) return text + text_of(values);
      for (const Values& after : expected.states) {
        if (all.size() < static_cast<size_t>(3 * states)) all.push_back(after);
        if (std::string text = step(values, after); !text.empty()) return text + text_of(values) + text_of(after);
      }
      ++compared;
      failed += expected.failure.has_value();
      moved += !expected.states.empty();
    }
    return {};
  }

  int compared = 0;
  int failed = 0;
  int moved = 0;

  symbolic::Encoding& encoding() { return encoding_; }
  symbolic::Transitions& transitions() { return transitions_; }

 private:
  std::string text_of(const Values& values) const {
    std::string out = "\n ";
    for (size_t v = 0; v < values.size(); ++v) {
      out += " " + system_.variables[v].name + "=" + std::to_string(values[v]);
    }
    return out;
  }

  std::string at(const Values& values, const Successors& expected) {
    const symbolic::Bdd state = encoding_.states(values);
    bool fails = false;
    bool as_expected = false;
    for (const symbolic::FailingStates& f : transitions_.failures()) {
      if (!intersects(f.states, state)) continue;
      fails = true;
      as_expected = as_expected || (expected.failure && expected.failure->fault == f.what.fault);
    }
    if (fails != expected.failure.has_value()) return fails ? "fails, but should not" : "does not fail, but should";
    if (fails) return as_expected ? "" : "fails in another way";
    symbolic::Bdd after = transitions_.image(state);
    symbolic::Bdd wanted;
    for (const Values& v : expected.states) wanted |= encoding_.states(v);
    if (!(after == wanted)) {
      return intersects(after, !wanted) ? "leads too far" : "does not lead everywhere";
    }
    if (intersects(state, transitions_.movable()) == expected.states.empty()) return "deadlock";
    return {};
  }

  std::string step(const Values& values, const Values& after) {
    if (!intersects(encoding_.states(values), transitions_.preimage(encoding_.states(after)))) return "no way back";
    const auto found = transitions_.step(values, after);
    if (!found) return "no step";
    const auto again = semantics_.effect_of(found->edges, {values, {0}}, found->choices);
    return again && again->values == after ? "" : "another step";
  }

  const model::System& system_;
  trace::ConcreteSemantics semantics_;
  Budget budget_;
  symbolic::BddManager manager_;
  symbolic::Encoding encoding_;
  symbolic::Transitions transitions_;
};

}  // namespace harrier::testing_support
