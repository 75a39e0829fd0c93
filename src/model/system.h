// The intermediate model: what every input language is lowered to and everything else works on.
//
//   variables   with a finite domain [lo, hi] and an initial value. The location of a process is a variable
//               like any other; arrays, structures and message channels are contiguous blocks of variables.
//   clocks      real-valued, all running at rate 1. Clock 0 is the constant zero.
//   processes   locations (with invariants) and guarded edges; edges of several processes fire together by
//               synchronising on a channel. A system may also have no process at all.
//   properties  state formulas in disjunctive form, so that a goal is a list of clauses, each a condition on
//               variables and a conjunction of clock constraints.
//
// A system is built once by a front end (through the `make_…` helpers, which fold constants) and is immutable
// afterwards. The semantics of edges is that of UPPAAL; `docs/architecture.md` states it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/source.h"
#include "harrier/trace.h"
#include "model/expr.h"
#include "model/formula.h"

namespace harrier::model {

using harrier::Direction;
using harrier::PropertyKind;

enum class VarKind : uint8_t { Data, Location };

struct Variable {
  std::string name;  // fully qualified: "id", "P(1).n", "buffer[2].size"
  int32_t lo = 0;
  int32_t hi = 0;
  int32_t initial = 0;
  VarKind kind = VarKind::Data;
  SourceRef at;
  bool internal = false;     // bookkeeping, or a part of a queue: not shown to readers of a trace
  uint32_t value_names = 0;  // 0, or 1 + index into System::value_names
};

// A message channel whose content is in plain variables; for readers of a trace.
struct Queue {
  std::string name;
  VarId length;
  std::vector<VarId> fields;  // of each the first of as many variables as there is room for messages
};

struct Clock {
  std::string name;
  SourceRef at;
};

// condition != 0  implies  left - right < bound (strict) or <= bound. `condition` may be invalid: always.
struct ClockConstraint {
  ExprId condition;
  ClockId left;
  ClockId right;
  bool strict = false;
  ExprId bound;
  SourceRef at;
};

struct Channel {
  std::string name;
  bool broadcast = false;
  bool urgent = false;
  int32_t priority = 0;  // larger is more important; edges without synchronisation have System::internal_priority
  SourceRef at;
};

enum class LocationKind : uint8_t { Normal, Urgent, Committed };

struct Location {
  std::string name;
  LocationKind kind = LocationKind::Normal;
  std::vector<ExprId> invariant;  // conjunction over variables
  std::vector<ClockConstraint> clock_invariant;
  SourceRef at;
};

struct Edge {
  ProcessId process;
  uint32_t source = 0;  // location numbers within the process
  uint32_t target = 0;
  std::vector<ExprId> guard;  // conjunction of conditions over variables
  std::vector<ClockConstraint> clock_guard;
  Direction direction = Direction::Internal;
  ChannelId channel;           // valid unless Internal
  std::vector<StmtId> effect;  // in order; the location is set after them
  std::string label;           // the choice that `select` or a dynamic channel index made, e.g. "i = 3"; else empty
  uint8_t urgency = 0;         // of its edges that can start a transition a process takes only the most urgent ones
  bool when_idle = false;      // starts a transition only if no edge without this mark can
  bool keeps_control = false;  // its process has exclusive control afterwards (System::control)
  uint32_t cost = 1;           // of a transition that it starts, where costs are asked for
  SourceRef at;
};

// A variable that follows from others: where the body holds, the head has `value`; where no body of it does, its
// initial value. Nothing else writes the head. A body reads no head of a later layer, and not System::control.
//
// After every transition, and at the start, all heads get their initial values; then the axioms of one layer after the
// other are applied until nothing changes. All axioms of a head have the same value and layer. A body reads heads of
// its own layer only in such a way that a head that got its value never makes it false, so that their order does not
// matter.
struct Axiom {
  VarId head;
  int32_t value = 1;  // not the initial one
  uint32_t layer = 0;
  std::vector<ExprId> body;  // conjunction of conditions over variables, without run-time errors
  SourceRef at;
};

struct Process {
  std::string name;
  std::string type;      // the template or proctype that it is one of
  VarId location;        // its value is an index into `locations`
  bool dynamic = false;  // it starts and ends: in location 0 it does not run
  std::vector<Location> locations;
  std::vector<EdgeId> edges;
  int32_t priority = 0;  // larger is more important
  SourceRef at;
};

enum class DeadlockTest : uint8_t { Ignore, IsDeadlock, NotDeadlock };

// A conjunction. A goal is a list of clauses, any of which may hold.
struct Clause {
  std::vector<ExprId> conditions;
  std::vector<ClockConstraint> clocks;
  DeadlockTest deadlock = DeadlockTest::Ignore;
  std::string text = {};    // what it means that the clause holds, where the property does not say it
  bool incomplete = false;  // no part of the property: the system lacks what the model needs here, so that the front
                            // end has to make another one (lang/frontend.h); nothing that follows means anything
};

// One quantity of a sup, inf or bounds query: an integer expression or a clock.
struct Term {
  std::string text;
  ExprId expr;    // valid for an integer quantity
  ClockId clock;  // valid for a clock
};

// Why a property cannot be checked, ready to be shown.
struct Refusal {
  ErrorKind kind = ErrorKind::Unsupported;
  std::string text;
};

// The goal of `A[] p` and of `A<> p` is the negation of p, whose states, or the paths on which it always holds, are
// witnesses against it; that of `p --> q` is the negation of q, and p its premise. That of a liveness property must not
// be reached either, and no infinite path may meet each set of `accepting` again and again. A formula of branching time
// is negated, too: no initial state from which there is an infinite path may satisfy it.
struct Property {
  PropertyKind kind = PropertyKind::Reachable;
  std::string text;      // as the user wrote it
  uint32_t rank = 0;     // of the properties of several systems of a model, those with small ones come first
  std::string name;      // by which a user can ask for it; empty where there is none
  std::string comment;   // what the user wrote about it, blanks normalised
  std::string expected;  // the verdict that the input promises ("holds", "violated", …); empty: none
  // It was not understood, or asks for what Harrier cannot do: nothing else of it may be used but what is above.
  std::optional<Refusal> refusal;
  std::vector<Clause> goal;
  std::vector<Clause> premise;
  std::vector<std::vector<Clause>> accepting;  // each set of states as clauses, any of which may hold
  Formula formula;                             // of Branching
  // Of a goal: a state counts only if a fair path leads through it, which another system tells
  // (lang::Instance::fairly).
  bool on_fair_paths = false;
  bool fair = false;  // of Liveness: only paths count on which no process can always start a transition and never does
  std::vector<Term> terms;
  bool smallest = false;  // of Extrema: what is asked for
  bool largest = false;
  SourceRef at;
};

// It is about maximal paths on which a formula holds all along: E[], A<>, -->.
inline bool is_about_paths(const Property& property) {
  return property.kind == PropertyKind::PotentiallyAlways || property.kind == PropertyKind::Eventually ||
         property.kind == PropertyKind::LeadsTo;
}

inline bool asks_for_values(const Property& property) { return property.kind == PropertyKind::Extrema; }

// How the steps of a model are told to readers.
enum class Telling : uint8_t {
  Moves,       // by the locations that an edge leads between, its synchronisation and its effect
  Statements,  // an edge is a statement of a program, its label the statement as written
  States,      // by what changes: an edge is a step of everything at once
  Actions,     // an edge is an action, its label the name of it; and by what changes
};

struct System {
  std::string name;           // file name of the model
  std::string language;       // a name of lang/table.h
  uint64_t content_hash = 0;  // of the source text, ties a trace to its model

