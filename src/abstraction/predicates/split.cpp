#include "abstraction/predicates/split.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace harrier::abstraction {

using model::Direction;

namespace {

// Variables, then clocks.
using Thing = uint32_t;
using Things = std::vector<Thing>;  // sorted

class Interactions {
 public:
  Interactions(const model::System& system, model::Accesses& accesses, const Watch& watch)
      : system_(system), accesses_(accesses), watch_(watch), follows_(system.variables.size() + system.clocks.size()) {}

  // By pair of processes: how many interactions there are from the first to the second.
  std::vector<std::vector<uint64_t>> count() {
    const size_t n = system_.processes.size();
    out_.assign(n, std::vector<uint64_t>(n, 0));
    for (size_t p = 0; p < n; ++p) collect(p);
    for (const auto* updates : {&system_.before_update, &system_.after_update}) {
      for (const model::StmtId id : *updates) follow(accesses_.of(id));
    }
    for (const auto& [thing, writers] : writes_) {
      watch_.poll();
      count_of(thing, writers);
    }
    synchronisations();
    return std::move(out_);
  }

 private:
  Thing thing(model::ClockId clock) const { return static_cast<Thing>(system_.variables.size()) + clock.value; }
  Things reads_of(const model::Access& access) const {
    Things out;
    for (const model::VarId v : access.reads) out.push_back(v.value);
    for (const model::ClockId c : access.clocks_read) out.push_back(thing(c));
    return out;
  }
  void follow(const model::Access& access) {
    for (const model::VarId from : access.reads) {
      for (const model::VarId to : access.writes) follows_[from.value].push_back(to.value);
      for (const model::ClockId to : access.clocks_written) follows_[from.value].push_back(thing(to));
    }
  }

  void collect(size_t p) {
    const model::Process& process = system_.processes[p];
    const auto condition = [&](const model::Access& access) {
      if (Things reads = reads_of(access); !reads.empty()) ++conditions_[std::move(reads)][p];
    };
    for (const model::Location& location : process.locations) {
      for (const model::ExprId e : location.invariant) condition(accesses_.of(e));
      for (const auto& c : location.clock_invariant) condition(accesses_.of(c));
    }
    for (const model::EdgeId id : process.edges) {
      watch_.poll();
      const model::Edge& edge = system_.edge(id);
      for (const model::ExprId e : edge.guard) condition(accesses_.of(e));
      for (const auto& c : edge.clock_guard) condition(accesses_.of(c));
      for (const model::StmtId s : edge.effect) {
        const model::Access access = accesses_.of(s);
        follow(access);
        for (const model::VarId v : access.writes) ++writes_[v.value][p];
        for (const model::ClockId c : access.clocks_written) ++writes_[thing(c)][p];
      }
    }
  }

  void count_of(Thing written, const std::map<size_t, uint64_t>& writers) {
    std::vector<bool> reached(follows_.size(), false);
    Things open{written};
    reached[written] = true;
    while (!open.empty()) {
      const Thing at = open.back();
      open.pop_back();
      for (const Thing next : follows_[at]) {
        if (reached[next]) continue;
        reached[next] = true;
        open.push_back(next);
      }
    }
    for (const auto& [reads, readers] : conditions_) {
      if (std::none_of(reads.begin(), reads.end(), [&](Thing t) { return reached[t]; })) continue;
      for (const auto& [writer, effects] : writers) {
        for (const auto& [reader, conditions] : readers) {
          if (writer != reader) out_[writer][reader] += effects * conditions;
        }
      }
    }
  }

  void synchronisations() {
    const size_t n = system_.processes.size();
    std::vector<std::vector<uint64_t>> senders(system_.channels.size(), std::vector<uint64_t>(n, 0));
    std::vector<std::vector<uint64_t>> receivers = senders;
    for (const model::Edge& edge : system_.edges) {
      if (edge.direction == Direction::Internal) continue;
      auto& of = edge.direction == Direction::Send ? senders : receivers;
      ++of[edge.channel.value][edge.process.value];
    }
    for (size_t c = 0; c < senders.size(); ++c) {
      watch_.poll();
      for (size_t a = 0; a < n; ++a) {
        for (size_t b = 0; b < n; ++b) {
          if (a == b) continue;
          const uint64_t meetings = senders[c][a] * receivers[c][b];
          out_[a][b] += meetings;
          if (!system_.channels[c].broadcast) out_[b][a] += meetings;
        }
      }
    }
  }

  const model::System& system_;
  model::Accesses& accesses_;
  const Watch& watch_;
  std::vector<Things> follows_;                              // by thing: what may get a value that depends on it
  std::map<Thing, std::map<size_t, uint64_t>> writes_;       // by process: number of effects
  std::map<Things, std::map<size_t, uint64_t>> conditions_;  // by what they read and by process: their number
  std::vector<std::vector<uint64_t>> out_;
};

}  // namespace

Split split_network(const model::System& system, model::Accesses& accesses, uint32_t bound, const Watch& watch) {
  const size_t n = system.processes.size();
  Split out;
  if (bound == 0 || bound >= n) {
    out.parts.emplace_back(n);
    std::iota(out.parts[0].begin(), out.parts[0].end(), 0);
    return out;
  }
  std::vector<std::vector<uint64_t>> weight = Interactions(system, accesses, watch).count();
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = 0; b < a; ++b) weight[a][b] = weight[b][a] = weight[a][b] + weight[b][a];
  }
  for (size_t p = 0; p < n; ++p) out.parts.push_back({static_cast<uint32_t>(p)});
  for (;;) {
    watch.poll();
    size_t best_a = 0;
    size_t best_b = 0;
    uint64_t best = 0;
    for (size_t a = 0; a < out.parts.size(); ++a) {
      for (size_t b = a + 1; b < out.parts.size(); ++b) {
        if (out.parts[a].size() + out.parts[b].size() > bound || weight[a][b] <= best) continue;
        best = weight[a][b];
        best_a = a;
        best_b = b;
      }
    }
    if (best == 0) break;
    out.kept += best;
    out.parts[best_a].insert(out.parts[best_a].end(), out.parts[best_b].begin(), out.parts[best_b].end());
    std::sort(out.parts[best_a].begin(), out.parts[best_a].end());
    out.parts.erase(out.parts.begin() + static_cast<std::ptrdiff_t>(best_b));
    for (size_t c = 0; c < weight.size(); ++c) {
      if (c != best_a) weight[best_a][c] = weight[c][best_a] = weight[best_a][c] + weight[best_b][c];
    }
    weight.erase(weight.begin() + static_cast<std::ptrdiff_t>(best_b));
    for (auto& row : weight) row.erase(row.begin() + static_cast<std::ptrdiff_t>(best_b));
  }
  for (size_t a = 0; a < weight.size(); ++a) {
    for (size_t b = a + 1; b < weight.size(); ++b) out.violated += weight[a][b];
  }
  return out;
}

}  // namespace harrier::abstraction
