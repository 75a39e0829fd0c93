// The Cartesian abstraction of the steps of a part (Hoffmann et al. 2006, §2): what is known before a step, if
// something is known after it.
//
// An abstract state has a value for each *dimension*, or kAny: the locations of the part's processes, and for each
// predicate whether it holds, 0 or 1. It stands for all states that agree with its values. Regression takes the
// conjunction of the abstract state after a step and of the step itself, a formula over the state before it, and keeps
// of it the values that the formula implies.
//
// A step leaves most dimensions alone. Those that it touches fall into *components* that share no variable, and what is
// implied is decided for each of them on its own: by enumerating the values of the variables, where these are few, into
// a table of which values after the step go with which before it; else by Z3. Answers are kept. Clocks are one more
// component, a zone. A step is an action and then a delay, as in the searches, whose zones are closed under delay. In a
// part without some of the processes these may let time pass at no cost, so an abstract state is closed backwards under
// delay, too.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "abstraction/predicates/part.h"
#include "abstraction/predicates/predicate.h"
#include "abstraction/predicates/solver.h"
#include "zone/dbm.h"

namespace harrier::abstraction {

// How questions about implications were settled.
struct SettledBy {
  uint64_t syntax = 0;  // a value that the step alone decides
  uint64_t memory = 0;  // asked before
  uint64_t enumeration = 0;
  uint64_t zones = 0;
  uint64_t solver = 0;

  void add(const SettledBy& other) {
    syntax += other.syntax;
    memory += other.memory;
    enumeration += other.enumeration;
    zones += other.zones;
    solver += other.solver;
  }
};

class Cartesian {
 public:
  static constexpr uint16_t kAny = Solver::kAny;

  struct Dimension {
    enum class Kind : uint8_t { Location, Variables, Clocks };

    Kind kind = Kind::Location;
    uint32_t process = 0;  // in the part
    Predicate predicate;
    uint16_t values = 2;
    uint32_t first_element = 0;  // value v is the element first_element + v of a set
  };

  // Keeps references. Where `over` says so it is not made completely, and must not be used.
  Cartesian(Workbench& bench, const Part& part, const std::vector<Predicate>& predicates, Solver& solver,
            const std::function<bool()>& over);

  bool complete() const { return complete_; }
  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  uint32_t width() const { return static_cast<uint32_t>(dimensions_.size()); }
  uint32_t elements() const { return elements_; }
  const Part& part() const { return part_; }

  // The states that satisfy a clause of the goal, and those from which a step leads into an abstract state. False if
  // there are none.
  bool aim(size_t clause, uint16_t* out);
  bool regress(size_t step, const uint16_t* after, uint16_t* before);

  // By element: whether it can be true in the initial state of the network.
  std::vector<uint8_t> initial_members() const;
  const SettledBy& settled() const { return settled_; }

 private:
  struct Component {
    std::vector<uint32_t> inputs;  // dimensions, of the state after the step
    std::vector<uint32_t> outputs;
    std::vector<uint16_t> rows;  // values of inputs and outputs that go together
    bool enumerated = true;
    bool possible = true;                                // there are some, if enumerated
    std::vector<TermId> conditions;                      // for the solver
    std::vector<TermId> input_terms;                     // in the state before the step
    std::unordered_map<std::u16string, uint32_t> known;  // by inputs: where in `answers`; kImpossible
    std::vector<uint16_t> answers;
  };
  struct Rule {
    const Part::Step* step = nullptr;                    // none: a clause of the goal
    std::vector<std::pair<uint32_t, uint16_t>> filters;  // the value that a dimension has after the step
    std::vector<Component> components;
    std::vector<ClockAtom> guard;  // over local clocks, as the next ones
    std::vector<std::pair<uint32_t, std::optional<int32_t>>> resets;
    std::unordered_map<std::u16string, uint32_t> known;
    std::vector<uint16_t> answers;
  };
  class RuleMaker;

  void make_dimensions(const std::vector<Predicate>& predicates);
  void number_clocks();
  std::optional<ClockAtom> local(const std::optional<ClockAtom>& atom) const;
  bool apply(Rule& rule, const uint16_t* after, uint16_t* before);
  bool apply(Component& component, const uint16_t* after, uint16_t* before);
  uint32_t ask(Component& component, const uint16_t* after);
  void look_up(const Component& component, const uint16_t* after, bool& possible);
  bool apply_clocks(Rule& rule, const uint16_t* after, uint16_t* before);
  bool compute_clocks(const Rule& rule, const uint16_t* after, const uint16_t* before);
  bool constrain(std::span<const ClockAtom> atoms);
  bool constrain_by_invariants(const uint16_t* state);
  bool holds_time(const uint16_t* state) const;
  bool in_committed(const uint16_t* state) const;

  static constexpr uint32_t kImpossible = UINT32_MAX;

  Workbench& bench_;
  const Part& part_;
  Solver& solver_;
  bool complete_ = false;
  std::vector<Dimension> dimensions_;
  std::vector<TermId> terms_;                                          // by dimension: its value; 0 for clocks
  std::vector<std::vector<uint32_t>> support_;                         // by dimension: variables
  std::unordered_map<uint32_t, std::vector<uint32_t>> dimensions_of_;  // by variable
  uint32_t elements_ = 0;
  std::vector<uint32_t> clock_dimensions_;
  std::vector<uint32_t> timed_locations_;                        // dimensions of locations that have to do with time
  std::vector<std::vector<std::vector<ClockAtom>>> invariants_;  // by process and location, over local clocks
  std::vector<uint32_t> local_clock_;                            // by clock; 0: not looked at
  uint32_t clocks_ = 1;                                          // with the reference clock
  std::vector<Rule> aims_;
  std::vector<Rule> steps_;
  SettledBy settled_;
  // Scratch memory.
  std::vector<zone::Bound> zone_;
  std::vector<uint16_t> answer_;
  std::u16string key_;
};

}  // namespace harrier::abstraction
