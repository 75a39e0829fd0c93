#include "trace/goal_path.h"

#include <algorithm>

#include "model/analysis.h"

namespace harrier::trace {

namespace {

// Of the processes and variables of a system, those of a goal path, with numbers of their own.
class Summary {
 public:
  Summary(const model::System& system, GoalPath& out) : system_(system), out_(out) {
    for (const model::Process& p : system.processes) {
      auto of =
          std::find_if(out.templates.begin(), out.templates.end(), [&](const auto& t) { return t.name == p.type; });
      if (of == out.templates.end()) {
        GoalPath::Template added{p.type, {}};
        for (const model::Location& l : p.locations) added.locations.push_back(l.name);
        of = out.templates.insert(of, std::move(added));
      }
      const auto number = static_cast<size_t>(of - out.templates.begin());
      const auto rank = std::count_if(out.processes.begin(), out.processes.end(),
                                      [&](const GoalPath::Process& q) { return q.of == number; });
      out.processes.push_back({number, static_cast<size_t>(rank), !p.dynamic, false});
    }
    for (size_t v = 0; v < system.variables.size(); ++v) {
      const model::Variable& variable = system.variables[v];
      if (variable.kind != model::VarKind::Data || variable.internal) continue;
      if (variable.name.find_first_of(".[(") != std::string::npos) continue;
      out.scalars.push_back(variable.name);
      scalars_.push_back(v);
    }
  }

  GoalPath::State state(const TraceState& from) {
    GoalPath::State to;
    for (size_t p = 0; p < system_.processes.size(); ++p) {
      to.locations.push_back(static_cast<uint32_t>(from.values[system_.processes[p].location.value]));
      out_.processes[p].runs = out_.processes[p].runs || to.locations.back() != 0;
    }
    for (const size_t v : scalars_) to.scalars.push_back(from.values[v]);
    return to;
  }

 private:
  const model::System& system_;
  GoalPath& out_;
  std::vector<size_t> scalars_;
};

}  // namespace

GoalPath to_goal_path(const model::System& system, const model::Property& property, const Trace& trace) {
  GoalPath path;
  path.model = system.name;
  Summary summary(system, path);
  const std::vector<uint32_t> ranks = model::edge_ranks(system);
  path.start = summary.state(trace.initial);
  for (const TraceStep& from : trace.steps) {
    GoalPath::Step to;
    for (const FiredEdge& fired : from.edges)
      to.firings.push_back({system.edge(id_of(fired)).process.value, ranks[fired.edge]});
    to.after = summary.state(from.state);
    path.steps.push_back(std::move(to));
  }
  const model::Clause& goal = property.goal.at(trace.goal_clause);
  model::Accesses accesses(system);
  if (goal.deadlock != model::DeadlockTest::Ignore) return path;
  for (const model::ExprId condition : goal.conditions) {
    if (const auto process = model::process_located_by(system, accesses, condition)) {
      path.processes[process->value].named = true;
    }
  }
  return path;
}

}  // namespace harrier::trace
