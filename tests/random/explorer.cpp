#include "random/explorer.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace harrier::testing_support {

namespace {

struct ClockValue {
  int32_t whole = 0;
  int32_t rank = 0;

  auto operator<=>(const ClockValue&) const = default;
};

// Index 0 is the constant 0.
using Clocks = std::vector<ClockValue>;

bool satisfies(const Clocks& clocks, const NetAtom& atom) {
  const ClockValue& l = clocks[atom.left];
  const ClockValue& r = clocks[atom.right];
  // l - r = (whole difference) + (fraction in (-1, 1) with the sign of the rank difference)
  const int32_t whole = l.whole - r.whole;
  if (l.rank == r.rank) return atom.strict ? whole < atom.bound : whole <= atom.bound;
  return l.rank > r.rank ? whole < atom.bound : whole <= atom.bound;
}

bool satisfies(const Clocks& clocks, const std::vector<NetAtom>& atoms) {
  return std::all_of(atoms.begin(), atoms.end(), [&](const NetAtom& atom) { return satisfies(clocks, atom); });
}

// All that depends on the values of the variables only.
struct Discrete {
  NetValues values;
  bool invariant_holds = false;
  std::vector<NetAtom> invariant;
  bool time_stops = false;
  std::vector<NetLocation> kinds;
  bool committed = false;
  std::vector<std::vector<NetEdge>> edges;  // by process
  std::vector<std::vector<NetClause>> goals;
  std::vector<bool> fails;  // by query
};

using Move = std::vector<const NetEdge*>;  // edges that fire together, in the order of their updates

struct State {
  uint32_t discrete = 0;
  uint32_t context = 0;  // of the last transition, where switches are counted
  Clocks clocks;

  bool operator==(const State&) const = default;
};

struct StateHash {
  size_t operator()(const State& s) const {
    uint64_t h = (s.discrete + (uint64_t{s.context} << 32)) * 0x9E3779B97F4A7C15ULL + 1;
    for (const ClockValue& c : s.clocks) {
      h = (h ^ static_cast<uint64_t>(c.whole * 64 + c.rank)) * 0xBF58476D1CE4E5B9ULL;
      h ^= h >> 29;
    }
    return static_cast<size_t>(h);
  }
};

class Explorer {
 public:
  Explorer(Network& network, TimeDomain time, SwitchRule* rule, int32_t more = 0)
      : network_(network), time_(time), rule_(rule), largest_(network.largest_constant() + more) {}

  std::optional<RegionGraph> graph(size_t max_states) {
    RegionGraph graph;
    graph.largest = largest_;
    Clocks zero(network_.clocks() + 1);
    const uint32_t first = intern(network_.initial_values());
    if (!discrete_[first].invariant_holds || !satisfies(zero, discrete_[first].invariant)) return graph;
    reach(State{first, 0, std::move(zero)}, 0, false);
    for (uint32_t id = 0; id < states_.size(); ++id) {
      if (states_.size() > max_states) return std::nullopt;
      const State state = *states_[id];
      RegionGraph::State shown;
      shown.values = discrete_[state.discrete].values;
      for (const ClockValue& c : state.clocks) shown.clocks.push_back({c.whole, c.rank != 0});
      for (size_t q = 0; q < network_.queries(); ++q) shown.holds.push_back(holds(state, q));
      shown.fails = discrete_[state.discrete].fails;
      shown.endless = state.clocks.size() == 1 && !discrete_[state.discrete].time_stops;
      if (auto next = delayed(state)) shown.later = reach(std::move(*next), 0, false);
      for (State& next : successors(state)) shown.next.push_back(reach(std::move(next), 0, false));
      graph.states.push_back(std::move(shown));
    }
    return graph;
  }

