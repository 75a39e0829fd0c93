#include "lang/pddl/grounding_instances.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "lang/pddl/grounding_conditions.h"
#include "lang/pddl/grounding_effects.h"

namespace harrier::pddl {

namespace {

// Operators that are made of one instance where its condition has disjunctions.
constexpr size_t kMaxCopies = 16;

// A cost is wrong, which has been told.
struct Failure {};

// What the functions of costs are at the start.
class Amounts {
 public:
  Amounts(const Task& task, Diagnostics& diagnostics) : task_(task), diagnostics_(diagnostics) {
    for (const Function& function : task.functions) {
      tables_.push_back({Relation(std::vector<uint32_t>(function.parameters.size())), {}});
    }
    std::vector<uint32_t> tuple;
    for (const Amount& amount : task.amounts) {
      diagnostics.poll();
      tuple.clear();
      for (const Term& term : amount.function.arguments) tuple.push_back(term.index);
      Table& table = tables_[amount.function.predicate];
      if (table.arguments.add(tuple.data()).second) table.values.push_back(amount.value);
    }
  }

  uint32_t cost(const Action& action, const std::vector<uint32_t>& binding) const {
    if (!task_.costs) return 1;
    int64_t sum = 0;
    for (const Cost& cost : action.costs) {
      const int64_t value = cost.constant ? cost.value : this->value(cost.function, binding);
      if (value > int64_t{INT32_MAX} - sum) {
        diagnostics_.unsupported(action.at, "a cost above 2,147,483,647, of the action '" + action.name + "'");
        throw Failure();
      }
      sum += value;
    }
    return static_cast<uint32_t>(sum);
  }

 private:
  struct Table {
    Relation arguments;
    std::vector<int64_t> values;
  };

  int64_t value(const Atom& function, const std::vector<uint32_t>& binding) const {
    std::vector<uint32_t> tuple;
    for (const Term& term : function.arguments) tuple.push_back(term.variable ? binding[term.index] : term.index);
    const Table& table = tables_[function.predicate];
    const uint32_t number = table.arguments.find(tuple.data());
    if (number != Relation::kNone) return table.values[number];
    std::string text = "(" + task_.functions[function.predicate].name;
    for (const uint32_t object : tuple) text += " " + task_.objects[object].name;
    diagnostics_.error(function.at, "the initial state gives no value to " + text + ")");
    throw Failure();
  }

  const Task& task_;
  Diagnostics& diagnostics_;
  std::vector<Table> tables_;
};

class Instances {
 public:
  Instances(const Program& program, Diagnostics& diagnostics)
      : program_(program),
        watch_(diagnostics.watch()),
        conditions_(program, draft_, watch_),
        amounts_(program.task(), diagnostics) {}

  Draft run() {
    try {
      for (uint32_t a = 0; a < program_.actions().size(); ++a) add_action(a);
    } catch (const Failure&) {
      return {};
    }
    for (uint32_t a = 0; a < program_.axioms().size(); ++a) add_axiom(a);
    add_goal();
    return std::move(draft_);
  }

 private:
  struct PlannedEffect {
    const Effect* effect = nullptr;
    const Case* condition = nullptr;  // null: always
    std::unique_ptr<Plan> plan = {};
  };

  // Calls `made` for each instance of a case, with what its variables are in binding_.
  template <class Made>
  void each(const Case& one, const Scope& scope, Made&& made) {
    binding_.resize(std::max(binding_.size(), scope.domains.size()));
    const Relation& instances = *one.instances;
    for (uint32_t i = 0; i < instances.size(); ++i) {
      for (size_t column = 0; column < one.terms.size(); ++column) {
        binding_[one.terms[column].index] = instances.tuple(i)[column];
      }
      made();
    }
  }