  std::vector<Variable> variables;
  std::vector<Clock> clocks{{"0", {}}};
  std::vector<Channel> channels;
  std::vector<Process> processes;
  std::vector<Edge> edges;
  std::vector<Function> functions;
  std::vector<StmtId> before_update;  // run before and after the effects of every transition
  std::vector<StmtId> after_update;
  std::vector<Axiom> axioms;  // sorted by layer
  int32_t internal_priority = 0;
  // 0, or 1 + the number of the process in exclusive control: as long as it can start a transition, no other does.
  // Every transition sets it, to the last of its processes whose edge keeps control, or to 0; also to 0 if that process
  // cannot start a transition then. Invalid in a model without exclusive control.
  VarId control;
  // 0, or the number of the assertion that failed: an edge that sets it stands for what it reads. Invalid in a model
  // without such a flag.
  VarId failure;
  // An edge that fires once, before all others, and is no step: a model has as many initial states as there are ways to
  // choose in its effect, and none where its guard does not hold. It belongs to the first process, whose list does not
  // have it, and leaves the locations as they are. Invalid: the initial values are the only initial state.
  EdgeId beginning;
  // A process that watches the others: it has control at the start, and gets it whenever a transition of another
  // process keeps none; it cannot lose it but by a transition of its own. So the claim and the others take turns. Where
  // the others cannot move, the claim's edges marked `when_idle` fire instead. Invalid in a model without a claim.
  ProcessId claim;

