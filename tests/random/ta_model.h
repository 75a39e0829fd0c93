// A network of timed automata as the random tester sees it: a syntax tree that is printed as UPPAAL text
// (`to_xta`, `to_query`), and given a meaning of its own (`ta_network.h`). Neither knows anything of `model::System`,
// so that the front end is tested along with everything behind it.
//
// Names are resolved by construction: a variable, clock, function or parameter is an index into its declaration list;
// what is bound locally (select, function parameters and locals, loops, quantifiers) is a slot, of which every binding
// has its own. What they are called comes last (`ta_names.h`): many get the same name, wherever UPPAAL's scopes still
// make every use mean what the tree says.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace harrier::testing_support {

enum class TaOp : uint8_t {
  Const,      // value
  Variable,   // place, with args[0] as index for an array
  Slot,       // slot `value`
  Parameter,  // value parameter number `value` of the template
  Call,       // the function that `place` names with args
  Neg,
  Not,
  Mul,
  Div,
  Mod,
  Add,
  Sub,
  Shl,
  Shr,
  Min,
  Max,
  Lt,
  Le,
  Ge,
  Gt,
  Eq,
  Ne,
  BitAnd,
  BitXor,
  BitOr,
  And,
  Or,
  Imply,
  Ite,
  Forall,  // slot `value`, over its range: args[0]
  Exists,
  Sum,
  Assign,  // args[0] := args[1]
  AddAssign,
  SubAssign,
  PostIncrement,
  PostDecrement,
  PreIncrement,
  PreDecrement,
};

enum class TaScope : uint8_t { Global, Local, Reference };  // Reference: a reference parameter of the template

struct TaPlace {
  TaScope scope = TaScope::Global;
  size_t index = 0;
};

struct TaExpr;
using TaExprPtr = std::shared_ptr<const TaExpr>;

struct TaExpr {
  TaOp op = TaOp::Const;
  int32_t value = 0;
  TaPlace place;
  std::vector<TaExprPtr> args;
};

TaExprPtr ta_const(int32_t value);
TaExprPtr ta_node(TaOp op, std::vector<TaExprPtr> args);
TaExprPtr ta_variable(TaPlace place, TaExprPtr index = nullptr);
TaExprPtr ta_slot(size_t slot);

// left - right ~ bound, `~` being one of Lt, Le, Ge, Gt, Eq. A condition makes it "condition implies …".
struct TaClockAtom {
  TaPlace left;
  std::optional<TaPlace> right;
  TaOp op = TaOp::Le;
  TaExprPtr bound;
  TaExprPtr condition;
  bool flipped = false;  // printed as "bound ~ clock"
};

// One conjunct of a guard or an invariant: an integer condition or a clock constraint.
struct TaCondition {
  TaExprPtr expr;
  std::optional<TaClockAtom> clock;
};

struct TaUpdate {
  TaExprPtr expr;                // an assignment or a call, or the value of
  std::optional<TaPlace> clock;  // this clock
};

struct TaVariable {
  std::string name;
  int32_t lo = 0;
  int32_t hi = 0;
  // How the range is written: by a type definition, or with a constant as its upper bound.
  std::optional<TaPlace> type;
  std::optional<TaPlace> upper;
  std::optional<TaPlace> value;  // a constant that the initial value is written as
  bool is_bool = false;
  bool is_const = false;
  size_t size = 0;  // 0: no array
  std::vector<int32_t> initial;
};

struct TaChannel {
  std::string name;
  size_t size = 0;  // 0: no array
  bool broadcast = false;
  bool urgent = false;
};

struct TaSlot {
  std::string name;
  int32_t lo = 0;
  int32_t hi = 0;
  bool bounded = true;            // otherwise a plain int
  bool reference = false;         // a parameter of a function
  std::optional<TaPlace> type{};  // as for variables
};

// A local variable of a function or block, and its initial value.
struct TaLocal {
  size_t slot = 0;
  TaExprPtr initial;
};

struct TaStatement {
  enum class Kind : uint8_t { Expression, If, While, ForRange, ForLoop, Return, Block, Reset };
  Kind kind = Kind::Expression;
  TaExprPtr expr;               // the expression or condition; none for the return of a void function
  TaPlace clock;                // Reset
  std::vector<TaLocal> locals;  // Block
  std::vector<TaStatement> body;
  std::vector<TaStatement> otherwise;
  size_t slot = 0;  // ForRange: over its range; ForLoop: from 0 to
  int32_t last = 0;
};

