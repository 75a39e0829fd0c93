#include "symbolic/transition_builder.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.h"
#include "symbolic/bound_slots.h"
#include "symbolic/product.h"

namespace harrier::symbolic {

using model::Direction;
using model::Edge;
using model::EdgeId;
using model::LocationKind;
using model::StmtId;
using model::VarId;

TransitionBuilder::TransitionBuilder(Encoding& encoding, const Watch& watch)
    : encoding_(encoding), watch_(watch), run_(encoding, watch), accesses_(encoding.system(), watch) {
  for (const model::Axiom& axiom : system().axioms) axiom_reads_.push_back(accesses_.of(axiom).reads);
}

void TransitionBuilder::refuse(const std::string& what, SourceRef at) const {
  throw Error(ErrorKind::Unsupported,
              "unsupported: " + what + " in the symbolic engine at " + system().sources.describe(at));
}

void TransitionBuilder::refuse_clocks() const {
  if (system().clocks.size() > 1) refuse("the clock '" + system().clocks[1].name + "'", system().clocks[1].at);
}

void TransitionBuilder::build() {
  refuse_clocks();
  evaluate_guards();
  committed_ = committed();
  find_starts();
  const std::vector<Bdd> open = not_preempted(std::nullopt);
  for (size_t i = 0; i < starts_.size(); ++i) starts_[i].open = open[i];
  note_failing_guards();
  find_who_goes_on();
  std::vector<Draft> drafts;
  for (const Start& start : starts_) {
    watch_.poll();
    if (start.fails || start.open.is_false()) continue;
    for (const Start& part : by_priority(start)) drafts.push_back(draft(part));
  }
  if (system().has_priorities()) apply_priorities(drafts);
  for (Draft& d : drafts) transitions.push_back(finished(std::move(d)));
}

// ---- what can start

void TransitionBuilder::evaluate_guards() {
  for (const Edge& e : system().edges) {
    watch_.poll();
    Guard guard;
    const Bdd at_source =
        encoding_.has_value(system().process(e.process).location, static_cast<int64_t>(e.source), Moment::Now);
    run_.begin(at_source);
    guard.holds = run_.assume_all(e.guard);
    guard.open = guard.holds;
    for (const Evaluator::Failure& f : run_.failures()) {
      guard.failures.push_back({f.what, f.when});
      guard.open |= f.when;
    }
    guards_.push_back(std::move(guard));
  }
}

bool TransitionBuilder::leaves_committed(EdgeId id) const {
  return system().process(edge(id).process).locations[edge(id).source].kind == LocationKind::Committed;
}

Bdd TransitionBuilder::committed() const {
  Bdd out;
  for (const model::Process& process : system().processes) {
    for (size_t l = 0; l < process.locations.size(); ++l) {
      if (process.locations[l].kind != LocationKind::Committed) continue;
      out |= encoding_.has_value(process.location, static_cast<int64_t>(l), Moment::Now);
    }
  }
  return out;
}

void TransitionBuilder::find_starts() {
  std::vector<std::vector<EdgeId>> receivers(system().channels.size());  // by process
  for (const model::Process& process : system().processes) {
    for (const EdgeId id : process.edges) {
      if (edge(id).direction == Direction::Receive) receivers[edge(id).channel.value].push_back(id);
    }
  }
  for (const model::Process& process : system().processes) {
    for (const EdgeId id : process.edges) {
      watch_.poll();
      if (edge(id).direction == Direction::Internal) {
        const Bdd candidate = leaves_committed(id) ? guards_[id.value].open : guards_[id.value].open - committed_;
        if (!candidate.is_false()) starts_.push_back({.first = id, .candidate = candidate});
      }
      if (edge(id).direction == Direction::Send) add_sender(id, receivers);
    }
  }
}

void TransitionBuilder::add_sender(EdgeId id, const std::vector<std::vector<EdgeId>>& receivers) {
  const Guard& guard = guards_[id.value];
  const Bdd failing = guard.open - guard.holds;
  if (!failing.is_false()) starts_.push_back({.first = id, .fails = true, .candidate = failing});
  const bool broadcast = system().channel(edge(id).channel).broadcast;
  Start all{.first = id, .broadcast = broadcast};
  Bdd obeys = leaves_committed(id) ? Bdd(true) : !committed_;
  for (const EdgeId r : receivers[edge(id).channel.value]) {
    watch_.poll();
    if (edge(r).process == edge(id).process) continue;
    const Bdd& open = guards_[r.value].open;
    if (broadcast) {
      if (!intersects(guard.holds, open)) continue;
      all.receivers.push_back(r);
      if (leaves_committed(r)) obeys |= open;
      continue;
    }
    Bdd candidate = guard.holds & open;
    if (!leaves_committed(id) && !leaves_committed(r)) candidate -= committed_;
    if (!candidate.is_false()) starts_.push_back({.first = id, .receivers = {r}, .candidate = candidate});
  }
  all.candidate = guard.holds & obeys;
  if (broadcast && !all.candidate.is_false()) starts_.push_back(std::move(all));
}

Bdd TransitionBuilder::has_control(int64_t value) const {
  return encoding_.has_value(system().control, value, Moment::Now);
}

std::vector<Bdd> TransitionBuilder::not_preempted(std::optional<uint32_t> fixed) const {
  const auto first = [&](const Start& s) -> const Edge& { return edge(s.first); };
  const model::ProcessId claim = system().claim;
  std::vector<Bdd> open;
  Bdd others_can;  // than the claim
  if (claim.valid()) {
    for (const Start& s : starts_) {
      if (first(s).process != claim) others_can |= s.candidate;
    }
  }
  Bdd somebody;  // can start, and does not wait for all to be idle
  for (const Start& s : starts_) {
    watch_.poll();
    const Edge& e = first(s);
    const bool claims = e.process == claim;
    Bdd where = s.candidate;
    if (fixed) {
      if (e.process.value != *fixed || (claims && e.when_idle)) where = Bdd();
    } else if (system().control.valid()) {
      const Bdd own = claims && e.when_idle ? Bdd() : has_control(static_cast<int64_t>(e.process.value) + 1);
      const Bdd free = claims ? (e.when_idle ? has_control(0) - others_can : Bdd()) : has_control(0);
      where &= own | free;
    }
    if (!e.when_idle) somebody |= where;
    open.push_back(std::move(where));
  }
  std::map<std::pair<uint32_t, uint8_t>, Bdd> by_urgency;
  for (size_t i = 0; i < starts_.size(); ++i) {
    if (first(starts_[i]).when_idle) open[i] -= somebody;
    by_urgency[{first(starts_[i]).process.value, first(starts_[i]).urgency}] |= open[i];
  }
  for (size_t i = 0; i < starts_.size(); ++i) {
    const std::pair own(first(starts_[i]).process.value, first(starts_[i]).urgency);
    for (auto more = by_urgency.upper_bound(own); more != by_urgency.end() && more->first.first == own.first; ++more) {
      open[i] -= more->second;
    }
  }
  return open;
}

// Where a guard that matters to it fails.
Bdd TransitionBuilder::fails(const Start& start) const {
  const auto failing = [&](EdgeId id) { return guards_[id.value].open - guards_[id.value].holds; };
  Bdd out = failing(start.first);
  for (const EdgeId r : start.receivers) out |= failing(r);
  return out;
}

void TransitionBuilder::note_failing_guards() {
  for (const Start& start : starts_) {
    std::vector<EdgeId> edges{start.first};
    edges.insert(edges.end(), start.receivers.begin(), start.receivers.end());
    for (const EdgeId id : edges) {
      for (const FailingStates& f : guards_[id.value].failures) {
        const Bdd states = start.open & f.states;
        if (!states.is_false()) failures.push_back({f.what, states});
      }
    }
  }
}

void TransitionBuilder::find_who_goes_on() {
  if (!system().control.valid()) return;
  std::set<uint32_t> keepers;
  for (const Edge& e : system().edges) {
    if (e.keeps_control) keepers.insert(e.process.value);
  }
  const auto& control_bits = encoding_.bits(system().control, Moment::Now);
  for (const uint32_t p : keepers) {
    Bdd& can = goes_on_[p];
    const std::vector<Bdd> open = not_preempted(p);
    for (size_t i = 0; i < starts_.size(); ++i) {
      const Edge& e = edge(starts_[i].first);
      if (e.process.value != p) continue;
      if (!e.when_idle) can |= starts_[i].candidate;
      std::vector<EdgeId> edges{starts_[i].first};
      edges.insert(edges.end(), starts_[i].receivers.begin(), starts_[i].receivers.end());
      for (const EdgeId id : edges) {
        for (const FailingStates& f : guards_[id.value].failures) {
          const Bdd states = open[i] & f.states;
          if (!states.is_false()) fails_to_go_on_[p].push_back({f.what, states});
        }
      }
    }
    for (const int bit : support(can)) {
      if (std::find(control_bits.begin(), control_bits.end(), bit) != control_bits.end()) {
        refuse("a guard that reads who has control", system().process(model::ProcessId(p)).at);
      }
    }
  }
}

// A broadcast by the highest priority among the processes that take part, which depends on who receives.
std::vector<TransitionBuilder::Start> TransitionBuilder::by_priority(const Start& start) const {
  if (!start.broadcast || !system().has_priorities()) return {start};
  const auto priority_of = [&](EdgeId id) { return system().process(edge(id).process).priority; };
  std::map<int32_t, Bdd, std::greater<>> receives;  // where a receiver of that priority takes part
  for (const EdgeId r : start.receivers) {
    if (priority_of(r) > priority_of(start.first)) receives[priority_of(r)] |= guards_[r.value].holds;
  }
  std::vector<Start> out;
  Start rest = start;
  rest.open -= fails(start);
  for (const auto& [level, states] : receives) {
    Start part = rest;
    part.open &= states;
    rest.open -= states;
    std::erase_if(rest.receivers, [&, highest = level](EdgeId r) { return priority_of(r) == highest; });
    if (!part.open.is_false()) out.push_back(std::move(part));
  }
  if (!rest.open.is_false()) out.push_back(std::move(rest));
  return out;
}

// ---- what it does

TransitionBuilder::Draft TransitionBuilder::draft(const Start& start) {
  Draft out;
  const Bdd where = start.open - fails(start);
  run_.begin(where);
  take_parts(start, out.parts);
  if (start.receivers.empty()) bind_slots(edge(start.first).effect);
  run_.execute(system().before_update);
  for (const Transition::Part& part : out.parts) run_.execute_if(part.when, edge(part.edge).effect);
  run_.execute(system().after_update);
  move(out.parts);
  derive();
  out.written = settle();
  pass_control(out.parts, out.written);
  require_invariants(out.written);
  if (system().control.valid()) {
    out.written.insert(std::lower_bound(out.written.begin(), out.written.end(), system().control), system().control);
  }
  out.choices = run_.choices();
  out.conjuncts.push_back(where);
  out.conjuncts.insert(out.conjuncts.end(), run_.conjuncts().begin(), run_.conjuncts().end());
  out.priority = priority(start);
  note_failures(where, failures);
  return out;
}

void TransitionBuilder::take_parts(const Start& start, std::vector<Transition::Part>& parts) {
  parts.push_back({start.first, Bdd(true)});
  if (!start.broadcast) {
    for (const EdgeId r : start.receivers) parts.push_back({r, Bdd(true)});
    return;
  }
  // One receiver of each process; which one is open where several can.
  for (size_t i = 0; i < start.receivers.size();) {
    const model::ProcessId process = edge(start.receivers[i]).process;
    const size_t begin = i;
    Bdd some;
    bool several = false;
    for (; i < start.receivers.size() && edge(start.receivers[i]).process == process; ++i) {
      const Bdd can = run_.alive() & guards_[start.receivers[i].value].holds;
      several = several || intersects(some, can);
      some |= can;
    }
    if (!several) {
      for (size_t k = begin; k < i; ++k) parts.push_back({start.receivers[k], guards_[start.receivers[k].value].holds});
      continue;
    }
    const Number choice = run_.choose(0, i - begin);
    Bdd taken;
    for (size_t k = begin; k < i; ++k) {
      const Bdd when = guards_[start.receivers[k].value].holds & equal(choice, Number(static_cast<int64_t>(k - begin)));
      parts.push_back({start.receivers[k], when});
      taken |= when;
    }
    run_.add_conjunct(taken | !some);
  }
}

void TransitionBuilder::bind_slots(const std::vector<StmtId>& effect) {
  if (!system().has_choices()) return;
  for (const auto& [slot, variable] : bound_slots(system(), effect, accesses_)) run_.bind(slot, variable);
}

void TransitionBuilder::move(const std::vector<Transition::Part>& parts) {
  for (const Transition::Part& part : parts) {
    const Edge& e = edge(part.edge);
    run_.set(system().process(e.process).location, Number(static_cast<int64_t>(e.target)), part.when);
  }
}

// By axiom: whether its body may read something written.
std::vector<bool> TransitionBuilder::derived_anew() const {
  std::vector<bool> written(system().variables.size(), false);
  for (const auto& [v, number] : run_.written()) written[v.value] = true;
  std::vector<bool> out(system().axioms.size(), false);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < out.size(); ++i) {
      const VarId head = system().axioms[i].head;
      if (written[head.value]) continue;
      const std::vector<VarId>& reads = axiom_reads_[i];
      written[head.value] = std::any_of(reads.begin(), reads.end(), [&](VarId v) { return written[v.value]; });
      more = more || written[head.value];
    }
  }
  for (size_t i = 0; i < out.size(); ++i) out[i] = written[system().axioms[i].head.value];
  return out;
}

