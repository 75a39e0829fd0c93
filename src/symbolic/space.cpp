#include "symbolic/space.h"

#include <algorithm>
#include <chrono>

#include "symbolic/evaluator.h"

namespace harrier::symbolic {

// The seconds that are left.
class Space::Clock {
 public:
  explicit Clock(double seconds) : seconds_(seconds) {}
  double left() const {
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - start_;
    return std::max(0.0, seconds_ - used.count());
  }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

namespace {

// Of a trial of an order.
constexpr size_t kLayers = 12;
constexpr uint64_t kLayerNodes = 4'000;
constexpr uint64_t kTableNodes = 1'000'000;
constexpr size_t kImprovements = 5;
constexpr double kShareOfTrials = 0.25;  // of the time that making a space may take

struct Trial {
  std::vector<uint64_t> sizes;  // of the diagrams of the states within 0, 1, 2, … steps, as far as that is cheap
  bool complete = false;        // there are no other states
  VariableBlocks improved;      // an order in which they might be smaller, if they have grown fast

  bool is_better_than(const Trial& other) const {
    const size_t common = std::min(sizes.size(), other.sizes.size());
    if (common == 0) return sizes.size() > other.sizes.size();
    return sizes[common - 1] < other.sizes[common - 1];
  }
};

// The order with its blocks permuted so that the diagrams of the manager become smaller.
VariableBlocks improved(BddManager& manager, const Encoding& encoding, const VariableBlocks& order) {
  std::vector<int> sizes;
  for (const std::vector<model::VarId>& block : order) {
    int size = 0;
    for (const model::VarId v : block) size += 2 * static_cast<int>(encoding.bits(v, Moment::Now).size());
    sizes.push_back(size);
  }
  VariableBlocks out;
  for (const size_t block : manager.permute_windows(sizes)) out.push_back(order[block]);
  return out;
}

Trial try_out(const model::System& system, const std::vector<model::Interval>& domains, const VariableBlocks& order,
              Budget& budget, double seconds) {
  Trial out;
  BddManager manager(budget);
  const BddManager::Bound bound(seconds, kTableNodes);
  try {
    Encoding encoding(manager, system, order, domains);
    const Transitions transitions(encoding, budget.watch());
    Bdd fresh = transitions.initial();
    Bdd reached = fresh;
    while (!fresh.is_false() && out.sizes.size() < kLayers) {
      out.sizes.push_back(node_count(reached));
      if (out.sizes.back() > kLayerNodes) {
        out.improved = improved(manager, encoding, order);
        break;
      }
      fresh = transitions.image(fresh) - reached;
      reached |= fresh;
      manager.collect();
    }
    out.complete = fresh.is_false();
  } catch (const BddManager::BoundReached&) {
    // It is not cheap.
  }
  return out;
}

}  // namespace

// Of several orders, the one in which the first states that can be reached have the smallest diagram; made better where
// they grow fast.
Space::Plan Space::plan(const model::System& system, Budget& budget, const Clock& clock) {
  Plan out{reachable_domains(system, budget.watch()), {}};
  Trial best;
  const auto consider = [&](VariableBlocks order) {
    Trial trial = try_out(system, out.domains, order, budget, clock.left());
    const bool first = out.order.empty();
    if (!first && !trial.is_better_than(best)) return false;
    out.order = std::move(order);
    best = std::move(trial);
    return true;
  };
  for (VariableBlocks& order : variable_orders(system, out.domains, budget.watch())) {
    if (!best.complete) consider(std::move(order));
  }
  for (size_t i = 0; i < kImprovements && !best.improved.empty(); ++i) {
    if (!consider(best.improved)) break;
  }
  return out;
}

Space::Space(const model::System& system, const model::Property& property, Budget& budget, double seconds)
    : Space(system, property, budget, Clock(seconds)) {}

Space::Space(const model::System& system, const model::Property& property, Budget& budget, const Clock& clock)
    : Space(system, property, budget, clock, plan(system, budget, Clock(kShareOfTrials * clock.left()))) {}

Space::Space(const model::System& system, const model::Property& property, Budget& budget, const Clock& clock,
             Plan plan)
    : manager_(budget),
      bound_(std::in_place, clock.left()),
      encoding_(manager_, system, plan.order, std::move(plan.domains)),
      transitions_(encoding_, budget.watch()),
      initial_(transitions_.initial()) {
  find_goal(property, budget.watch());
  find_conditions(property, budget.watch());
  failures_.insert(failures_.end(), transitions_.failures().begin(), transitions_.failures().end());
  for (const Bdd& clause : goal_) targets_ |= clause;
  for (const FailingStates& f : failures_) targets_ |= f.states;
  for (size_t v = 0; v < system.variables.size(); ++v) targets_ &= encoding_.in_domain(model::VarId(v));
  manager_.collect();
  bound_.reset();
}

Bdd Space::where(Evaluator& run, std::span<const model::ExprId> conditions) {
  run.begin(Bdd(true), Evaluator::Violations::Fail);
  Bdd holds = run.assume_all(conditions);
  for (const Evaluator::Failure& f : run.failures()) failures_.push_back({f.what, f.when});
  return holds;
}

void Space::find_conditions(const model::Property& property, const Watch& watch) {
  Evaluator run(encoding_, watch);
  for (const std::vector<model::Clause>& set : property.accepting) {
    Bdd met;
    for (const model::Clause& clause : set) met |= where(run, clause.conditions);
    accepting_.push_back(std::move(met));
  }
  for (const model::FormulaNode& node : property.formula) {
    const bool asked = node.kind == model::FormulaKind::State;
    conditions_.push_back(asked ? where(run, std::span(&node.condition, 1)) : Bdd());
  }
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
