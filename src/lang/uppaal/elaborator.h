// Elaboration: from the syntax tree to `model::System`. Names, types and lowering are done in one walk, once for every
// process, so that template parameters and selected values are constants and fold away.
//
//   elaborator.cpp    the run; diagnostics; constants; types; declarations
//   places.cpp        variables and their parts: names, indices, fields, loads and stores
//   expressions.cpp   expressions
//   assignments.cpp   assignments and updates
//   calls.cpp         function calls; functions are specialised for what they are given by reference
//   builtins.cpp      functions of UPPAAL's library
//   statements.cpp    bodies of functions
//   constraints.cpp   guards and invariants: conditions on variables and clock constraints
//   processes.cpp     templates, their instances and edges
//   unused.cpp        a check of what no process uses
//   properties.cpp    queries
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/uppaal/ast.h"
#include "lang/uppaal/parser.h"
#include "lang/uppaal/symbols.h"
#include "lang/uppaal/types.h"
#include "model/interpreter.h"
#include "model/system.h"

namespace harrier::uppaal {

// Larger expansions of `select`, channel indices and template sets are refused.
inline constexpr uint64_t kMaxEdges = 1'000'000;
inline constexpr size_t kMaxClauses = 4096;
// Recursion through statements, expressions and the functions they call; a call weighs more than an operator.
inline constexpr uint32_t kMaxRecursion = 1200;
inline constexpr uint32_t kCallWeight = 12;

// A conjunction as guards, invariants and clauses of a goal have it.
struct Conjunction {
  std::vector<ExprId> conditions;
  std::vector<model::ClockConstraint> clocks;
  bool impossible = false;  // a condition is the constant false
};

class Elaborator {
 public:
  Elaborator(model::System& system, const ModelNode& model);

  // Where problems go; must be set before anything else is called.
  void report_to(Diagnostics& diagnostics) {
    diagnostics_ = &diagnostics;
    reported_.clear();
  }
  // Builds the whole system.
  void run();
  // A query against the system; nothing if it is wrong.
  std::optional<model::Property> property(const QueryNode& query);

 private:
  struct Process {
    model::ProcessId id;
    NameScope* scope = nullptr;
    const TemplateNode* node = nullptr;
  };

  // --- elaborator.cpp
  void error(SourceRef at, const std::string& message);
  void unsupported(SourceRef at, const std::string& message);
  void warn(SourceRef at, const std::string& message);
  // An error that depends on the value of a parameter; it is no error while a template is only tried out.
  void value_error(SourceRef at, const std::string& message);
  bool failed() const { return diagnostics_->full(); }
  // "; did you mean 'x'?" for a name that is not known here, or that it is declared later; may be empty.
  std::string hint(std::string_view wrong, const NameScope& scope) const;
  void declare(NameScope& scope, std::string_view name, Symbol symbol);
  void declaration(const Declaration& node, NameScope& scope, const std::string& prefix);
  void declare_variable(const Declarator& node, NameScope& scope, const std::string& prefix);
  Place create_variables(const Type& type, const std::string& name, const std::vector<int32_t>& initial, SourceRef at);
  Place make_constant(const Type& type, std::string name, std::vector<int32_t> values, SourceRef at);
  void check_prefixes(const TypeNode& node, const Type& type);
  const Type* resolve(const TypeNode& node, Context context);
  const Type* resolve_base(const TypeNode& node, Context context);
  const Type* resolve(const Declarator& node, Context context);
  const Type* index_type(const Dimension& dimension, Context context);
  std::optional<int32_t> constant(const Expr& expr, Context context, std::string_view what);
  std::optional<int32_t> constant(const Operand& operand, Context context, SourceRef at, std::string_view what);
  bool is_constant(const Operand& operand, const Context& context) const;
  // The integers of an initial value, converted to the type; nothing on errors.
  std::optional<std::vector<Operand>> initial_parts(const Type& type, const Expr& init, Context context);
  std::optional<std::vector<int32_t>> constant_parts(const Type& type, const Expr& init, Context context);
  static std::vector<int32_t> default_parts(const Type& type);
  void channel_priorities(const Declaration& node);
  NameScope& new_scope(NameScope* parent, uint32_t seen = NameScope::kAll) {
    return scopes_.emplace_back(parent, seen);
  }
  void forget(const NameScope& scope);  // a scope that ends before the elaboration does

  // --- places.cpp
  Operand bad() const;
  Operand value(ExprId expr, const Type* type) const;
  Operand constant_value(int32_t number, const Type* type, SourceRef at);
  Operand name(const Expr& expr, Context context);
  Operand index(const Expr& expr, Context context);
  Operand dot(const Expr& expr, Context context);
  const Process* process(const Expr& expr, Context context);
  bool names_process(const Expr& expr, Context context) const;
  Operand process_member(const Expr& expr, Context context);
  Operand place_operand(Place place) const;
  ExprId offset(const Place& place, uint32_t IndexTerm::*stride, uint32_t& count, SourceRef at);
  ExprId load(const Place& place, SourceRef at);
  ExprId load_part(const Place& place, uint32_t part, const Type& leaf, SourceRef at);
  ExprId store(const Place& place, ExprId value, Context context, SourceRef at);
  ExprId store_local(uint32_t slot, ExprId value, SourceRef at);
  ExprId local(uint32_t slot, SourceRef at);
  ExprId comma(ExprId a, ExprId b, SourceRef at);
  // Evaluates indices with side effects once, into fresh slots; `prelude` does that and may stay invalid.
  void stabilise(Place& place, Context context, ExprId& prelude, SourceRef at);
  uint32_t new_slots(uint32_t count, Context context);
  const Type* type_of_place(const Expr& expr, Context context);

