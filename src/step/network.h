// The discrete side of a model, prepared for speed: which edges can fire together in a state, and what they do.
//
// Semantics (UPPAAL): an internal edge fires alone; a binary channel joins one sender and one receiver of another
// process; a broadcast sender takes along every process that can receive. If some process is in a committed location,
// an edge from a committed location must take part. Guards are evaluated in the old state; effects run sender first,
// then the receivers in the order of their processes; derived variables follow; integer invariants must hold
// afterwards.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/watch.h"
#include "model/dead_values.h"
#include "model/system.h"
#include "step/axioms.h"
#include "step/clock_constraint.h"
#include "step/edge_index.h"
#include "step/machine.h"
#include "step/workspace.h"

namespace harrier::step {

// Edges that fire together: the first is the sender or internal edge. `refused` are receiving edges of a broadcast
// whose clock guards must not hold, because their processes do not take part.
struct Firing {
  std::span<const uint32_t> edges;
  std::span<const uint32_t> refused = {};
  uint32_t part = 0;                      // of the several zones that it may lead to
  std::span<const int32_t> choices = {};  // of the effects
};

// Tells early which combinations of a broadcast's receivers are worth listing, so that not all subsets of those with
// clock guards have to be. The processes are decided about one after the other; only decisions that clocks have a say
// in are asked for.
class ReceiverFilter {
 public:
  virtual ~ReceiverFilter() = default;
  // False: no combination with this sender.
  virtual bool begin(uint32_t sender) = 0;
  // The process takes part with this edge, or refuses all of these. False: no combination has these decisions.
  virtual bool take(uint32_t edge) = 0;
  virtual bool refuse(std::span<const uint32_t> edges) = 0;
  // Takes back the last decision that was possible.
  virtual void back() = 0;
};

class Network {
 public:
  // The watch is polled while the network is made.
  explicit Network(const model::System& system, const Watch& watch = Watch::none());

  // From now on, transitions forget what has died.
  void forget(model::DeadValues dead_values) { dead_values_ = std::move(dead_values); }
  const model::DeadValues& dead_values() const { return dead_values_; }

  struct EdgeInfo {
    Code guard;
    Code effect;
    uint32_t process = 0;
    uint32_t target = 0;  // location number within the process
    uint32_t channel = Code::kEmpty;
    bool from_committed = false;
    bool keeps_control = false;
    bool chooses = false;  // its effect does
    std::vector<CompiledConstraint> clock_guard;
  };
  // Edges that can start a transition.
  struct Starts {
    std::vector<uint32_t> internal;
    EdgeIndex index;  // of these, if they are many
    std::vector<uint32_t> send;
    uint32_t number = 0;  // among all
  };
  struct LocationInfo {
    model::LocationKind kind = model::LocationKind::Normal;
    Code invariant;
    std::vector<CompiledConstraint> clock_invariant;
    Starts starts;                // of the greatest urgency
    std::vector<Starts> patient;  // the others, more urgent ones first: each only if nothing before it can start
    std::vector<Starts> idle;     // likewise, but only if nothing else in the system can start
  };

  const model::System& system() const { return system_; }
  const Program& program() const { return program_; }
  const EdgeInfo& edge(uint32_t e) const { return edges_[e]; }
  uint32_t process_count() const { return static_cast<uint32_t>(location_variable_.size()); }
  const LocationInfo& location(uint32_t process, const int32_t* values) const {
    return locations_[first_location_[process] + static_cast<uint32_t>(values[location_variable_[process]])];
  }
  // Calls visit(starts) for all that locations have of them, by number.
  template <class Visit>
  void for_each_starts(Visit&& visit) const {
    for (const LocationInfo& location : locations_) {
      visit(location.starts);
      std::for_each(location.patient.begin(), location.patient.end(), visit);
      std::for_each(location.idle.begin(), location.idle.end(), visit);
    }
  }
  // Nothing else is run when an edge fires alone than its own effect.
  bool fires_only_effects() const { return before_update_.empty() && after_update_.empty(); }
  uint32_t location_variable(uint32_t process) const { return location_variable_[process]; }
  // Processes with a clock invariant in some location.
  std::span<const uint32_t> clock_invariant_processes() const { return clock_invariant_processes_; }
  bool has_urgent_channels() const { return has_urgent_channels_; }

