// Event traces: `trace { … }` lists all sends and receives that may happen on its channels, in their order; `notrace`
// those that must not all happen.
//
// The state of the trace is a variable. Every send and receive that the trace is about moves it on; where it cannot,
// there is an error, and in a `notrace` nothing counts any more.
#include <algorithm>

#include "lang/promela/lowering.h"

namespace harrier::promela {

using model::ExprId;
using model::StmtId;

namespace {

bool is_event(const Element& e) {
  return e.kind == Element::Kind::Basic && e.stmt != nullptr &&
         (e.stmt->kind == StmtKind::Send || e.stmt->kind == StmtKind::Receive);
}

}  // namespace

void Lowering::declare_trace() {
  for (uint32_t p = 0; p < automata_.size(); ++p) {
    const Automaton& a = *automata_[p];
    if (a.proctype().kind < ProctypeNode::Kind::Trace) continue;
    trace_.automaton = &a;
    trace_.instance.proctype = p;
  }
  if (trace_.automaton == nullptr) return;
  const Automaton& a = *trace_.automaton;
  trace_.event = add_internal("_event", static_cast<int32_t>(a.control_count()) + 1);
  system_.variables[trace_.event.value].initial = static_cast<int32_t>(a.start());
  const Here here{&trace_.instance, 0, false};
  for (const Step& step : a.steps()) {
    const Element& e = a.element(step.element);
    if (!is_event(e)) {
      diagnostics_.error(e.at, "only sends and receives can stand in a trace");
      return;
    }
    const StmtNode& s = *e.stmt;
    if (s.sorted || s.random || s.keep) diagnostics_.unsupported(s.at, "this kind of event in a trace");
    const std::vector<Candidate> channels = candidates(*s.target, here);
    if (diagnostics_.has_errors()) return;
    if (channels.size() != 1 || channels[0].guard.valid() || channels[0].channel == kNoChannel) {
      diagnostics_.unsupported(s.at, "an event on a channel that is not always the same");
      return;
    }
    Event event{step.source, step.target, s.kind == StmtKind::Send, channels[0].channel, {}, s.at};
    for (const ExprPtr& argument : s.arguments) {
      int64_t value = 0;
      const bool any = argument->kind == ExprKind::Ref && argument->parts[0].name == "_";
      const ExprNode& wanted = argument->kind == ExprKind::Eval ? *argument->a : *argument;
      if (!any && !types_.fold(wanted, value)) {
        diagnostics_.unsupported(argument->at, "a field of an event that is no constant");
        return;
      }
      event.fields.push_back(any ? std::nullopt : std::optional<int64_t>(value));
    }
    if (!fits(channels[0], event.fields.size(), s.at, "this event has")) return;
    for (const Event& other : trace_.events) {
      if (other.source != event.source || other.sends != event.sends || other.channel != event.channel) continue;
      const bool differ = std::equal(other.fields.begin(), other.fields.end(), event.fields.begin(),
                                     [](const auto& x, const auto& y) { return !x || !y || *x == *y; });
      if (differ) diagnostics_.unsupported(s.at, "a choice between events of a trace that can be the same");
    }
    trace_.events.push_back(std::move(event));
  }
  for (uint32_t control = 1; control < a.control_count(); ++control) {
    if (a.has_label(control, "accept") || a.has_label(control, "progress")) {
      diagnostics_.unsupported(a.at_control(control).at, "this label in a trace");
    }
  }
}

bool Lowering::is_traced(uint32_t channel, bool sends) const {
  return std::any_of(trace_.events.begin(), trace_.events.end(),
                     [&](const Event& e) { return e.channel == channel && e.sends == sends; });
}

std::vector<ExprId> Lowering::truncated_fields(const ChannelObject& c, std::span<const ExprId> message) {
  std::vector<ExprId> out;
  for (size_t f = 0; f < c.fields.size(); ++f) out.push_back(truncated(system_, c.fields[f], message[f]));
  return out;
}

// What a send or receive does to the state of the trace; `fields` is the message.
void Lowering::observe(std::vector<StmtId>& effect, uint32_t channel, bool sends, std::span<const ExprId> fields,
                       SourceRef at) {
  if (!is_traced(channel, sends)) return;
  const Automaton& a = *trace_.automaton;
  const bool negated_trace = a.proctype().kind == ProctypeNode::Kind::NoTrace;
  const bool reports = options_.assertions || *options_.end_states;
  const ExprId now = system_.make_var(trace_.event, at);
  const uint32_t error = a.control_count() + 1;
  const uint32_t end = a.ends() ? a.end_control() : a.control_count();
  ExprId next = negated_trace ? number(end, at) : reports ? number(error, at) : now;
  for (const Event& event : trace_.events) {
    if (event.channel != channel || event.sends != sends) continue;
    std::vector<ExprId> all{equal(now, number(event.source), at)};
    for (size_t f = 0; f < fields.size(); ++f) {
      if (event.fields[f]) all.push_back(equal(fields[f], number(*event.fields[f]), at));
    }
    const bool violated = negated_trace && reports && a.ends() && event.target == a.end_control();
    next = system_.make_ite(all_of(all, at), number(violated ? error : event.target), next, at);
  }
  // An error stays.
  if (reports) next = system_.make_ite(equal(now, number(error), at), now, next, at);
  effect.push_back(set(trace_.event, next, at));
}

void Lowering::add_trace_to(model::Property& property) {
  if (trace_.automaton == nullptr) return;
  const Automaton& a = *trace_.automaton;
  const bool negated_trace = a.proctype().kind == ProctypeNode::Kind::NoTrace;
  const ExprId wrong = equal(system_.make_var(trace_.event), number(a.control_count() + 1), {});
  property.goal.push_back(
      {{wrong},
       {},
       model::DeadlockTest::Ignore,
       negated_trace ? "all events of the notrace have happened" : "an event that the trace forbids"});
}

// Whether the trace is at a place where a system may end.
ExprId Lowering::trace_may_end() {
  const Automaton& a = *trace_.automaton;
  std::vector<ExprId> any;
  for (uint32_t control = 1; control <= a.control_count(); ++control) {
    const bool end = a.ends() ? control == a.end_control() : control == a.control_count();
    if (end || (control < a.control_count() && a.has_label(control, "end"))) {
      any.push_back(equal(system_.make_var(trace_.event), number(control), {}));
    }
  }
  return any_of(any, {});
}

}  // namespace harrier::promela