  Exploration run(size_t max_states) {
    Exploration result;
    result.shortest.resize(network_.queries());
    result.fails.resize(network_.queries());
    Clocks zero(network_.clocks() + 1);
    const uint32_t first = intern(network_.initial_values());
    if (discrete_[first].invariant_holds && satisfies(zero, discrete_[first].invariant)) {
      reach(State{first, 0, std::move(zero)}, 0, true);
    }
    // 0-1 breadth-first search: delays cost nothing, transitions or switches cost 1.
    while (!queue_.empty()) {
      const uint32_t id = queue_.front();
      queue_.pop_front();
      if (done_[id]) continue;
      done_[id] = true;
      if (states_.size() > max_states) return result;
      const State state = *states_[id];
      const uint32_t cost = cost_[id];
      check_goals(state, cost, result);
      if (auto next = delayed(state)) reach(std::move(*next), cost, true);
      for (State& next : successors(state)) {
        const bool free = rule_ != nullptr && (state.context == 0 || !rule_->is_switch(state.context, next.context));
        reach(std::move(next), cost + (free ? 0 : 1), free);
      }
    }
    result.complete = true;
    result.states = states_.size();
    return result;
  }

 private:
  uint32_t intern(const NetValues& values) {
    const auto [it, fresh] = discrete_ids_.try_emplace(values, static_cast<uint32_t>(discrete_.size()));
    if (!fresh) return it->second;
    Discrete d;
    d.values = values;
    d.invariant_holds = network_.invariant(values, d.invariant);
    if (d.invariant_holds) {
      for (uint32_t p = 0; p < network_.processes(); ++p) {
        d.kinds.push_back(network_.location_kind(values, p));
        d.edges.push_back(network_.edges(values, p));
        d.committed = d.committed || d.kinds.back() == NetLocation::Committed;
        d.time_stops = d.time_stops || d.kinds.back() != NetLocation::Normal;
      }
      for (size_t q = 0; q < network_.queries(); ++q) add_goal(d, q);
      d.time_stops = d.time_stops || urgent_sync(d);
    }
    discrete_.push_back(std::move(d));
    return it->second;
  }

  void add_goal(Discrete& d, size_t query) {
    try {
      d.goals.push_back(network_.goal(d.values, query));
      d.fails.push_back(false);
    } catch (const NetQueryFailure&) {
      d.goals.emplace_back();
      d.fails.push_back(true);
    }
  }

