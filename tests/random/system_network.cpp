#include "random/system_network.h"

#include <algorithm>

#include "model/interpreter.h"
#include "model/ranges.h"
#include "support/random_axioms.h"

namespace harrier::testing_support {

namespace {

class SystemNetwork : public Network {
 public:
  SystemNetwork(const model::System& system, const std::vector<model::Property>& properties)
      : system_(system), properties_(properties), run_(system) {
    for (const model::Process& p : system.processes) {
      for (const model::Location& l : p.locations) scan(l.clock_invariant);
    }
    for (const model::Edge& e : system.edges) scan(e.clock_guard);
    for (const model::Stmt& s : system.stmts) {
      if (s.kind == model::StmtKind::Reset) scan(s.expr);
    }
    for (const model::Property& p : properties) {
      for (const model::Clause& c : p.goal) scan(c.clocks);
    }
  }

  uint32_t processes() const override { return static_cast<uint32_t>(system_.processes.size()); }
  uint32_t clocks() const override { return static_cast<uint32_t>(system_.clocks.size() - 1); }
  int32_t largest_constant() const override { return largest_; }
  bool has_diagonals() const override { return diagonals_; }
  bool has_strict_bounds() const override { return strict_; }
  int32_t process_priority(uint32_t process) const override { return system_.processes[process].priority; }
  NetValues initial_values() override {
    NetValues values;
    for (const model::Variable& v : system_.variables) values.push_back(v.initial);
    RandomAxioms::derive(system_, values);
    return values;
  }

  NetLocation location_kind(const NetValues& values, uint32_t process) override {
    switch (location(values, process).kind) {
      case model::LocationKind::Urgent: return NetLocation::Urgent;
      case model::LocationKind::Committed: return NetLocation::Committed;
      default: return NetLocation::Normal;
    }
  }

  std::vector<NetEdge> edges(const NetValues& values, uint32_t process) override {
    std::vector<NetEdge> out;
    const model::Process& p = system_.processes[process];
    for (const model::EdgeId id : p.edges) {
      const model::Edge& e = system_.edge(id);
      if (static_cast<int32_t>(e.source) != values[p.location.value]) continue;
      NetEdge edge{.process = process, .id = id.value, .channel_priority = system_.internal_priority};
      if (!holds(e.guard, values) || !bounds(e.clock_guard, values, edge.clocks)) continue;
      if (e.direction != model::Direction::Internal) {
        const model::Channel& channel = system_.channel(e.channel);
        edge.direction = e.direction == model::Direction::Send ? NetDirection::Send : NetDirection::Receive;
        edge.channel = e.channel.value;
        edge.broadcast = channel.broadcast;
        edge.urgent = channel.urgent;
        edge.channel_priority = channel.priority;
      }
      out.push_back(std::move(edge));
    }
    return out;
  }

  bool apply(std::span<const uint32_t> ids, NetValues& values, std::vector<NetReset>& resets) override {
    std::vector<model::ClockReset> done;
    try {
      run_.execute(system_.before_update, values, done);
      for (const uint32_t id : ids) {
        const model::Edge& e = system_.edges[id];
        run_.execute(e.effect, values, done);
        values[system_.process(e.process).location.value] = static_cast<int32_t>(e.target);
      }
      run_.execute(system_.after_update, values, done);
      RandomAxioms::derive(system_, values);
    } catch (const model::EvalFailure& failure) {
      return handle(failure);
    }
    for (const model::ClockReset& reset : done) resets.push_back({reset.clock.value, reset.value});
    return true;
  }

  bool invariant(const NetValues& values, std::vector<NetAtom>& clocks) override {
    for (uint32_t p = 0; p < processes(); ++p) {
      const model::Location& l = location(values, p);
      if (!holds(l.invariant, values) || !bounds(l.clock_invariant, values, clocks)) return false;
    }
    return true;
  }

  size_t queries() const override { return properties_.size(); }

  std::vector<NetClause> goal(const NetValues& values, size_t query) override {
    std::vector<NetClause> out;
    for (const model::Clause& c : properties_[query].goal) {
      NetClause clause;
      try {
        clause.holds = run_.holds(c.conditions, values);
        if (clause.holds) add_bounds(c.clocks, values, clause.clocks);
      } catch (const model::EvalFailure&) {
        throw NetQueryFailure();
      }
      if (c.deadlock == model::DeadlockTest::IsDeadlock) clause.deadlock = NetDeadlock::Is;
      if (c.deadlock == model::DeadlockTest::NotDeadlock) clause.deadlock = NetDeadlock::IsNot;
      out.push_back(std::move(clause));
    }
    return out;
  }

 private:
  const model::Location& location(const NetValues& values, uint32_t process) const {
    const model::Process& p = system_.processes[process];
    return p.locations[static_cast<size_t>(values[p.location.value])];
  }

  // False for a range violation.
  bool handle(const model::EvalFailure& failure) {
    if (failure.fault != model::Fault::RangeViolation) throw NetRuntimeError(model::fault_text(system_, failure.fault));
    return false;
  }

  bool holds(const std::vector<model::ExprId>& conditions, const NetValues& values) {
    try {
      return run_.holds(conditions, values);
    } catch (const model::EvalFailure& failure) {
      return handle(failure);
    }
  }

  bool bounds(const std::vector<model::ClockConstraint>& constraints, const NetValues& values,
              std::vector<NetAtom>& out) {
    try {
      add_bounds(constraints, values, out);
    } catch (const model::EvalFailure& failure) {
      return handle(failure);
    }
    return true;
  }

  void add_bounds(const std::vector<model::ClockConstraint>& constraints, const NetValues& values,
                  std::vector<NetAtom>& out) {
    for (const model::ClockConstraint& c : constraints) {
      if (c.condition.valid() && run_.value(c.condition, values) == 0) continue;
      out.push_back({c.left.value, c.right.value, c.strict, run_.value(c.bound, values)});
    }
  }

  void scan(model::ExprId expr) {
    const model::Interval range = model::range_of(system_, expr);
    largest_ = static_cast<int32_t>(std::max({int64_t{largest_}, std::abs(range.lo), std::abs(range.hi)}));
  }

  void scan(const std::vector<model::ClockConstraint>& constraints) {
    for (const model::ClockConstraint& c : constraints) {
      scan(c.bound);
      diagonals_ = diagonals_ || (c.left.value != 0 && c.right.value != 0);
      strict_ = strict_ || c.strict;
    }
  }

  const model::System& system_;
  const std::vector<model::Property>& properties_;
  model::Interpreter run_;
  int32_t largest_ = 0;
  bool diagonals_ = false;
  bool strict_ = false;
};

}  // namespace

std::unique_ptr<Network> make_network(const model::System& system, const std::vector<model::Property>& properties) {
  return std::make_unique<SystemNetwork>(system, properties);
}

}  // namespace harrier::testing_support
