#include "search/search.h"

#include <algorithm>

#include "base/budget.h"
#include "base/error.h"
#include "model/features.h"
#include "model/interpreter.h"
#include "search/driver.h"
#include "search/extrema.h"
#include "search/limits.h"
#include "search/native_code.h"
#include "search/task.h"
#include "search/vacuity.h"
#include "search/zone_liveness.h"
#include "transform/safe_abstraction.h"

namespace harrier::search {

namespace {

constexpr uint64_t kSlice = 64;  // expansions between looks at the clock

Result failed(const model::EvalFailure& failure, std::optional<model::Path> path) {
  Result result;
  result.verdict = Verdict::Failed;
  result.failure = failure;
  result.path = std::move(path);
  return result;
}

}  // namespace

Result run_single(const step::Semantics& semantics, const Config& config) {
  Limits limits(config);
  Budget budget = budget_of(config);
  Result result;
  std::unique_ptr<Task> task;
  const auto statistics = [&] {
    Statistics s = task ? task->statistics() : Statistics();
    s.memory_bytes = budget.used();
    s.time_s = limits.seconds();
    s.search = describe(config);
    return s;
  };
  const auto make = [&]() -> Task& {
    task = make_task(semantics, config, budget);
    return *task;
  };
  try {
    Outcome outcome = drive(
        kSlice, make, [&] { limits.poll(); }, [&](const Task&) { limits.show_progress(statistics); },
        [](const Task&) { return true; });
    result.reason = outcome.reason;
    if (outcome.status == Status::Exhausted) {
      result.verdict = Verdict::Unreachable;
      result.warnings = vacuity(semantics, *task, config.watching());
    }
    if (outcome.status == Status::Cut) result.reason = task->cut_reason();
    if (outcome.status == Status::Found) {
      result.path = std::move(outcome.path);
      result.verdict = Verdict::Reachable;
      const bool about_states = semantics.property().kind == model::PropertyKind::Reachable ||
                                semantics.property().kind == model::PropertyKind::Invariant;
      const bool best = about_states && config.traits().shortest && !config.reduction.value_or(false) &&
                        config.prefer().names.empty();
      const bool by_steps = config.costs(semantics.system()) == CostType::Unit;
      result.shortest = best && by_steps;
      result.cheapest = best && !by_steps;
    }
  } catch (const ModelFailure& failure) {
    result = failed(failure, failure.path);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    result.reason = e.what();
  }
  result.statistics = statistics();
  result.statistics.search.clear();
  return result;
}

namespace {

Result run_as_told(const step::Semantics& semantics, const Config& config) {
  return std::visit(
      [&](const auto& search) {
        if constexpr (requires { search.run(semantics, config); }) return search.run(semantics, config);
        return run_single(semantics, config);
      },
      config.method);
}

// The property with a goal that nothing satisfies, but that asks for every value that the query asks for.
model::Property in_vain(model::System& system, const model::Property& property) {
  model::Property out = property;
  out.kind = model::PropertyKind::Invariant;
  out.goal.clear();
  out.premise.clear();
  out.terms.clear();
  const auto ask = [&](std::vector<model::ExprId> under, model::ExprId value) {
    under.push_back(system.make_binary(model::Op::Ne, value, value, property.at));
    out.goal.push_back({std::move(under), {}});
  };
  std::vector<model::Clause> clauses = property.goal;
  if (property.kind == model::PropertyKind::LeadsTo) {
    clauses.insert(clauses.end(), property.premise.begin(), property.premise.end());
  }
  for (const model::Clause& clause : clauses) {
    ask(clause.conditions, system.make_const(0, property.at));
    for (const model::ClockConstraint& c : clause.clocks) {
      std::vector<model::ExprId> under = clause.conditions;
      if (c.condition.valid()) under.push_back(c.condition);
      ask(std::move(under), c.bound);
    }
    for (const model::Term& term : property.terms) {
      if (term.expr.valid()) ask(clause.conditions, term.expr);
    }
  }
  return out;
}

// A search that knows no path to a failure leaves it to breadth-first search to find one, this failure or another.
Result with_path(const model::System& system, const model::Property& property, const Config& config,
                 const model::EvalFailure& failure) {
  Config plain;
  plain.method = BreadthFirstSearch();
  plain.memory_limit_bytes = config.memory_limit_bytes;
  plain.watch = config.watch;
  model::System asked = system;
  const model::Property everywhere = in_vain(asked, property);
  const step::Semantics semantics(asked, everywhere, config.watching());
  Result found = run_single(semantics, plain);
  return found.verdict == Verdict::Failed ? found : failed(failure, std::nullopt);
}

// None if nothing can be taken out, or if the reduced model fails at run time: whether the model itself does is for the
// search on it to find out.
std::optional<Result> run_reduced(const model::System& system, const model::Property& property, const Config& config) {
  const transform::SafeAbstraction abstraction(system, property, config.watching());
  if (abstraction.abstracted.empty()) return std::nullopt;
  try {
    const step::Semantics semantics(abstraction.system, abstraction.property, config.watching(), {},
                                    config.simplification(abstraction.property));
    const NativeCode native(semantics, config);
    Result result = run_as_told(semantics, config);
    result.warnings.clear();  // they would speak of other edges
    native.tell(result);
    if (result.verdict == Verdict::Failed) return std::nullopt;
    if (result.path) {
      const size_t reduced_length = result.path->steps.size();
      result.path = abstraction.concrete(*result.path);
      // No path of the model is shorter than a shortest one of the reduced model.
      result.shortest = result.shortest && result.path->steps.size() == reduced_length;
    }
    return result;
  } catch (const model::EvalFailure&) {
    return std::nullopt;
  }
}

Result run_as_written(const model::System& system, const model::Property& property, const Config& config) {
  check(config, system, property);
  try {
    if (model::asks_for_values(property)) return run_extrema(system, property, config);
    if (config.safe_abstraction) {
      if (std::optional<Result> result = run_reduced(system, property, config)) return *std::move(result);
    }
    const step::Semantics semantics(system, property, config.watching(), {}, config.simplification(property));
    if (property.kind == model::PropertyKind::Branching && config.as<AutoSearch>() != nullptr) {
      Config only = config;
      only.method = SymbolicSearch();
      return run_single(semantics, only);
    }
    const NativeCode native(semantics, config);
    const bool one = property.kind == model::PropertyKind::Liveness && config.as<AutoSearch>() != nullptr &&
                     !model::suits_diagrams(system);
    const bool single = one || model::is_about_paths(property);
    Result result = single ? run_single(semantics, config) : run_as_told(semantics, config);
    native.tell(result);
    if (result.statistics.peak_nodes == 0) {
      result.statistics.state_bits = semantics.layout().bits();
      result.statistics.forgotten = semantics.network().dead_values().forgotten().size();
    }
    return result;
  } catch (const ModelFailure& failure) {
    return failed(failure, failure.path);
  } catch (const model::EvalFailure& failure) {
    return with_path(system, property, config, failure);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    Result result;
    result.reason = e.what();
    return result;
  }
}

}  // namespace

Result run(const model::System& system, const model::Property& property, const Config& config) {
  Result result = run_as_written(system, property, config);
  if (result.search.empty()) result.search = describe(config);
  result.costs = config.costs(system);
  const bool is_auto = config.as<AutoSearch>() != nullptr;
  if (property.kind == model::PropertyKind::Liveness && is_auto && !model::suits_diagrams(system)) {
    result.search = "dfs";
    result.search_reason = "Properties about infinite paths have one search, for cycles.";
  }
  if (property.kind == model::PropertyKind::Branching && is_auto) {
    result.search = "sbfs";
    result.search_reason = "Formulas of branching time have one search, with sets of states.";
  }
  if (model::is_about_paths(property)) {
    result.search = "dfs";
    result.search_reason = "E[], A<> and --> have one search, for maximal paths.";
  }
  if (model::asks_for_values(property)) {
    result.search = "bfs";
    result.search_reason = "sup, inf and bounds need all states.";
  }
  return result;
}

namespace {

// Looks at the first states, breadth-first: the path to a goal or to a failure, if there is one.
std::optional<model::Path> look_around(const model::System& system, const model::Property& property,
                                       uint64_t expansions, const Watch& watch) {
  Config config;
  config.method = BreadthFirstSearch();
  Budget budget(std::nullopt, watch);
  model::Property finite = property;
  finite.kind = model::PropertyKind::Invariant;
  try {
    const step::Semantics semantics(system, finite, watch);
    const std::unique_ptr<Task> task = make_task(semantics, config, budget);
    if (task->advance(expansions) == Status::Found) return task->path();
  } catch (const ModelFailure& failure) {
    return failure.path;
  }
  return std::nullopt;
}

}  // namespace

std::optional<model::Path> probe(const model::System& system, const model::Property& property, uint64_t expansions,
                                 const Watch& watch) {
  std::optional<model::Path> path = look_around(system, property, expansions, watch);
  return path && !path->failure ? std::move(path) : std::nullopt;  // whether a failure matters is for a search to say
}

std::optional<model::Path> early_failure(const model::System& system, const model::Property& property,
                                         uint64_t expansions, const Watch& watch) {
  std::optional<model::Path> path = look_around(system, property, expansions, watch);
  return path && path->failure ? std::move(path) : std::nullopt;
}

}  // namespace harrier::search
