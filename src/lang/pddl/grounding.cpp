#include "lang/pddl/grounding.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lang/pddl/grounding_instances.h"
#include "lang/pddl/grounding_program.h"
#include "lang/pddl/grounding_pruning.h"

namespace harrier::pddl {

namespace {

// A pruned draft in the form that others work with, in an order that does not depend on how it was found.
class Finish {
 public:
  Finish(const Program& program, const Pruned& pruned, const Watch& watch)
      : program_(program), pruned_(pruned), draft_(pruned.draft), watch_(watch) {}

  GroundTask run() {
    out_.costs = program_.task().costs;
    out_.solvable = pruned_.solvable;
    out_.reachable = pruned_.reachable;
    if (!pruned_.solvable) return std::move(out_);
    add_atoms();
    for (const Draft::Operator& op : draft_.operators) add_operator(op);
    for (const Draft::Axiom& axiom : draft_.axioms) {
      watch_.poll();
      out_.axioms.push_back({literals(axiom.body), numbers_[axiom.head]});
    }
    add_goal();
    return std::move(out_);
  }

 private:
  const uint32_t* tuple(const Draft::Atom& atom) const {
    return program_.symbols().symbols[atom.predicate].relation->tuple(atom.tuple);
  }

  void add_atoms() {
    std::vector<uint32_t> order;
    for (uint32_t atom = 0; atom < draft_.atoms.size(); ++atom) {
      if (pruned_.kept[atom]) order.push_back(atom);
    }
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const Draft::Atom& left = draft_.atoms[a];
      const Draft::Atom& right = draft_.atoms[b];
      if (left.predicate != right.predicate) return left.predicate < right.predicate;
      if (left.predicate == kNone) return a < b;
      const size_t arity = program_.symbols().symbols[left.predicate].relation->arity();
      return std::lexicographical_compare(tuple(left), tuple(left) + arity, tuple(right), tuple(right) + arity);
    });
    numbers_.resize(draft_.atoms.size());
    out_.atoms.reserve(order.size() + 1);
    for (const uint32_t number : order) {
      watch_.poll();
      const Draft::Atom& atom = draft_.atoms[number];
      numbers_[number] = static_cast<uint32_t>(out_.atoms.size());
      GroundAtom& made = out_.atoms.emplace_back();
      made.predicate = atom.predicate;
      made.derived = atom.derived;
      made.initial = atom.initial;
      if (atom.predicate == kNone) continue;
      const size_t arity = program_.symbols().symbols[atom.predicate].relation->arity();
      made.arguments.assign(tuple(atom), tuple(atom) + arity);
    }
  }

  std::vector<Literal> literals(Draft::Range condition) const {
    std::vector<Literal> out;
    out.reserve(condition.size());
    for (const LiteralWord literal : draft_.of(condition)) {
      out.push_back({numbers_[atom_of(literal)], is_positive(literal)});
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  void add_operator(const Draft::Operator& op) {
    watch_.poll();
    GroundOperator& made = out_.operators.emplace_back();
    made.action = op.action;
    made.arguments.assign(draft_.arguments.begin() + op.arguments.begin, draft_.arguments.begin() + op.arguments.end);
    made.preconditions = literals(op.preconditions);
    made.cost = op.cost;
    const auto kept = [&](uint64_t effect) { return pruned_.kept[atom_of(draft_.effects[effect].literal)]; };
    size_t count = 0;
    for (uint64_t e = op.effects.begin; e < op.effects.end; ++e) count += kept(e) ? 1 : 0;
    made.effects.reserve(count);
    for (uint64_t e = op.effects.begin; e < op.effects.end; ++e) {
      const Draft::Effect& effect = draft_.effects[e];
      if (!kept(e)) continue;
      made.effects.push_back(
          {literals(effect.conditions), numbers_[atom_of(effect.literal)], is_positive(effect.literal)});
    }
  }

  void add_goal() {
    if (draft_.goals.size() == 1) {
      out_.goal = literals(draft_.goals.front());
      return;
    }
    const auto atom = static_cast<uint32_t>(out_.atoms.size());
    out_.atoms.push_back({.derived = true});
    for (const Draft::Range goal : draft_.goals) {
      watch_.poll();
      out_.axioms.push_back({literals(goal), atom});
    }
    out_.goal = {{atom, true}};
  }

  const Program& program_;
  const Pruned& pruned_;
  const Draft& draft_;
  const Watch& watch_;
  std::vector<uint32_t> numbers_;  // in the result, by atom of the draft
  GroundTask out_;
};

std::string arguments_text(const Task& task, const std::vector<uint32_t>& objects, const char* before,
                           const char* between) {
  std::string out;
  for (const uint32_t object : objects) out += (out.empty() ? before : between) + task.objects[object].name;
  return out;
}

}  // namespace

GroundTask ground(const Task& task, Diagnostics& diagnostics) {
  const Watch& watch = diagnostics.watch();
  Program program(task, watch);
  program.run();
  Draft draft = instantiate(program, diagnostics);
  if (diagnostics.has_errors()) return {};
  const Pruned pruned = prune(std::move(draft), watch);
  return Finish(program, pruned, watch).run();
}

std::string to_text(const Task& task, const GroundTask& ground, uint32_t atom) {
  const GroundAtom& a = ground.atoms[atom];
  if (a.predicate == kNone) return "condition " + std::to_string(atom);
  return task.predicates[a.predicate].name + "(" + arguments_text(task, a.arguments, "", ", ") + ")";
}

std::string to_text(const Task& task, const GroundOperator& op) {
  return "(" + task.actions[op.action].name + arguments_text(task, op.arguments, " ", " ") + ")";
}

}  // namespace harrier::pddl
