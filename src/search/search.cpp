#include "search/search.h"

#include <algorithm>
#include <new>

#include "base/budget.h"
#include "base/error.h"
#include "heur/table.h"
#include "model/interpreter.h"
#include "search/anytime.h"
#include "search/describe.h"
#include "search/extrema.h"
#include "search/limits.h"
#include "search/portfolio.h"
#include "search/swarm.h"
#include "search/task.h"
#include "search/vacuity.h"
#include "search/zone_liveness.h"
#include "transform/safe_abstraction.h"

namespace harrier::search {

namespace {

constexpr uint64_t kSlice = 64;  // expansions between looks at the clock

// The paths of this search are shortest ones.
bool finds_shortest(const CheckOptions& options) {
  if (options.reduction) return false;
  if (options.search == Search::BreadthFirst) return !options.prefer_contexts;
  return options.search == Search::AStar && heur::get(options.heuristic).admissible && options.cache_entries == 0 &&
         !options.prefer_useless && !options.prefer_contexts && !options.prefer_preferred;
}

// A preference that a search cannot follow is a mistake of the caller, not something to pass over.
void refuse_what_has_no_effect(const model::System& system, const CheckOptions& options) {
  const bool blind = options.search == Search::BreadthFirst || options.search == Search::DepthFirst ||
                     options.search == Search::RandomDepthFirst;
  if (blind && (options.prefer_useless || options.prefer_preferred)) {
    throw Error(ErrorKind::Usage, "useless and preferred transitions need a guided search (greedy, astar, wastar, …)");
  }
  const bool bounding =
      options.search == Search::ContextBoundProcess || options.search == Search::ContextBoundInterference;
  if (bounding && (options.prefer_useless || options.prefer_contexts || options.prefer_preferred)) {
    throw Error(ErrorKind::Usage, "context bounding has queues of its own: no preferences");
  }
  if (bounding && options.depth_limit) {
    throw Error(ErrorKind::Usage, "context bounding counts context switches, not steps: no depth");
  }
  if (options.within != Order::BestFirst && !bounding) {
    throw Error(ErrorKind::Usage, "an order within context bounds is for ib-process and ib-interference");
  }
  if (options.within != Order::BestFirst && !options.heuristic.empty()) {
    throw Error(ErrorKind::Usage, "breadth-first and depth-first order need no heuristic");
  }
  if (options.queues != Queues::Boosted && (!options.prefer_preferred || options.prefer_contexts)) {
    throw Error(ErrorKind::Usage, "alternating queues are for preferred transitions, with useless ones or alone");
  }
  if (options.search == Search::Walk &&
      (options.prefer_useless || options.prefer_contexts || options.prefer_preferred || options.cache_entries != 0 ||
       options.depth_limit)) {
    throw Error(ErrorKind::Usage, "random walks have no queues: no preferences, no cache; their depth is --walk-depth");
  }
  if (options.guide && options.search != Search::Auto) {
    if (blind || options.search == Search::Anytime || !heur::get(options.heuristic).sibling) {
      throw Error(ErrorKind::Usage,
                  "the path of a smaller sibling guides a search with the heuristic h0 or h1, or auto");
    }
  }
  if (!options.reduction) return;
  if ((!blind && options.search != Search::Greedy) || options.prefer_contexts) {
    throw Error(ErrorKind::Usage, "partial-order reduction is for bfs, dfs, rdfs and greedy, without contexts");
  }
  if (system.clocks.size() > 1 || system.claim.valid()) {
    throw Error(ErrorKind::Usage, "partial-order reduction is for models without clocks and claims");
  }
}

Result failed(const model::EvalFailure& failure, std::optional<model::Path> path) {
  Result result;
  result.verdict = Verdict::Failed;
  result.failure = failure;
  result.path = std::move(path);
  return result;
}

Result run_single(const step::Semantics& semantics, const CheckOptions& options) {
  Limits limits(options);
  Budget budget = budget_of(options);
  Result result;
  std::unique_ptr<Task> task;
  const auto statistics = [&] {
    Statistics s = task ? task->statistics() : Statistics();
    s.memory_bytes = budget.used();
    s.time_s = limits.seconds();
    return s;
  };
  Status status = Status::Running;
  try {
    task = make_task(semantics, options, budget);
    while ((status = task->advance(kSlice)) == Status::Running) {
      limits.poll();
      limits.show_progress([&] {
        Statistics s = statistics();
        s.search = describe(options);
        return s;
      });
    }
    if (status == Status::Exhausted) {
      result.verdict = Verdict::Unreachable;
      result.warnings = vacuity(semantics, *task, Watch::or_none(options.watch));
    }
    if (status == Status::Cut) result.reason = "depth limit";
    if (status == Status::Found) {
      result.path = task->path();
      result.verdict = Verdict::Reachable;
      result.shortest = finds_shortest(options);
    }
  } catch (const ModelFailure& failure) {
    result = failed(failure, failure.path);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    result.reason = e.what();
  } catch (const std::bad_alloc&) {
    result.reason = "out of memory";
  }
  result.statistics = statistics();
  return result;
}

Result run_as_told(const step::Semantics& semantics, const CheckOptions& options) {
  switch (options.search) {
    case Search::Auto: return run_portfolio(semantics, options);
    case Search::Anytime: return run_anytime(semantics, options);
    case Search::Walk: return run_swarm(semantics, options);
    default: return run_single(semantics, options);
  }
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
Result with_path(const model::System& system, const model::Property& property, const CheckOptions& options,
                 const model::EvalFailure& failure) {
  CheckOptions plain;
  plain.search = Search::BreadthFirst;
  plain.time_limit_s = options.time_limit_s;
  plain.memory_limit_bytes = options.memory_limit_bytes;
  plain.stop = options.stop;
  plain.watch = options.watch;
  model::System asked = system;
  const model::Property everywhere = in_vain(asked, property);
  const step::Semantics semantics(asked, everywhere, Watch::or_none(options.watch));
  Result found = run_single(semantics, plain);
  return found.verdict == Verdict::Failed ? found : failed(failure, std::nullopt);
}

// None if nothing can be taken out, or if the reduced model fails at run time: whether the model itself does is for the
// search on it to find out.
std::optional<Result> run_reduced(const model::System& system, const model::Property& property,
                                  const CheckOptions& options) {
  const transform::SafeAbstraction abstraction(system, property, Watch::or_none(options.watch));
  if (abstraction.abstracted.empty()) return std::nullopt;
  try {
    const step::Semantics semantics(abstraction.system, abstraction.property, Watch::or_none(options.watch));
    Result result = run_as_told(semantics, options);
    result.warnings.clear();  // they would speak of other edges
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

// For liveness there are two searches.
void refuse_what_liveness_cannot_do(const CheckOptions& options) {
  const bool suits =
      options.search == Search::Auto || options.search == Search::DepthFirst || options.search == Search::Walk;
  if (!suits || options.safe_abstraction || options.prefer_useless || options.prefer_contexts ||
      options.prefer_preferred) {
    throw Error(ErrorKind::Unsupported,
                "unsupported: this property is about infinite paths, which only dfs and walk look for");
  }
}

// E[], A<> and --> are answered by a depth-first search, sup, inf and bounds by a breadth-first one.
void refuse_what_has_one_search(const model::Property& property, const CheckOptions& options) {
  const bool values = asks_for_values(property);
  const char* queries = values ? "sup, inf and bounds" : "E[], A<> and -->";
  const auto refuse = [&](const char* option) {
    throw Error(ErrorKind::Unsupported, std::string("unsupported: ") + option + " with '" + property.text +
                                            "': " + queries + " have a search of their own");
  };
  const Search own = values ? Search::BreadthFirst : Search::DepthFirst;
  if (options.search != Search::Auto && options.search != own) {
    refuse(values ? "a search other than bfs and auto" : "a search other than dfs and auto");
  }
  if (!options.heuristic.empty() || options.heuristic_clocks) refuse("a heuristic");
  if (options.prefer_useless || options.prefer_contexts || options.prefer_preferred) refuse("preferred transitions");
  if (options.safe_abstraction) refuse("safe abstraction");
  if (options.reduction) refuse("partial-order reduction");
  if (options.guide) refuse("the path of a smaller sibling");
  if (options.cache_entries != 0) refuse("a cache of estimates");
  if (options.polish == true) refuse("polishing");
  if (values && options.depth_limit) refuse("a depth limit");
}

Result run_as_written(const model::System& system, const model::Property& property, const CheckOptions& options) {
  const bool liveness = property.kind == model::PropertyKind::Liveness;
  const bool paths = is_about_paths(property);
  const bool values = asks_for_values(property);
  if (liveness) refuse_what_liveness_cannot_do(options);
  if (paths || values) refuse_what_has_one_search(property, options);
  refuse_what_has_no_effect(system, options);
  try {
    if (values) return run_extrema(system, property, options);
    if (options.safe_abstraction && !paths && !liveness) {
      if (std::optional<Result> result = run_reduced(system, property, options)) return *std::move(result);
    }
    const step::Semantics semantics(system, property, Watch::or_none(options.watch));
    const bool single = paths || (liveness && options.search != Search::Walk);
    return single ? run_single(semantics, options) : run_as_told(semantics, options);
  } catch (const ModelFailure& failure) {
    return failed(failure, failure.path);
  } catch (const model::EvalFailure& failure) {
    return with_path(system, property, options, failure);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    Result result;
    result.reason = e.what();
    return result;
  }
}

}  // namespace

Result run(const model::System& system, const model::Property& property, const CheckOptions& options) {
  if (options.watch == nullptr) {
    const Watch watch({.seconds = options.time_limit_s,
                       .bytes = options.memory_limit_bytes,
                       .bytes_before = resident_bytes(),
                       .stop = options.stop});
    CheckOptions watched = options;
    watched.watch = &watch;
    return run(system, property, watched);
  }
  Result result = run_as_written(system, property, options);
  if (result.search.empty()) result.search = describe(options);
  if (property.kind == model::PropertyKind::Liveness && options.search == Search::Auto) {
    result.search = "dfs";
    result.search_reason = "Properties about infinite paths have one search, for cycles.";
  }
  if (is_about_paths(property)) {
    result.search = "dfs";
    result.search_reason = "E[], A<> and --> have one search, for maximal paths.";
  }
  if (asks_for_values(property)) {
    result.search = "bfs";
    result.search_reason = "sup, inf and bounds need all states.";
  }
  return result;
}

namespace {

// Looks at the first states, breadth-first: the path to a goal or to a failure, if there is one.
std::optional<model::Path> look_around(const model::System& system, const model::Property& property,
                                       uint64_t expansions, const Watch& watch) {
  Options options;
  options.search = Search::BreadthFirst;
  Budget budget(std::nullopt, watch);
  model::Property finite = property;
  finite.kind = model::PropertyKind::Invariant;
  try {
    const step::Semantics semantics(system, finite, watch);
    const std::unique_ptr<Task> task = make_task(semantics, options, budget);
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
