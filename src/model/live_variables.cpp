// The sets grow from nothing, edge by edge, until none does any more. An effect is gone through backwards.
#include "model/live_variables.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "model/analysis.h"
#include "model/operators.h"
#include "model/ranges.h"

namespace harrier::model {

namespace {

// The system with domains that hold no more than the values that variables can have.
System with_tight_domains(const System& system, std::span<const ValueSet> sets) {
  System out = system;
  for (size_t v = 0; v < sets.size(); ++v) {
    if (sets[v].wide) continue;
    out.variables[v].lo = sets[v].values.front();
    out.variables[v].hi = sets[v].values.back();
  }
  return out;
}

}  // namespace

// Variables have their numbers in sets, frame slots of effects follow.
class LiveVariables::Analysis {
 public:
  Analysis(LiveVariables& out, const System& system, const Property& property, std::span<const ValueSet> values,
           const Watch& watch)
      : out_(out),
        system_(system),
        tight_(with_tight_domains(system, values)),
        watch_(watch),
        accesses_(tight_, watch),
        variables_(system.variables.size()),
        size_(variables_ + system.quantifier_slots),
        pushed_guards_(system.channels.size(), Set(size_)),
        pushed_effects_(system.channels.size(), Set(size_)) {
    out_.always_ = Set(size_);
    out_.somewhere_.assign(system.processes.size(), Set(size_));
    for (const Process& p : system.processes) out_.at_.emplace_back(p.locations.size(), Set(size_));
    find_always(property);
    find_homes();
    for (size_t p = 0; p < system.processes.size(); ++p) {
      for (size_t l = 0; l < system.processes[p].locations.size(); ++l) {
        Set uses(size_);
        const Location& location = system.processes[p].locations[l];
        for (const ExprId e : location.invariant) read(e, uses);
        for (const ClockConstraint& c : location.clock_invariant) read(c, uses);
        grow(p, l, uses);
      }
    }
  }

  void run() {
    do {
      changed_ = false;
      for (size_t i = system_.edges.size(); i-- > 0;) {
        watch_.poll();
        if (system_.beginning != EdgeId(i)) apply(system_.edges[i]);
      }
    } while (changed_);
  }

 private:
  struct Reads {
    bool fails = false;
    std::vector<uint32_t> numbers;  // of variables and slots
    std::vector<uint32_t> writes;   // of variables
    bool acts = false;              // otherwise: on slots or clocks

    bool writes_something() const { return acts || !writes.empty(); }
  };

  void find_always(const Property& property) {
    Set& always = out_.always_;
    const auto clauses = [&](const std::vector<Clause>& list) {
      for (const Clause& clause : list) {
        for (const ExprId e : clause.conditions) read(e, always);
        for (const ClockConstraint& c : clause.clocks) read(c, always);
      }
    };
    clauses(property.goal);
    clauses(property.premise);
    for (const std::vector<Clause>& set : property.accepting) clauses(set);
    for (const FormulaNode& node : property.formula) read(node.condition, always);
    for (const Term& term : property.terms) read(term.expr, always);
    for (const Axiom& axiom : system_.axioms) {
      always.insert(axiom.head.value);
      for (const ExprId e : axiom.body) read(e, always);
    }
    for (const auto* const list : {&system_.before_update, &system_.after_update}) {
      for (const StmtId s : *list) {
        for (const VarId v : accesses_.of(s).reads) always.insert(v.value);
      }
    }
    for (size_t v = 0; v < variables_; ++v) {
      if (system_.variables[v].kind == VarKind::Location) always.insert(v);
    }
    if (system_.control.valid()) always.insert(system_.control.value);
  }

