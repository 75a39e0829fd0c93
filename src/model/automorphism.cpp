#include "model/automorphism.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "model/alike.h"
#include "model/analysis.h"

namespace harrier::model {

namespace {

std::vector<uint32_t> identity(size_t size) {
  std::vector<uint32_t> out(size);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

class Proof {
 public:
  Proof(const System& system, const Property& property, const ValueClasses& classes, Exchange& exchange,
        const Watch& watch)
      : system_(system),
        property_(property),
        classes_(classes),
        exchange_(exchange),
        watch_(watch),
        alike_(system, classes, exchange) {}

  bool succeeds() {
    return are_inverse() && variables() && channels() && control() &&
           alike_.effects(system_.before_update, system_.before_update) &&
           alike_.effects(system_.after_update, system_.after_update) && processes() && clauses() && broadcasts();
  }

 private:
  bool are_inverse() const {
    for (const auto* list : {&exchange_.variables, &exchange_.clocks, &exchange_.channels, &exchange_.processes}) {
      for (uint32_t i = 0; i < list->size(); ++i) {
        if ((*list)[i] >= list->size() || (*list)[(*list)[i]] != i) return false;
      }
    }
    return exchange_.clocks[0] == 0;
  }
  bool variables() const;
  bool channels() const;
  bool control() const;
  bool processes();
  bool edges(uint32_t process);
  bool same_edge(const Edge& a, const Edge& b);
  bool clauses();
  bool same_clause(const Clause& a, const Clause& b);
  bool broadcasts() const;

  const System& system_;
  const Property& property_;
  const ValueClasses& classes_;
  Exchange& exchange_;
  const Watch& watch_;
  Alike alike_;
};

bool Proof::variables() const {
  for (uint32_t i = 0; i < system_.variables.size(); ++i) {
    const uint32_t j = exchange_.variables[i];
    const Variable& v = system_.variables[i];
    const Variable& w = system_.variables[j];
    const uint32_t kind = classes_.of(VarId(i));
    if (v.lo != w.lo || v.hi != w.hi || v.kind != w.kind || exchange_.name(kind, v.initial) != w.initial ||
        exchange_.names[kind] != exchange_.names[classes_.of(VarId(j))]) {
      return false;
    }
    const auto fits = [&](int32_t value) { return v.lo <= value && value <= v.hi; };
    for (const auto& [a, b] : exchange_.names[kind]) {
      if (fits(a) != fits(b)) return false;
    }
  }
  return true;
}

bool Proof::channels() const {
  for (uint32_t i = 0; i < system_.channels.size(); ++i) {
    const Channel& a = system_.channels[i];
    const Channel& b = system_.channels[exchange_.channels[i]];
    if (a.broadcast != b.broadcast || a.urgent != b.urgent || a.priority != b.priority) return false;
  }
  return true;
}

// Its value is 1 + the number of a process.
bool Proof::control() const {
  if (!system_.control.valid()) return true;
  const uint32_t kind = classes_.of(system_.control);
  for (uint32_t p = 0; p < system_.processes.size(); ++p) {
    if (exchange_.name(kind, static_cast<int32_t>(p) + 1) != static_cast<int32_t>(exchange_.processes[p]) + 1) {
      return false;
    }
  }
  return exchange_.name(kind, 0) == 0 && exchange_.variables[system_.control.value] == system_.control.value;
}

bool Proof::processes() {
  for (uint32_t i = 0; i < system_.processes.size(); ++i) {
    watch_.poll();
    const Process& a = system_.processes[i];
    const Process& b = system_.processes[exchange_.processes[i]];
    if (exchange_.variables[a.location.value] != b.location.value ||
        !exchange_.names[classes_.of(a.location)].empty() || a.dynamic != b.dynamic || a.priority != b.priority ||
        a.locations.size() != b.locations.size() || a.edges.size() != b.edges.size()) {
      return false;
    }
    for (size_t l = 0; l < a.locations.size(); ++l) {
      if (a.locations[l].kind != b.locations[l].kind ||
          !alike_.conditions(a.locations[l].invariant, b.locations[l].invariant) ||
          !alike_.constraints(a.locations[l].clock_invariant, b.locations[l].clock_invariant)) {
        return false;
      }
    }
    if (!edges(i)) return false;
  }
  return true;
}

bool Proof::same_edge(const Edge& a, const Edge& b) {
  return a.source == b.source && a.target == b.target && a.direction == b.direction && a.urgency == b.urgency &&
         a.when_idle == b.when_idle && a.keeps_control == b.keeps_control && a.cost == b.cost &&
         a.channel.valid() == b.channel.valid() &&
         (!a.channel.valid() || exchange_.channels[a.channel.value] == b.channel.value) &&
         alike_.conditions(a.guard, b.guard) && alike_.constraints(a.clock_guard, b.clock_guard) &&
         alike_.effects(a.effect, b.effect);
}

// Those of a process are mapped to those of its image. Of edges that are written alike any will do.
bool Proof::edges(uint32_t process) {
  const std::vector<EdgeId>& others = system_.processes[exchange_.processes[process]].edges;
  std::unordered_map<uint64_t, std::vector<EdgeId>> between;  // not taken yet, by source and target
  const auto key = [](const Edge& e) { return uint64_t{e.source} << 32 | e.target; };
  for (auto e = others.rbegin(); e != others.rend(); ++e) between[key(system_.edge(*e))].push_back(*e);
  for (const EdgeId id : system_.processes[process].edges) {
    watch_.poll();
    std::vector<EdgeId>& open = between[key(system_.edge(id))];
    const auto image = std::find_if(open.rbegin(), open.rend(),
                                    [&](EdgeId other) { return same_edge(system_.edge(id), system_.edge(other)); });
    if (image == open.rend()) return false;
    exchange_.edges[id.value] = image->value;
    open.erase(std::next(image).base());
  }
  return true;
}

bool Proof::same_clause(const Clause& a, const Clause& b) {
  return a.deadlock == b.deadlock && a.incomplete == b.incomplete && alike_.conditions(a.conditions, b.conditions) &&
         alike_.constraints(a.clocks, b.clocks);
}

// The first clause that holds, or fails, decides: their order may change only if none fails.
bool Proof::clauses() {
  const std::vector<Clause>& goal = property_.goal;
  std::vector<bool> taken(goal.size());
  bool in_order = true;
  for (uint32_t i = 0; i < goal.size(); ++i) {
    watch_.poll();
    // Most are near to where they were.
    uint32_t image = i;
    while (taken[image] || !same_clause(goal[i], goal[image])) {
      image = (image + 1) % static_cast<uint32_t>(goal.size());
      if (image == i) return false;
    }
    taken[image] = true;
    exchange_.clauses[i] = image;
    in_order = in_order && image == i;
  }
  return in_order || std::none_of(goal.begin(), goal.end(), [&](const Clause& c) { return can_fail(system_, c); });
}

// Where processes that receive are exchanged, their updates come in another order.
bool Proof::broadcasts() const {
  std::vector<bool> reordered(system_.channels.size());
  bool any = false;
  for (const Edge& e : system_.edges) {
    if (e.direction != Direction::Receive || !system_.channel(e.channel).broadcast ||
        exchange_.processes[e.process.value] == e.process.value) {
      continue;
    }
    any = reordered[e.channel.value] = true;
  }
  if (!any) return true;
  Accesses accesses(system_, watch_);
  // By variable and clock: 1 + the process that uses it, and whether one writes it.
  struct Use {
    uint32_t process = 0;
    bool shared = false;
    bool written = false;
  };
  for (uint32_t c = 0; c < reordered.size(); ++c) {
    if (!reordered[c]) continue;
    std::unordered_map<uint64_t, Use> uses;
    const auto use = [&](uint64_t what, uint32_t process, bool writes) {
      Use& u = uses[what];
      u.shared = u.shared || (u.process != 0 && u.process != process + 1);
      u.process = process + 1;
      u.written = u.written || writes;
    };
    for (const Edge& e : system_.edges) {
      if (e.direction != Direction::Receive || e.channel.value != c) continue;
      if (e.keeps_control) return false;
      for (const StmtId s : e.effect) {
        if (can_fail(system_, s)) return false;
        const Access access = accesses.of(s);
        for (const VarId v : access.reads) use(v.value, e.process.value, false);
        for (const VarId v : access.writes) use(v.value, e.process.value, true);
        constexpr uint64_t kClocks = uint64_t{1} << 32;
        for (const ClockId x : access.clocks_read) use(kClocks + x.value, e.process.value, false);
        for (const ClockId x : access.clocks_written) use(kClocks + x.value, e.process.value, true);
      }
    }
    for (const auto& [what, u] : uses) {
      if (u.shared && u.written) return false;
    }
  }
  return true;
}

}  // namespace

Exchange::Exchange(const System& system, const Property& property, const ValueClasses& classes)
    : variables(identity(system.variables.size())),
      clocks(identity(system.clocks.size())),
      channels(identity(system.channels.size())),
      processes(identity(system.processes.size())),
      names(classes.count()),
      edges(identity(system.edges.size())),
      clauses(identity(property.goal.size())) {}

int32_t Exchange::name(uint32_t kind, int32_t value) const {
  for (const auto& [a, b] : names[kind]) {
    if (value == a) return b;
    if (value == b) return a;
  }
  return value;
}

std::string why_no_exchanges(const System& system, const Property& property) {
  if (property.kind != PropertyKind::Reachable && property.kind != PropertyKind::Invariant) {
    return "the property is about more than single states";
  }
  if (system.claim.valid()) return "the model has a claim";
  if (!system.axioms.empty()) return "the model has derived variables";
  if (system.has_choices() || system.beginning.valid()) return "the model has choices, or several initial states";
  return "";
}

bool is_automorphism(const System& system, const Property& property, const ValueClasses& classes, Exchange& exchange,
                     const Watch& watch) {
  return Proof(system, property, classes, exchange, watch).succeeds();
}

}  // namespace harrier::model