  // --- expressions.cpp
  Operand lower(const Expr& expr, Context context);
  // An integer, boolean or scalar value; an error and `Bad` otherwise.
  Operand scalar(const Expr& expr, Context context);
  Operand integer(const Expr& expr, Context context);
  Operand to_scalar(Operand operand, SourceRef at);
  Operand unary(const Expr& expr, Context context);
  Operand binary(const Expr& expr, Context context);
  Operand arithmetic(Op op, const Operand& a, const Operand& b, SourceRef at);
  Operand equality(bool equal, const Expr& expr, Operand a, Operand b);
  Operand clock_sum(bool subtract, const Expr& expr, const Operand& a, const Operand& b);
  Operand conditional(const Expr& expr, Context context);
  Operand quantifier(const Expr& expr, Context context);
  bool must_unroll(const Expr& body) const;
  std::vector<ExprId> parts(const Operand& operand, SourceRef at);
  // Converts a value for a target of a type; `check` emits a range check where one is needed.
  ExprId convert(const Operand& operand, const Type& type, bool check, SourceRef at);
  ExprId all(std::vector<ExprId> conditions, Op op, SourceRef at);
  // And, Or: also folds where the right side decides and the left one cannot fail.
  ExprId logical(Op op, ExprId a, ExprId b, SourceRef at);
  ExprId truth(ExprId expr, const Operand& operand, SourceRef at);
  ExprId negate(ExprId expr, SourceRef at) { return system_.make_unary(Op::Not, expr, at); }
  static bool is_clock(const Operand& operand);
  bool as_clock(const Operand& operand, ClockTerm& term) const;

  // --- assignments.cpp
  Operand assign(const Expr& expr, Context context);
  Operand assign_scalar(Place place, const Expr& expr, Context context);
  Operand step(const Expr& expr, Context context);
  bool assignable(const Operand& target, const Expr& expr);
  void update(const Expr& expr, Context context, std::vector<StmtId>& out);
  void assign_aggregate(const Place& place, const Expr& expr, Context context, std::vector<StmtId>& out);
  void assign_clock(const Place& place, const Expr& expr, Context context, std::vector<StmtId>& out);
  void note_write(const Place& place, Context context);

  // --- calls.cpp
  struct Signature {
    std::vector<const Type*> parameters;
    const Type* result = nullptr;
    bool good = true;
  };
  struct Argument {
    bool by_reference = false;
    Place place;
    std::vector<ExprId> values;
  };
  struct FunctionInfo {
    model::FunctionId id;
    bool effect = false;
    bool state = false;
    std::vector<bool> written;  // of the blocks
    bool good = true;
  };
  struct Call {
    const FunctionNode* function = nullptr;
    NameScope* home = nullptr;
    uint32_t order = 0;  // of the function in its home
    const Signature* signature = nullptr;
    std::vector<Argument> arguments;
    std::vector<Frame::Block> blocks;  // of the caller
    uint32_t output = 0;
    std::vector<uint32_t> outputs;  // offsets into the blocks, in order of the blocks
    std::vector<model::VarId> transfer;
  };
  Operand call(const Expr& expr, Context context);
  // The function that a call names, with P.f() in queries; null if there is none, which is reported.
  const Symbol* callee(const Expr& expr, Context context);
  const Signature& signature(const FunctionNode& function, NameScope* home, uint32_t order);
  bool prepare_argument(const Declarator& parameter, const Type& type, const Expr& arg, Context context, Call& call,
                        Operand& result);
  std::vector<ExprId> call_values(const Call& call) const;
  const FunctionInfo& specialise(const Call& call);
  FunctionInfo build_function(const Call& call);
  ExprId make_call(model::FunctionId function, const std::vector<ExprId>& values, SourceRef at);
  Operand call_with_outputs(Call& call, const FunctionInfo& info, Operand result, Context context, SourceRef at);
  std::string key_of(const Call& call) const;

  // --- builtins.cpp
  Operand builtin(const Expr& expr, Context context);

  // --- statements.cpp
  void statement(const Statement& node, Context context, std::vector<StmtId>& out);
  void lower_statement(const Statement& node, Context context, std::vector<StmtId>& out);
  void block(const Statement& node, Context inside, std::vector<StmtId>& out);
  void local_variable(const Declarator& node, Context context, std::vector<StmtId>& out);
  void iterate(const Statement& node, Context context, std::vector<StmtId>& out);
  void loop(const Statement& node, Context context, std::vector<StmtId>& out);
  void return_statement(const Statement& node, Context context, std::vector<StmtId>& out);
  void finish_outputs(Frame& frame, std::vector<StmtId>& out, SourceRef at);
  StmtId as_block(const std::vector<StmtId>& statements, SourceRef at);
  ExprId condition(const Expr& expr, Context context);

