// The Promela front end: models as Spin 6 reads them, to `model::System`.
//
//     Diagnostics diagnostics;
//     Source source(text, "model.pml", options, diagnostics);   // copies of it share what was read
//     source.lower(diagnostics);              // source.system(), source.properties()
//     … a search finds a state of which the property says that it lacks room …
//     source.make_room(values); source.lower(diagnostics);
//
// Stages: preprocessor, lexer, parser (to the syntax tree, `ast.h`), automata (control flow as Spin cuts it,
// `automaton.h`), lowering (`lowering.h`).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "lang/promela/claims.h"
#include "lang/promela/parser.h"
#include "model/system.h"

namespace harrier::promela {

struct Options {
  Defines defines;
  std::vector<std::string> goals;  // expressions, one property each; without any: assertions and end states
  std::optional<bool> end_states;  // by default: unless there is a claim
  bool assertions = true;
  std::vector<std::string> ltl;  // names of claims of the model, or formulas
  bool claims = true;            // without `ltl` and goals: all claims of the model
  bool non_progress = false;     // look for cycles without progress instead
  bool acceptance = false;       // look for cycles through accept labels of processes, too
  bool fairness = false;         // cycles have to be fair
};

// Process numbers and proctypes (by number) that may occur together.
using Pairs = std::set<std::pair<uint32_t, uint32_t>>;

// How a Spin trail names an edge of the model.
struct TrailStep {
  uint32_t pid = 0;
  uint32_t statement = 0;
};

inline constexpr uint32_t kMostProcesses = 255;

class Automaton;
class Lowering;
using Automata = std::vector<std::shared_ptr<const Automaton>>;

// A claim watches a system as one of its processes, so that a model is another system for each of its claims.
class Source {
 public:
  // With the first claim that the options ask for, if there is one.
  Source(std::string text, const std::string& name, Options options, Diagnostics& diagnostics);
  // The same model with each of the other claims, and without any as far as there is something left to check.
  std::vector<Source> others(Diagnostics& diagnostics) const;

  // Makes the system and its properties. With errors in `diagnostics` only the sources of the system are of use. A
  // claim or goal that cannot be used is a property with a refusal; the model itself is fine then.
  void lower(Diagnostics& diagnostics);
  // While processes may start that the model has no room for, the first clause of every goal says that one does
  // (Clause::incomplete). A start without room never blocks, and what happens behind it means nothing: such a state is
  // to be found by a search before anything else, followed by make_room with its values, and lower.
  bool may_lack_room() const { return !missing_.empty(); }
  void make_room(std::span<const int32_t> values);
  // Makes room for these processes of a system, and no others but those that run at the start.
  void make_room_for(const std::vector<std::string>& processes);
  // Makes room for those that the same model with another claim has room for.
  void make_room_as(const Source& other) { pairs_ = other.pairs_; }

  // The same with one more goal, the last of its properties.
  Source with_goal(const std::string& goal, Diagnostics& diagnostics) const;

  const std::shared_ptr<model::System>& system() const { return system_; }
  const std::vector<model::Property>& properties() const { return properties_; }
  const std::vector<TrailStep>& trail() const { return trail_; }  // by edge

 private:
  struct Text;
  struct Goal {
    ExprPtr expr;
    std::string text;
    std::optional<model::Refusal> refusal;  // there is no expression
  };
  struct OwnGoal {
    Goal goal;
    Sources sources;  // with its text
  };
  const Sources& sources() const;
  void add_goal(Lowering& lowering, const Goal& goal, Diagnostics& diagnostics);
  Source(std::shared_ptr<const Text> text, size_t task, Diagnostics& diagnostics);
  template <class Action>
  void within_claim(Diagnostics& diagnostics, Action&& action);
  void make_automata(Diagnostics& diagnostics);
  void make_system(Diagnostics& diagnostics);

  std::shared_ptr<const Text> text_;
  std::shared_ptr<const OwnGoal> own_goal_;  // of this one, besides those of all
  Options options_;
  Claim claim_;
  std::optional<model::Property> refused_;  // instead of the claim: it cannot be checked
  Automata automata_;
  Pairs pairs_;
  uint32_t rounds_ = 0;  // of making room
  std::shared_ptr<model::System> system_;
  std::vector<model::Property> properties_;
  std::vector<TrailStep> trail_;
  std::vector<std::pair<uint32_t, uint32_t>> missing_;  // by value - 1 of `missing_variable_`
  model::VarId missing_variable_;
};

}  // namespace harrier::promela
