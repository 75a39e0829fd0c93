// The discrete side of a model, prepared for speed: which edges can fire together in a state, and what they do.
//
// Semantics (UPPAAL): an internal edge fires alone; a binary channel joins one sender and one receiver of another
// process; a broadcast sender takes along every process that can receive. If some process is in a committed location,
// an edge from a committed location must take part. Guards are evaluated in the old state; effects run sender first,
// then the receivers in the order of their processes; integer invariants must hold afterwards.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "model/system.h"
#include "space/program.h"

namespace harrier::space {

// A clock constraint with its bound and condition compiled.
struct CompiledConstraint {
  uint32_t left = 0;
  uint32_t right = 0;
  bool strict = false;
  bool constant = true;  // `bound` is the bound; otherwise `bound_code` computes it
  int32_t bound = 0;
  Code bound_code;
  Code condition;
  SourceRef at;
};

// Edges that fire together: the first is the sender or internal edge. `refused` are receiving edges of a broadcast
// whose clock guards must not hold, because their processes do not take part.
struct Firing {
  std::span<const uint32_t> edges;
  std::span<const uint32_t> refused;
};

class Network {
 public:
  explicit Network(const model::System& system);

  struct EdgeInfo {
    Code guard;
    Code effect;
    uint32_t process = 0;
    uint32_t target = 0;  // location number within the process
    uint32_t channel = Code::kEmpty;
    bool from_committed = false;
    bool keeps_control = false;
    std::vector<CompiledConstraint> clock_guard;
  };
  // Edges that can start a transition.
  struct Starts {
    std::vector<uint32_t> internal;
    std::vector<uint32_t> send;
  };
  struct LocationInfo {
    model::LocationKind kind = model::LocationKind::Normal;
    Code invariant;
    std::vector<CompiledConstraint> clock_invariant;
    Starts starts;                // of the greatest urgency
    std::vector<Starts> patient;  // the others, more urgent ones first: each only if nothing before it can start
    Starts idle;                  // only if nothing in the system can start
  };

  const model::System& system() const { return system_; }
  const Program& program() const { return program_; }
  const EdgeInfo& edge(uint32_t e) const { return edges_[e]; }
  uint32_t process_count() const { return static_cast<uint32_t>(location_variable_.size()); }
  const LocationInfo& location(uint32_t process, const int32_t* values) const {
    return locations_[first_location_[process] + static_cast<uint32_t>(values[location_variable_[process]])];
  }
  // Processes with a clock invariant in some location.
  std::span<const uint32_t> clock_invariant_processes() const { return clock_invariant_processes_; }
  bool has_urgent_channels() const { return has_urgent_channels_; }

  // Calls visit(const Firing&) for every combination of edges whose integer guards hold in `values` and that the
  // committed rule permits, in a fixed order, until it returns false. Clock guards are not looked at.
  template <class Visit>
  void for_each_firing(Machine& machine, const int32_t* values, Visit&& visit) const;

  // The same for what one process can start by itself, if nobody has exclusive control.
  template <class Visit>
  void for_each_firing_of(Machine& machine, const int32_t* values, uint32_t process, bool committed,
                          Visit&& visit) const {
    start_process(machine, values, process, committed, visit);
  }
  // Some process is in a committed location.
  bool committed(const int32_t* values) const {
    return std::any_of(committed_processes_.begin(), committed_processes_.end(),
                       [&](uint32_t p) { return location(p, values).kind == model::LocationKind::Committed; });
  }
  // Exclusive control is with some process; only it, or the claim, starts a transition now.
  bool controlled(const int32_t* values) const { return in_control(values) != kNobody; }
  // The process that watches the others, and moves only when it has control or nothing else can; if there is one.
  bool is_claim(uint32_t process) const { return process == claim_; }
  // Something can happen just because nothing else can.
  bool has_idle_edges() const { return has_idle_edges_; }

