// The finite-domain task of a model and a goal: the one grounding that heuristics, abstractions and symbolic searches
// share.
//
//     const Task task(system, goal);
//     for (const Label& label : task.labels()) …     // task.moves(label), conditions(label), effects(label)
//
// Its *variables* are those of the system, each with the numbered values that it can ever have. A variable with too
// many values has a window of them (windows.h), whose ends stand for all values beyond, or none at all: it is wide.
//
// A *label* is a flat transition, or one of a broadcast with one of its receivers. It can be taken where its processes
// are and its *conditions* hold; then its processes move, and its *effects* give variables values. Conditions and
// effects are functions of the values of the variables that they depend on, enumerated once (decisions.h) and shared by
// all labels in which they occur. All effects of a label look at the state before it; where two write the
// same variable, the later one counts.
//
// Derived variables (System::axioms) are not in the effects of labels. Where the conditions of an *axiom* hold, its
// variable may have its value, at no cost; and it may have its initial value in any case.
//
// The task *over-approximates* the model: whatever the model does, a label does. What it leaves out is
//   - clocks, invariants, and what keeps a transition from firing although its guards hold: committed locations,
//     priorities, urgency, exclusive control;
//   - what has too many combinations of values to be enumerated, or depends on a wide variable: it has no decision.
//   Such a
//     condition may hold, such an effect may give its variables any value;
//   - when exactly a derived variable falls back to its initial value;
//   - that what an effect chooses for several variables may hang together (slices.h), and in which states it can begin;
//   - further receivers of a broadcast: each has its label. Of what they may have a say in, a label says that it may
//   get
//     any value (`arbitrary`).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/watch.h"
#include "model/analysis.h"
#include "model/cost.h"
#include "model/system.h"
#include "model/value_numbers.h"
#include "model/value_sets.h"
#include "task/decisions.h"

namespace harrier::task {

inline constexpr uint32_t kNone = UINT32_MAX;

// The values of a variable. Variables with the same values share them.
struct Domain {
  enum class Kind : uint8_t {
    Exact,   // all that it can have
    Window,  // the ends stand for all values beyond
    Wide,    // none
  };

  Kind kind = Kind::Exact;
  std::vector<int32_t> values;  // sorted
  model::ValueNumbers number;

  uint32_t size() const { return static_cast<uint32_t>(values.size()); }
  bool is_exact() const { return kind == Kind::Exact; }
  bool is_window() const { return kind == Kind::Window; }
  bool is_wide() const { return kind == Kind::Wide; }
  // The number of a value or of what stands for it; none if the variable never has it, or is wide.
  std::optional<Value> find(int32_t value) const;
};

struct Condition {
  model::ExprId expr;
  std::vector<model::VarId> reads;              // all that it may depend on, sorted
  Decisions::Node decision = Decisions::kNone;  // result 1: it can hold; 0: it cannot
};

// What one effect does to one variable. At an end of a window, or where an effect chooses, there may be several for a
// variable: any of them can be.
struct Write {
  uint32_t variable = 0;
  int32_t value = 0;  // not a number: the variable may be wide, or never have this value
  bool any = false;   // instead: it may get any value
};

struct Effect {
  enum class Kind : uint8_t {
    Assignment,  // `v := e` without side effects, possibly with what e is computed from
    Reset,       // of a clock, which may fail
    Other,
  };

  Kind kind = Kind::Other;
  bool chooses = false;
  std::vector<model::VarId> reads;   // all that it may depend on, sorted
  std::vector<model::VarId> writes;  // all that it may write, sorted
  std::vector<model::StmtId> statements;
  Decisions::Node decision = Decisions::kNone;  // result: an outcome
};

// A process goes from one location to another.
struct Move {
  uint32_t variable = 0;
  int32_t from = 0;
  int32_t to = 0;
};

struct Label {
  uint32_t transition = 0;  // those of one transition follow each other, the one without a receiver first
  model::EdgeId receiver;   // of a broadcast; invalid: the transition's own edges alone
  uint32_t cost = 1;        // at most model::kMostCost
  bool follows = false;     // the receiver may see what the sender does
  bool disturbed = false;   // other receivers may change what this one reads, and so all that it writes

  struct Part {
    uint32_t begin = 0;
    uint32_t own = 0;  // from here on: of the receiver. All of the effects, if it follows
    uint32_t end = 0;
  };
  Part moves, conditions, effects, arbitrary;
};

// A derived variable gets a value.
struct Axiom {
  uint32_t variable = 0;
  int32_t value = 0;
  uint32_t begin = 0;  // of its conditions
  uint32_t end = 0;
};

class Task {
 public:
  struct Limits {
    size_t most_values = model::ValueSet::kMostValues;  // of a variable without a window
    size_t largest_window = 64;
  };
  static constexpr uint32_t kImpossible = 0;  // the outcome of an effect that fails: the label cannot be taken

