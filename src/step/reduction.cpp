#include "step/reduction.h"

#include <algorithm>

#include "model/analysis.h"

namespace harrier::step {

namespace {

constexpr uint32_t kNobody = UINT32_MAX;
constexpr uint32_t kShared = UINT32_MAX - 1;

bool applies(const model::System& system) {
  return system.clocks.size() == 1 && !system.claim.valid() && !system.has_priorities() &&
         system.before_update.empty() && system.after_update.empty() && system.axioms.empty() &&
         std::all_of(system.processes.begin(), system.processes.end(), [](const model::Process& p) {
           return std::all_of(p.locations.begin(), p.locations.end(), [](const model::Location& l) {
             return l.kind == model::LocationKind::Normal && l.invariant.empty();
           });
         });
}

// Channels on which a receiver that becomes ready does not only add transitions: a broadcast takes it along; a send
// that becomes possible takes the place of less urgent edges of its process, or lets the process keep control.
std::vector<bool> noticed_channels(const model::System& system) {
  struct Place {
    uint8_t least_urgency = UINT8_MAX;  // of the edges that can start a transition there
    bool in_control = false;            // the process can arrive there in control
  };
  std::vector<std::vector<Place>> places;
  for (const model::Process& p : system.processes) places.emplace_back(p.locations.size());
  for (const model::Edge& e : system.edges) {
    auto& of_process = places[e.process.value];
    if (e.keeps_control) of_process[e.target].in_control = true;
    if (e.direction == model::Direction::Receive || e.when_idle) continue;
    of_process[e.source].least_urgency = std::min(of_process[e.source].least_urgency, e.urgency);
  }
  std::vector<bool> noticed;
  for (const model::Channel& c : system.channels) noticed.push_back(c.broadcast);
  for (const model::Edge& e : system.edges) {
    if (e.direction != model::Direction::Send || e.when_idle) continue;
    const Place& place = places[e.process.value][e.source];
    if (place.in_control || e.urgency > place.least_urgency) noticed[e.channel.value] = true;
  }
  return noticed;
}

}  // namespace

Reduction::Reduction(const model::System& system, const std::vector<model::Clause>& goal)
    : safe_(system.processes.size()) {
  for (size_t p = 0; p < safe_.size(); ++p) safe_[p].assign(system.processes[p].locations.size(), applies(system));
  if (!applies(system)) return;
  // Who uses a variable: nobody yet, one process, or more than one. What the goal reads counts as shared.
  std::vector<uint32_t> user(system.variables.size(), kNobody);
  model::Accesses accesses(system);
  const auto use = [&](const model::Access& access, uint32_t process) {
    for (const auto* list : {&access.reads, &access.writes}) {
      for (const model::VarId v : *list) {
        user[v.value] = user[v.value] == kNobody || user[v.value] == process ? process : kShared;
      }
    }
  };
  std::vector<uint32_t> process_of(system.variables.size(), kNobody);  // by location variable
  for (uint32_t p = 0; p < system.processes.size(); ++p) process_of[system.processes[p].location.value] = p;
  std::vector<model::Access> of_edge;
  std::vector<std::pair<model::Access, uint32_t>> births;
  for (const model::Edge& e : system.edges) {
    of_edge.push_back(accesses.of(e));
    const model::Access& access = of_edge.back();
    const auto starts = std::find_if(access.writes.begin(), access.writes.end(), [&](model::VarId v) {
      return process_of[v.value] != kNobody && process_of[v.value] != e.process.value;
    });
    if (starts == access.writes.end()) {
      use(access, e.process.value);
    } else {
      births.emplace_back(access, process_of[starts->value]);
      use({access.reads, {}, {}, {}}, e.process.value);
    }
  }
  // An edge that sets the location of another process starts that process, which does not run yet. What it writes to
  // the child's variables cannot meet anything that the child does.
  for (const auto& [access, child] : births) {
    for (const model::VarId v : access.writes) {
      if (user[v.value] != child) user[v.value] = user[v.value] == kNobody ? child : kShared;
    }
  }
  for (const model::Clause& clause : goal) {
    if (clause.deadlock == model::DeadlockTest::IsDeadlock) continue;  // deadlocks are kept whatever is invisible
    for (const model::VarId v : accesses.of(clause).reads) user[v.value] = kShared;
    if (clause.deadlock == model::DeadlockTest::NotDeadlock) std::fill(user.begin(), user.end(), kShared);
  }
  // Where others notice that a process is ready to receive. An edge that leads there changes what they do.
  const std::vector<bool> noticed = noticed_channels(system);
  std::vector<std::vector<bool>> listens(safe_.size());
  for (size_t p = 0; p < safe_.size(); ++p) listens[p].resize(safe_[p].size());
  for (const model::Edge& e : system.edges) {
    if (e.direction == model::Direction::Receive && noticed[e.channel.value]) {
      listens[e.process.value][e.source] = true;
    }
  }
  for (size_t i = 0; i < system.edges.size(); ++i) {
    const model::Edge& e = system.edges[i];
    const auto foreign = [&](model::VarId v) { return user[v.value] != e.process.value; };
    if (e.direction != model::Direction::Internal || e.urgency != 0 || e.when_idle || e.keeps_control ||
        listens[e.process.value][e.target] || std::any_of(of_edge[i].reads.begin(), of_edge[i].reads.end(), foreign) ||
        std::any_of(of_edge[i].writes.begin(), of_edge[i].writes.end(), foreign)) {
      safe_[e.process.value][e.source] = false;
    }
  }
  for (uint32_t p = 0; p < safe_.size(); ++p) {
    if (std::find(safe_[p].begin(), safe_[p].end(), true) != safe_[p].end()) processes_.push_back(p);
  }
}

}  // namespace harrier::step
