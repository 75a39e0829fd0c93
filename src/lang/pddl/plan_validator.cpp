#include "lang/pddl/plan_validator.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "lang/pddl/lifted_state.h"

namespace harrier::pddl {

namespace {

using lifted::Binding;
using lifted::Formula;
using Row = std::vector<uint32_t>;

bool reads_derived(const Task& task, const Formula& formula) {
  if (formula.kind == Formula::Kind::Holds) return task.predicates[formula.atom->predicate].derived;
  return std::any_of(formula.parts.begin(), formula.parts.end(),
                     [&](const Formula& part) { return reads_derived(task, part); });
}

// What the validator says of a plan that is wrong.
struct Wrong {
  std::string what;
};

struct Change {
  uint32_t predicate = 0;
  Row row;
};

struct EffectWays {
  const Effect* effect = nullptr;
  std::vector<Formula> ways;
};

// An action that occurs in the plan.
struct Schema {
  Binding binding;
  Formula precondition;
  std::vector<EffectWays> effects;
  bool derived = false;  // it asks about derived predicates
};

class Validator {
 public:
  Validator(const Task& task, const Watch& watch)
      : task_(task), watch_(watch), domains_(task, watch), state_(task, domains_, watch) {
    name(task.objects, objects_);
    name(task.actions, actions_);
    for (const Amount& amount : task.amounts) {
      watch.poll();
      Row row{amount.function.predicate};
      for (const Term& term : amount.function.arguments) row.push_back(term.index);
      amounts_.emplace(std::move(row), amount.value);
    }
    schemas_.resize(task.actions.size());
  }

  PlanVerdict run(const std::vector<PlanStep>& plan) {
    PlanVerdict verdict;
    try {
      for (const PlanStep& step : plan) {
        carry_out(step, verdict);
        ++verdict.steps;
      }
      check_goal();
      verdict.valid = true;
    } catch (const Wrong& wrong) {
      verdict.problem = verdict.steps < plan.size() ? text_of(verdict.steps, plan) + ": " + wrong.what : wrong.what;
    }
    return verdict;
  }

 private:
  using Names = std::unordered_map<std::string_view, uint32_t>;

  template <class T>
  void name(const std::vector<T>& all, Names& names) {
    for (uint32_t i = 0; i < all.size(); ++i) {
      watch_.poll();
      names.emplace(all[i].name, i);
    }
  }

  static std::string text_of(size_t step, const std::vector<PlanStep>& plan) {
    std::string out = "step " + std::to_string(step + 1) + ", (" + plan[step].action;
    for (const std::string& argument : plan[step].arguments) out += " " + argument;
    return out + ")";
  }

  void carry_out(const PlanStep& step, PlanVerdict& verdict) {
    const auto found = actions_.find(step.action);
    if (found == actions_.end()) throw Wrong{"there is no action '" + step.action + "'"};
    const Action& action = task_.actions[found->second];
    Schema& schema = schema_of(found->second);
    bind(action, step, schema.binding);
    if (schema.derived) state_.derive();
    if (!state_.evaluator().holds(schema.precondition, schema.binding)) {
      throw Wrong{"its precondition does not hold: " + failing(schema.precondition, action.variables, schema.binding)};
    }
    const uint64_t cost = cost_of(action, schema.binding);
    if (cost > UINT64_MAX - verdict.cost) throw Wrong{"the costs are too large"};
    change(schema);
    verdict.cost += cost;
  }

  Schema& schema_of(uint32_t number) {
    std::unique_ptr<Schema>& schema = schemas_[number];
    if (schema != nullptr) return *schema;
    const Action& action = task_.actions[number];
    schema = std::make_unique<Schema>();
    schema->binding = lifted::binding_of(action.variables, domains_);
    schema->precondition = lifted::formula_of(action.precondition);
    schema->derived = reads_derived(task_, schema->precondition);
    for (const Effect& effect : action.effects) {
      watch_.poll();
      EffectWays& ways = schema->effects.emplace_back();
      ways.effect = &effect;
      ways.ways = lifted::alternatives_of(effect.variables, lifted::formula_of(effect.condition));
      for (const Formula& way : ways.ways) schema->derived = schema->derived || reads_derived(task_, way);
    }
    return *schema;
  }

