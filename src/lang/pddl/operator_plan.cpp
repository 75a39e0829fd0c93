#include "lang/pddl/operator_plan.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "lang/pddl/lexer.h"

namespace harrier::pddl {

namespace {

using State = std::vector<uint32_t>;  // the value of every variable

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// As names are compared.
std::string bare(std::string_view name) {
  name = trimmed(name);
  if (name.starts_with('(') && name.ends_with(')')) name = trimmed(name.substr(1, name.size() - 2));
  std::string out = lower_case(name);
  const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
  out.erase(std::unique(out.begin(), out.end(), both_blank), out.end());
  return out;
}

bool holds(const std::vector<Fact>& facts, const State& state) {
  return std::all_of(facts.begin(), facts.end(), [&](Fact f) { return state[f.variable] == f.value; });
}

class Player {
 public:
  Player(const FiniteTask& task, const Watch& watch) : task_(task), watch_(watch) {
    for (const Operator& op : task.operators) by_name_[bare(op.name)].push_back(&op);
    for (const FiniteAxiom& axiom : task.axioms) layers_[task.variables[axiom.head.variable].layer].push_back(&axiom);
  }

  lang::Replayed play(const std::vector<std::string>& plan) {
    lang::Replayed out;
    std::map<State, uint64_t> reached{{closed(task_.initial), 0}};  // with the least cost
    for (const std::string& name : plan) {
      const auto named = by_name_.find(bare(name));
      const std::string step = "step " + std::to_string(out.steps + 1) + ", " + shown(name) + ": ";
      if (named == by_name_.end()) {
        out.problem = step + "there is no such operator";
        return out;
      }
      std::map<State, uint64_t> next;
      for (const auto& [state, cost] : reached) {
        for (const Operator* op : named->second) {
          watch_.poll();
          if (!holds(op->preconditions, state)) continue;
          const auto [at, fresh] = next.try_emplace(after(*op, state), cost + op->cost);
          if (!fresh) at->second = std::min(at->second, cost + op->cost);
        }
      }
      if (next.empty()) {
        out.problem = step + obstacle(*named->second.front(), reached.begin()->first);
        return out;
      }
      reached = std::move(next);
      ++out.steps;
      out.cost = cheapest(reached);
    }
    std::erase_if(reached, [&](const auto& entry) { return !holds(task_.goal, entry.first); });
    if (reached.empty()) {
      out.problem = "the goal does not hold at the end";
    } else {
      out.cost = cheapest(reached);
    }
    return out;
  }

 private:
  static uint64_t cheapest(const std::map<State, uint64_t>& reached) {
    uint64_t out = UINT64_MAX;
    for (const auto& [state, cost] : reached) out = std::min(out, cost);
    return out;
  }

  std::string obstacle(const Operator& op, const State& state) const {
    for (const Fact f : op.preconditions) {
      if (state[f.variable] == f.value) continue;
      const FiniteVariable& variable = task_.variables[f.variable];
      return "its precondition does not hold: " + shown(variable.name) + " is not " + shown(variable.values[f.value]);
    }
    return "it cannot be carried out";
  }

  // Effects look at the state before; of several that write a variable the last one counts.
  State after(const Operator& op, const State& before) const {
    State out = before;
    for (const FiniteEffect& effect : op.effects) {
      if (holds(effect.conditions, before)) out[effect.fact.variable] = effect.fact.value;
    }
    return closed(std::move(out));
  }

  // With the values that axioms give.
  State closed(State state) const {
    for (size_t v = 0; v < state.size(); ++v) {
      if (task_.variables[v].layer >= 0) state[v] = task_.initial[v];
    }
    for (const auto& [layer, axioms] : layers_) {
      for (bool changed = true; changed;) {
        changed = false;
        for (const FiniteAxiom* axiom : axioms) {
          watch_.poll();
          uint32_t& value = state[axiom->head.variable];
          if (value == axiom->head.value || !holds(axiom->body, state)) continue;
          value = axiom->head.value;
          changed = true;
        }
      }
    }
    return state;
  }

  const FiniteTask& task_;
  const Watch& watch_;
  std::unordered_map<std::string, std::vector<const Operator*>> by_name_;
  std::map<int32_t, std::vector<const FiniteAxiom*>> layers_;
};

}  // namespace

std::vector<std::string> plan_names(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::string_view name = trimmed(line.substr(0, std::min(line.find(';'), line.size())));
    if (!name.empty()) out.emplace_back(name);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

lang::Replayed replay(const FiniteTask& task, const std::vector<std::string>& plan, const Watch& watch) {
  if (!task.solvable) return {.problem = "the goal cannot be reached"};
  return Player(task, watch).play(plan);
}

}  // namespace harrier::pddl