  // Where a variable is at home: in processes that write it, or use it without a partner.
  void find_homes() {
    homes_.assign(system_.processes.size(), Set(size_));
    for (size_t p = 0; p < system_.processes.size(); ++p) {
      for (const Location& l : system_.processes[p].locations) {
        for (const VarId v : accesses_.of(l).reads) homes_[p].insert(v.value);
      }
    }
    senders_.resize(system_.channels.size());
    receivers_.resize(system_.channels.size());
    for (const Edge& e : system_.edges) {
      const Access access = accesses_.of(e);
      for (const VarId v : access.writes) homes_[e.process.value].insert(v.value);
      if (is_binary(e)) {
        (e.direction == Direction::Send ? senders_ : receivers_)[e.channel.value].push_back(&e);
      } else {
        for (const VarId v : access.reads) homes_[e.process.value].insert(v.value);
      }
    }
  }

  bool is_binary(const Edge& e) const {
    return e.direction != Direction::Internal && !system_.channel(e.channel).broadcast;
  }
  // Whether what an edge reads of a variable counts for its partners: it is at home with all of these, not here.
  bool counts_for(const std::vector<const Edge*>& partners, const Edge& e, uint32_t variable) const {
    return !homes_[e.process.value].contains(variable) && std::any_of(partners.begin(), partners.end(), [&](auto* p) {
      return p->process != e.process && homes_[p->process.value].contains(variable);
    });
  }

  void apply(const Edge& e) {
    const uint32_t p = e.process.value;
    process_ = p;
    live_ = out_.at_[p][e.target];
    uses_ = Set(size_);
    for (const StmtId s : e.effect) note_births(s);
    const bool binary = is_binary(e);
    if (binary && e.direction == Direction::Send) uses_.join(pushed_effects_[e.channel.value]);
    for (size_t i = e.effect.size(); i-- > 0;) statement(e.effect[i]);
    Set guards(size_);
    bool guard_fails = false;
    for (const ExprId g : e.guard) {
      guard_fails = guard_fails || reads_of(g).fails;
      read(g, guards);
    }
    for (const ClockConstraint& c : e.clock_guard) {
      guard_fails = guard_fails || can_fail(tight_, Clause{{}, {c}});
      read(c, guards);
    }
    if (binary && e.direction == Direction::Receive) {
      const bool effects = move_to(senders_[e.channel.value], e, uses_, pushed_effects_[e.channel.value]);
      const bool conditions = move_to(senders_[e.channel.value], e, guards, pushed_guards_[e.channel.value]);
      changed_ = changed_ || effects || conditions;
    } else if (binary) {
      guards.join(pushed_guards_[e.channel.value]);
      // A guard that can fail does so whether anybody receives or not.
      if (!guard_fails) pull(e, guards);
      pull(e, uses_);
    }
    live_.join(uses_);
    live_.join(guards);
    grow(p, e.source, live_);
  }

  // What counts for partners goes from one set to another. True if that one grows.
  bool move_to(const std::vector<const Edge*>& partners, const Edge& e, Set& from, Set& to) {
    Set moved(size_);
    for (uint32_t v = 0; v < variables_; ++v) {
      if (!from.contains(v) || !counts_for(partners, e, v)) continue;
      from.erase(v);
      moved.insert(v);
    }
    return to.join(moved);
  }
  void pull(const Edge& e, Set& uses) {
    const std::vector<const Edge*>& partners = receivers_[e.channel.value];
    Set moved(size_);
    move_to(partners, e, uses, moved);
    for (const Edge* partner : partners) {
      if (partner->process != e.process) grow(partner->process.value, partner->source, moved);
    }
  }

  void grow(size_t p, size_t location, Set& by) {
    for (size_t slot = variables_; slot < size_; ++slot) by.erase(slot);
    if (!out_.at_[p][location].join(by)) return;
    out_.somewhere_[p].join(by);
    changed_ = true;
  }