void TransitionBuilder::derive() {
  const std::vector<model::Axiom>& axioms = system().axioms;
  if (axioms.empty()) return;
  const std::vector<bool> anew = derived_anew();
  for (size_t i = 0; i < axioms.size(); ++i) {
    if (anew[i]) run_.set(axioms[i].head, Number(static_cast<int64_t>(system().variable(axioms[i].head).initial)));
  }
  std::vector<Bdd> known(system().variables.size());  // where a variable has been derived
  for (size_t first = 0, end = 0; first < axioms.size(); first = end) {
    while (end < axioms.size() && axioms[end].layer == axioms[first].layer) ++end;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = first; i < end; ++i) {
        if (!anew[i]) continue;
        watch_.poll();
        Bdd holds = run_.alive();
        for (const model::ExprId condition : axioms[i].body) holds &= run_.evaluate(condition).truth();
        holds -= known[axioms[i].head.value];
        if (holds.is_false()) continue;
        run_.set(axioms[i].head, Number(static_cast<int64_t>(axioms[i].value)), holds);
        known[axioms[i].head.value] |= holds;
        changed = true;
      }
    }
  }
}

// Says what the variables are afterwards, and which have changed.
std::vector<VarId> TransitionBuilder::settle() {
  std::vector<VarId> out;
  for (const auto& [v, number] : run_.written()) {
    if (number == encoding_.number(v, Moment::Now)) continue;
    out.push_back(v);
    run_.add_conjunct(equal(encoding_.number(v, Moment::Next), number));
  }
  return out;
}

