#include "model/symmetry.h"

#include <algorithm>
#include <map>
#include <optional>

#include "model/exchange_guess.h"
#include "model/value_classes.h"

namespace harrier::model {

namespace {

// Of groups that a process is tried with, the last ones.
constexpr size_t kMostTries = 8;
// Each exchange is compared with the whole system. In a large one of many processes some groups stay small.
constexpr uint64_t kMostWork = 4'000'000;

class Finder {
 public:
  Finder(const System& system, const Property& property, const Watch& watch)
      : system_(system),
        property_(property),
        watch_(watch),
        classes_(system, property, watch),
        guesser_(system, property, classes_, watch),
        size_(system.variables.size() + system.clocks.size() + system.channels.size() + system.edges.size() +
              property.goal.size()),
        moved_(system.processes.size()) {}

  // The groups of processes of a type, in their order.
  void find(const std::vector<ProcessId>& alike, std::vector<SymmetricGroup>& out) {
    std::vector<SymmetricGroup> groups;
    for (const ProcessId p : alike) {
      if (moved_[p.value]) continue;
      bool placed = false;
      for (size_t i = groups.size(); i-- > 0 && !placed && groups.size() - i <= kMostTries;) {
        SymmetricGroup& group = groups[i];
        std::optional<Exchange> exchange = proved(group.members.back(), p);
        if (!exchange) continue;
        take_along(*exchange, group.members.back(), p);
        group.members.push_back(p);
        group.exchanges.push_back(std::move(*exchange));
        placed = true;
      }
      if (!placed) groups.push_back({{p}, {}});
    }
    for (SymmetricGroup& group : groups) {
      if (!group.exchanges.empty()) out.push_back(std::move(group));
    }
  }

  std::vector<uint32_t> kinds() const {
    std::vector<uint32_t> out;
    for (uint32_t v = 0; v < system_.variables.size(); ++v) out.push_back(classes_.of(VarId(v)));
    return out;
  }

 private:
  // What is exchanged with these two is no group of its own.
  void take_along(const Exchange& exchange, ProcessId a, ProcessId b) {
    for (uint32_t p = 0; p < moved_.size(); ++p) {
      if (exchange.processes[p] != p && p != a.value && p != b.value) moved_[p] = true;
    }
  }
  std::optional<Exchange> proved(ProcessId a, ProcessId b) {
    work_ += size_;
    if (work_ > kMostWork) return std::nullopt;
    std::optional<Exchange> out = guesser_.guess(a, b);
    if (out && !is_automorphism(system_, property_, classes_, *out, watch_)) out.reset();
    return out;
  }

  const System& system_;
  const Property& property_;
  const Watch& watch_;
  ValueClasses classes_;
  ExchangeGuesser guesser_;
  uint64_t size_;
  uint64_t work_ = 0;
  std::vector<bool> moved_;  // with the processes of a group
};

}  // namespace

uint64_t Symmetry::processes() const {
  uint64_t sum = 0;
  for (const SymmetricGroup& group : groups) sum += group.members.size();
  return sum;
}

Symmetry find_symmetry(const System& system, const Property& property, const Watch& watch) {
  Symmetry out;
  std::map<std::string, std::vector<ProcessId>> by_type;
  for (uint32_t p = 0; p < system.processes.size(); ++p) by_type[system.processes[p].type].push_back(ProcessId(p));
  const bool alone = std::all_of(by_type.begin(), by_type.end(), [](const auto& t) { return t.second.size() == 1; });
  out.reason = alone ? "no two processes are of one type" : why_no_exchanges(system, property);
  if (!out.reason.empty()) return out;
  Finder finder(system, property, watch);
  out.kinds = finder.kinds();
  for (const auto& [type, processes] : by_type) {
    if (processes.size() > 1) finder.find(processes, out.groups);
  }
  if (out.groups.empty()) out.reason = "no two processes of a type can be shown to be interchangeable";
  return out;
}

}  // namespace harrier::model
