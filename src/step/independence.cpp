#include "step/independence.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "step/edge_facts.h"

namespace harrier::step {

using model::Direction;
using model::Edge;
using model::System;
using model::VarId;

namespace {

constexpr uint32_t kNobody = UINT32_MAX;
constexpr size_t kMostProcesses = 64;  // Reduction::Set
constexpr size_t kMostLocations = 1 << 14;
constexpr size_t kMostEdges = 1 << 15;

// Channels on which a receiver that becomes ready does not only add transitions: a broadcast takes it along; a send
// that becomes possible takes the place of less urgent edges of its process, or lets the process keep control.
std::vector<bool> noticed_channels(const System& system) {
  struct Place {
    uint8_t least_urgency = UINT8_MAX;  // of the edges that can start a transition there
    bool in_control = false;            // the process can arrive there in control
  };
  std::vector<std::vector<Place>> places;
  for (const model::Process& p : system.processes) places.emplace_back(p.locations.size());
  for (const Edge& e : system.edges) {
    auto& of_process = places[e.process.value];
    if (e.keeps_control) of_process[e.target].in_control = true;
    if (e.direction == Direction::Receive || e.when_idle) continue;
    of_process[e.source].least_urgency = std::min(of_process[e.source].least_urgency, e.urgency);
  }
  std::vector<bool> noticed;
  for (const model::Channel& c : system.channels) noticed.push_back(c.broadcast);
  for (const Edge& e : system.edges) {
    if (e.direction != Direction::Send || e.when_idle) continue;
    const Place& place = places[e.process.value][e.source];
    if (place.in_control || e.urgency > place.least_urgency) noticed[e.channel.value] = true;
  }
  return noticed;
}

// By variable: the process whose location it is.
std::vector<uint32_t> located_processes(const System& system) {
  std::vector<uint32_t> out(system.variables.size(), kNobody);
  for (uint32_t p = 0; p < system.processes.size(); ++p) out[system.processes[p].location.value] = p;
  return out;
}

}  // namespace

std::optional<std::string> hindrance_to_reduction(const System& system, const std::vector<model::Clause>& goal) {
  if (system.clocks.size() > 1) return "the model has clocks";
  if (system.claim.valid()) return "a claim watches every step";
  if (system.has_choices()) return "effects choose values, or there are several initial states";
  if (system.has_priorities()) return "the model has priorities";
  if (!system.before_update.empty() || !system.after_update.empty())
    return "the model has before_update or after_update";
  if (!system.axioms.empty()) return "the model has derived variables";
  if (system.processes.size() < 2) return "there is one process only";
  if (system.processes.size() > kMostProcesses) return "the model has more than 64 processes";
  for (const model::Process& p : system.processes) {
    for (const model::Location& l : p.locations) {
      if (l.kind != model::LocationKind::Normal) return "the model has urgent or committed locations";
      if (!l.invariant.empty()) return "the model has invariants";
    }
  }
  const auto moves = [](const model::Clause& c) { return c.deadlock == model::DeadlockTest::NotDeadlock; };
  if (std::any_of(goal.begin(), goal.end(), moves)) return "the property asks for states that are no deadlocks";
  if (system.edges.size() > kMostEdges) return "the model has too many edges";
  size_t locations = 0;
  for (const model::Process& p : system.processes) locations += p.locations.size();
  if (locations > kMostLocations) return "the model has too many locations";
  return std::nullopt;
}

class Independence::Maker {
 public:
  Maker(Independence& out, const System& system, const std::vector<model::Clause>& goal, bool passing,
        const Watch& watch)
      : out_(out), system_(system), passing_(passing), watch_(watch), facts_maker_(system, watch) {
    noticed_ = noticed_channels(system);
    located_ = located_processes(system);
    find_births();
    for (const Edge& e : system.edges) facts_.push_back(facts_maker_.of(e));
    add_urgent_guards();
    mark_forced();
    find_flags(goal);
    find_visible(goal);
    index_edges();
  }

  bool is_regular() const { return regular_; }

  void make() {
    number_locations();
    find_paths();
    find_settled();
    for (uint32_t p = 0; p < system_.processes.size(); ++p) {
      Bits starting(out_.words_);
      for (const uint32_t e : births_of_[p])
        unite(starting, reaching_[number(system_.edges[e].process.value, system_.edges[e].source)]);
      out_.starting_.push_back(intern(starting));
      for (uint32_t l = 0; l < system_.processes[p].locations.size(); ++l) make_place(p, l);
    }
    choose_passed();
  }

