// What depends on whether other processes can move: enabled(), pc_value(), priorities that change, and D_proctype.
//
// Priorities that never change are those of the model's processes. Otherwise every process has a variable for its
// priority, and every statement waits until no process of a higher priority can be executed.
#include <algorithm>

#include "lang/promela/expression_text.h"
#include "lang/promela/lowering.h"

namespace harrier::promela {

using model::ExprId;
constexpr const char* kAsksItself = "enabled() asks for the process itself";
using model::StmtId;

int32_t Lowering::given_priority(const ExprPtr& priority) {
  return priority ? static_cast<int32_t>(types_.constant(*priority, "a priority")) : 1;
}

// A process that `run` starts has the priority that is given there, or 1; that of a proctype is for active ones.
void Lowering::find_priorities() {
  const auto has = [&](const std::string& proctype, const ExprPtr& priority) {
    const int32_t given = given_priority(priority);
    if (given < 1 || given > UINT8_MAX) diagnostics_.error(priority->at, "a priority is from 1 to 255");
    if (priorities_.emplace(proctype, given).first->second != given) changes_priorities_ = true;
  };
  const auto look = [&](const ExprNode& e) {
    if (e.kind == ExprKind::Run) has(e.parts[0].name, e.a);
    if (e.kind == ExprKind::SetPriority) changes_priorities_ = true;
    return false;
  };
  bool atomic = false;
  for (const auto& a : automata_) {
    const ProctypeNode& node = a->proctype();
    if (node.active || node.kind == ProctypeNode::Kind::Init) has(node.name, node.priority);
    for (const Element& e : a->elements()) {
      atomic = atomic || e.atomic;
      if (e.declaration != nullptr && e.declaration->init) contains(*e.declaration->init, look);
      if (e.stmt == nullptr) continue;
      if (e.stmt->expr) contains(*e.stmt->expr, look);
      if (e.stmt->kind == StmtKind::Assign && is_priority(*e.stmt->target)) changes_priorities_ = true;
    }
  }
  // A process of higher priority interrupts an atomic sequence: whoever has exclusive control has to be asked, too.
  const auto differs = [&](const auto& p) { return p.second != priorities_.begin()->second; };
  if (atomic && std::any_of(priorities_.begin(), priorities_.end(), differs)) changes_priorities_ = true;
}

bool Lowering::is_priority(const ExprNode& e) { return e.kind == ExprKind::Ref && e.parts[0].name == "_priority"; }

ExprId Lowering::running(const Instance& i, SourceRef at) {
  return system_.make_binary(Op::Ne, system_.make_var(i.location, at), number(0), at);
}

ExprId Lowering::priority_of(const Instance& i, SourceRef at) {
  return i.priority.valid() ? system_.make_var(i.priority, at) : number(system_.process(i.process).priority, at);
}

// `of` of the process with the number that an expression has; 0 if there is none.
template <class Of>
ExprId Lowering::by_process(const ExprNode& e, const Here& here, Of&& of) {
  const ExprId pid = value(*e.a, here);
  const auto constant = system_.constant(pid);
  ExprId out = number(0, e.at);
  for (const Instance& i : instances_) {
    if (constant && *constant != static_cast<int32_t>(i.pid)) continue;
    const ExprId is = system_.make_binary(Op::And, equal(pid, number(i.pid), e.at), running(i, e.at), e.at);
    out = system_.make_ite(is, of(i), out, e.at);
  }
  return out;
}

ExprId Lowering::priority(const ExprNode& e, const Here& here) {
  return by_process(e, here, [&](const Instance& i) { return priority_of(i, e.at); });
}

ExprId Lowering::pc_value(const ExprNode& e, const Here& here) {
  return by_process(e, here, [&](const Instance& i) {
    const Automaton& a = automaton(i);
    ExprId out = number(0, e.at);
    for (uint32_t control = 1; control < a.control_count(); ++control) {
      const ExprId is = equal(system_.make_var(i.location, e.at), number(control), e.at);
      out = system_.make_ite(is, number(a.spin_state(control)), out, e.at);
    }
    return out;
  });
}

ExprId Lowering::enabled(const ExprNode& e, const Here& here) {
  return by_process(e, here, [&](const Instance& i) {
    if (&i != here.instance) return can_move(i, false, e.at);
    if (system_.constant(value(*e.a, here))) diagnostics_.error(e.at, kAsksItself);
    return system_.make_fail(kAsksItself, e.at);
  });
}

// As the verifier of Spin tests it: a send by rendezvous counts, whether somebody receives or not, and a receive does
// not; an else counts.
ExprId Lowering::can_move(const Instance& i, bool idle, SourceRef at) {
  const auto key = std::make_pair(i.process.value, idle);
  if (const auto known = can_move_.find(key); known != can_move_.end()) {
    if (!known->second.valid()) diagnostics_.unsupported(at, "enabled() of processes that ask for each other");
    return known->second.valid() ? known->second : number(0, at);
  }
  can_move_[key] = {};
  const Automaton& a = automaton(i);
  std::vector<ExprId> any;
  const auto add = [&](uint32_t control, std::vector<ExprId> guard) {
    guard.insert(guard.begin(), equal(system_.make_var(i.location, at), number(control), at));
    any.push_back(all_of(guard, at));
  };
  for (const Step& step : a.steps()) {
    for (const Way& way : ways(step.element, {&i, 0, false})) {
      if (way.half == Way::Half::Receive || (way.when_idle && !idle)) continue;
      add(step.source, way.guard);
    }
  }
  if (a.ends()) add(a.end_control(), {equal(system_.make_var(process_count_, at), number(i.pid + 1), at)});
  return can_move_[key] = any_of(any, at);
}

ExprId Lowering::outranked(const Instance& instance, bool idle, SourceRef at) {
  std::vector<ExprId> any;
  for (const Instance& other : instances_) {
    if (&other == &instance) continue;
    std::vector<ExprId> all{running(other, at),
                            system_.make_binary(Op::Gt, priority_of(other, at), priority_of(instance, at), at)};
    const ExprPtr& provided = automaton(other).proctype().provided;
    if (provided) all.push_back(value(*provided, {&other, 0, false}));
    all.push_back(can_move(other, idle, at));
    any.push_back(all_of(all, at));
  }
  return any_of(any, at);
}

StmtId Lowering::set_priority(const ExprNode& e, const Here& here) {
  const ExprId pid = value(*e.a, here);
  const ExprId wanted = value(*e.b, here);
  const ExprId fits = system_.make_binary(Op::And, system_.make_binary(Op::Ge, wanted, number(1), e.at),
                                          system_.make_binary(Op::Le, wanted, number(UINT8_MAX), e.at), e.at);
  const auto either = [&](ExprId condition, StmtId then, StmtId otherwise) {
    return system_.make_stmt({.kind = model::StmtKind::If, .expr = condition, .a = then, .b = otherwise, .at = e.at});
  };
  StmtId out = system_.make_block({}, e.at);
  for (const Instance& i : instances_) {
    const ExprId is = system_.make_binary(Op::And, equal(pid, number(i.pid), e.at), running(i, e.at), e.at);
    out = either(is, set(i.priority, wanted, e.at), out);
  }
  return either(fits, out, fail("priority outside 1..255", e.at));
}

// States in which a process of a D_proctype that may move has a choice.
void Lowering::add_choices_to(model::Property& property) {
  for (const Instance& i : instances_) {
    const Automaton& a = automaton(i);
    if (a.proctype().kind != ProctypeNode::Kind::DProctype) continue;
    const std::vector<Step>& steps = a.steps();
    const auto can = [&](const Step& step) {
      const SourceRef at = a.element(step.element).at;
      const std::vector<Way> options = ways(step.element, {&i, 0, false});
      for (const Way& w : options) {
        if (w.half != Way::Half::None) diagnostics_.unsupported(at, "a rendezvous as a choice in a D_proctype");
        if (w.when_idle) diagnostics_.unsupported(at, "'timeout' as a choice in a D_proctype");
      }
      return executable(options, at);
    };
    for (size_t s = 0; s < steps.size(); ++s) {
      for (size_t t = s + 1; t < steps.size() && steps[t].source == steps[s].source; ++t) {
        if (steps[s].tier != steps[t].tier || a.is_else(steps[t].element)) continue;
        const SourceRef at = a.element(steps[s].element).at;
        if (a.is_else(steps[s].element)) {
          diagnostics_.unsupported(at, "an 'else' before other alternatives in a D_proctype");
        }
        std::vector<ExprId> both{equal(system_.make_var(i.location), number(steps[s].source), {}), can(steps[s]),
                                 can(steps[t])};
        for (const Step& escape : steps) {
          if (escape.source == steps[s].source && escape.tier > steps[s].tier) both.push_back(negated(can(escape), at));
        }
        if (diagnostics_.has_errors()) return;
        if (a.proctype().provided) both.push_back(value(*a.proctype().provided, {&i, 0, false}));
        if (i.priority.valid()) both.push_back(negated(outranked(i, false, at), at));
        if (system_.control.valid()) {
          const ExprId control = system_.make_var(system_.control);
          both.push_back(any_of(std::vector<ExprId>{equal(control, number(0), at),
                                                    equal(control, number(int64_t{i.process.value} + 1), at)},
                                at));
        }
        if (std::any_of(both.begin(), both.end(), [&](ExprId c) { return system_.constant(c) == 0; })) continue;
        property.goal.push_back({both, {}, model::DeadlockTest::Ignore, "a choice in the D_proctype " + a.name()});
      }
    }
  }
}

}  // namespace harrier::promela
