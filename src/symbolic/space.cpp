#include "symbolic/space.h"

#include "symbolic/evaluator.h"
#include "symbolic/order.h"

namespace harrier::symbolic {

namespace {

Encoding encoded(BddManager& manager, const model::System& system, const Watch& watch) {
  std::vector<model::Interval> domains = reachable_domains(system, watch);
  const VariableBlocks order = variable_order(system, domains, watch);
  return {manager, system, order, std::move(domains)};
}

}  // namespace

Space::Space(const model::System& system, const model::Property& property, Budget& budget)
    : manager_(budget),
      encoding_(encoded(manager_, system, budget.watch())),
      transitions_(encoding_, budget.watch()),
      initial_(transitions_.initial()) {
  find_goal(property, budget.watch());
  failures_.insert(failures_.end(), transitions_.failures().begin(), transitions_.failures().end());
  for (const Bdd& clause : goal_) targets_ |= clause;
  for (const FailingStates& f : failures_) targets_ |= f.states;
  for (size_t v = 0; v < system.variables.size(); ++v) targets_ &= encoding_.in_domain(model::VarId(v));
  manager_.collect();
}

// A clause is asked only where none before it holds or fails.
void Space::find_goal(const model::Property& property, const Watch& watch) {
  Evaluator run(encoding_, watch);
  Bdd open(true);
  for (const model::Clause& clause : property.goal) {
    watch.poll();
    run.begin(open, Evaluator::Violations::Fail);
    Bdd holds = run.assume_all(clause.conditions);
    const Bdd asked = holds;
    for (const Evaluator::Failure& f : run.failures()) {
      failures_.push_back({f.what, f.when});
      open -= f.when;
    }
    // Where the model fails, nobody can say whether it can move.
    if (clause.deadlock != model::DeadlockTest::Ignore) {
      for (const FailingStates& f : transitions_.failures()) {
        holds -= f.states;
        open -= f.states & asked;
      }
    }
    switch (clause.deadlock) {
      case model::DeadlockTest::Ignore: break;
      case model::DeadlockTest::IsDeadlock: holds -= transitions_.movable(); break;
      case model::DeadlockTest::NotDeadlock: holds &= transitions_.movable(); break;
    }
    open -= holds;
    goal_.push_back(std::move(holds));
  }
}

}  // namespace harrier::symbolic