 private:
  using Bits = std::vector<uint64_t>;
  // Locations, and those that count only with a settled condition; these by the condition and the process.
  struct Places {
    Bits always;
    std::map<std::pair<uint32_t, const Condition*>, Bits> parts;
  };

  static void put(Bits& bits, uint32_t at) { bits[at / 64] |= uint64_t{1} << (at % 64); }
  static bool has(const Bits& bits, uint32_t at) { return ((bits[at / 64] >> (at % 64)) & 1) != 0; }
  static void unite(Bits& bits, const Bits& more) {
    for (size_t i = 0; i < bits.size(); ++i) bits[i] |= more[i];
  }
  // It waits until nothing else can start; a receiver starts nothing.
  bool is_idle(uint32_t e) const {
    return system_.edges[e].when_idle && system_.edges[e].direction != Direction::Receive;
  }

  // Edges that start other processes, and which.
  void find_births() {
    born_.resize(system_.edges.size());
    started_at_.resize(system_.processes.size());
    births_of_.resize(system_.processes.size());
    for (uint32_t e = 0; e < system_.edges.size(); ++e) {
      const Edge& edge = system_.edges[e];
      for (const Write& w : facts_maker_.of(edge).writes) {
        const uint32_t child = located_[w.variable.value];
        if (child == kNobody || child == edge.process.value) continue;
        const bool starts = w.kind == Write::Kind::Constants &&
                            std::none_of(w.constants.begin(), w.constants.end(), [](int32_t l) { return l == 0; });
        regular_ = regular_ && starts;
        born_[e].push_back(child);
        births_of_[child].push_back(e);
        for (const int32_t l : w.constants) started_at_[child].push_back(static_cast<uint32_t>(l));
      }
    }
    // Where a process can be started it has to be one that is not running at location 0.
    for (uint32_t p = 0; p < births_of_.size(); ++p) {
      if (births_of_[p].empty()) continue;
      regular_ = regular_ && std::all_of(system_.edges.begin(), system_.edges.end(),
                                         [&](const Edge& e) { return e.process.value != p || e.source != 0; });
    }
  }

  // What a less urgent edge can do depends on the guards of the more urgent ones.
  void add_urgent_guards() {
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> starting;
    for (uint32_t e = 0; e < system_.edges.size(); ++e) {
      const Edge& edge = system_.edges[e];
      if (edge.direction != Direction::Receive) starting[{edge.process.value, edge.source}].push_back(e);
    }
    for (const auto& [at, edges] : starting) {
      for (const uint32_t e : edges) {
        std::vector<VarId>& reads = facts_[e].reads;
        for (const uint32_t other : edges) {
          if (system_.edges[other].urgency <= system_.edges[e].urgency) continue;
          for (const Condition& c : facts_[other].guard) reads.insert(reads.end(), c.reads.begin(), c.reads.end());
          for (auto& [queue, use] : facts_[e].queues) use = QueueUse::Other;
        }
        std::sort(reads.begin(), reads.end());
        reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
      }
    }
  }

  // Who has control goes on with these as soon as they are possible.
  void mark_forced() {
    std::set<std::pair<uint32_t, uint32_t>> in_control;
    for (const Edge& e : system_.edges) {
      if (e.keeps_control) in_control.emplace(e.process.value, e.target);
    }
    for (uint32_t e = 0; e < system_.edges.size(); ++e) {
      const Edge& edge = system_.edges[e];
      facts_[e].forced = edge.direction != Direction::Receive && in_control.contains({edge.process.value, edge.source});
    }
  }