  // Runs the effects on `values` and moves the locations, all through the journal of the machine. False if a range or
  // an integer invariant is violated. The caller calls machine.undo(values) in any case.
  bool fire(Machine& machine, int32_t* values, std::span<const uint32_t> edges) const;
  bool invariants_hold(Machine& machine, const int32_t* values) const;

  // Time may pass: no urgent or committed location, no synchronisation on an urgent channel enabled.
  bool may_delay(Machine& machine, const int32_t* values) const;

  // The channel and then the process priority of a transition, as one number; larger is more important.
  int64_t priority(std::span<const uint32_t> edges) const;

  CompiledConstraint compile(const model::ClockConstraint& constraint);
  Code compile(std::span<const model::ExprId> conditions) { return program_.condition(conditions); }

 private:
  struct Receiver {
    uint32_t process = 0;
    std::vector<std::vector<uint32_t>> by_location;  // receiving edges
  };

  // Scratch space of the enumeration of broadcasts.
  struct Choice {
    std::vector<uint32_t> edges;  // alternatives of one process
    bool may_refuse = false;      // all alternatives have clock guards
  };

  static constexpr uint32_t kNobody = UINT32_MAX;
  uint32_t in_control(const int32_t* values) const {
    return control_ == kNobody || values[control_] == 0 ? kNobody : static_cast<uint32_t>(values[control_] - 1);
  }
  void pass_control(Machine& machine, int32_t* values, std::span<const uint32_t> edges) const;
  // Whether the claim's turn is over with this transition.
  bool ends_claims_turn(std::span<const uint32_t> edges) const {
    return edges_[edges[0]].process == claim_ && !system_.edges[edges[0]].when_idle;
  }

  enum class Started : uint8_t { Nothing, Something, Enough };  // Enough: the visitor asked to stop
  template <class Visit>
  Started start_process(Machine& machine, const int32_t* values, uint32_t p, bool committed, Visit& visit) const;
  template <class Visit>
  Started start(Machine& machine, const int32_t* values, uint32_t p, const Starts& starts, bool committed,
                Visit& visit) const;
  template <class Visit>
  bool broadcast(Machine& machine, const int32_t* values, uint32_t sender, bool committed, Visit& visit) const;

