#include "model/dead_values.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "model/analysis.h"

namespace harrier::model {

class DeadValues::Builder {
  using Set = LiveVariables::Set;

 public:
  Builder(DeadValues& out, const System& system, const Property& property, std::span<const ValueSet> values,
          const Watch& watch)
      : out_(out), system_(system), watch_(watch), live_(system, property, values, watch), accesses_(system, watch) {}

  void run() {
    for (size_t p = 0; p < system_.processes.size(); ++p) {
      process_of_[system_.processes[p].location.value] = ProcessId(p);
    }
    for (const auto* const list : {&system_.before_update, &system_.after_update}) {
      for (const StmtId s : *list) {
        for (const VarId v : accesses_.of(s).writes) always_written_.push_back(v);
      }
    }
    std::vector<bool> seen(system_.variables.size());
    for (size_t e = 0; e < system_.edges.size(); ++e) {
      watch_.poll();
      out_.first_.push_back(static_cast<uint32_t>(out_.resets_.size()));
      add(system_.edges[e]);
      for (size_t i = out_.first_.back(); i < out_.resets_.size(); ++i) seen[out_.resets_[i].variable] = true;
    }
    out_.first_.push_back(static_cast<uint32_t>(out_.resets_.size()));
    for (size_t v = 0; v < seen.size(); ++v) {
      if (seen[v]) out_.forgotten_.emplace_back(v);
      if (live_.never(VarId(v))) out_.never_needed_.emplace_back(v);
    }
  }

 private:
  void add(const Edge& e) {
    const auto& needed = live_.at(e.process, e.target);
    Set candidates(system_.variables.size());
    const auto add_lost = [&](const Set& before) {
      before.for_each_besides(needed, [&](size_t v) { candidates.insert(v); });
    };
    add_lost(live_.at(e.process, e.source));
    std::vector<VarId> written = accesses_.of(e).writes;
    written.insert(written.end(), always_written_.begin(), always_written_.end());
    for (const VarId v : written) {
      if (!needed.contains(v.value)) candidates.insert(v.value);
      const auto moved = process_of_.find(v.value);
      if (moved != process_of_.end() && moved->second != e.process) add_lost(live_.somewhere(moved->second));
    }
    candidates.for_each_besides(live_.always(), [&](size_t v) { reset(e, VarId(v)); });
  }

  void reset(const Edge& e, VarId variable) {
    Reset r{variable.value, system_.variable(variable).initial, static_cast<uint32_t>(out_.users_.size()), 0};
    for (size_t p = 0; p < system_.processes.size(); ++p) {
      const ProcessId process(p);
      if (process == e.process || !live_.somewhere(process).contains(variable.value)) continue;
      const std::optional<uint32_t> needs = needs_of(process, variable);
      if (!needs) {
        out_.users_.resize(r.first_user);
        return;
      }
      out_.users_.push_back(
          {system_.processes[p].location.value, *needs, static_cast<uint32_t>(system_.processes[p].locations.size())});
    }
    r.end_user = static_cast<uint32_t>(out_.users_.size());
    out_.resets_.push_back(r);
  }

  // Where the locations at which a process needs a variable are listed; nothing if these are all.
  std::optional<uint32_t> needs_of(ProcessId p, VarId variable) {
    const auto [at, fresh] = needs_.try_emplace({p.value, variable.value});
    if (!fresh) return at->second;
    std::vector<uint8_t> needs;
    for (uint32_t l = 0; l < system_.process(p).locations.size(); ++l) {
      needs.push_back(live_.at(p, l).contains(variable.value) ? 1 : 0);
    }
    if (std::find(needs.begin(), needs.end(), 0) == needs.end()) return std::nullopt;
    at->second = static_cast<uint32_t>(out_.needs_.size());
    out_.needs_.insert(out_.needs_.end(), needs.begin(), needs.end());
    return at->second;
  }

  DeadValues& out_;
  const System& system_;
  const Watch& watch_;
  const LiveVariables live_;
  Accesses accesses_;
  std::map<uint32_t, ProcessId> process_of_;  // by location variable
  std::vector<VarId> always_written_;
  std::map<std::pair<uint32_t, uint32_t>, std::optional<uint32_t>> needs_;  // by process and variable
};

std::vector<DeadValues::Death> DeadValues::deaths(EdgeId edge) const {
  std::vector<Death> out;
  for (uint32_t i = first_[edge.value]; i < first_[edge.value + 1]; ++i) {
    const Reset& r = resets_[i];
    Death& death = out.emplace_back(Death{VarId(r.variable), r.value, {}});
    for (uint32_t u = r.first_user; u < r.end_user; ++u) {
      const uint8_t* const needs = &needs_[users_[u].needs];
      Death::Unless& unless = death.unless.emplace_back(Death::Unless{VarId(users_[u].location), {}});
      for (uint32_t l = 0; l < users_[u].locations; ++l) {
        if (needs[l] != 0) unless.locations.push_back(l);
      }
    }
  }
  return out;
}

DeadValues::DeadValues(const System& system, const Property& property, std::span<const ValueSet> values,
                       const Watch& watch) {
  Builder(*this, system, property, values, watch).run();
}

}  // namespace harrier::model