  // A clause that stays true once it is: it reads only variables that no edge reads and that are set to constants, all
  // of which satisfy it. What is written to these matters to nobody.
  void find_flags(const std::vector<model::Clause>& goal) {
    std::vector<bool> read(system_.variables.size());
    for (const EdgeFacts& f : facts_) {
      for (const VarId v : f.reads) read[v.value] = true;
      for (const Condition& c : f.guard) {
        for (const VarId v : c.reads) read[v.value] = true;
      }
    }
    const auto is_stable = [&](const model::Clause& clause) {
      if (clause.deadlock != model::DeadlockTest::Ignore || model::can_fail(system_, clause)) return false;
      return std::all_of(clause.conditions.begin(), clause.conditions.end(), [&](model::ExprId expr) {
        const Condition c = facts_maker_.condition(expr);
        if (c.reads.empty()) return true;
        if (c.reads.size() != 1 || read[c.reads[0].value] || located_[c.reads[0].value] != kNobody) return false;
        return std::all_of(facts_.begin(), facts_.end(), [&](const EdgeFacts& f) {
          const Write* w = f.write_of(c.reads[0]);
          return w == nullptr || (w->kind == Write::Kind::Constants &&
                                  std::all_of(w->constants.begin(), w->constants.end(),
                                              [&](int32_t value) { return facts_maker_.truth(c, value) == true; }));
        });
      });
    };
    std::vector<bool> flag(system_.variables.size());
    for (const bool stable : {true, false}) {
      for (const model::Clause& clause : goal) {
        if (is_stable(clause) != stable) continue;
        if (stable) stable_.push_back(&clause);
        for (const VarId v : facts_maker_.accesses().of(clause).reads) flag[v.value] = stable;
      }
    }
    for (EdgeFacts& f : facts_) std::erase_if(f.writes, [&](const Write& w) { return flag[w.variable.value]; });
  }

  // Edges that can change whether a clause of the goal holds.
  void find_visible(const std::vector<model::Clause>& goal) {
    visible_.resize(system_.edges.size());
    for (const model::Clause& clause : goal) {
      if (std::find(stable_.begin(), stable_.end(), &clause) != stable_.end()) continue;
      if (clause.deadlock == model::DeadlockTest::IsDeadlock && !model::can_fail(system_, clause)) continue;
      for (const model::ExprId expr : clause.conditions) {
        const Condition c = facts_maker_.condition(expr);
        for (uint32_t e = 0; e < system_.edges.size(); ++e) {
          const Edge& edge = system_.edges[e];
          visible_[e] = visible_[e] || facts_maker_.may_make(edge, facts_[e], c, true, nullptr) ||
                        facts_maker_.may_make(edge, facts_[e], c, false, nullptr);
        }
      }
    }
  }

  // By variable, the edges that have to do with it; by channel, its senders and receivers.
  void index_edges() {
    touching_.resize(system_.variables.size());
    writing_.resize(system_.variables.size());
    senders_.resize(system_.channels.size());
    receivers_.resize(system_.channels.size());
    for (uint32_t e = 0; e < system_.edges.size(); ++e) {
      for (const Write& w : facts_[e].writes) writing_[w.variable.value].push_back(e);
      if (is_idle(e)) continue;
      std::vector<VarId> all = facts_[e].reads;
      for (const Condition& c : facts_[e].guard) all.insert(all.end(), c.reads.begin(), c.reads.end());
      for (const Write& w : facts_[e].writes) all.push_back(w.variable);
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
      for (const VarId v : all) touching_[v.value].push_back(e);
      const Edge& edge = system_.edges[e];
      if (edge.direction == Direction::Send) senders_[edge.channel.value].push_back(e);
      if (edge.direction == Direction::Receive) receivers_[edge.channel.value].push_back(e);
    }
  }

  void number_locations() {
    uint32_t count = 0;
    leaving_.resize(system_.processes.size());
    for (uint32_t p = 0; p < system_.processes.size(); ++p) {
      out_.location_.push_back(system_.processes[p].location.value);
      out_.first_.push_back(count);
      count += static_cast<uint32_t>(system_.processes[p].locations.size());
      leaving_[p].resize(system_.processes[p].locations.size());
    }
    for (uint32_t e = 0; e < system_.edges.size(); ++e) {
      if (!is_idle(e)) leaving_[system_.edges[e].process.value][system_.edges[e].source].push_back(e);
    }
    count_ = count;
    out_.words_ = (count + 63) / 64;
  }
  uint32_t number(uint32_t process, uint32_t location) const { return out_.first_[process] + location; }

  // By location: the locations of its process from which it can be reached.
  void find_paths() {
    reaching_.assign(count_, Bits(out_.words_));
    std::vector<std::vector<uint32_t>> back(count_);
    for (uint32_t e = 0; e < system_.edges.size(); ++e) {
      if (is_idle(e)) continue;
      const Edge& edge = system_.edges[e];
      back[number(edge.process.value, edge.target)].push_back(number(edge.process.value, edge.source));
    }
    for (uint32_t p = 0; p < started_at_.size(); ++p) {
      for (const uint32_t l : started_at_[p]) back[number(p, l)].push_back(number(p, 0));
    }
    std::vector<uint32_t> open;
    for (uint32_t l = 0; l < count_; ++l) {
      watch_.poll();
      Bits& bits = reaching_[l];
      put(bits, l);
      open.assign(1, l);
      while (!open.empty()) {
        const uint32_t at = open.back();
        open.pop_back();
        for (const uint32_t before : back[at]) {
          if (has(bits, before)) continue;
          put(bits, before);
          open.push_back(before);
        }
      }
    }
  }