  void add_action(uint32_t number) {
    const ActionSchema& schema = program_.actions()[number];
    const Action& action = program_.task().actions[number];
    const std::vector<PlannedEffect> effects = plan(schema);
    const size_t copies = std::max<size_t>(kMaxCopies / std::max<size_t>(schema.cases.size(), 1), 1);
    for (const Case& one : schema.cases) {
      each(one, schema.scope, [&] {
        const Alternatives preconditions = conditions_.of(one, schema.scope, binding_, one.instances->size(), copies);
        if (preconditions.empty()) return;
        Draft::Operator op{.action = number};
        op.effects = add_effects(effects, schema.scope, one.instances->size());
        if (op.effects.empty()) return;
        op.cost = amounts_.cost(action, binding_);
        op.arguments.begin = draft_.arguments.size();
        draft_.arguments.insert(draft_.arguments.end(), binding_.begin(), binding_.begin() + action.parameters);
        op.arguments.end = draft_.arguments.size();
        for (const Literals& literals : preconditions) {
          op.preconditions = draft_.add(literals);
          draft_.operators.push_back(op);
        }
      });
    }
  }

  std::vector<PlannedEffect> plan(const ActionSchema& schema) const {
    std::vector<PlannedEffect> out;
    for (const EffectSchema& effect : schema.effects) {
      if (effect.plain) out.push_back({.effect = effect.effect});
      for (const Case& one : effect.cases) {
        std::vector<bool> known(schema.scope.domains.size());
        std::fill_n(known.begin(), schema.scope.parameters, true);
        out.push_back({effect.effect, &one, std::make_unique<Plan>(one.body, known, Plan::kNoAtom, watch_)});
      }
    }
    return out;
  }

  Draft::Range add_effects(const std::vector<PlannedEffect>& effects, const Scope& scope, uint64_t instances) {
    effects_.clear();
    for (const PlannedEffect& planned : effects) {
      const bool adds = planned.effect->adds;
      const auto reached = [&] { return conditions_.atom(planned.effect->atom, binding_); };
      if (planned.condition == nullptr) {
        const uint32_t atom = reached();
        if (atom != kNone) effects_.push_back({literal_word(atom, adds), {}});
        continue;
      }
      planned.plan->run(binding_.data(), watch_, [&] {
        const uint32_t atom = reached();
        if (atom == kNone) return;
        for (const Literals& literals : conditions_.of(*planned.condition, scope, binding_, instances, kMaxCopies)) {
          effects_.push_back({literal_word(atom, adds), literals});
        }
      });
    }
    keep_strongest(effects_);
    const uint64_t first = draft_.effects.size();
    for (const LooseEffect& effect : effects_) {
      draft_.effects.push_back({draft_.add(effect.conditions), effect.literal});
    }
    return {first, draft_.effects.size()};
  }

  void add_axiom(uint32_t number) {
    const Schema& schema = program_.axioms()[number];
    Atom head{.predicate = program_.task().axioms[number].head};
    for (uint32_t p = 0; p < schema.scope.parameters; ++p) head.arguments.push_back({.variable = true, .index = p});
    for (const Case& one : schema.cases) {
      each(one, schema.scope, [&] {
        const uint32_t atom = conditions_.atom(head, binding_);
        for (const Literals& body : conditions_.of(one, schema.scope, binding_, one.instances->size(), kMaxCopies)) {
          if (!std::binary_search(body.begin(), body.end(), literal_word(atom, true))) {
            draft_.axioms.push_back({draft_.add(body), atom});
          }
        }
      });
    }
  }

  void add_goal() {
    const Schema& schema = program_.goal();
    binding_.resize(std::max(binding_.size(), schema.scope.domains.size()));
    for (const Case& one : schema.cases) {
      Plan plan(one.body, std::vector<bool>(schema.scope.domains.size()), Plan::kNoAtom, watch_);
      plan.run(binding_.data(), watch_, [&] {
        for (const Literals& literals : conditions_.of(one, schema.scope, binding_, 1, kMaxCopies)) {
          draft_.goals.push_back(draft_.add(literals));
        }
      });
    }
  }

  const Program& program_;
  const Watch& watch_;
  Draft draft_;
  GroundConditions conditions_;
  Amounts amounts_;
  std::vector<uint32_t> binding_;
  std::vector<LooseEffect> effects_;
};

}  // namespace

Draft instantiate(const Program& program, Diagnostics& diagnostics) { return Instances(program, diagnostics).run(); }

}  // namespace harrier::pddl
