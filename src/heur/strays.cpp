#include "heur/strays.h"

#include <algorithm>

#include "model/analysis.h"

namespace harrier::heur {

namespace {

constexpr uint32_t kNobody = UINT32_MAX;
constexpr uint32_t kSeveral = UINT32_MAX - 1;

// By variable: the one process that writes it.
std::vector<uint32_t> writers(const model::System& system, model::Accesses& accesses) {
  std::vector<uint32_t> out(system.variables.size(), kNobody);
  for (const model::Edge& edge : system.edges) {
    for (const model::VarId v : accesses.of(edge).writes) {
      out[v.value] = out[v.value] == kNobody || out[v.value] == edge.process.value ? edge.process.value : kSeveral;
    }
  }
  for (const auto* updates : {&system.before_update, &system.after_update}) {
    for (const model::StmtId s : *updates) {
      for (const model::VarId v : accesses.of(s).writes) out[v.value] = kSeveral;
    }
  }
  return out;
}

}  // namespace

Strays::Strays(const model::System& system, const std::vector<bool>& taken) : program_(system) {
  model::Accesses accesses(system);
  const std::vector<uint32_t> writer = writers(system, accesses);
  const auto is_private = [&](model::ExprId condition, uint32_t process) {
    const auto reads = accesses.of(condition).reads;
    return std::all_of(reads.begin(), reads.end(),
                       [&](auto v) { return writer[v.value] == process || writer[v.value] == kNobody; });
  };
  first_way_.push_back(0);
  for (uint32_t p = 0; p < system.processes.size(); ++p) {
    const model::Process& process = system.processes[p];
    first_location_.push_back(static_cast<uint32_t>(first_way_.size() - 1));
    for (uint32_t l = 0; l < process.locations.size(); ++l) {
      std::vector<std::vector<model::ExprId>> ways;
      for (const model::EdgeId e : process.edges) {
        if (system.edge(e).source != l || !taken[e.value]) continue;
        std::vector<model::ExprId>& way = ways.emplace_back();
        std::copy_if(system.edge(e).guard.begin(), system.edge(e).guard.end(), std::back_inserter(way),
                     [&](model::ExprId c) { return is_private(c, p); });
      }
      const bool open = std::any_of(ways.begin(), ways.end(), [](const auto& way) { return way.empty(); });
      if (open) ways.clear();
      for (const auto& way : ways) ways_.push_back(program_.condition(way));
      first_way_.push_back(static_cast<uint32_t>(ways_.size()));
    }
  }
  machine_.emplace(program_);
}

bool Strays::strayed(uint32_t process, uint32_t location, const int32_t* values) {
  const uint32_t at = first_location_[process] + location;
  if (first_way_[at] == first_way_[at + 1]) return false;
  try {
    for (uint32_t w = first_way_[at]; w < first_way_[at + 1]; ++w) {
      if (machine_->holds(ways_[w], values)) return false;
    }
  } catch (const model::EvalFailure&) {
    return false;  // whether that matters is for the search to find out
  }
  return true;
}

}  // namespace harrier::heur