  // The edges that belong to one that takes control, up to where control ends; none if it cannot be told.
  std::optional<std::vector<uint32_t>> in_control(uint32_t e) const {
    std::vector<uint32_t> all{e};
    for (size_t i = 0; i < all.size(); ++i) {
      const Edge& edge = system_.edges[all[i]];
      if (!edge.keeps_control) continue;
      if (!passing_) return std::nullopt;
      for (const uint32_t next : leaving_[edge.process.value][edge.target]) {
        if (system_.edges[next].direction != Direction::Internal) return std::nullopt;
        if (std::find(all.begin(), all.end(), next) == all.end()) all.push_back(next);
      }
    }
    return all;
  }

  bool starts_process_of(uint32_t e, uint32_t process) const {
    return std::find(born_[e].begin(), born_[e].end(), process) != born_[e].end();
  }
  void add_source(Places& places, uint32_t f) const {
    const Edge& edge = system_.edges[f];
    const Bits& source = reaching_[number(edge.process.value, edge.source)];
    if (settled_[f] == nullptr) {
      unite(places.always, source);
    } else {
      unite(places.parts.try_emplace({edge.process.value, settled_[f]}, Bits(out_.words_)).first->second, source);
    }
  }

  // By edge: a condition of its guard that may be settled. Those with the same expression are the same one.
  void find_settled() {
    settled_.resize(system_.edges.size());
    std::map<std::pair<uint32_t, uint32_t>, const Condition*> known;
    for (uint32_t e = 0; e < system_.edges.size(); ++e) {
      const uint32_t process = system_.edges[e].process.value;
      for (const Condition& c : facts_[e].guard) {
        if (c.can_fail) break;
        if (c.reads.empty() ||
            !std::all_of(c.reads.begin(), c.reads.end(), [&](VarId v) { return is_own(process, v); }))
          continue;
        settled_[e] = known.try_emplace({process, c.expr.value}, &c).first->second;
        break;
      }
    }
  }
  // Nobody writes it but this process and those that start it.
  bool is_own(uint32_t process, VarId v) const {
    if (located_[v.value] != kNobody) return false;
    return std::all_of(writing_[v.value].begin(), writing_[v.value].end(), [&](uint32_t e) {
      return system_.edges[e].process.value == process || starts_process_of(e, process);
    });
  }
  // The locations of a process from which it can come to change a condition, other than by its end.
  Bits unsettled(uint32_t process, const Condition& condition) const {
    Bits row(out_.words_);
    for (const VarId v : condition.reads) {
      for (const uint32_t e : writing_[v.value]) {
        const Edge& edge = system_.edges[e];
        if (edge.process.value != process || (edge.target == 0 && !births_of_[process].empty())) continue;
        unite(row, reaching_[number(process, edge.source)]);
      }
    }
    return row;
  }

  // Whether f of another process matters to e. `tested`: it is looked at only where e is possible.
  bool matters(uint32_t e, uint32_t f, bool tested) {
    const Edge& a = system_.edges[e];
    const Edge& b = system_.edges[f];
    if (starts_process_of(f, a.process.value)) return false;
    if (tested && starts_process_of(e, b.process.value)) return false;
    return facts_maker_.collide(facts_[e], facts_[f]) || facts_maker_.disturbs(a, facts_[e], facts_[f]) ||
           facts_maker_.disturbs(b, facts_[f], facts_[e]);
  }