// Functions do not call themselves, so that a slot has one value at a time.
struct TaFunction {
  std::string name;
  bool returns_value = false;
  bool changes_state = false;  // more than what it is given by reference
  bool bounded =
      false;  // the value: in [lo, hi]; nothing in the function leaves its range, so that it can bound clocks
  int32_t lo = 0;
  int32_t hi = 0;
  std::vector<size_t> parameters;  // slots
  std::vector<TaLocal> locals;
  std::vector<TaStatement> body;
};

struct TaTypedef {
  std::string name;
  int32_t lo = 0;
  int32_t hi = 0;
};

// A declaration of a model or template; they are written in the order of their list.
struct TaDeclaration {
  enum class Kind : uint8_t { Variable, Clock, Function, Type };
  Kind kind = Kind::Variable;
  size_t index = 0;
};

enum class TaLocationKind : uint8_t { Normal, Urgent, Committed };

struct TaLocation {
  std::string name;
  TaLocationKind kind = TaLocationKind::Normal;
  std::vector<TaCondition> invariant;
};

struct TaSync {
  size_t channel = 0;
  TaExprPtr index;  // for an array
  bool send = false;
};

struct TaEdge {
  size_t source = 0;
  size_t target = 0;
  std::vector<size_t> selects;  // slots
  std::vector<TaCondition> guard;
  std::optional<TaSync> sync;
  std::vector<TaUpdate> updates;
};

struct TaParameter {
  enum class Kind : uint8_t { Value, Variable, Clock };  // the latter two by reference
  Kind kind = Kind::Value;
  std::string name;
  int32_t lo = 0;
  int32_t hi = 0;
};

struct TaTemplate {
  std::string name;
  std::vector<TaParameter> parameters;
  bool instantiated_by_range = false;  // named in the system line without arguments: one process a parameter value
  std::vector<TaVariable> variables;
  std::vector<std::string> clocks;
  std::vector<TaFunction> functions;
  std::vector<TaTypedef> types;
  std::vector<TaDeclaration> order;
  std::vector<TaLocation> locations;
  size_t initial = 0;
  std::vector<TaEdge> edges;
};

struct TaInstance {
  std::string name;                // as queries call it
  size_t of = 0;                   // template
  std::vector<int32_t> arguments;  // values, or indices of global variables or clocks
  int32_t priority = 0;            // not decreasing along the list of instances
};

// All and Some: a condition on the processes of a template that is instantiated by range, whose number is in a slot.
struct TaGoalAtom {
  enum class Kind : uint8_t { Location, Condition, Deadlock, All, Some };
  Kind kind = Kind::Location;
  size_t instance = 0;  // whose location; whose local names a condition may use
  size_t location = 0;
  size_t slot = 0;       // All, Some
  bool negated = false;  // not of conditions on clocks
  TaCondition condition;
};

struct TaQuery {
  std::vector<std::vector<TaGoalAtom>> clauses;  // any of these conjunctions
  bool as_invariant = false;                     // printed as A[] not (…)
};

struct TaModel {
  std::vector<TaSlot> slots;  // all of them
  std::vector<TaVariable> variables;
  std::vector<std::string> clocks;
  std::vector<TaFunction> functions;
  std::vector<TaTypedef> types;
  std::vector<TaDeclaration> order;
  std::vector<TaChannel> channels;
  std::vector<int32_t> channel_priority;  // by channel; empty: no declaration. 0 is the default level
  std::vector<TaTemplate> templates;
  std::vector<TaInstance> instances;
  std::vector<TaQuery> queries;
};

std::string to_xta(const TaModel& model);
std::string to_query(const TaModel& model, const TaQuery& query);

// Where the text of a model and its queries opens and closes scopes, declares names and uses them. A name is known by
// its place in the model. A member is looked up in a process, not in the scopes.
struct TaNameEvent {
  enum class Kind : uint8_t { Open, Close, Declare, Use, Member };
  Kind kind = Kind::Open;
  const std::string* name = nullptr;
};
std::vector<TaNameEvent> name_events(const TaModel& model);

}  // namespace harrier::testing_support
