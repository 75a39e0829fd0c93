// A model and a goal, and what heuristics are made from them: each view is made when a heuristic first asks for it, and
// shared as long as a heuristic needs it. Heuristics of one search, and of searches that take turns, get it from one
// place:
//
//     Views views(system, goal);
//     const auto a = find("hU")->make(views, …);
//     const auto b = find("hff")->make(views, …);   // the same relaxed task
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "abstraction/factors.h"
#include "base/watch.h"
#include "heur/heuristic.h"
#include "heur/relaxed_task.h"
#include "model/system.h"
#include "step/network.h"
#include "task/task.h"
#include "task/variable_domains.h"

namespace harrier::heur {

// Not thread-safe; the views themselves are immutable.
class Views {
 public:
  // Keeps references. The network is that of the system, if somebody has compiled it already.
  Views(const model::System& system, std::vector<model::Clause> goal, const step::Network* network = nullptr,
        CostType costs = CostType::Unit)
      : system_(system), goal_(std::move(goal)), costs_(costs), compiled_(network) {}

  const model::System& system() const { return system_; }
  const std::vector<model::Clause>& goal() const { return goal_; }
  CostType costs() const { return costs_; }
  // Tells this system, goal and costs from others.
  uint64_t fingerprint();
  std::shared_ptr<const task::Task> task(const Watch& watch);
  std::shared_ptr<const task::VariableDomains> domains(const Watch& watch);
  std::shared_ptr<const abstraction::Factors> factors(const Watch& watch);
  std::shared_ptr<const RelaxedTask> relaxed(Clocks clocks, const Watch& watch);
  std::shared_ptr<const step::Network> network(const Watch& watch);

 private:
  const model::System& system_;
  std::vector<model::Clause> goal_;
  CostType costs_;
  const step::Network* compiled_;
  std::weak_ptr<const step::Network> network_;
  std::weak_ptr<const task::Task> task_;
  std::weak_ptr<const task::VariableDomains> domains_;
  std::weak_ptr<const abstraction::Factors> factors_;
  std::optional<uint64_t> fingerprint_;
  std::weak_ptr<const RelaxedTask> relaxed_[2];  // without and with clocks
};

}  // namespace harrier::heur