  // Keeps a reference to the system.
  Task(const model::System& system, std::vector<model::Clause> goal, const Watch& watch = Watch::none(),
       CostType costs = CostType::Unit);
  Task(const model::System& system, std::vector<model::Clause> goal, const Limits& limits,
       const Watch& watch = Watch::none(), CostType costs = CostType::Unit);

  const model::System& system() const { return system_; }
  const std::vector<model::Clause>& goal() const { return goal_; }
  // What the costs of labels are.
  CostType costs() const { return costs_; }

  uint32_t variable_count() const { return static_cast<uint32_t>(domain_of_.size()); }
  const Domain& domain(uint32_t variable) const { return domains_[domain_of_[variable]]; }
  // Whether these have exact domains all.
  bool is_exact(std::span<const model::VarId> variables) const;

  std::span<const model::Transition> transitions() const { return transitions_; }
  // Those that an edge is always part of.
  std::span<const uint32_t> transitions_of(model::EdgeId edge) const { return by_edge_[edge.value]; }
  // Whether these edges, as fired, are a transition. The sender of a broadcast names it; of a pair, both edges do.
  bool fires(uint32_t transition, std::span<const uint32_t> edges) const {
    const auto& own = transitions_[transition].edges;
    return own[0].value == edges[0] && (own.size() == 1 || (edges.size() == 2 && own[1].value == edges[1]));
  }

  std::span<const Label> labels() const { return labels_; }
  std::span<const Label> labels_of(uint32_t transition) const {
    return std::span(labels_).subspan(first_label_[transition],
                                      first_label_[transition + 1] - first_label_[transition]);
  }
  std::span<const Move> moves(const Label& label) const { return all(moves_, label.moves); }
  std::span<const uint32_t> conditions(const Label& label) const { return all(condition_lists_, label.conditions); }
  std::span<const uint32_t> effects(const Label& label) const { return all(effect_lists_, label.effects); }
  std::span<const model::VarId> arbitrary(const Label& label) const { return all(arbitrary_, label.arbitrary); }
  // Those of the receiver.
  std::span<const Move> own_moves(const Label& label) const { return own(moves_, label.moves); }
  std::span<const uint32_t> own_conditions(const Label& label) const { return own(condition_lists_, label.conditions); }
  std::span<const uint32_t> own_effects(const Label& label) const { return own(effect_lists_, label.effects); }

  std::span<const Condition> conditions() const { return conditions_; }
  const Condition& condition(uint32_t id) const { return conditions_[id]; }
  const Effect& effect(uint32_t id) const { return effects_[id]; }
  // The conditions of a clause of the goal.
  std::span<const uint32_t> goal_conditions(size_t clause) const {
    return std::span(condition_lists_).subspan(first_goal_[clause], first_goal_[clause + 1] - first_goal_[clause]);
  }

  std::span<const Axiom> axioms() const { return axioms_; }
  std::span<const uint32_t> conditions(const Axiom& axiom) const {
    return std::span(condition_lists_).subspan(axiom.begin, axiom.end - axiom.begin);
  }
  // The variables that axioms give values, sorted.
  std::span<const model::VarId> derived() const { return derived_; }

  const Decisions& decisions() const { return decisions_; }
  std::span<const Write> outcome(uint32_t result) const {
    return std::span(writes_).subspan(first_write_[result], first_write_[result + 1] - first_write_[result]);
  }

  // The numbers of the values of a state. `out` has room for one a variable; those that are wide get 0.
  void read(const int32_t* values, Value* out) const;

 private:
  class Builder;

  template <class T>
  static std::span<const T> all(const std::vector<T>& list, const Label::Part& part) {
    return std::span(list).subspan(part.begin, part.end - part.begin);
  }
  template <class T>
  static std::span<const T> own(const std::vector<T>& list, const Label::Part& part) {
    return std::span(list).subspan(part.own, part.end - part.own);
  }
  void number_values(const Limits& limits, const Watch& watch);

  const model::System& system_;
  std::vector<model::Clause> goal_;
  CostType costs_;
  std::vector<Domain> domains_;
  std::vector<uint32_t> domain_of_;  // by variable
  std::vector<model::Transition> transitions_;
  std::vector<std::vector<uint32_t>> by_edge_;
  std::vector<Condition> conditions_;
  std::vector<Effect> effects_;
  Decisions decisions_;
  std::vector<uint32_t> first_write_;  // by outcome
  std::vector<Write> writes_;
  std::vector<Label> labels_;
  std::vector<uint32_t> first_label_;  // by transition
  std::vector<Move> moves_;
  std::vector<uint32_t> condition_lists_;
  std::vector<uint32_t> effect_lists_;
  std::vector<model::VarId> arbitrary_;
  std::vector<uint32_t> first_goal_;  // by clause, in condition_lists_
  std::vector<Axiom> axioms_;
  std::vector<model::VarId> derived_;
};

}  // namespace harrier::task
