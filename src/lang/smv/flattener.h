// From modules to one flat model.
//
// Each instance of a module is a scope: its variables, definitions and instances by name, and its parameters, which
// stand for expressions in the scope of the instance's parent and are read there when they are used. A definition may
// be given from outside (`left.ack := q.out`), so that nothing is evaluated before all instances are there, but the
// constants in types.
//
//   flatten.cpp             the order of things; assignments, constraints
//   flatten_declare.cpp     instances, variables, types
//   flatten_expr.cpp        names and expressions
//   flatten_spec.cpp        specifications
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "lang/smv/flat.h"

namespace harrier::smv {

class Flattener {
 public:
  Flattener(const ModelNode& model, FlatModel& out, Diagnostics& diagnostics)
      : model_(model), out_(out), values_(out.values), diagnostics_(diagnostics) {}

  // With a condition, one more specification of the main module.
  void run(const std::string& main, const SpecNode* condition);

 private:
  struct Instance;
  struct Array;
  struct Define;
  enum class RefKind : uint8_t { None, Variable, Array, Define, Instance, Value };
  // What a name stands for.
  struct Ref {
    RefKind kind = RefKind::None;
    uint32_t variable = 0;
    const Array* array = nullptr;
    Define* define = nullptr;
    Instance* instance = nullptr;
    Value value = {};
  };
  struct Actual {
    ExprPtr expr = nullptr;
    Instance* scope = nullptr;
    bool busy = false;
  };
  struct Instance {
    const ModuleNode* module = nullptr;
    std::vector<const ModuleNode*> modules;  // itself, and those that it takes over by ISA
    Instance* parent = nullptr;
    std::string path;  // with a dot at the end, or empty
    uint32_t process = 0;
    uint32_t depth = 0;
    std::unordered_map<std::string, Actual> parameters;
    std::unordered_map<std::string, Ref> symbols;
  };
  struct Array {
    int32_t lo = 0;
    std::vector<Ref> elements;
  };
  struct Define {
    std::string name;
    ExprPtr expr = nullptr;
    Instance* scope = nullptr;
    enum class State : uint8_t { New, Busy, Done, Bad } state = State::New;
    bool waiting = false;  // for a definition that is evaluated on its own
    Value value = {};
    SourceRef at;
  };
  // A definition is reached at great depth: it has to be evaluated on its own first.
  struct TooDeep {
    Define* define;
    std::vector<Define*> waiting = {};  // those that need it
  };
  class Deeper;

  // Declarations.
  void find_modules();
  Instance* instantiate(const ModuleNode& module, Instance* parent, const std::string& name, SourceRef at);
  void populate(Instance& instance);
  void take_over(Instance& instance, const ModuleNode& module);
  void bind(Instance& instance, const TypeNode& type, Instance* scope);
  void declare(Instance& instance, const VarNode& node);
  void declare_symbol(Instance& instance, const std::string& name, Ref ref, SourceRef at);
  void declare_defines(Instance& instance, bool plain);
  Ref variable_of(Instance& instance, const VarNode& node, const TypeNode& type, const std::string& name);
  void set_domain(Instance& instance, Variable& variable, const TypeNode& type);
  void set_enumeration(Variable& variable, const TypeNode& type);
  int32_t constant_of(ExprPtr expr, Instance& scope, std::string_view what);
  const ModuleNode* module_named(const std::string& name, SourceRef at);

  // Names and expressions.
  Value evaluated(ExprPtr expr, Instance& scope);
  Value eval(ExprPtr expr, Instance& scope);
  Value eval_case(ExprPtr expr, Instance& scope);
  Value eval_reference(ExprPtr expr, Instance& scope);
  Value value_of(const Ref& ref, ExprPtr expr);
  Value value_of(Define& define);
  void evaluate_alone(TooDeep first);
  Ref resolve(ExprPtr expr, Instance& scope);
  Ref running(const Instance& instance, SourceRef at);
  Ref resolve_name(ExprPtr expr, Instance& scope);
  Ref resolve_index(ExprPtr expr, Instance& scope);
  Ref lookup(const std::string& name, Instance& instance, SourceRef at);
  Value element_of(const Array& array, const Value& index, ExprPtr expr);
  [[noreturn]] void fail_unknown(const std::string& name, const Instance& instance, SourceRef at);
  TermId condition(ExprPtr expr, Instance& scope);

  // The rest.
  void assign(Instance& instance, const AssignNode& node);
  void check_assignments();
  void constrain(Instance& instance, const ConstraintNode& node);
  void forbid(const Value& value, uint8_t mentions, SourceRef at, std::string_view where);
  void specify(Instance& instance, const SpecNode& node);
  FormulaPtr formula(ExprPtr expr, Instance& scope, SpecKind kind);
  static bool is_temporal(ExprPtr expr);

  template <class F>
  void guarded(F f);

  const ModelNode& model_;
  FlatModel& out_;
  Values& values_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, const ModuleNode*> modules_;
  std::deque<Instance> instances_;
  std::deque<Array> arrays_;
  std::deque<Define> defines_;
  uint32_t depth_ = 0;
};

// Goes on after what was reported.
template <class F>
void Flattener::guarded(F f) {
  if (diagnostics_.full()) return;
  try {
    f();
  } catch (const Failure&) {  // NOLINT(bugprone-empty-catch): it was reported
  }
}

}  // namespace harrier::smv
