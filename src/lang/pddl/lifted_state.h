// A state of a task as it was written: the atoms that hold, and those that axioms derive from them.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "base/watch.h"
#include "lang/pddl/lifted_formula.h"
#include "lang/pddl/task.h"

namespace harrier::pddl::lifted {

class State {
 public:
  // The initial state.
  State(const Task& task, Domains& domains, const Watch& watch);
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void set(uint32_t predicate, std::span<const uint32_t> row, bool holds);
  // Before anything about derived predicates is asked. Only what may have changed is computed again.
  void derive();
  Evaluator& evaluator() { return evaluator_; }

 private:
  // One of the ways in which an axiom derives atoms.
  struct Rule {
    Formula ways;                   // the last part says that the head is not known yet
    std::vector<size_t> recursive;  // parts of it: atoms of its own layer
    bool hides_recursion = false;   // predicates of its own layer are elsewhere in it, too
  };
  // All rules of an axiom share what its variables stand for.
  struct Derivation {
    const Atom* head = nullptr;
    Binding binding;
    std::vector<Rule> rules;
  };
  struct Layer {
    std::vector<Derivation> derivations;
    std::vector<uint32_t> heads;
    bool outdated = true;
  };

  Derivation derivation_of(const Axiom& axiom, Domains& domains);
  void find_readers(uint32_t layer);
  void find_recursion(Layer& layer);
  void changed(uint32_t predicate);
  void derive(Layer& layer);
  Evaluator::Found adding(const Derivation& derivation);
  void derive_again(Derivation& derivation, const Rule& rule, const std::vector<size_t>& from,
                    const std::vector<size_t>& to);

  std::vector<Relation> relations_;  // by predicate
  Evaluator evaluator_;
  std::deque<Atom> heads_;
  std::vector<Layer> layers_;
  std::vector<std::vector<uint32_t>> readers_;  // by predicate: layers that depend on it
};

}  // namespace harrier::pddl::lifted