  // An edge that sets the location of another process lets that one go on from there.
  void note_births(StmtId id) {
    const Stmt& s = system_.stmt(id);
    if (s.kind == StmtKind::Expr) {
      const Expr& e = system_.expr(s.expr);
      if (e.op == Op::Store && !e.a.valid() && reads_of(e.b).writes.empty()) {
        born(VarId(e.base), system_.constant(e.b));
        return;
      }
    }
    for (const VarId v : accesses_.of(id).writes) born(v, std::nullopt);
  }
  void born(VarId location, std::optional<int32_t> value) {
    if (system_.variable(location).kind != VarKind::Location) return;
    for (size_t c = 0; c < system_.processes.size(); ++c) {
      if (system_.processes[c].location != location || c == process_) continue;
      const bool known = value && *value >= 0 && static_cast<size_t>(*value) < out_.at_[c].size();
      live_.join(known ? out_.at_[c][static_cast<size_t>(*value)] : out_.somewhere_[c]);
    }
  }

  // Backwards: `live_` and `uses_` are what is wanted after it, and become what is wanted before.
  void statement(StmtId id) {
    if (!id.valid()) return;
    const Stmt& s = system_.stmt(id);
    switch (s.kind) {
      case StmtKind::Expr: top(s.expr); return;
      case StmtKind::Block: {
        const auto block = system_.block(s);
        for (size_t i = block.size(); i-- > 0;) statement(block[i]);
        return;
      }
      case StmtKind::If: branches(s); return;
      case StmtKind::While: loop(s); return;
      case StmtKind::Choose:
        // What else is chosen, and whether, must not depend on what is left out.
        matters_ = true;
        live_.erase(variables_ + s.first);
        uses_.erase(variables_ + s.first);
        return;
      case StmtKind::Return:
      case StmtKind::Reset:
      case StmtKind::Assume:
        matters_ = true;
        use(s.expr);
        use(s.offset);
        return;
    }
  }

  void branches(const Stmt& s) {
    const bool mattered = std::exchange(matters_, false);
    const Set live = live_;
    const Set uses = uses_;
    statement(s.a);
    Set live_then = std::exchange(live_, live);
    Set uses_then = std::exchange(uses_, uses);
    statement(s.b);
    live_.join(live_then);
    uses_.join(uses_then);
    const Reads& condition = reads_of(s.expr);
    if (matters_ || condition.fails || condition.writes_something()) use(s.expr);
    matters_ = matters_ || mattered;
  }

  // Whether it ends is always of interest.
  void loop(const Stmt& s) {
    use(s.expr);
    bool grows = true;
    while (grows) {
      Set live = live_;
      Set uses = uses_;
      statement(s.a);
      use(s.expr);
      grows = live.join(live_);
      grows = uses.join(uses_) || grows;
      live_ = std::move(live);
      uses_ = std::move(uses);
    }
  }

  // An expression whose value nobody asks for.
  void top(ExprId id) {
    const Expr& e = system_.expr(id);
    const auto plain = [&](ExprId part) { return !part.valid() || !reads_of(part).writes_something(); };
    if (e.op == Op::Comma) {
      top(e.b);
      top(e.a);
    } else if (e.op == Op::Store && plain(e.a) && plain(e.b)) {
      store(e);
    } else if (e.op == Op::StoreLocal && plain(e.a) && plain(e.b)) {
      store_local(e);
    } else {
      const Reads& reads = reads_of(id);
      const bool needed =
          std::any_of(reads.writes.begin(), reads.writes.end(), [&](uint32_t v) { return is_needed(v); });
      if (needed || reads.fails || reads.acts) use(id);
    }
  }

  void store(const Expr& e) {
    uint32_t first = e.base;
    uint32_t last = e.base;
    bool index_fails = false;
    if (e.a.valid()) {
      const Interval index = range_of(tight_, e.a);
      index_fails = reads_of(e.a).fails || index.lo < 0 || index.hi >= e.count;
      first += static_cast<uint32_t>(std::clamp<int64_t>(index.lo, 0, int64_t{e.count} - 1));
      last += static_cast<uint32_t>(std::clamp<int64_t>(index.hi, 0, int64_t{e.count} - 1));
    }
    const Interval value = range_of(tight_, e.b);
    bool value_fails = reads_of(e.b).fails;
    bool needed = false;
    for (uint32_t v = first; v <= last; ++v) {
      const Variable& target = system_.variables[v];
      value_fails = value_fails || value.lo < target.lo || value.hi > target.hi;
      needed = needed || is_needed(v);
    }
    if (first == last) {
      live_.erase(first);
      uses_.erase(first);
    }
    if (needed || index_fails) use(e.a);
    if (needed || value_fails) use(e.b);
  }

