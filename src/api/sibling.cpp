// Guidance by the shortest path of a smaller model of the same kind.
#include <algorithm>

#include "api/data.h"
#include "api/find.h"
#include "api/watching.h"
#include "heur/teams.h"
#include "trace/goal_path.h"

namespace harrier {

using model::PropertyKind;

GoalPath Model::goal_path(size_t number, const CheckOptions& limits) const {
  const api::InstancePtr first = data_->place(number).part->now();
  const model::Property& asked = data_->usable(*first, number);
  if (asked.kind != PropertyKind::Reachable && asked.kind != PropertyKind::Invariant) {
    throw Error(ErrorKind::Unsupported, "unsupported: guidance by a property that is not about a state to be reached");
  }
  CheckOptions options;
  const Watch watch(api::bounds_of(limits, data_->bytes_before));
  options.memory_limit_bytes = limits.memory_limit_bytes;
  options.progress = limits.progress;
  options.symmetry = false;  // who takes part in the path as it is found tells who should in the other model
  // Both find a shortest path. No heuristic that is admissible knows where a deadlock is.
  const bool deadlocks = std::any_of(asked.goal.begin(), asked.goal.end(),
                                     [](const model::Clause& c) { return c.deadlock != model::DeadlockTest::Ignore; });
  options.search = deadlocks ? Search::BreadthFirst : Search::AStar;
  options.heuristic = "hL";
  options.cost = CostType::Unit;
  const api::Found last = api::find_anywhere(*data_, number, options, watch);
  const search::Result& found = last.result;
  const model::Property& property = last.asked();
  const model::System& system = last.instance->system();
  if (found.verdict == Verdict::Unknown) {
    throw Error(ErrorKind::Limit, "'" + system.name + "' gives no guidance: " + found.reason +
                                      " reached before a path to the goal of '" + property.text + "' was found");
  }
  if (found.verdict == Verdict::Failed) throw model::to_error(system, *found.failure);
  if (!found.path) {
    throw Error(ErrorKind::Usage,
                "'" + system.name + "' gives no guidance: no path leads to the goal of '" + property.text + "' there");
  }
  return trace::to_goal_path(system, property, trace::build_trace(system, property, *found.path, watch));
}

std::shared_ptr<const GoalPath> Model::guide_from(const Model& sibling, size_t number,
                                                  const CheckOptions& options) const {
  const std::string& name = sibling.files().front();
  if (sibling.language().name != language().name) {
    throw Error(ErrorKind::Usage, "'" + name + "' gives no guidance: it is not in the language of the model");
  }
  const size_t count = sibling.property_count();
  if (count != 1 && number >= count) {
    throw Error(ErrorKind::Usage, "'" + name + "' gives no guidance for '" + property_text(number) + "': it has " +
                                      (count == 0 ? "no" : "only " + std::to_string(count)) + " properties");
  }
  auto path = std::make_shared<GoalPath>(sibling.goal_path(count == 1 ? 0 : number, options));
  heur::make_teams(data_->place(number).part->now()->system(), *path);
  return path;
}

}  // namespace harrier