  // Edges on urgent channels have no clock guards, so that this does not depend on time.
  static bool urgent_sync(const Discrete& d) {
    for (const auto& senders : d.edges) {
      for (const NetEdge& send : senders) {
        if (send.direction != NetDirection::Send || !send.urgent) continue;
        if (send.broadcast) return true;
        for (const auto& receivers : d.edges) {
          for (const NetEdge& receive : receivers) {
            if (receive.direction == NetDirection::Receive && receive.channel == send.channel &&
                receive.process != send.process) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

  uint32_t reach(State state, uint32_t cost, bool front) {
    const auto [it, fresh] = ids_.try_emplace(std::move(state), static_cast<uint32_t>(states_.size()));
    const uint32_t id = it->second;
    if (fresh) {
      states_.push_back(&it->first);
      cost_.push_back(std::numeric_limits<uint32_t>::max());
      done_.push_back(false);
    }
    if (done_[id] || cost >= cost_[id]) return id;
    cost_[id] = cost;
    if (front) {
      queue_.push_front(id);
    } else {
      queue_.push_back(id);
    }
    return id;
  }

  void check_goals(const State& state, uint32_t cost, Exploration& result) {
    for (size_t q = 0; q < result.shortest.size(); ++q) {
      if (!result.shortest[q] && holds(state, q)) result.shortest[q] = cost;
      if (discrete_[state.discrete].fails[q]) result.fails[q] = true;
    }
  }

  bool holds(const State& state, size_t query) {
    for (const NetClause& clause : discrete_[state.discrete].goals[query]) {
      if (!clause.holds || !satisfies(state.clocks, clause.clocks)) continue;
      if (clause.deadlock == NetDeadlock::Ignore || is_deadlock(state) == (clause.deadlock == NetDeadlock::Is)) {
        return true;
      }
    }
    return false;
  }

  // No transition is possible now or after any delay. Delays may lead round in a circle of regions.
  bool is_deadlock(State state) {
    std::unordered_set<State, StateHash> seen;
    while (seen.insert(state).second) {
      if (!successors(state).empty()) return false;
      auto next = delayed(state);
      if (!next) return true;
      state = std::move(*next);
    }
    return true;
  }

  // ---- time ----
  std::optional<State> delayed(const State& state) {
    const Discrete& d = discrete_[state.discrete];
    if (d.time_stops || state.clocks.size() == 1) return std::nullopt;
    State next = state;
    pass(next.clocks);
    if (!satisfies(next.clocks, d.invariant)) return std::nullopt;
    normalize(next.clocks);
    return next;
  }

  void pass(Clocks& clocks) const {
    if (time_ == TimeDomain::Integer) {
      for (size_t i = 1; i < clocks.size(); ++i) ++clocks[i].whole;
      return;
    }
    const bool on_integer =
        std::any_of(clocks.begin() + 1, clocks.end(), [&](const ClockValue& c) { return c.rank == 0 && !beyond(c); });
    if (on_integer) {
      for (size_t i = 1; i < clocks.size(); ++i) {
        if (!beyond(clocks[i])) ++clocks[i].rank;
      }
      return;
    }
    int32_t top = 0;
    for (size_t i = 1; i < clocks.size(); ++i) top = std::max(top, clocks[i].rank);
    if (top == 0) return;  // all clocks are beyond the largest constant
    for (size_t i = 1; i < clocks.size(); ++i) {
      if (clocks[i].rank == top) clocks[i] = {clocks[i].whole + 1, 0};
    }
  }

  // A clock that `normalize` took out of the order of fractions.
  bool beyond(const ClockValue& c) const { return !network_.has_diagonals() && c.whole > largest_; }

  void normalize(Clocks& clocks) const {
    if (network_.has_diagonals()) {
      shorten_gaps(clocks);
    } else {
      for (size_t i = 1; i < clocks.size(); ++i) {
        // In dense time a clock is beyond M as soon as it has passed it.
        if (clocks[i].whole > largest_ || (clocks[i].whole == largest_ && clocks[i].rank > 0)) {
          clocks[i] = {largest_ + 1, 0};
        }
      }
    }
    // Ranks become 0, 1, 2, … without holes.
    std::vector<int32_t> ranks;
    for (const ClockValue& c : clocks) ranks.push_back(c.rank);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    for (ClockValue& c : clocks) {
      c.rank = static_cast<int32_t>(std::lower_bound(ranks.begin(), ranks.end(), c.rank) - ranks.begin());
    }
  }

  void shorten_gaps(Clocks& clocks) const {
    std::vector<size_t> order(clocks.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return clocks[a] < clocks[b]; });
    for (size_t k = 1; k < order.size(); ++k) {
      const ClockValue low = clocks[order[k - 1]];
      const ClockValue high = clocks[order[k]];
      // The whole part of the distance.
      const int32_t gap = high.whole - low.whole - (high.rank < low.rank ? 1 : 0);
      const int32_t excess = gap - (2 * largest_ + 1);
      if (excess <= 0) continue;
      for (size_t j = k; j < order.size(); ++j) clocks[order[j]].whole -= excess;
    }
  }

  // ---- transitions ----
  // The results of all transitions that can be taken and that no transition of higher priority blocks.
  std::vector<State> successors(const State& state) {
    using Priority = std::pair<int32_t, int32_t>;
    std::vector<std::pair<Priority, State>> all;
    Priority best{std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::min()};
    for (const Move& move : moves(state)) {
      auto next = fire(state, move);
      if (!next) continue;
      // The channel decides first, then the most important process that takes part.
      Priority priority{move.front()->channel_priority, network_.process_priority(move.front()->process)};
      for (const NetEdge* edge : move) {
        priority.second = std::max(priority.second, network_.process_priority(edge->process));
      }
      best = std::max(best, priority);
      all.emplace_back(priority, std::move(*next));
    }
    std::vector<State> out;
    for (auto& [priority, next] : all) {
      if (priority == best) out.push_back(std::move(next));
    }
    return out;
  }

  // The moves whose guards hold and that committed locations allow.
  std::vector<Move> moves(const State& state) {
    const Discrete& d = discrete_[state.discrete];
    std::vector<Move> enabled(d.edges.size());
    for (size_t p = 0; p < d.edges.size(); ++p) {
      for (const NetEdge& edge : d.edges[p]) {
        if (satisfies(state.clocks, edge.clocks)) enabled[p].push_back(&edge);
      }
    }
    std::vector<Move> all;
    for (const auto& own : enabled) {
      for (const NetEdge* edge : own) {
        if (edge->direction == NetDirection::Internal) all.push_back({edge});
        if (edge->direction != NetDirection::Send) continue;
        if (edge->broadcast) {
          add_broadcast(*edge, enabled, all);
        } else {
          add_binary(*edge, enabled, all);
        }
      }
    }
    std::erase_if(all, [&](const Move& move) {
      return d.committed && std::none_of(move.begin(), move.end(), [&](const NetEdge* e) {
               return d.kinds[e->process] == NetLocation::Committed;
             });
    });
    return all;
  }

  static void add_binary(const NetEdge& send, const std::vector<Move>& enabled, std::vector<Move>& all) {
    for (const auto& other : enabled) {
      for (const NetEdge* receive : other) {
        if (receive->direction == NetDirection::Receive && receive->channel == send.channel &&
            receive->process != send.process) {
          all.push_back({&send, receive});
        }
      }
    }
  }

  static void add_broadcast(const NetEdge& send, const std::vector<Move>& enabled, std::vector<Move>& all) {
    std::vector<Move> partial{Move{&send}};
    for (const auto& other : enabled) {
      std::vector<Move> longer;
      for (const NetEdge* receive : other) {
        if (receive->direction != NetDirection::Receive || receive->channel != send.channel ||
            receive->process == send.process) {
          continue;
        }
        for (Move move : partial) {
          move.push_back(receive);
          longer.push_back(std::move(move));
        }
      }
      if (!longer.empty()) partial = std::move(longer);
    }
    all.insert(all.end(), partial.begin(), partial.end());
  }

  std::optional<State> fire(const State& state, const Move& move) {
    NetValues values = discrete_[state.discrete].values;
    std::vector<NetReset> resets;
    std::vector<uint32_t> edges;
    for (const NetEdge* edge : move) edges.push_back(edge->id);
    if (!network_.apply(edges, values, resets)) return std::nullopt;
    State next = state;
    if (rule_ != nullptr) next.context = rule_->context(edges);
    for (const NetReset& reset : resets) next.clocks[reset.clock] = {reset.value, 0};
    next.discrete = intern(values);
    const Discrete& d = discrete_[next.discrete];
    if (!d.invariant_holds || !satisfies(next.clocks, d.invariant)) return std::nullopt;
    normalize(next.clocks);
    return next;
  }

  Network& network_;
  TimeDomain time_;
  SwitchRule* rule_;
  int32_t largest_;
  std::map<NetValues, uint32_t> discrete_ids_;
  std::deque<Discrete> discrete_;  // addresses stay while it grows
  std::unordered_map<State, uint32_t, StateHash> ids_;
  std::vector<const State*> states_;
  std::vector<uint32_t> cost_;
  std::vector<bool> done_;
  std::deque<uint32_t> queue_;
};

}  // namespace

Exploration explore(Network& network, TimeDomain time, size_t max_states) {
  return Explorer(network, time, nullptr).run(max_states);
}

Exploration count_switches(Network& network, size_t max_states, SwitchRule& rule) {
  return Explorer(network, TimeDomain::Dense, &rule).run(max_states);
}

std::optional<RegionGraph> region_graph(Network& network, size_t max_states, int32_t more) {
  return Explorer(network, TimeDomain::Dense, nullptr, more).graph(max_states);
}

}  // namespace harrier::testing_support