  Telling telling = Telling::Moves;
  std::vector<Queue> queues;
  std::vector<std::vector<std::string>> value_names;  // by value; empty where there is none
  std::vector<std::string> faults;                    // texts of Fault::Raised and what follows

  std::vector<Expr> exprs;
  std::vector<ExprId> arguments;
  std::vector<Stmt> stmts;
  std::vector<StmtId> children;
  bool counts_costs = false;      // searches that can count costs do so unless told otherwise
  uint32_t quantifier_slots = 0;  // frame size that expressions outside functions need for bound variables

  Sources sources;

  const Expr& expr(ExprId id) const { return exprs[id.value]; }
  const Stmt& stmt(StmtId id) const { return stmts[id.value]; }
  const Variable& variable(VarId id) const { return variables[id.value]; }
  const Process& process(ProcessId id) const { return processes[id.value]; }
  const Edge& edge(EdgeId id) const { return edges[id.value]; }
  const Channel& channel(ChannelId id) const { return channels[id.value]; }
  std::span<const ExprId> call_arguments(const Expr& call) const {
    return std::span(arguments).subspan(static_cast<size_t>(call.value), call.count);
  }
  std::span<const StmtId> block(const Stmt& block) const {
    return std::span(children).subspan(block.first, block.count);
  }

  std::vector<int32_t> initial_values() const;
  // The value of `control` between the steps of the model: other values are those of states inside a step.
  int32_t control_at_rest() const { return claim.valid() ? static_cast<int32_t>(claim.value) + 1 : 0; }
  bool has_priorities() const;
  // Some edge has several outcomes in one state, or there are several initial states.
  bool has_choices() const;
  // Whether a transition can keep others from firing that have no variable in common with it: by priority, urgency,
  // exclusive control, or because it is not idle.
  bool is_preemptive() const;

  // Builders. They fold constants where no run-time error is hidden by it, and simplify boolean connectives.
  ExprId make(Expr node);
  ExprId make_const(int32_t value, SourceRef at = {});
  ExprId make_var(VarId var, SourceRef at = {});
  ExprId make_unary(Op op, ExprId a, SourceRef at = {});
  ExprId make_binary(Op op, ExprId a, ExprId b, SourceRef at = {});
  ExprId make_ite(ExprId condition, ExprId then, ExprId otherwise, SourceRef at = {});
  StmtId make_stmt(Stmt stmt);
  StmtId make_block(std::span<const StmtId> statements, SourceRef at = {});
  StmtId make_expr_stmt(ExprId expr, SourceRef at = {});
  // Op::Fail with a text of its own.
  ExprId make_fail(std::string_view text, SourceRef at = {});

  // The value if the expression is a constant.
  std::optional<int32_t> constant(ExprId id) const;
};

// What went wrong: "division by zero", …
std::string fault_text(const System& system, Fault fault);

// Arithmetic that all evaluators share. Sets `fault` and returns 0 if there is no 32-bit result.
// Not for And, Or, Ite, quantifiers, calls, loads and stores.
int32_t apply_unary(Op op, int32_t a, Fault& fault);
int32_t apply_binary(Op op, int32_t a, int32_t b, Fault& fault);

}  // namespace harrier::model