  // Calls visit(const Firing&) for every combination of edges whose integer guards hold in `values` and that the
  // committed rule permits, in a fixed order, until it returns false. Clock guards are not looked at, but the filter,
  // if there is one, may do so.
  template <class Visit>
  void for_each_firing(Workspace& work, const int32_t* values, Visit&& visit, ReceiverFilter* filter = nullptr) const;

  // The same for what one process can start by itself, if nobody has exclusive control.
  template <class Visit>
  void for_each_firing_of(Workspace& work, const int32_t* values, uint32_t process, bool committed, Visit&& visit,
                          ReceiverFilter* filter = nullptr) const {
    start_process(work, values, process, committed, visit, filter);
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

  // Runs the effects on `values`, moves the locations, forgets dead values and updates what axioms derive, all through
  // the journal of the work; what the effects choose, work.choices() says. False if a range, an integer invariant or an
  // assumption is violated. The caller calls work.undo(values) in any case.
  bool fire(Workspace& work, int32_t* values, std::span<const uint32_t> edges) const;
  // Calls visit() for all that the edges can lead to, each time with `values` as they are then, until it returns false.
  // Returns whether it never did.
  template <class Visit>
  bool for_each_outcome(Workspace& work, int32_t* values, std::span<const uint32_t> edges, Visit&& visit) const;
  bool can_fire(Workspace& work, int32_t* values, std::span<const uint32_t> edges) const {
    return !for_each_outcome(work, values, edges, [] { return false; });
  }
  bool has_choices() const { return has_choices_; }
  bool chooses(std::span<const uint32_t> edges) const {
    return has_choices_ && std::any_of(edges.begin(), edges.end(), [&](uint32_t e) { return edges_[e].chooses; });
  }
  bool invariants_hold(Workspace& work, const int32_t* values) const;

  // The receiving edges of a broadcast that are enabled, as far as variables go, in processes that do not take part.
  void refused(Workspace& work, const int32_t* values, std::span<const uint32_t> edges,
               std::vector<uint32_t>& out) const;

  // Time may pass: no urgent or committed location, no synchronisation on an urgent channel enabled.
  bool may_delay(Workspace& work, const int32_t* values) const;

  // The channel and then the process priority of a transition, as one number; larger is more important.
  int64_t priority(std::span<const uint32_t> edges) const;

  CompiledConstraint compile(const model::ClockConstraint& constraint);
  Code compile(std::span<const model::ExprId> conditions) { return program_.condition(conditions); }

 private:
  struct Receiver {
    uint32_t process = 0;
    std::vector<std::vector<uint32_t>> by_location;  // receiving edges
  };

  static constexpr uint32_t kNobody = UINT32_MAX;
  uint32_t in_control(const int32_t* values) const {
    return control_ == kNobody || values[control_] == 0 ? kNobody : static_cast<uint32_t>(values[control_] - 1);
  }
  void pass_control(Workspace& work, int32_t* values, std::span<const uint32_t> edges) const;
  // Effects, locations and dead values. False: a range or an assumption is violated.
  bool write(Workspace& work, int32_t* values, std::span<const uint32_t> edges) const;
  // The same by native code. False: there is none, or it cannot say.
  bool write_natively(Workspace& work, int32_t* values, std::span<const uint32_t> edges) const {
    const NativeCode* native = program_.native();
    if (native == nullptr || edges.size() != 1 || native->firings[edges[0]] == nullptr) return false;
    return work.execute(native->firings[edges[0]], values);
  }
  // Whether the claim's turn is over with this transition.
  bool ends_claims_turn(std::span<const uint32_t> edges) const {
    return edges_[edges[0]].process == claim_ && !system_.edges[edges[0]].when_idle;
  }

  enum class Started : uint8_t { Nothing, Something, Enough };  // Enough: the visitor asked to stop
  // The first of several groups of edges of which one can start something.
  template <class Visit>
  Started start_first(Workspace& work, const int32_t* values, uint32_t p, const std::vector<Starts>& all,
                      bool committed, Visit& visit, ReceiverFilter* filter) const;
  template <class Visit>
  Started start_process(Workspace& work, const int32_t* values, uint32_t p, bool committed, Visit& visit,
                        ReceiverFilter* filter = nullptr) const;
  template <class Visit>
  Started start(Workspace& work, const int32_t* values, uint32_t p, const Starts& starts, bool committed, Visit& visit,
                ReceiverFilter* filter) const;
  template <class Visit>
  bool broadcast(Workspace& work, const int32_t* values, uint32_t sender, bool committed, Visit& visit,
                 ReceiverFilter* filter) const;
  // Goes through the alternatives of the first `open` processes; the others have chosen.
  template <class Visit>
  bool combine(Workspace& work, Broadcast& b, size_t open, Visit& visit, ReceiverFilter* filter) const;

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
  Axioms axioms_;
  model::DeadValues dead_values_;  // empty: they stay
  uint32_t control_ = kNobody;     // the variable, if there is one
  uint32_t claim_ = kNobody;
  bool has_urgent_channels_ = false;
  bool has_idle_edges_ = false;
  bool has_choices_ = false;
};

template <class Visit>
bool Network::for_each_outcome(Workspace& work, int32_t* values, std::span<const uint32_t> edges, Visit&& visit) const {
  const bool choosing = has_choices_ && chooses(edges);
  if (choosing) work.choices().clear();
  for (;;) {
    const bool go_on = !fire(work, values, edges) || visit();
    work.undo(values);
    if (!choosing || !go_on) return go_on;
    if (!work.choices().next()) return true;
    work.watch().poll();
  }
}

template <class Visit>
void Network::for_each_firing(Workspace& work, const int32_t* values, Visit&& visit, ReceiverFilter* filter) const {
  const bool committed = this->committed(values);
  if (const uint32_t p = in_control(values); p != kNobody) {
    start_process(work, values, p, committed, visit, filter);
    return;
  }
  bool idle = true;
  for (uint32_t p = 0; p < process_count(); ++p) {
    if (p == claim_) continue;
    const Started started = start_process(work, values, p, committed, visit, filter);
    if (started == Started::Enough) return;
    idle = idle && started == Started::Nothing;
  }
  if (!idle || !has_idle_edges_) return;
  for (uint32_t p = 0; p < process_count(); ++p) {
    if (p == claim_) continue;
    const Started started = start_first(work, values, p, location(p, values).idle, committed, visit, filter);
    if (started == Started::Enough) return;
    idle = idle && started == Started::Nothing;
  }
  if (idle && claim_ != kNobody) {
    start_first(work, values, claim_, location(claim_, values).idle, committed, visit, filter);
  }
}

template <class Visit>
Network::Started Network::start_process(Workspace& work, const int32_t* values, uint32_t p, bool committed,
                                        Visit& visit, ReceiverFilter* filter) const {
  work.watch().poll();
  const LocationInfo& here = location(p, values);
  const Started started = start(work, values, p, here.starts, committed, visit, filter);
  if (started != Started::Nothing || here.patient.empty()) return started;
  return start_first(work, values, p, here.patient, committed, visit, filter);
}

template <class Visit>
Network::Started Network::start_first(Workspace& work, const int32_t* values, uint32_t p,
                                      const std::vector<Starts>& all, bool committed, Visit& visit,
                                      ReceiverFilter* filter) const {
  Started started = Started::Nothing;
  for (size_t i = 0; i < all.size() && started == Started::Nothing; ++i) {
    started = start(work, values, p, all[i], committed, visit, filter);
  }
  return started;
}

template <class Visit>
Network::Started Network::start(Workspace& work, const int32_t* values, uint32_t p, const Starts& starts,
                                bool committed, Visit& visit, ReceiverFilter* filter) const {
  Started started = Started::Nothing;
  const bool free = !committed || location(p, values).kind == model::LocationKind::Committed;
  uint32_t pair[2];
  const auto go = [&](uint32_t e) {
    pair[0] = e;
    started = Started::Something;
    return visit(Firing{{pair, 1}, {}});
  };
  const auto go_alone = [&](uint32_t e, Code guard) { return !work.holds(guard, values) || go(e); };
  const NativeCode* const native = program_.native();
  const NativeCode::Starts listed = free && native != nullptr ? native->starts[starts.number] : nullptr;
  if (listed != nullptr) {
    std::array<uint32_t, EdgeIndex::kFewestEdges> enabled;
    const uint32_t count = listed(values, enabled.data());
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t e = enabled[i] & ~NativeCode::kUnsure;
      if (!(e == enabled[i] ? go(e) : go_alone(e, edges_[e].guard))) return Started::Enough;
    }
  } else if (free && starts.index.empty()) {
    for (const uint32_t e : starts.internal) {
      if (!go_alone(e, edges_[e].guard)) return Started::Enough;
    }
  } else if (free) {
    Workspace::Numbers entries(work);
    starts.index.collect(values, entries.list());
    for (size_t i = 0, count = entries.size(); i < count; ++i) {
      const uint32_t entry = entries[i];
      if (!go_alone(starts.index.edge(entry), starts.index.rest(entry))) return Started::Enough;
    }
  }
  for (const uint32_t e : starts.send) {
    const uint32_t channel = edges_[e].channel;
    if (!work.holds(edges_[e].guard, values)) continue;
    if (system_.channels[channel].broadcast) {
      const auto note = [&](const Firing& firing) {
        started = Started::Something;
        return visit(firing);
      };
      if (!broadcast(work, values, e, committed, note, filter)) return Started::Enough;
      continue;
    }
    for (const Receiver& receiver : receivers_[channel]) {
      if (receiver.process == p) continue;
      const auto there = static_cast<uint32_t>(values[location_variable_[receiver.process]]);
      for (const uint32_t r : receiver.by_location[there]) {
        if (!free && !edges_[r].from_committed) break;
        if (!work.holds(edges_[r].guard, values)) continue;
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
bool Network::broadcast(Workspace& work, const int32_t* values, uint32_t sender, bool committed, Visit& visit,
                        ReceiverFilter* filter) const {
  if (filter != nullptr && !filter->begin(sender)) return true;
  Workspace::Enumeration enumeration(work);
  Broadcast& b = *enumeration;
  b.sender = sender;
  b.committed = committed;
  for (const Receiver& receiver : receivers_[edges_[sender].channel]) {
    if (receiver.process == edges_[sender].process) continue;
    const auto there = static_cast<uint32_t>(values[location_variable_[receiver.process]]);
    Broadcast::Choice choice{static_cast<uint32_t>(b.alternatives.size()), 0, 0, true};
    for (const uint32_t r : receiver.by_location[there]) {
      if (!work.holds(edges_[r].guard, values)) continue;
      b.alternatives.push_back(r);
      ++choice.count;
      if (edges_[r].clock_guard.empty()) choice.may_refuse = false;
    }
    if (choice.count != 0) b.choices.push_back(choice);
  }
  return combine(work, b, b.choices.size(), visit, filter);
}

template <class Visit>
bool Network::combine(Workspace& work, Broadcast& b, size_t open, Visit& visit, ReceiverFilter* filter) const {
  work.watch().poll();
  if (open == 0) {
    b.edges.assign(1, b.sender);
    b.refused.clear();
    bool from_committed = edges_[b.sender].from_committed;
    for (const Broadcast::Choice& choice : b.choices) {
      const std::span alternatives = std::span(b.alternatives).subspan(choice.first, choice.count);
      if (choice.chosen == choice.count) {
        b.refused.insert(b.refused.end(), alternatives.begin(), alternatives.end());
        continue;
      }
      b.edges.push_back(alternatives[choice.chosen]);
      from_committed = from_committed || edges_[b.edges.back()].from_committed;
    }
    return (b.committed && !from_committed) || visit(Firing{b.edges, b.refused});
  }
  Broadcast::Choice& choice = b.choices[open - 1];
  const std::span<const uint32_t> alternatives = std::span(b.alternatives).subspan(choice.first, choice.count);
  const uint32_t count = choice.count + (choice.may_refuse ? 1 : 0);
  for (choice.chosen = 0; choice.chosen < count; ++choice.chosen) {
    const bool refuses = choice.chosen == choice.count;
    const bool timed = refuses || !edges_[alternatives[choice.chosen]].clock_guard.empty();
    const bool asks = filter != nullptr && timed;
    if (asks && !(refuses ? filter->refuse(alternatives) : filter->take(alternatives[choice.chosen]))) continue;
    const bool go_on = combine(work, b, open - 1, visit, filter);
    if (asks) filter->back();
    if (!go_on) return false;
  }
  return true;
}

}  // namespace harrier::step
