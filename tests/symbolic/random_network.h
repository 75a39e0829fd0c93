// Random networks without clocks that use every rule of who goes first: committed locations, channels of both kinds,
// urgency, idleness, exclusive control, claims, priorities, invariants, guards and effects that fail, choices, derived
// variables.
#pragma once

#include <string>
#include <vector>

#include "random/rng.h"
#include "support/random_axioms.h"
#include "support/system_builder.h"

namespace harrier::testing_support {

class RandomNetwork {
 public:
  explicit RandomNetwork(uint64_t seed) : rng_(seed), of_axioms_(seed + 1'000'000) {}
  // Without invariants and with few guards, and with so many more edges for each process, so that more states can be
  // reached.
  static RandomNetwork lively(uint64_t seed, int more_edges) {
    RandomNetwork out(seed);
    out.more_edges_ = more_edges;
    return out;
  }

  model::System make() {
    for (int v = 0; v < 3; ++v) {
      const int32_t lo = rng_.between(-1, 1);
      variables_.push_back(b_.var("v" + std::to_string(v), lo, lo + rng_.between(1, 3), lo));
    }
    const bool priorities = rng_.chance(25);
    for (int c = 0; c < 3; ++c) {
      const bool broadcast = rng_.chance(50);
      channels_.push_back(
          b_.channel("c" + std::to_string(c), broadcast, rng_.chance(20), priorities ? rng_.between(-1, 1) : 0));
    }
    const int processes = rng_.between(2, 4);
    const bool committed = rng_.chance(40);
    const bool ranked = rng_.chance(40);
    const bool idle = rng_.chance(30);
    for (int p = 0; p < processes; ++p) {
      std::vector<std::string> locations;
      for (int l = rng_.between(2, 3); l > 0; --l) locations.push_back("l" + std::to_string(l));
      processes_.push_back(b_.process("P" + std::to_string(p), locations));
      if (priorities) b_.system.processes[processes_.back().value].priority = rng_.between(0, 2);
      for (size_t l = 0; l < locations.size(); ++l) {
        model::Location& location = b_.location(processes_.back(), l);
        if (committed && rng_.chance(25)) location.kind = model::LocationKind::Committed;
        if (rng_.chance(15) && more_edges_ == 0) location.invariant = {condition()};
      }
    }
    if (rng_.chance(40)) add_control();
    readable_ = variables_;
    if (of_axioms_.chance(35)) add_axioms();
    for (const model::ProcessId p : processes_) {
      for (int e = rng_.between(2, 5) + more_edges_; e > 0; --e) add_edge(p, ranked, idle);
    }
    if (rng_.chance(20)) b_.system.before_update = {statement(false)};
    if (rng_.chance(20)) b_.system.after_update = {statement(false)};
    if (rng_.chance(30)) add_beginning();
    return std::move(b_.system);
  }
  // Of the system that was made.
  static model::Property goal(model::System& system, uint64_t seed) {
    Rng rng(seed);
    model::Property out;
    out.text = "E<> goal";
    const size_t first = rng.below(system.variables.size());
    for (size_t i = first; i < first + 2; ++i) {
      const model::VarId v(i % system.variables.size());
      const model::ExprId value = system.make_const(rng.between(system.variable(v).lo, system.variable(v).hi));
      model::Clause clause{{system.make_binary(model::Op::Eq, system.make_var(v), value)}, {}};
      const model::VarId w(rng.below(system.variables.size()));
      clause.conditions.push_back(system.make_binary(model::Op::Ge, system.make_var(w), system.make_const(1)));
      if (rng.chance(30)) clause.deadlock = model::DeadlockTest::IsDeadlock;
      if (rng.chance(10)) clause.deadlock = model::DeadlockTest::NotDeadlock;
      out.goal.push_back(clause);
    }
    return out;
  }

 private:
  model::VarId variable() { return rng_.pick(variables_); }

  void add_control() {
    const auto hi = static_cast<int32_t>(processes_.size());
    if (rng_.chance(40)) b_.system.claim = model::ProcessId(processes_.size() - 1);
    const int32_t rest = b_.system.control_at_rest();
    b_.system.control = b_.var("control", 0, hi, rest);
  }

