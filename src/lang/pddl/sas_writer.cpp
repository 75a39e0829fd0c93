#include <algorithm>
#include <string_view>

#include "lang/pddl/sas.h"

namespace harrier::pddl {

namespace {

class SasWriter {
 public:
  explicit SasWriter(const FiniteTask& task) : task_(task), needs_(task.variables.size(), kNothing) {}

  std::string run() {
    // Others read no task without a goal.
    const bool extra = task_.goal.empty() || !task_.solvable;
    line("begin_version\n3\nend_version\nbegin_metric");
    numbers(task_.costs ? 1 : 0);
    line("end_metric");
    numbers(task_.variables.size() + (extra ? 1 : 0));
    for (const FiniteVariable& variable : task_.variables) write(variable);
    if (extra) write(extra_variable());
    numbers(task_.mutexes.size());
    for (const auto& group : task_.mutexes) {
      line("begin_mutex_group");
      write(group);
      line("end_mutex_group");
    }
    line("begin_state");
    for (const uint32_t value : task_.initial) numbers(value);
    if (extra) numbers(0);
    line("end_state\nbegin_goal");
    std::vector<Fact> goal = task_.goal;
    if (extra) goal.push_back({static_cast<uint32_t>(task_.variables.size()), task_.solvable ? 0u : 1u});
    write(goal);
    line("end_goal");
    numbers(task_.operators.size());
    for (const Operator& op : task_.operators) write(op);
    numbers(task_.axioms.size());
    for (const FiniteAxiom& axiom : task_.axioms) write(axiom);
    return std::move(out_);
  }

 private:
  static constexpr int64_t kNothing = -1;

  void line(std::string_view text) { out_.append(text).push_back('\n'); }
  template <class... More>
  void numbers(int64_t first, More... more) {
    out_ += std::to_string(first);
    ((out_ += ' ', out_ += std::to_string(more)), ...);
    out_ += '\n';
  }
  void write(const std::vector<Fact>& facts) {
    numbers(facts.size());
    for (const Fact fact : facts) numbers(fact.variable, fact.value);
  }

  // It has one value for ever.
  FiniteVariable extra_variable() const {
    FiniteVariable out{.name = "goal", .values = {"Atom start()", "Atom end()"}};
    const auto taken = [&](const FiniteVariable& v) { return v.name == out.name; };
    while (std::any_of(task_.variables.begin(), task_.variables.end(), taken)) out.name += '_';
    return out;
  }

  void write(const FiniteVariable& variable) {
    line("begin_variable");
    line(variable.name);
    numbers(variable.layer);
    numbers(variable.values.size());
    for (const std::string& value : variable.values) line(value);
    line("end_variable");
  }

  // What is needed of a variable that is changed stands where it is changed.
  void write(const Operator& op) {
    line("begin_operator");
    line(std::string_view(op.name).substr(1, op.name.size() - 2));
    for (const Fact fact : op.preconditions) needs_[fact.variable] = fact.value;
    std::vector<int64_t> before;
    for (const FiniteEffect& effect : op.effects) before.push_back(needs_[effect.fact.variable]);
    for (const FiniteEffect& effect : op.effects) needs_[effect.fact.variable] = kNothing;
    std::vector<Fact> kept;
    for (const Fact fact : op.preconditions) {
      if (needs_[fact.variable] != kNothing) kept.push_back(fact);
      needs_[fact.variable] = kNothing;
    }
    write(kept);
    numbers(op.effects.size());
    for (size_t i = 0; i < op.effects.size(); ++i) {
      const FiniteEffect& effect = op.effects[i];
      out_ += std::to_string(effect.conditions.size());
      for (const Fact fact : effect.conditions) {
        out_ += ' ' + std::to_string(fact.variable) + ' ' + std::to_string(fact.value);
      }
      out_ += ' ';
      numbers(effect.fact.variable, before[i], effect.fact.value);
    }
    numbers(op.cost);
    line("end_operator");
  }

  void write(const FiniteAxiom& axiom) {
    line("begin_rule");
    write(axiom.body);
    numbers(axiom.head.variable, task_.initial[axiom.head.variable], axiom.head.value);
    line("end_rule");
  }

  const FiniteTask& task_;
  std::string out_;
  std::vector<int64_t> needs_;  // by variable: of the operator at hand
};

}  // namespace

std::string to_sas(const FiniteTask& task) { return SasWriter(task).run(); }

}  // namespace harrier::pddl