  // Where all begins that matters to one edge, taken alone.
  void add_what_matters(uint32_t e, bool tested, Places& row) {
    watch_.poll();
    const Edge& edge = system_.edges[e];
    std::vector<bool> seen(system_.edges.size());
    const auto look_at = [&](VarId v) {
      for (const uint32_t f : touching_[v.value]) {
        if (seen[f] || system_.edges[f].process == edge.process) continue;
        seen[f] = true;
        if (!has(row.always, number(system_.edges[f].process.value, system_.edges[f].source)) &&
            matters(e, f, tested)) {
          add_source(row, f);
        }
      }
    };
    for (const VarId v : facts_[e].reads) look_at(v);
    for (const Condition& c : facts_[e].guard) std::for_each(c.reads.begin(), c.reads.end(), look_at);
    for (const Write& w : facts_[e].writes) look_at(w.variable);
    const auto add_others = [&](const std::vector<uint32_t>& edges) {
      for (const uint32_t f : edges) {
        if (system_.edges[f].process != edge.process) add_source(row, f);
      }
    };
    if (edge.direction == Direction::Send) add_others(receivers_[edge.channel.value]);
    if (edge.direction == Direction::Receive) add_others(senders_[edge.channel.value]);
    const auto arrive = [&](uint32_t process, uint32_t location) {
      for (const uint32_t next : leaving_[process][location]) {
        const Edge& waiting = system_.edges[next];
        if (waiting.direction == Direction::Receive && noticed_[waiting.channel.value]) {
          add_others(senders_[waiting.channel.value]);
        }
      }
    };
    for (const Write& w : facts_[e].writes) {
      for (const uint32_t f : touching_[w.variable.value]) {
        const Edge& waiting = system_.edges[f];
        if (waiting.direction != Direction::Receive || !noticed_[waiting.channel.value]) continue;
        const bool gets_ready = std::any_of(facts_[f].guard.begin(), facts_[f].guard.end(), [&](const Condition& c) {
          return facts_maker_.may_make(edge, facts_[e], c, true, &facts_[f]);
        });
        if (gets_ready) add_others(senders_[waiting.channel.value]);
      }
    }
    arrive(edge.process.value, edge.target);
    for (const uint32_t child : born_[e]) {
      for (const uint32_t l : started_at_[child]) arrive(child, l);
    }
    if (!visible_[e]) return;
    for (uint32_t f = 0; f < system_.edges.size(); ++f) {
      if (visible_[f] && system_.edges[f].process != edge.process && !is_idle(f)) add_source(row, f);
    }
  }

  Places whole(uint32_t e, bool tested) {
    Places out{.always = Bits(out_.words_), .parts = {}};
    const auto all = in_control(e);
    if (!all) {
      for (uint32_t l = 0; l < count_; ++l) put(out.always, l);
      return out;
    }
    for (const uint32_t each : *all) add_what_matters(each, tested && each == e, out);
    return out;
  }

  Places enablers(uint32_t e, const Condition& condition) {
    Places out{.always = Bits(out_.words_), .parts = {}};
    const Edge& edge = system_.edges[e];
    for (const VarId v : condition.reads) {
      for (const uint32_t f : touching_[v.value]) {
        const Edge& other = system_.edges[f];
        if (other.process == edge.process || starts_process_of(f, edge.process.value)) continue;
        if (facts_maker_.may_make(other, facts_[f], condition, true, &facts_[e])) add_source(out, f);
      }
    }
    return out;
  }

  Row intern(const Bits& bits) {
    const auto [at, fresh] = numbers_.emplace(bits, static_cast<Row>(numbers_.size()));
    if (fresh) out_.rows_.insert(out_.rows_.end(), bits.begin(), bits.end());
    return at->second;
  }
  // Adds all of it to `all`.
  Needs keep(const Places& places, Bits& all) {
    Needs out{.row = intern(places.always), .first_part = static_cast<uint32_t>(out_.parts_.size()), .end_part = 0};
    unite(all, places.always);
    for (const auto& [of, where] : places.parts) {
      const auto& [process, condition] = of;
      const model::ExprId expr[] = {condition->expr};
      out_.parts_.push_back(
          {process, intern(where), out_.program_.condition(expr), intern(unsettled(process, *condition))});
      unite(all, where);
    }
    out.end_part = static_cast<uint32_t>(out_.parts_.size());
    return out;
  }

  void make_place(uint32_t process, uint32_t location) {
    Place place;
    place.first_edge = static_cast<uint32_t>(out_.edges_.size());
    Bits all(out_.words_);
    if (location == 0 && !births_of_[process].empty()) {
      Places births{.always = Bits(out_.words_), .parts = {}};
      for (const uint32_t f : births_of_[process]) add_source(births, f);
      out_.edges_.push_back({keep(births, all), 0, 0});
    }
    for (const uint32_t e : leaving_[process][location]) {
      Outgoing outgoing;
      outgoing.first_test = static_cast<uint32_t>(out_.tests_.size());
      for (const Condition& c : facts_[e].guard) {
        if (c.can_fail) break;
        const model::ExprId expr[] = {c.expr};
        out_.tests_.push_back({out_.program_.condition(expr), keep(enablers(e, c), all)});
      }
      outgoing.end_test = static_cast<uint32_t>(out_.tests_.size());
      const bool tested = outgoing.end_test - outgoing.first_test == facts_[e].guard.size();
      outgoing.whole = keep(whole(e, tested), all);
      out_.edges_.push_back(outgoing);
    }
    place.all = intern(all);
    place.end_edge = static_cast<uint32_t>(out_.edges_.size());
    out_.places_.push_back(place);
  }

