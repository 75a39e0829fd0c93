// Locations and edges: the steps of every instance, and the rendezvous between them.
#include <algorithm>
#include <set>

#include "lang/promela/expression_text.h"
#include "lang/promela/lowering.h"
#include "model/analysis.h"

namespace harrier::promela {

using model::Edge;
using model::ExprId;
using model::StmtId;

namespace {

std::string location_name(const Element& e) {
  if (!e.labels.empty()) return e.labels.front().name;
  if (e.kind == Element::Kind::End) return "-end-";
  return "line " + std::to_string(e.at.line);
}

std::string text_of(const Element& e) {
  if (e.declaration != nullptr) return "declare " + e.declaration->name;
  return e.stmt == nullptr ? "skip" : e.stmt->source;
}

bool mentions_last(const StmtNode& s) {
  const auto in = [](const ExprPtr& x) {
    return x && contains(*x, [](const ExprNode& e) { return e.kind == ExprKind::Ref && e.parts[0].name == "_last"; });
  };
  return in(s.expr) || in(s.target) || std::any_of(s.arguments.begin(), s.arguments.end(), in);
}

// The conditions of a conjunction one by one, which is how heuristics look at them.
void append_conjuncts(const model::System& system, ExprId id, std::vector<ExprId>& out) {
  const model::Expr& e = system.expr(id);
  if (e.op == model::Op::And) {
    append_conjuncts(system, e.a, out);
    append_conjuncts(system, e.b, out);
  } else {
    out.push_back(id);
  }
}

bool never(const model::System& system, const std::vector<ExprId>& guard) {
  return std::any_of(guard.begin(), guard.end(), [&](ExprId g) { return system.constant(g) == 0; });
}

}  // namespace

void Lowering::run() {
  find_priorities();
  declare_globals();
  if (diagnostics_.has_errors()) return;
  declare_instances();
  if (diagnostics_.has_errors()) return;
  find_holders();
  int32_t assertions = 0;
  for (const auto& a : automata_) {
    for (const Element& e : a->elements()) {
      if (e.kind != Element::Kind::Basic || e.stmt == nullptr) continue;
      if (e.stmt->kind == StmtKind::Assert) ++assertions;
      tracks_last_ = tracks_last_ || mentions_last(*e.stmt);
    }
  }
  error_ = system_.failure = add_internal("_error", assertions);
  missing_variable_ = add_internal("_missing", 0);
  last_ = add_internal("_last", UINT8_MAX);
  const bool exclusive = std::any_of(automata_.begin(), automata_.end(), [](const auto& a) {
    return std::any_of(a->steps().begin(), a->steps().end(), [](const Step& s) { return s.keeps_control; });
  });
  const auto watched = static_cast<int32_t>(instances_.size());
  if (exclusive || claim_.exists()) system_.control = add_internal("_control", watched + (claim_.exists() ? 1 : 0));
  set_initial_values();
  declare_trace();
  if (diagnostics_.has_errors()) return;
  for (Instance& i : instances_) add_locations(i);
  for (const Instance& i : instances_) {
    add_edges(i);
    add_death(i);
    if (diagnostics_.has_errors()) return;
  }
  add_rendezvous();
  if (claim_.exists()) add_claim();
  system_.variables[missing_variable_.value].hi = static_cast<int32_t>(missing_.size());
  if (!tracks_last_) system_.variables[last_.value].hi = 0;
  system_.telling = model::Telling::Statements;
  for (model::Process& process : system_.processes) process.dynamic = true;
  system_.value_names = types_.value_names();
  auto& names = system_.value_names[Types::kChannelNames];
  names.emplace_back();
  for (const ChannelObject& c : channels_) names.push_back(c.name);
}

void Lowering::add_locations(Instance& instance) {
  const Automaton& a = automaton(instance);
  auto& locations = system_.processes[instance.process.value].locations;
  locations.push_back({.name = "-", .at = a.proctype().at});
  std::map<std::string, uint32_t> taken;
  for (uint32_t control = 1; control < a.control_count(); ++control) {
    const Element& e = a.at_control(control);
    std::string name = location_name(e);
    const uint32_t times = ++taken[name];
    if (times > 1) name += " (" + std::to_string(times) + ")";
    locations.push_back({.name = std::move(name), .at = e.at});
  }
}

void Lowering::finish(Edge edge, const Instance& instance, uint32_t trail_id) {
  diagnostics_.poll();
  std::vector<ExprId> conjuncts;
  for (const ExprId g : edge.guard) append_conjuncts(system_, g, conjuncts);
  if (never(system_, conjuncts)) return;
  std::erase_if(conjuncts, [&](ExprId g) { return system_.constant(g).has_value(); });
  edge.guard = std::move(conjuncts);
  if (tracks_last_ && &instance != &observer_) edge.effect.push_back(set(last_, number(instance.pid), edge.at));
  edge.process = instance.process;
  system_.processes[edge.process.value].edges.push_back(model::EdgeId(system_.edges.size()));
  system_.edges.push_back(std::move(edge));
  trail_.push_back({instance.pid, trail_id});
}

void Lowering::add_edges(const Instance& instance) {
  const Automaton& a = automaton(instance);
  const std::vector<Step>& steps = a.steps();
  for (size_t first = 0, end = 0; first < steps.size(); first = end) {
    while (end < steps.size() && steps[end].source == steps[first].source) ++end;
    const Here here{&instance, 0, false};
    bool ranked = false;
    std::vector<std::vector<Way>> all;
    for (size_t s = first; s < end; ++s) {
      ranked = ranked || steps[s].tier != 0;
      all.push_back(ways(steps[s].element, here));
      if (diagnostics_.has_errors()) return;
    }
    // An else can be executed where nothing before it can be. Whether somebody receives what is sent there is known to
    // the ranks of edges only.
    std::set<size_t> outranked_elses;
    for (size_t s = first; s < end; ++s) {
      if (!a.is_else(steps[s].element)) continue;
      const SourceRef at = a.element(steps[s].element).at;
      std::vector<ExprId> nothing;
      const auto same_tier = [&](const Step& other) { return other.tier == steps[s].tier; };
      for (size_t other = first; other < s; ++other) {
        if (!same_tier(steps[other])) continue;
        const std::vector<Way>& options = all[other - first];
        for (const Way& w : options) {
          if (w.half == Way::Half::Send) outranked_elses.insert(s);
        }
        nothing.push_back(negated(executable(options, at), at));
      }
      if (outranked_elses.contains(s)) {
        ranked = true;
        if (std::any_of(steps.begin() + static_cast<ptrdiff_t>(s) + 1, steps.begin() + static_cast<ptrdiff_t>(end),
                        same_tier)) {
          diagnostics_.unsupported(at, "an 'else' between a rendezvous send and other alternatives");
          return;
        }
      }
      for (Way& way : all[s - first]) way.guard.insert(way.guard.begin(), nothing.begin(), nothing.end());
    }
    for (size_t s = first; s < end; ++s) {
      const Step& step = steps[s];
      const Element& e = a.element(step.element);
      for (Way& way : all[s - first]) {
        Edge edge;
        edge.source = step.source;
        edge.target = step.target;
        edge.label = text_of(e);
        edge.at = e.at;
        edge.when_idle = way.when_idle;
        edge.keeps_control = step.keeps_control && way.half != Way::Half::Send;
        if (ranked) edge.urgency = static_cast<uint8_t>(2 * step.tier + (outranked_elses.contains(s) ? 0 : 1));
        if (a.proctype().provided) edge.guard.push_back(value(*a.proctype().provided, here));
        edge.guard.insert(edge.guard.end(), way.guard.begin(), way.guard.end());
        if (instance.priority.valid()) {
          edge.guard.push_back(negated(outranked(instance, way.when_idle, e.at), e.at));
        }
        edge.effect = way.effect;
        if (way.half == Way::Half::None) {
          finish(std::move(edge), instance, e.id);
        } else {
          auto& half = way.half == Way::Half::Send ? senders_ : receivers_;
          half.push_back({std::move(edge), std::move(way), {&instance, e.scope, false}, e.id});
        }
      }
    }
  }
}

void Lowering::add_death(const Instance& instance) {
  const Automaton& a = automaton(instance);
  if (!a.ends()) return;
  const SourceRef at = a.proctype().end;
  Edge edge;
  edge.source = a.end_control();
  edge.target = 0;
  edge.label = "-end-";
  edge.at = at;
  if (a.proctype().provided) edge.guard.push_back(value(*a.proctype().provided, {&instance, 0, false}));
  edge.guard.push_back(equal(system_.make_var(process_count_, at), number(instance.pid + 1), at));
  if (instance.priority.valid()) {
    edge.guard.push_back(negated(outranked(instance, false, at), at));
    edge.effect.push_back(set(instance.priority, number(0), at));
  }
  for (size_t l = 0; l < instance.locals.size(); ++l) {
    for (uint32_t i = 0; i < locals_[instance.proctype][l].layout.size; ++i) {
      edge.effect.push_back(set(VarId(instance.locals[l].value + i), number(0), at));
    }
    for (const uint32_t c : instance.channels[l]) {
      if (c == kNoChannel || channels_[c].capacity == 0) continue;
      edge.effect.push_back(set(channels_[c].length, number(0), at));
      for (const VarId array : channels_[c].arrays) {
        for (uint32_t i = 0; i < channels_[c].capacity; ++i) {
          edge.effect.push_back(set(VarId(array.value + i), number(0), at));
        }
      }
    }
  }
  edge.effect.push_back(set(process_count_, number(instance.pid), at));
  finish(std::move(edge), instance, a.end_element().id);
}

// What a rendezvous assigns. All values are those before the first assignment.
std::vector<StmtId> Lowering::exchange(const ChannelObject& c, std::span<const ExprId> message,
                                       std::span<const Pattern> wanted, SourceRef at) {
  std::vector<StmtId> out, keep, put;
  std::vector<model::VarId> written;
  bool overlap = false;
  model::Accesses accesses(system_);
  for (size_t f = 0; f < wanted.size(); ++f) {
    if (!wanted[f].into) continue;
    const ExprId sent = truncated(system_, c.fields[f], message[f]);
    const auto reads = accesses.of(sent).reads;
    overlap = overlap || std::any_of(reads.begin(), reads.end(), [&](model::VarId v) {
                return std::find(written.begin(), written.end(), v) != written.end();
              });
    out.push_back(store(*wanted[f].into, sent, at));
    const auto writes = accesses.of(out.back()).writes;
    written.insert(written.end(), writes.begin(), writes.end());
    const auto slot = static_cast<uint32_t>(keep.size());
    keep.push_back(system_.make_expr_stmt(
        system_.make({.op = Op::StoreLocal, .base = slot, .count = 1, .b = sent, .at = at}), at));
    put.push_back(store(*wanted[f].into, system_.make({.op = Op::Local, .base = slot, .at = at}), at));
  }
  if (!overlap) return out;
  model::Function f;
  f.name = "exchange";
  f.slots = static_cast<uint32_t>(keep.size());
  keep.insert(keep.end(), put.begin(), put.end());
  f.body = system_.make_block(keep, at);
  f.at = at;
  return {call(std::move(f))};
}

// Every send with every receive on the same channel, in two different processes: a model channel of their own.
void Lowering::add_rendezvous() {
  const auto ranked = std::find_if(system_.processes.begin(), system_.processes.end(), [&](const model::Process& p) {
    return p.priority != system_.processes.front().priority;
  });
  if ((ranked != system_.processes.end() || changes_priorities_) && !senders_.empty()) {
    const SourceRef at = changes_priorities_ ? senders_.front().edge.at : ranked->at;
    diagnostics_.unsupported(at, "priorities in a model with rendezvous channels");
    return;
  }
  for (const HalfEdge& s : senders_) {
    for (const HalfEdge& r : receivers_) {
      diagnostics_.poll();
      if (s.way.channel != r.way.channel || s.here.instance == r.here.instance) continue;
      const ChannelObject& c = channels_[s.way.channel];
      const SourceRef at = r.edge.at;
      const std::vector<Pattern> wanted = patterns(r.way.receive->arguments, r.here);
      Edge sender = s.edge;
      Edge receiver = r.edge;
      for (size_t f = 0; f < wanted.size(); ++f) {
        if (!wanted[f].match.valid()) continue;
        sender.guard.push_back(equal(truncated(system_, c.fields[f], s.way.message[f]), wanted[f].match, at));
      }
      std::vector<StmtId> exchange;
      if (is_traced(s.way.channel, true) || is_traced(s.way.channel, false)) {
        const std::vector<ExprId> sent = truncated_fields(c, s.way.message);
        observe(exchange, s.way.channel, true, sent, s.edge.at);
        observe(exchange, s.way.channel, false, sent, at);
      }
      for (const StmtId given : this->exchange(c, s.way.message, wanted, at)) exchange.push_back(given);
      if (never(system_, sender.guard) || never(system_, receiver.guard)) continue;
      receiver.effect.insert(receiver.effect.begin(), exchange.begin(), exchange.end());
      const model::ChannelId channel(system_.channels.size());
      system_.channels.push_back({.name = c.name, .at = c.at});
      sender.direction = model::Direction::Send;
      sender.channel = channel;
      receiver.direction = model::Direction::Receive;
      receiver.channel = channel;
      finish(std::move(sender), *s.here.instance, s.trail_id);
      finish(std::move(receiver), *r.here.instance, r.trail_id);
    }
  }
}

}  // namespace harrier::promela