  // --- constraints.cpp
  bool mentions_clock(const Expr& expr, Context context);
  void conjunction(const Expr& expr, Context context, ExprId under, std::string_view what, Conjunction& out);
  struct ClockDifference {  // left - right < or <= bound
    Place left, right;
    bool has_left = false, has_right = false;
    bool strict = false;
    ExprId bound;
  };
  // The constraints that a comparison stands for, all of which must hold; nothing if it is wrong.
  std::optional<std::vector<ClockDifference>> comparison(const Expr& expr, Operator op, Context context);
  struct ClockChoice {
    ExprId condition;  // invalid: always
    model::ClockId clock;
  };
  std::vector<ClockChoice> clock_choices(const Place& place, bool present, SourceRef at);
  void add_condition(ExprId condition, Conjunction& out, SourceRef at);
  ExprId with_range(const Operand& number, SourceRef at);
  ExprId both(ExprId a, ExprId b, SourceRef at);  // conjunction, either may be invalid

  // --- processes.cpp
  void build_processes(uint32_t before_system);
  void instantiate(const PriorityEntry& entry, uint32_t before_system);
  bool free_values(const std::vector<Declarator>& parameters, NameScope& scope, const PriorityEntry& entry,
                   std::vector<const Type*>& types, uint64_t& combinations);
  void build_process(const Symbol& symbol, const std::string& name, const std::vector<int32_t>& values,
                     int32_t priority, SourceRef at);
  NameScope* bind(const Symbol& symbol, const std::string& process, const std::vector<int32_t>& values,
                  const TemplateNode*& node);
  void bind_parameter(const Declarator& parameter, const TemplateNode* node, const Expr* arg, const Operand& operand,
                      NameScope& outside, NameScope& scope, const std::string& process, Context context);
  void build_template(const TemplateNode& node, NameScope& scope, const std::string& name, int32_t priority,
                      SourceRef at);
  void build_location(const LocationNode& node, Context context, model::Process& process);
  void build_edges(const EdgeNode& node, Context context, model::ProcessId process);
  void build_selected_edge(const EdgeNode& node, Context context, Context around, model::ProcessId process,
                           const std::string& label);
  void add_branch(const BranchNode& node, Context context, std::vector<StmtId>& effect);
  void add_edge(model::Edge edge);
  const std::set<std::string_view>& assigned_names(const TemplateNode& node);

  // --- unused.cpp
  void check_unused();
  void try_function(const FunctionNode& function, NameScope& home);
  void try_template(const TemplateNode& node);

  // --- properties.cpp
  using Clauses = std::vector<model::Clause>;
  std::optional<Clauses> clauses(const Expr& expr, Context context, bool is_negated);
  Clauses antecedent(const Expr& formula, Context context);
  std::optional<Clauses> compared(const Expr& expr, Context context, bool is_negated);
  std::optional<Clauses> quantified(const Expr& expr, Context context, bool is_negated);
  std::optional<Clauses> any_of(std::optional<Clauses> a, std::optional<Clauses> b, SourceRef at);
  void protect(Clauses& right, const Clauses& left, SourceRef at);
  std::optional<Clauses> all_of(std::optional<Clauses> a, std::optional<Clauses> b, SourceRef at);
  bool is_structural(const Expr& expr, Context context);
  ExprId negated(ExprId id, SourceRef at);
  void split_condition(ExprId id, Conjunction& out, SourceRef at);
  bool mentions_deadlock(const Expr& expr) const;

  model::System& system_;
  const ModelNode& model_;
  Diagnostics* diagnostics_ = nullptr;
  std::set<std::string> reported_;
  TypeTable types_;
  std::deque<NameScope> scopes_;
  std::deque<ConstantData> constants_;
  NameScope* global_ = nullptr;
  std::map<std::pair<const NameScope*, const TypeNode*>, const Type*> resolved_;
  std::map<std::pair<const FunctionNode*, const NameScope*>, Signature> signatures_;
  std::unordered_map<std::string, FunctionInfo> functions_;
  std::unordered_map<std::string, std::vector<model::VarId>> transfers_;
  std::unordered_set<const FunctionNode*> in_progress_;
  std::unordered_set<const FunctionNode*> used_functions_;
  std::unordered_set<const void*> used_templates_;
  std::map<const TemplateNode*, std::set<std::string_view>> assigned_;
  std::unordered_map<std::string, Process> processes_;        // by full name, "P(1)"
  std::unordered_map<std::string_view, NameScope*> members_;  // names inside one process of each system entry
  std::vector<int32_t> values_;                               // initial values, to evaluate constants with
  uint32_t outer_slots_ = 0;                                  // frame slots in use outside functions
  uint32_t depth_ = 0;
  uint64_t unrolled_ = 1;
  bool trying_ = false;  // a template that no process uses is checked
  bool prioritised_ = false;
};

}  // namespace harrier::uppaal