  // Locations that may be passed: such that no cycle of the graph of a process consists of them alone, and from which
  // no process is started. One that another process always matters to is none.
  void choose_passed() {
    for (uint32_t p = 0; p < system_.processes.size(); ++p) {
      const auto count = static_cast<uint32_t>(system_.processes[p].locations.size());
      std::vector<bool> candidate(count);
      for (uint32_t l = 0; l < count; ++l) candidate[l] = can_be_alone(p, l);
      enum class Mark : uint8_t { None, Open, Done };
      std::vector<Mark> marks(count, Mark::None);
      // Depth first; where a cycle closes it is cut.
      const auto visit = [&](const auto& self, uint32_t l) -> void {
        marks[l] = Mark::Open;
        for (const uint32_t e : leaving_[p][l]) {
          const uint32_t next = system_.edges[e].target;
          if (!candidate[next]) continue;
          if (marks[next] == Mark::Open) candidate[next] = false;
          if (marks[next] == Mark::None) self(self, next);
        }
        marks[l] = Mark::Done;
      };
      for (uint32_t l = 0; l < count; ++l) {
        if (candidate[l] && marks[l] == Mark::None) visit(visit, l);
      }
      for (uint32_t l = 0; l < count; ++l) out_.places_[number(p, l)].passes = candidate[l];
      if (std::find(candidate.begin(), candidate.end(), true) != candidate.end()) out_.passing_processes_.push_back(p);
    }
  }
  bool can_be_alone(uint32_t process, uint32_t location) const {
    const std::vector<uint32_t>& edges = leaving_[process][location];
    if (edges.empty()) return false;
    if (std::any_of(edges.begin(), edges.end(), [&](uint32_t e) {
          const Edge& edge = system_.edges[e];
          return !born_[e].empty() || edge.keeps_control || edge.direction != Direction::Internal;
        })) {
      return false;
    }
    const Place& place = out_.places_[number(process, location)];
    for (uint32_t q = 0; q < system_.processes.size(); ++q) {
      const auto count = static_cast<uint32_t>(system_.processes[q].locations.size());
      bool always = q != process;
      for (uint32_t l = 0; l < count && always; ++l) {
        if (leaving_[q][l].empty()) continue;
        always = std::all_of(out_.edges_.begin() + place.first_edge, out_.edges_.begin() + place.end_edge,
                             [&](const Outgoing& e) { return out_.contains(e.whole.row, number(q, l)); });
      }
      if (always) return false;
    }
    return true;
  }

  Independence& out_;
  const System& system_;
  bool passing_;
  const Watch& watch_;
  EdgeFactsMaker facts_maker_;
  std::vector<EdgeFacts> facts_;  // by edge
  std::vector<bool> noticed_;     // by channel
  std::vector<uint32_t> located_;
  bool regular_ = true;
  std::vector<std::vector<uint32_t>> born_;        // by edge: processes that it starts
  std::vector<std::vector<uint32_t>> births_of_;   // by process: edges that start it
  std::vector<std::vector<uint32_t>> started_at_;  // by process: locations
  std::vector<const model::Clause*> stable_;
  std::vector<bool> visible_;  // by edge
  std::vector<std::vector<uint32_t>> touching_, writing_, senders_, receivers_;
  std::vector<const Condition*> settled_;                    // by edge, or null
  std::vector<std::vector<std::vector<uint32_t>>> leaving_;  // by process and location
  uint32_t count_ = 0;                                       // of locations
  std::vector<Bits> reaching_;
  std::map<Bits, Row> numbers_;
};

Independence::Independence(const System& system, const std::vector<model::Clause>& goal, bool passing,
                           const Watch& watch)
    : program_(system) {
  if (hindrance_to_reduction(system, goal)) return;
  Maker maker(*this, system, goal, passing, watch);
  if (maker.is_regular()) maker.make();
}

}  // namespace harrier::step
