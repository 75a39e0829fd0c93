// Builds small systems by hand, for tests of everything behind the front ends.
//
//     SystemBuilder b;
//     const auto x = b.clock("x");
//     const auto p = b.process("P", {"idle", "busy"});
//     const auto e = b.edge(p, 0, 1);
//     b.edge(e).clock_guard = {b.ge(x, 3)};
//     b.edge(e).effect = {b.reset(x)};
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/system.h"

namespace harrier::testing_support {

class SystemBuilder {
 public:
  model::System system;

  SystemBuilder() {
    system.name = "test.xta";
    system.language = "uppaal";
    system.content_hash = 0x0123456789abcdef;
    system.quantifier_slots = 4;
    system.sources.add_file("test.xta", std::string(400, '\n'));
  }

  static SourceRef line(uint32_t number) { return {0, number, 1, 0}; }

  model::VarId var(const std::string& name, int32_t lo, int32_t hi, int32_t initial = 0) {
    system.variables.push_back({name, lo, hi, initial, model::VarKind::Data, {}});
    return model::VarId(system.variables.size() - 1);
  }
  // A block of variables name[0], name[1], …; returns the first.
  model::VarId array(const std::string& name, size_t size, int32_t lo, int32_t hi) {
    const size_t first = system.variables.size();
    for (size_t i = 0; i < size; ++i) var(name + "[" + std::to_string(i) + "]", lo, hi);
    return model::VarId(first);
  }
  model::ClockId clock(const std::string& name) {
    system.clocks.push_back({name, {}});
    return model::ClockId(system.clocks.size() - 1);
  }
  model::ChannelId channel(const std::string& name, bool broadcast = false, bool urgent = false, int32_t priority = 0) {
    system.channels.push_back({name, broadcast, urgent, priority, {}});
    return model::ChannelId(system.channels.size() - 1);
  }
  model::ProcessId process(const std::string& name, const std::vector<std::string>& locations) {
    model::Process process;
    process.name = name;
    for (const auto& l : locations) process.locations.push_back({.name = l});
    system.variables.push_back(
        {name + ".location", 0, static_cast<int32_t>(locations.size()) - 1, 0, model::VarKind::Location, {}});
    process.location = model::VarId(system.variables.size() - 1);
    system.processes.push_back(std::move(process));
    return model::ProcessId(system.processes.size() - 1);
  }
  model::Location& location(model::ProcessId p, size_t l) { return system.processes[p.value].locations[l]; }

  model::EdgeId edge(model::ProcessId p, uint32_t source, uint32_t target) {
    const model::EdgeId id(system.edges.size());
    model::Edge e;
    e.process = p;
    e.source = source;
    e.target = target;
    e.at = line(id.value + 10);
    system.edges.push_back(e);
    system.processes[p.value].edges.push_back(id);
    return id;
  }
  model::EdgeId send(model::ProcessId p, uint32_t source, uint32_t target, model::ChannelId channel) {
    return synchronised(p, source, target, channel, model::Direction::Send);
  }
  model::EdgeId receive(model::ProcessId p, uint32_t source, uint32_t target, model::ChannelId channel) {
    return synchronised(p, source, target, channel, model::Direction::Receive);
  }
  model::Edge& edge(model::EdgeId id) { return system.edges[id.value]; }