  void bind(const Action& action, const PlanStep& step, Binding& binding) {
    if (step.arguments.size() != action.parameters) {
      throw Wrong{"'" + step.action + "' takes " + std::to_string(action.parameters) +
                  (action.parameters == 1 ? " argument, not " : " arguments, not ") +
                  std::to_string(step.arguments.size())};
    }
    for (uint32_t p = 0; p < action.parameters; ++p) {
      const std::string& name = step.arguments[p];
      const auto object = objects_.find(name);
      if (object == objects_.end()) throw Wrong{"there is no object '" + name + "'"};
      if (!binding.domains[p]->contains[object->second]) {
        throw Wrong{"'" + name + "' is not of the type that " + action.variables[p].name + " has"};
      }
      binding.objects[p] = object->second;
    }
  }

  // All conditions are about the state before; what is both deleted and added holds.
  void change(Schema& schema) {
    std::vector<Change> deleted;
    std::vector<Change> added;
    for (const EffectWays& effect : schema.effects) {
      for (const Formula& way : effect.ways) {
        const Atom& atom = effect.effect->atom;
        state_.evaluator().solve(way, schema.binding, [&] {
          const auto row = state_.evaluator().ground(atom, schema.binding);
          (effect.effect->adds ? added : deleted).push_back({atom.predicate, Row(row.begin(), row.end())});
          return false;
        });
      }
    }
    for (const Change& change : deleted) state_.set(change.predicate, change.row, false);
    for (const Change& change : added) state_.set(change.predicate, change.row, true);
  }

  uint64_t cost_of(const Action& action, const Binding& binding) {
    if (!task_.costs) return 1;
    uint64_t sum = 0;
    for (const Cost& cost : action.costs) {
      if (cost.constant) {
        sum += static_cast<uint64_t>(cost.value);
        continue;
      }
      Row row{cost.function.predicate};
      const auto arguments = state_.evaluator().ground(cost.function, binding);
      row.insert(row.end(), arguments.begin(), arguments.end());
      const auto amount = amounts_.find(row);
      if (amount == amounts_.end()) {
        const std::string& name = task_.functions[cost.function.predicate].name;
        throw Wrong{"its cost is not defined: " + text_of(name, cost.function, action.variables, binding)};
      }
      sum += static_cast<uint64_t>(amount->second);
    }
    return sum;
  }

  void check_goal() {
    const Formula goal = lifted::formula_of(task_.goal);
    Binding binding = lifted::binding_of(task_.goal_variables, domains_);
    if (reads_derived(task_, goal)) state_.derive();
    if (state_.evaluator().holds(goal, binding)) return;
    throw Wrong{"the goal does not hold at the end: " + failing(goal, task_.goal_variables, binding)};
  }

  // Of a formula that does not hold, the first part that does not.
  std::string failing(const Formula& formula, const std::vector<Variable>& scope, Binding& binding) {
    if (formula.kind == Formula::Kind::And) {
      const auto part = std::find_if(formula.parts.begin(), formula.parts.end(),
                                     [&](const Formula& one) { return !state_.evaluator().holds(one, binding); });
      return failing(*part, scope, binding);
    }
    const bool forall = formula.source->kind == Condition::Kind::Forall;
    const std::string out = shown(formula, scope, binding);
    return formula.negated == (forall && formula.kind == Formula::Kind::Exists) ? out : "(not " + out + ")";
  }

  std::string shown(const Formula& formula, const std::vector<Variable>& scope, const Binding& binding) {
    switch (formula.kind) {
      case Formula::Kind::Holds:
        return text_of(task_.predicates[formula.atom->predicate].name, *formula.atom, scope, binding);
      case Formula::Kind::Equal: return text_of("=", *formula.atom, scope, binding);
      case Formula::Kind::Exists: return formula.source->kind == Condition::Kind::Forall ? "(forall …)" : "(exists …)";
      case Formula::Kind::And:
      case Formula::Kind::Or: break;
    }
    return "(or …)";
  }

  // Variables by what they stand for.
  std::string text_of(const std::string& name, const Atom& atom, const std::vector<Variable>& scope,
                      const Binding& binding) const {
    std::string out = "(" + name;
    for (const Term& term : atom.arguments) {
      const uint32_t object = term.variable ? binding.objects[term.index] : term.index;
      out += " " + (object == kNone ? scope[term.index].name : task_.objects[object].name);
    }
    return out + ")";
  }

  const Task& task_;
  const Watch& watch_;
  lifted::Domains domains_;
  lifted::State state_;
  Names objects_;
  Names actions_;
  std::map<Row, int64_t> amounts_;  // by a function and its arguments
  std::vector<std::unique_ptr<Schema>> schemas_;
};

}  // namespace

PlanVerdict validate_plan(const Task& task, const std::vector<PlanStep>& plan, const Watch& watch) {
  return Validator(task, watch).run(plan);
}

}  // namespace harrier::pddl