  const model::System& system_;
  Program program_;
  std::vector<EdgeInfo> edges_;
  std::vector<LocationInfo> locations_;  // of all processes
  std::vector<uint32_t> first_location_;
  std::vector<uint32_t> location_variable_;
  std::vector<std::vector<Receiver>> receivers_;  // by channel
  std::vector<uint32_t> invariant_processes_;     // with an integer invariant in some location
  std::vector<uint32_t> clock_invariant_processes_;
  std::vector<uint32_t> hurried_processes_;  // with an urgent or committed location
  std::vector<uint32_t> committed_processes_;
  Code before_update_;
  Code after_update_;
  uint32_t control_ = kNobody;  // the variable, if there is one
  uint32_t claim_ = kNobody;
  bool has_urgent_channels_ = false;
  bool has_idle_edges_ = false;
};

template <class Visit>
void Network::for_each_firing(Machine& machine, const int32_t* values, Visit&& visit) const {
  const bool committed = this->committed(values);
  if (const uint32_t p = in_control(values); p != kNobody) {
    start_process(machine, values, p, committed, visit);
    return;
  }
  bool idle = true;
  for (uint32_t p = 0; p < process_count(); ++p) {
    if (p == claim_) continue;
    const Started started = start_process(machine, values, p, committed, visit);
    if (started == Started::Enough) return;
    idle = idle && started == Started::Nothing;
  }
  if (!idle || !has_idle_edges_) return;
  for (uint32_t p = 0; p < process_count(); ++p) {
    if (p == claim_) continue;
    const Started started = start(machine, values, p, location(p, values).idle, committed, visit);
    if (started == Started::Enough) return;
    idle = idle && started == Started::Nothing;
  }
  if (idle && claim_ != kNobody) start(machine, values, claim_, location(claim_, values).idle, committed, visit);
}

template <class Visit>
Network::Started Network::start_process(Machine& machine, const int32_t* values, uint32_t p, bool committed,
                                        Visit& visit) const {
  const LocationInfo& here = location(p, values);
  Started started = start(machine, values, p, here.starts, committed, visit);
  for (size_t i = 0; i < here.patient.size() && started == Started::Nothing; ++i) {
    started = start(machine, values, p, here.patient[i], committed, visit);
  }
  return started;
}

template <class Visit>
Network::Started Network::start(Machine& machine, const int32_t* values, uint32_t p, const Starts& starts,
                                bool committed, Visit& visit) const {
  Started started = Started::Nothing;
  const bool free = !committed || location(p, values).kind == model::LocationKind::Committed;
  uint32_t pair[2];
  if (free) {
    for (const uint32_t e : starts.internal) {
      if (!machine.holds(edges_[e].guard, values)) continue;
      pair[0] = e;
      if (!visit(Firing{{pair, 1}, {}})) return Started::Enough;
      started = Started::Something;
    }
  }
  for (const uint32_t e : starts.send) {
    const uint32_t channel = edges_[e].channel;
    if (!machine.holds(edges_[e].guard, values)) continue;
    if (system_.channels[channel].broadcast) {
      if (!broadcast(machine, values, e, committed, visit)) return Started::Enough;
      continue;
    }
    for (const Receiver& receiver : receivers_[channel]) {
      if (receiver.process == p) continue;
      const auto there = static_cast<uint32_t>(values[location_variable_[receiver.process]]);
      for (const uint32_t r : receiver.by_location[there]) {
        if (!free && !edges_[r].from_committed) break;
        if (!machine.holds(edges_[r].guard, values)) continue;
        pair[0] = e;
        pair[1] = r;
        if (!visit(Firing{{pair, 2}, {}})) return Started::Enough;
        started = Started::Something;
      }
    }
  }
  return started;
}

template <class Visit>
bool Network::broadcast(Machine& machine, const int32_t* values, uint32_t sender, bool committed, Visit& visit) const {
  std::vector<Choice> choices;
  for (const Receiver& receiver : receivers_[edges_[sender].channel]) {
    if (receiver.process == edges_[sender].process) continue;
    const auto there = static_cast<uint32_t>(values[location_variable_[receiver.process]]);
    Choice choice;
    choice.may_refuse = true;
    for (const uint32_t r : receiver.by_location[there]) {
      if (!machine.holds(edges_[r].guard, values)) continue;
      choice.edges.push_back(r);
      if (edges_[r].clock_guard.empty()) choice.may_refuse = false;
    }
    if (!choice.edges.empty()) choices.push_back(std::move(choice));
  }
  // Count through all combinations like an odometer; the last position of a choice that may be refused is the refusal.
  std::vector<size_t> position(choices.size(), 0);
  std::vector<uint32_t> edges;
  std::vector<uint32_t> refused;
  for (;;) {
    edges.assign(1, sender);
    refused.clear();
    bool from_committed = edges_[sender].from_committed;
    for (size_t i = 0; i < choices.size(); ++i) {
      if (position[i] < choices[i].edges.size()) {
        edges.push_back(choices[i].edges[position[i]]);
        from_committed = from_committed || edges_[edges.back()].from_committed;
      } else {
        refused.insert(refused.end(), choices[i].edges.begin(), choices[i].edges.end());
      }
    }
    if ((!committed || from_committed) && !visit(Firing{edges, refused})) return false;
    size_t i = 0;
    while (i < choices.size() && ++position[i] == choices[i].edges.size() + (choices[i].may_refuse ? 1 : 0)) {
      position[i++] = 0;
    }
    if (i == choices.size()) return true;
  }
}

}  // namespace harrier::space