void TransitionBuilder::pass_control(const std::vector<Transition::Part>& parts, const std::vector<VarId>& written) {
  if (!system().control.valid()) return;
  std::vector<int> now;
  std::vector<int> next;
  for (const VarId v : written) {
    now.insert(now.end(), encoding_.bits(v, Moment::Now).begin(), encoding_.bits(v, Moment::Now).end());
    next.insert(next.end(), encoding_.bits(v, Moment::Next).begin(), encoding_.bits(v, Moment::Next).end());
  }
  const Renaming afterwards(now, next);
  Number keeper(0);
  for (const Transition::Part& part : parts) {
    if (edge(part.edge).keeps_control) {
      keeper = ite(part.when, Number(static_cast<int64_t>(edge(part.edge).process.value) + 1), keeper);
    }
  }
  const Edge& first = edge(parts.front().edge);
  const bool claims_turn_ends = first.process == system().claim && !first.when_idle;
  Number control(claims_turn_ends ? 0 : static_cast<int64_t>(system().control_at_rest()));
  for (const auto& [p, can] : goes_on_) {
    const Number own(static_cast<int64_t>(p) + 1);
    const Bdd keeps = equal(keeper, own);
    if (keeps.is_false()) continue;
    for (const FailingStates& f : fails_to_go_on_[p]) {
      run_.add_failure(f.what, run_.alive() & keeps & afterwards(f.states));
    }
    control = ite(keeps & afterwards(can), own, control);
  }
  const Number& after = encoding_.number(system().control, Moment::Next);
  run_.add_conjunct(equal(after, control));
  run_.set(system().control, after);
}