  void store_local(const Expr& e) {
    const uint32_t count = e.a.valid() ? e.count : 1;
    bool needed = reads_of(e.b).fails;
    for (uint32_t i = 0; i < count; ++i) needed = needed || is_needed(variables_ + e.base + i);
    if (!e.a.valid()) {
      live_.erase(variables_ + e.base);
      uses_.erase(variables_ + e.base);
    }
    if (e.a.valid()) use(e.a);
    if (needed) use(e.b);
  }

  bool is_needed(size_t v) const {
    if (live_.contains(v) || uses_.contains(v) || out_.always_.contains(v)) return true;
    for (size_t q = 0; q < out_.somewhere_.size(); ++q) {
      if (q != process_ && out_.somewhere_[q].contains(v)) return true;
    }
    return false;
  }

  // Its value is wanted, or whether it fails.
  void use(ExprId id) {
    if (!id.valid()) return;
    matters_ = true;
    read(id, uses_);
  }

  void read(ExprId id, Set& into) {
    if (!id.valid()) return;
    for (const uint32_t number : reads_of(id).numbers) into.insert(number);
  }
  void read(const ClockConstraint& c, Set& into) {
    read(c.condition, into);
    read(c.bound, into);
  }

  const Reads& reads_of(ExprId id) {
    const auto [at, fresh] = reads_.try_emplace(id.value);
    Reads& reads = at->second;
    if (!fresh) return reads;
    const Access access = accesses_.of(id);
    for (const VarId v : access.reads) reads.numbers.push_back(v.value);
    for (const VarId v : access.writes) reads.writes.push_back(v.value);
    reads.fails = can_fail(tight_, id);
    reads.acts = !access.clocks_written.empty();
    find_slots(id, reads);
    return reads;
  }
  void find_slots(ExprId id, Reads& reads) const {
    if (!id.valid()) return;
    const Expr& e = system_.expr(id);
    if (e.op == Op::Local || e.op == Op::LoadLocal) {
      const uint32_t count = e.op == Op::Local ? 1 : e.count;
      for (uint32_t i = 0; i < count; ++i) {
        reads.numbers.push_back(static_cast<uint32_t>(variables_) + e.base + i);
      }
    }
    reads.acts = reads.acts || e.op == Op::StoreLocal;
    if (e.op == Op::Call) {
      for (const ExprId argument : system_.call_arguments(e)) find_slots(argument, reads);
      return;
    }
    for (const ExprId part : {e.a, e.b, e.c}) find_slots(part, reads);
  }

  LiveVariables& out_;
  const System& system_;
  const System tight_;
  const Watch& watch_;
  Accesses accesses_;
  const size_t variables_;
  const size_t size_;
  std::unordered_map<uint32_t, Reads> reads_;      // by expression
  std::vector<Set> homes_;                         // by process
  std::vector<std::vector<const Edge*>> senders_;  // by binary channel
  std::vector<std::vector<const Edge*>> receivers_;
  // What edges that receive read, as far as it counts for their senders, by channel: in guards, and in effects.
  std::vector<Set> pushed_guards_;
  std::vector<Set> pushed_effects_;
  bool changed_ = false;
  // The edge at hand: its process, what is wanted at its target or by other locations, and what it reads itself.
  size_t process_ = 0;
  Set live_;
  Set uses_;
  bool matters_ = false;  // something in the branch at hand did
};

LiveVariables::LiveVariables(const System& system, const Property& property, std::span<const ValueSet> values,
                             const Watch& watch) {
  Analysis(*this, system, property, values, watch).run();
}

bool LiveVariables::never(VarId v) const {
  return !always_.contains(v.value) &&
         std::none_of(somewhere_.begin(), somewhere_.end(), [&](const Set& set) { return set.contains(v.value); });
}

}  // namespace harrier::model