  model::ExprId num(int32_t value) { return system.make_const(value); }
  model::ExprId get(model::VarId v) { return system.make_var(v); }
  model::ExprId op(model::Op o, model::ExprId a) { return system.make_unary(o, a, line(1)); }
  model::ExprId op(model::Op o, model::ExprId a, model::ExprId b) { return system.make_binary(o, a, b, line(1)); }
  model::ExprId eq(model::VarId v, int32_t value) { return op(model::Op::Eq, get(v), num(value)); }
  model::ExprId at(model::ProcessId p, int32_t location) { return eq(system.processes[p.value].location, location); }
  model::ExprId load(model::VarId first, uint32_t count, model::ExprId index) {
    return system.make({.op = model::Op::Load, .base = first.value, .count = count, .a = index, .at = line(2)});
  }
  model::ExprId store(model::VarId v, model::ExprId value) {
    return system.make({.op = model::Op::Store, .base = v.value, .b = value, .at = line(3)});
  }
  model::ExprId store(model::VarId first, uint32_t count, model::ExprId index, model::ExprId value) {
    return system.make(
        {.op = model::Op::Store, .base = first.value, .count = count, .a = index, .b = value, .at = line(3)});
  }
  model::ExprId local(uint32_t slot) { return system.make({.op = model::Op::Local, .base = slot}); }
  model::ExprId quantify(model::Op o, uint32_t slot, int32_t lo, int32_t hi, model::ExprId body) {
    const auto a = num(lo);
    const auto b = num(hi);
    return system.make({.op = o, .base = slot, .a = a, .b = b, .c = body, .at = line(4)});
  }
  model::ExprId call(model::FunctionId f, const std::vector<model::ExprId>& arguments) {
    const auto first = static_cast<int32_t>(system.arguments.size());
    system.arguments.insert(system.arguments.end(), arguments.begin(), arguments.end());
    return system.make({.op = model::Op::Call,
                        .value = first,
                        .base = f.value,
                        .count = static_cast<uint32_t>(arguments.size()),
                        .at = line(5)});
  }
  model::FunctionId function(const std::string& name, uint32_t parameters, uint32_t slots,
                             const std::vector<model::StmtId>& body) {
    system.functions.push_back({name, parameters, slots, block(body), line(6)});
    return model::FunctionId(system.functions.size() - 1);
  }

  model::StmtId run(model::ExprId e) { return system.make_expr_stmt(e, line(7)); }
  model::StmtId set(model::VarId v, int32_t value) { return run(store(v, num(value))); }
  model::StmtId block(const std::vector<model::StmtId>& statements) { return system.make_block(statements, line(7)); }
  model::StmtId give_back(model::ExprId e) {
    return system.make_stmt({.kind = model::StmtKind::Return, .expr = e, .at = line(7)});
  }
  model::StmtId branch(model::ExprId condition, model::StmtId then, model::StmtId otherwise = {}) {
    return system.make_stmt({.kind = model::StmtKind::If, .expr = condition, .a = then, .b = otherwise, .at = line(7)});
  }
  model::StmtId loop(model::ExprId condition, model::StmtId body) {
    return system.make_stmt({.kind = model::StmtKind::While, .expr = condition, .a = body, .at = line(8)});
  }
  model::StmtId reset(model::ClockId x, int32_t value = 0) {
    return system.make_stmt({.kind = model::StmtKind::Reset, .expr = num(value), .clock = x, .at = line(9)});
  }

  model::ClockConstraint difference(model::ClockId left, model::ClockId right, int32_t bound, bool strict) {
    return {.left = left, .right = right, .strict = strict, .bound = num(bound)};
  }
  model::ClockConstraint le(model::ClockId x, int32_t c) { return difference(x, model::ClockId(0), c, false); }
  model::ClockConstraint lt(model::ClockId x, int32_t c) { return difference(x, model::ClockId(0), c, true); }
  model::ClockConstraint ge(model::ClockId x, int32_t c) { return difference(model::ClockId(0), x, -c, false); }
  model::ClockConstraint gt(model::ClockId x, int32_t c) { return difference(model::ClockId(0), x, -c, true); }

  static model::Property reachable(std::vector<model::ExprId> conditions,
                                   std::vector<model::ClockConstraint> clocks = {},
                                   model::DeadlockTest deadlock = model::DeadlockTest::Ignore) {
    model::Property property;
    property.text = "E<> goal";
    property.goal = {{std::move(conditions), std::move(clocks), deadlock}};
    return property;
  }

 private:
  model::EdgeId synchronised(model::ProcessId p, uint32_t source, uint32_t target, model::ChannelId channel,
                             model::Direction direction) {
    const model::EdgeId id = edge(p, source, target);
    edge(id).channel = channel;
    edge(id).direction = direction;
    return id;
  }
};

}  // namespace harrier::testing_support