void TransitionBuilder::require_invariants(const std::optional<std::vector<VarId>>& written) {
  const auto is_written = [&](VarId v) { return !written || std::binary_search(written->begin(), written->end(), v); };
  for (const model::Process& process : system().processes) {
    const bool moves = is_written(process.location);
    for (size_t l = 0; l < process.locations.size(); ++l) {
      const model::Location& location = process.locations[l];
      if (location.invariant.empty()) continue;
      const std::vector<VarId> reads = accesses_.of(location).reads;
      if (!moves && std::none_of(reads.begin(), reads.end(), is_written)) continue;
      const Bdd here = equal(run_.number(process.location), Number(static_cast<int64_t>(l)));
      if (!here.is_false()) run_.require_if(here, location.invariant);
    }
  }
}

Bdd TransitionBuilder::projected(const Bdd& where, const Evaluator::Failure& failure) const {
  std::vector<Bdd> conjuncts(run_.conjuncts().begin(),
                             run_.conjuncts().begin() + static_cast<std::ptrdiff_t>(failure.conjuncts));
  conjuncts.push_back(failure.when);
  std::vector<int> vanishing;
  for (const Bdd& c : conjuncts) {
    for (const int bit : support(c)) {
      if (encoding_.is_choice(bit) || encoding_.is_next(bit)) vanishing.push_back(bit);
    }
  }
  std::sort(vanishing.begin(), vanishing.end());
  vanishing.erase(std::unique(vanishing.begin(), vanishing.end()), vanishing.end());
  return Product(encoding_.manager(), std::move(conjuncts), vanishing).apply(where);
}

