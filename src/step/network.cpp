#include "step/network.h"

#include <algorithm>
#include <array>
#include <functional>

#include "base/error.h"
#include "zone/dbm.h"

namespace harrier::step {

using model::Direction;
using model::LocationKind;

namespace {

// Of broadcasts, only urgent ones.
class UrgentOnly : public ReceiverFilter {
 public:
  explicit UrgentOnly(const Network& network) : network_(network) {}
  bool begin(uint32_t sender) override { return network_.system().channels[network_.edge(sender).channel].urgent; }
  bool take(uint32_t) override { return true; }
  bool refuse(std::span<const uint32_t>) override { return true; }
  void back() override {}

 private:
  const Network& network_;
};

}  // namespace

Network::Network(const model::System& system, const Watch& watch)
    : system_(system), program_(system), receivers_(system.channels.size()), axioms_(system, program_, watch) {
  for (const model::Process& process : system.processes) {
    const auto p = static_cast<uint32_t>(location_variable_.size());
    location_variable_.push_back(process.location.value);
    first_location_.push_back(static_cast<uint32_t>(locations_.size()));
    bool has_invariant = false;
    bool has_clock_invariant = false;
    bool hurried = false;
    bool committed = false;
    for (const model::Location& location : process.locations) {
      LocationInfo info;
      info.kind = location.kind;
      info.invariant = program_.condition(location.invariant);
      for (const auto& c : location.clock_invariant) info.clock_invariant.push_back(compile(c));
      has_invariant = has_invariant || !info.invariant.empty();
      has_clock_invariant = has_clock_invariant || !info.clock_invariant.empty();
      hurried = hurried || info.kind != LocationKind::Normal;
      committed = committed || info.kind == LocationKind::Committed;
      locations_.push_back(std::move(info));
    }
    if (has_invariant) invariant_processes_.push_back(p);
    if (has_clock_invariant) clock_invariant_processes_.push_back(p);
    if (hurried) hurried_processes_.push_back(p);
    if (committed) committed_processes_.push_back(p);
  }
  has_choices_ = system.has_choices();
  // The urgencies of the edges that start a transition in each location, greatest first; of those that wait until all
  // is idle apart.
  std::vector<std::array<std::vector<uint8_t>, 2>> urgencies(locations_.size());
  const auto urgencies_beside = [&](const model::Edge& edge) -> std::vector<uint8_t>& {
    return urgencies[first_location_[edge.process.value] + edge.source][edge.when_idle ? 1 : 0];
  };
  for (const model::Edge& edge : system.edges) {
    if (edge.direction != Direction::Receive) urgencies_beside(edge).push_back(edge.urgency);
  }
  for (size_t l = 0; l < locations_.size(); ++l) {
    for (std::vector<uint8_t>& u : urgencies[l]) {
      std::sort(u.begin(), u.end(), std::greater<>());
      u.erase(std::unique(u.begin(), u.end()), u.end());
    }
    const auto& [others, idle] = urgencies[l];
    if (others.size() > 1) locations_[l].patient.resize(others.size() - 1);
    locations_[l].idle.resize(idle.size());
  }
  const auto starts_for = [&](const model::Edge& edge, LocationInfo& source) -> Starts& {
    const std::vector<uint8_t>& u = urgencies_beside(edge);
    const auto rank = static_cast<size_t>(std::find(u.begin(), u.end(), edge.urgency) - u.begin());
    if (edge.when_idle) return source.idle[rank];
    return rank == 0 ? source.starts : source.patient[rank - 1];
  };
  for (const model::Edge& edge : system.edges) {
    watch.poll();
    const auto e = static_cast<uint32_t>(edges_.size());
    const model::Process& process = system.process(edge.process);
    EdgeInfo info;
    info.guard = program_.condition(edge.guard);
    info.effect = program_.effect(edge.effect);
    info.process = edge.process.value;
    info.target = edge.target;
    info.keeps_control = edge.keeps_control;
    info.chooses = has_choices_;
    info.from_committed = process.locations[edge.source].kind == LocationKind::Committed;
    for (const auto& c : edge.clock_guard) info.clock_guard.push_back(compile(c));
    LocationInfo& source = locations_[first_location_[info.process] + edge.source];
    if (system.beginning.valid() && system.beginning.value == e) {
      // It is none of those that start a transition.
    } else if (edge.direction == Direction::Internal) {
      starts_for(edge, source).internal.push_back(e);
    } else {
      info.channel = edge.channel.value;
      if (edge.direction == Direction::Send) {
        starts_for(edge, source).send.push_back(e);
      } else {
        auto& receivers = receivers_[info.channel];
        auto at = std::find_if(receivers.begin(), receivers.end(),
                               [&](const Receiver& r) { return r.process == info.process; });
        if (at == receivers.end()) {
          receivers.push_back({info.process, {}});
          at = receivers.end() - 1;
          at->by_location.resize(process.locations.size());
        }
        at->by_location[edge.source].push_back(e);
      }
    }
    edges_.push_back(std::move(info));
  }
  uint32_t groups = 0;
  const auto index = [&](Starts& starts) {
    starts.number = groups++;
    if (starts.internal.size() < EdgeIndex::kFewestEdges) return;
    starts.index = EdgeIndex(system, starts.internal, program_, watch);
  };
  for (LocationInfo& location : locations_) {
    index(location.starts);
    for (auto* const group : {&location.patient, &location.idle}) std::for_each(group->begin(), group->end(), index);
  }
  for (auto& receivers : receivers_) {
    std::sort(receivers.begin(), receivers.end(),
              [](const Receiver& a, const Receiver& b) { return a.process < b.process; });
  }
  if (system.control.valid()) control_ = system.control.value;
  if (system.claim.valid()) claim_ = system.claim.value;
  has_idle_edges_ = std::any_of(system.edges.begin(), system.edges.end(), [](const auto& e) { return e.when_idle; });
  before_update_ = program_.effect(system.before_update);
  after_update_ = program_.effect(system.after_update);
  has_urgent_channels_ =
      std::any_of(system.channels.begin(), system.channels.end(), [](const auto& c) { return c.urgent; });
}

CompiledConstraint Network::compile(const model::ClockConstraint& constraint) {
  CompiledConstraint out;
  out.left = constraint.left.value;
  out.right = constraint.right.value;
  out.strict = constraint.strict;
  out.at = constraint.at;
  if (const auto bound = system_.constant(constraint.bound)) {
    if (*bound > kLargestConstant || *bound < -kLargestConstant) {
      throw Error(ErrorKind::Unsupported, "unsupported: clock constant beyond " + std::to_string(kLargestConstant) +
                                              " at " + system_.sources.describe(constraint.at));
    }
    out.bound = *bound;
  } else {
    out.constant = false;
    out.bound_code = program_.value(constraint.bound);
  }
  if (constraint.condition.valid()) {
    const model::ExprId condition[] = {constraint.condition};
    out.condition = program_.condition(condition);
  }
  return out;
}

bool Network::invariants_hold(Workspace& work, const int32_t* values) const {
  return std::all_of(invariant_processes_.begin(), invariant_processes_.end(),
                     [&](uint32_t p) { return work.holds(location(p, values).invariant, values); });
}

bool Network::write(Workspace& work, int32_t* values, std::span<const uint32_t> edges) const {
  if (!work.execute(before_update_, values)) return false;
  for (const uint32_t e : edges) {
    if (!work.execute(edges_[e].effect, values)) {
      work.blame(e);
      return false;
    }
  }
  if (!work.execute(after_update_, values)) return false;
  for (const uint32_t e : edges) {
    work.write(values, location_variable_[edges_[e].process], static_cast<int32_t>(edges_[e].target));
  }
  if (!dead_values_.empty()) {
    for (const uint32_t e : edges) {
      dead_values_.forget(e, values, [&](uint32_t variable, int32_t value) { work.write(values, variable, value); });
    }
  }
  return true;
}

bool Network::fire(Workspace& work, int32_t* values, std::span<const uint32_t> edges) const {
  work.choices().rewind();
  if (!write_natively(work, values, edges) && !write(work, values, edges)) return false;
  if (!axioms_.empty()) axioms_.update(work, values);
  if (control_ != kNobody) pass_control(work, values, edges);
  return invariant_processes_.empty() || invariants_hold(work, values);
}

void Network::pass_control(Workspace& work, int32_t* values, std::span<const uint32_t> edges) const {
  uint32_t next = kNobody;
  for (const uint32_t e : edges) {
    if (edges_[e].keeps_control) next = edges_[e].process;
  }
  if (next != kNobody) {
    const auto stop = [](const Firing&) { return false; };
    if (start_process(work, values, next, committed(values), stop) == Started::Nothing) next = kNobody;
  }
  if (next == kNobody && claim_ != kNobody && !ends_claims_turn(edges)) next = claim_;
  const int32_t value = next == kNobody ? 0 : static_cast<int32_t>(next) + 1;
  if (values[control_] != value) work.write(values, control_, value);
}

void Network::refused(Workspace& work, const int32_t* values, std::span<const uint32_t> edges,
                      std::vector<uint32_t>& out) const {
  out.clear();
  const uint32_t channel = edges_[edges[0]].channel;
  if (channel == Code::kEmpty || !system_.channels[channel].broadcast) return;
  for (const Receiver& receiver : receivers_[channel]) {
    const auto takes_part = [&](uint32_t e) { return edges_[e].process == receiver.process; };
    if (std::any_of(edges.begin(), edges.end(), takes_part)) continue;
    const auto there = static_cast<uint32_t>(values[location_variable_[receiver.process]]);
    for (const uint32_t r : receiver.by_location[there]) {
      if (work.holds(edges_[r].guard, values)) out.push_back(r);
    }
  }
}

bool Network::may_delay(Workspace& work, const int32_t* values) const {
  for (const uint32_t p : hurried_processes_) {
    if (location(p, values).kind != LocationKind::Normal) return false;
  }
  if (!has_urgent_channels_) return true;
  bool urgent = false;
  UrgentOnly filter(*this);
  const auto visit = [&](const Firing& firing) {
    const uint32_t channel = edges_[firing.edges[0]].channel;
    urgent = channel != Code::kEmpty && system_.channels[channel].urgent;
    return !urgent;
  };
  for_each_firing(work, values, visit, &filter);
  return !urgent;
}

int64_t Network::priority(std::span<const uint32_t> edges) const {
  const uint32_t channel = edges_[edges[0]].channel;
  const int64_t by_channel = channel == Code::kEmpty ? system_.internal_priority : system_.channels[channel].priority;
  int32_t by_process = system_.processes[edges_[edges[0]].process].priority;
  for (const uint32_t e : edges.subspan(1)) {
    by_process = std::max(by_process, system_.processes[edges_[e].process].priority);
  }
  return by_channel * (int64_t{1} << 32) + by_process;
}

}  // namespace harrier::step
