#include "lang/pddl/translation.h"

#include <cstdio>
#include <utility>
#include <vector>

#include "lang/pddl/encoding.h"
#include "lang/pddl/grounding.h"
#include "lang/pddl/invariants.h"

namespace harrier::pddl {

namespace {

harrier::Translation statistics_of(const FiniteTask& task, double lowering_s) {
  const auto& t = task.translation;
  uint64_t values = 0;
  for (const FiniteVariable& v : task.variables) values += v.values.size();
  harrier::Translation out;
  const bool grounded = t.grounding_s != 0 || t.encoding_s != 0;
  if (grounded) {
    out.sizes = {{"reachable_facts", t.facts},
                 {"reachable_actions", t.operators},
                 {"reachable_axioms", t.axioms},
                 {"mutex_groups", t.groups}};
  }
  const std::vector<std::pair<std::string, uint64_t>> sizes = {{"variables", task.variables.size()},
                                                               {"values", values},
                                                               {"operators", task.operators.size()},
                                                               {"axioms", task.axioms.size()}};
  out.sizes.insert(out.sizes.end(), sizes.begin(), sizes.end());
  out.seconds.emplace_back("parsing", t.parsing_s);
  if (grounded) {
    out.seconds.emplace_back("grounding", t.grounding_s);
    out.seconds.emplace_back("invariants", t.invariants_s);
    out.seconds.emplace_back("encoding", t.encoding_s);
  }
  out.seconds.emplace_back("lowering", lowering_s);
  return out;
}

}  // namespace

Error Stopwatch::reached(const std::string& limit, const char* name) const {
  char figures[64];
  std::snprintf(figures, sizeof(figures), "after %.3f s and with %.1f MB", watch_.seconds(),
                static_cast<double>(watch_.peak_bytes()) / 1e6);
  return {ErrorKind::Limit, limit + " while " + name + ", " + figures};
}

FiniteTask translate(const Task& task, const Stopwatch& stopwatch, Diagnostics& diagnostics) {
  const Watch& watch = diagnostics.watch();
  double grounding_s = 0;
  double invariants_s = 0;
  double encoding_s = 0;
  const GroundTask grounded = stopwatch.time("grounding", grounding_s, [&] { return ground(task, diagnostics); });
  if (diagnostics.has_errors()) return {};
  const auto groups = stopwatch.time("finding invariants", invariants_s, [&] { return mutex_groups(grounded, watch); });
  FiniteTask out = stopwatch.time("encoding", encoding_s, [&] { return encode(task, grounded, groups, watch); });
  out.translation.facts = grounded.reachable.atoms;
  out.translation.operators = grounded.reachable.operators;
  out.translation.axioms = grounded.reachable.axioms;
  out.translation.grounding_s = grounding_s;
  out.translation.invariants_s = invariants_s;
  out.translation.encoding_s = encoding_s;
  return out;
}

Translated to_model(const FiniteTask& task, const Stopwatch& stopwatch, const Watch& watch) {
  double lowering_s = 0;
  Translated out;
  out.lowered = stopwatch.time("lowering", lowering_s, [&] { return lower(task, watch); });
  out.statistics = statistics_of(task, lowering_s);
  out.solvable = task.solvable;
  return out;
}

}  // namespace harrier::pddl