void TransitionBuilder::note_failures(const Bdd& where, std::vector<FailingStates>& out) {
  for (const Evaluator::Failure& failure : run_.failures()) {
    const Bdd states = projected(where, failure);
    if (!states.is_false()) out.push_back({failure.what, states});
  }
}

int64_t TransitionBuilder::priority(const Start& start) const {
  if (!system().has_priorities()) return 0;
  const Edge& first = edge(start.first);
  const int64_t by_channel =
      first.direction == Direction::Internal ? system().internal_priority : system().channel(first.channel).priority;
  int32_t by_process = system().process(first.process).priority;
  for (const EdgeId r : start.receivers) {
    by_process = std::max(by_process, system().process(edge(r).process).priority);
  }
  return by_channel * (int64_t{1} << 32) + by_process;
}

void TransitionBuilder::apply_priorities(std::vector<Draft>& drafts) {
  std::map<int64_t, Bdd> can;
  for (const Draft& d : drafts) {
    watch_.poll();
    can[d.priority] |= Relation(encoding_, d.conjuncts, d.written).sources();
  }
  for (Draft& d : drafts) {
    Bdd blocked;
    for (auto higher = can.upper_bound(d.priority); higher != can.end(); ++higher) blocked |= higher->second;
    d.conjuncts.front() -= blocked;
  }
}

Transition TransitionBuilder::finished(Draft&& d) const {
  return {std::move(d.parts), std::move(d.choices), Relation(encoding_, std::move(d.conjuncts), std::move(d.written)),
          d.priority};
}

Transition TransitionBuilder::beginning() {
  Draft out;
  const auto start = [&] {
    run_.begin(Bdd(true));
    for (size_t v = 0; v < system().variables.size(); ++v) {
      run_.set(VarId(v), Number(static_cast<int64_t>(system().variables[v].initial)));
    }
    derive();
  };
  Bdd permitted(true);
  if (system().beginning.valid()) {
    start();
    permitted = run_.assume_all(edge(system().beginning).guard);
  }
  start();
  if (system().beginning.valid()) {
    out.parts.push_back({system().beginning, Bdd(true)});
    const std::vector<StmtId>& effect = edge(system().beginning).effect;
    bind_slots(effect);
    run_.execute(system().before_update);
    run_.execute(effect);
    run_.execute(system().after_update);
    derive();
    if (system().control.valid()) run_.set(system().control, Number(static_cast<int64_t>(system().control_at_rest())));
  }
  out.written = settle();
  require_invariants(std::nullopt);
  out.choices = run_.choices();
  out.conjuncts = run_.conjuncts();
  out.conjuncts.push_back(permitted);
  note_failures(permitted, beginning_failures);
  return finished(std::move(out));
}

}  // namespace harrier::symbolic