  void add_axioms() {
    const std::vector<model::VarId> heads = RandomAxioms(b_, of_axioms_).add(4);
    readable_.insert(readable_.end(), heads.begin(), heads.end());
    if (more_edges_ != 0 || of_axioms_.chance(70)) return;
    const model::VarId head = of_axioms_.pick(heads);
    b_.location(of_axioms_.pick(processes_), 0).invariant.push_back(b_.eq(head, b_.system.variable(head).initial));
  }

  model::ExprId value() {
    const model::ExprId left = b_.get(rng_.pick(readable_.empty() ? variables_ : readable_));
    const int kind = rng_.between(0, 9);
    if (kind < 3) return b_.num(rng_.between(-1, 3));
    if (kind < 6) return left;
    if (kind < 8) return b_.op(model::Op::Add, left, b_.num(rng_.between(-1, 1)));
    if (kind < 9) return b_.op(model::Op::Div, b_.num(4), left);
    return b_.system.make({.op = model::Op::InRange, .a = left, .b = b_.num(0), .c = b_.num(2)});
  }
  model::ExprId condition() {
    const std::vector<model::Op> ops = {model::Op::Le, model::Op::Ne, model::Op::Eq, model::Op::Ge};
    const model::ExprId left = value();
    return b_.op(rng_.pick(ops), left, value());
  }
  model::StmtId statement(bool may_choose = true) {
    const int kind = rng_.between(0, may_choose ? 9 : 8);
    if (kind < 7) return b_.run(b_.store(variable(), value()));
    if (kind < 9) {
      const model::ExprId test = condition();
      const model::StmtId then = b_.run(b_.store(variable(), value()));
      return b_.branch(test, then);
    }
    const model::VarId v = variable();
    const model::StmtId choose = b_.system.make_stmt({.kind = model::StmtKind::Choose,
                                                      .first = 3,
                                                      .count = static_cast<uint32_t>(rng_.between(1, 3)),
                                                      .low = b_.system.variable(v).lo});
    const model::StmtId store = b_.run(b_.store(v, b_.local(3)));
    const model::ExprId test = b_.op(model::Op::Le, b_.local(3), value());
    const model::StmtId assume = b_.system.make_stmt({.kind = model::StmtKind::Assume, .expr = test});
    return rng_.chance(50) ? b_.block({choose, store}) : b_.block({choose, assume, store});
  }

  void add_edge(model::ProcessId p, bool ranked, bool idle) {
    const size_t locations = b_.system.process(p).locations.size();
    const auto source = static_cast<uint32_t>(rng_.below(locations));
    const auto target = static_cast<uint32_t>(rng_.below(locations));
    const bool lively = more_edges_ != 0;
    const int kind = lively && rng_.chance(50) ? 0 : rng_.between(0, 2);
    const model::EdgeId e = kind == 0   ? b_.edge(p, source, target)
                            : kind == 1 ? b_.send(p, source, target, rng_.pick(channels_))
                                        : b_.receive(p, source, target, rng_.pick(channels_));
    for (int i = lively && rng_.chance(60) ? 0 : rng_.between(0, 1); i > 0; --i) {
      const model::ExprId c = condition();
      b_.edge(e).guard.push_back(c);
    }
    for (int i = rng_.between(0, 2); i > 0; --i) {
      const model::StmtId s = statement();
      b_.edge(e).effect.push_back(s);
    }
    if (ranked) b_.edge(e).urgency = static_cast<uint8_t>(rng_.between(0, 2));
    if (idle) b_.edge(e).when_idle = rng_.chance(25);
    if (b_.system.control.valid()) b_.edge(e).keeps_control = rng_.chance(30);
  }

  // It is in no list of a process.
  void add_beginning() {
    model::Edge e{.process = model::ProcessId(0)};
    for (int i = rng_.between(1, 3); i > 0; --i) e.effect.push_back(statement());
    b_.system.beginning = model::EdgeId(b_.system.edges.size());
    b_.system.edges.push_back(e);
  }

  Rng rng_;
  Rng of_axioms_;
  int more_edges_ = 0;
  SystemBuilder b_;
  std::vector<model::VarId> variables_;
  std::vector<model::VarId> readable_;  // with the derived ones
  std::vector<model::ChannelId> channels_;
  std::vector<model::ProcessId> processes_;
};

}  // namespace harrier::testing_support
