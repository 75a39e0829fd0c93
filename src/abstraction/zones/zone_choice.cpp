#include "abstraction/zones/zone_choice.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "abstraction/patterns/pattern_text.h"
#include "model/analysis.h"
#include "model/participation.h"
#include "transform/model_projection.h"

namespace harrier::abstraction {

using model::ClockId;
using model::System;
using model::VarId;
using transform::Kept;

namespace {

constexpr uint32_t kNobody = UINT32_MAX;
constexpr uint32_t kSeveral = UINT32_MAX - 1;

// What is kept or dropped together.
struct Unit {
  std::vector<VarId> variables;
  std::vector<ClockId> clocks;
  bool aim = false;   // the goal speaks of it
  double growth = 1;  // by which the zones were more with it, when it was tried last
};

void join(uint32_t& owner, uint32_t process) { owner = owner == kNobody || owner == process ? process : kSeveral; }

void list(std::string& out, const std::string& name) { out += (out.empty() ? "" : ", ") + name; }

AbstractionReport describe(const System& system, const ZoneDatabase& database) {
  AbstractionReport out;
  out.heuristic = "zdb";
  out.states = database.zones();
  out.bytes = database.bytes();
  out.proved = database.initial_distance() == kInfinity;
  std::string processes;
  std::string variables;
  std::string clocks;
  for (const model::Process& p : system.processes) {
    if (database.kept().has(p.location)) list(processes, p.name);
  }
  for (size_t v = 0; v < system.variables.size(); ++v) {
    const model::Variable& variable = system.variables[v];
    if (database.kept().variables[v] && variable.kind == model::VarKind::Data) list(variables, variable.name);
  }
  for (size_t c = 1; c < system.clocks.size(); ++c) {
    if (database.kept().clocks[c]) list(clocks, system.clocks[c].name);
  }
  out.details = {{"processes", processes},
                 {"variables", variables},
                 {"clocks", clocks},
                 {"discrete states", std::to_string(database.states())},
                 {"zones", std::to_string(database.zones())},
                 {"distance", out.proved ? "no way" : std::to_string(database.initial_distance())},
                 {"complete", database.complete() ? "yes" : "no, cut at the limit"}};
  return out;
}

class Choice {
 public:
  Choice(const System& system, const std::vector<model::Clause>& goal, const AbstractionOptions& options,
         const Watch& watch)
      : system_(system),
        watch_(watch),
        start_(ZoneDatabase::Clock::now()),
        projector_(system, goal, watch),
        kept_(Kept::nothing(system)) {
    effort_ = std::min({options.states, options.zones, uint64_t{UINT32_MAX - 2}});
    // Longer than a century is for ever, and would not fit.
    if (options.seconds < 3e9) {
      deadline_ = start_ + std::chrono::duration_cast<ZoneDatabase::Clock::duration>(
                               std::chrono::duration<double>(options.seconds));
    }
    property_.goal = goal;
    find_units();
  }

  // What the patterns name, all of it, and the clocks of its processes.
  ChosenZones run(std::string_view patterns) {
    Kept kept = Kept::nothing(system_);
    for (const std::vector<std::string>& names : names_in_patterns(patterns)) keep(names, kept);
    best_ = explore(projector_.project(kept), effort_);
    return {best_, report()};
  }

  ChosenZones run() {
    Kept aim = kept_;
    Kept all = kept_;
    for (const Unit& u : units_) {
      all = with(std::move(all), u);
      if (u.aim) aim = with(std::move(aim), u);
    }
    const uint64_t zones = effort_;
    if (accept(all, zones / 2)) {
      units_.clear();
    } else if (all != aim && accept(aim, zones)) {
      std::erase_if(units_, [](const Unit& u) { return u.aim; });
      measure(zones / 32);
    }
    while (!units_.empty() && grow()) {
    }
    if (!best_) best_ = explore(projector_.project(aim), zones / 2);  // as far as it goes
    return {best_, report()};
  }

 private:
  const System& system_;
  const Watch& watch_;
  ZoneDatabase::Clock::time_point start_;
  transform::ModelProjector projector_;
  ZoneDatabase::Clock::time_point deadline_ = ZoneDatabase::Clock::time_point::max();
  model::Property property_;
  std::vector<Unit> units_;  // that can still be added
  Kept kept_;                // of the best
  std::shared_ptr<const ZoneDatabase> best_;
  uint64_t effort_ = 0;  // zones that may still be explored
  uint32_t attempts_ = 0;
  bool cut_ = false;  // something did not fit

  // More units make more zones, as a rule.
  bool may_go_on() const { return effort_ > (best_ ? best_->zones() : 0) && ZoneDatabase::Clock::now() < deadline_; }

  // By variable and by clock: the process that it belongs to, kNobody or kSeveral.
  void find_owners(std::vector<uint32_t>& of_variable, std::vector<uint32_t>& of_clock) const {
    model::Accesses accesses(system_, watch_);
    std::vector<uint32_t> reader(system_.clocks.size(), kNobody);
    const auto read = [&](const model::Access& access, uint32_t p) {
      for (const ClockId c : access.clocks_read) join(reader[c.value], p);
    };
    const auto write = [&](const model::Access& access, uint32_t p) {
      for (const VarId v : access.writes) join(of_variable[v.value], p);
      for (const ClockId c : access.clocks_written) join(of_clock[c.value], p);
    };
    for (const model::Edge& e : system_.edges) {
      const model::Access access = accesses.of(e);
      read(access, e.process.value);
      write(access, e.process.value);
    }
    for (const auto* around : {&system_.before_update, &system_.after_update}) {
      for (const model::StmtId s : *around) write(accesses.of(s), kSeveral);
    }
    for (uint32_t p = 0; p < system_.processes.size(); ++p) {
      for (const model::Location& l : system_.processes[p].locations) read(accesses.of(l), p);
      of_variable[system_.processes[p].location.value] = p;
    }
    for (size_t c = 0; c < of_clock.size(); ++c) {
      if (of_clock[c] == kNobody) of_clock[c] = reader[c];
    }
  }

  void find_units() {
    std::vector<uint32_t> of_variable(system_.variables.size(), kNobody);
    std::vector<uint32_t> of_clock(system_.clocks.size(), kNobody);
    find_owners(of_variable, of_clock);
    std::vector<uint32_t> unit_of(system_.processes.size(), kNobody);
    const auto unit = [&](uint32_t owner) -> Unit& {
      if (owner >= kSeveral) return units_.emplace_back();
      if (unit_of[owner] == kNobody) {
        unit_of[owner] = static_cast<uint32_t>(units_.size());
        units_.emplace_back();
      }
      return units_[unit_of[owner]];
    };
    bool aim = true;
    for (const model::Layer& layer : model::dependency_layers(system_, property_, watch_)) {
      for (const VarId v : layer.variables) {
        if (of_variable[v.value] == kNobody) {
          kept_.variables[v.value] = true;  // nobody changes it
          continue;
        }
        Unit& u = unit(of_variable[v.value]);
        u.variables.push_back(v);
        u.aim = u.aim || aim;
      }
      for (const ClockId c : layer.clocks) {
        Unit& u = unit(of_clock[c.value]);
        u.clocks.push_back(c);
        u.aim = u.aim || aim;
      }
      aim = false;
    }
  }

  void keep(const std::vector<std::string>& pattern, Kept& kept) const {
    std::vector<uint32_t> of_variable(system_.variables.size(), kNobody);
    std::vector<uint32_t> of_clock(system_.clocks.size(), kNobody);
    find_owners(of_variable, of_clock);
    std::vector<std::string> names = names_for_users(system_);
    const size_t variables = names.size();
    for (size_t c = 1; c < system_.clocks.size(); ++c) names.push_back(system_.clocks[c].name);
    for (const std::string& name : pattern) {
      const auto at = std::find(names.begin(), names.end(), name);
      if (at == names.end()) refuse_name(name, names);
      const auto i = static_cast<size_t>(at - names.begin());
      if (i >= variables) {
        kept.clocks[i - variables + 1] = true;
        continue;
      }
      kept.variables[i] = true;
      if (system_.variables[i].kind != model::VarKind::Location) continue;
      for (size_t c = 1; c < of_clock.size(); ++c) {
        if (of_clock[c] == of_variable[i]) kept.clocks[c] = true;
      }
    }
  }

  static Kept with(Kept kept, const Unit& unit) {
    for (const VarId v : unit.variables) kept.variables[v.value] = true;
    for (const ClockId c : unit.clocks) kept.clocks[c.value] = true;
    return kept;
  }

  std::shared_ptr<const ZoneDatabase> explore(const transform::ModelProjection& projection, uint64_t zones) {
    ++attempts_;
    auto database = std::make_shared<const ZoneDatabase>(projection, ZoneDatabase::Limits{zones, deadline_}, watch_);
    effort_ -= std::min(effort_, std::max<uint64_t>(1, database->zones()));
    cut_ = cut_ || !database->complete();
    return database;
  }

  // Tries what has not been tried; takes it if it fits and is better than the best. False if it does not fit.
  bool accept(const Kept& kept, uint64_t most_zones, Unit* unit = nullptr) {
    const transform::ModelProjection projection = projector_.project(kept);
    if (best_ && projection.kept == best_->kept()) return true;
    const auto database = explore(projection, std::min(most_zones, effort_));
    if (!database->complete()) return false;
    if (unit != nullptr) unit->growth = growth(*database);
    if (!best_ || database->initial_distance() > best_->initial_distance()) {
      best_ = database;
      kept_ = kept;
    }
    return true;
  }

  // By how much each unit would multiply the zones, where that is cheap to find out.
  void measure(uint64_t zones) {
    if (zones == 0) return;
    for (Unit& u : units_) {
      const transform::ModelProjection projection = projector_.project(with(kept_, u));
      if (projection.kept == best_->kept()) continue;
      if (!may_go_on()) return;
      const auto database = explore(projection, std::min(zones, effort_));
      if (database->complete()) u.growth = growth(*database);
    }
  }

  double growth(const ZoneDatabase& database) const {
    return best_ ? static_cast<double>(database.zones()) / static_cast<double>(best_->zones()) : 1;
  }

  // Adds units that are good for something. False if there are none.
  bool grow() {
    bool changed = false;
    std::vector<Unit> left;
    for (Unit& u : units_) {
      if (!may_go_on()) return false;
      const auto before = best_;
      const double expected = best_ ? static_cast<double>(best_->zones()) * u.growth : 0;
      if (expected > static_cast<double>(effort_)) continue;
      if (!accept(with(kept_, u), effort_, &u)) {
        changed = take_apart(u, left) || changed;
      } else if (best_ == before) {
        left.push_back(std::move(u));
      } else {
        changed = true;
      }
    }
    units_ = std::move(left);
    return changed;
  }

  // False if it is a single thing.
  bool take_apart(const Unit& unit, std::vector<Unit>& parts) const {
    if (unit.variables.size() + unit.clocks.size() < 2) return false;
    Unit core;
    core.clocks = unit.clocks;
    for (const VarId v : unit.variables) {
      if (system_.variable(v).kind == model::VarKind::Location) {
        core.variables.push_back(v);
      } else {
        parts.push_back({{v}, {}, unit.aim, 1});
      }
    }
    // Of these two, a variable alone is the smaller part.
    if (core.variables.size() + core.clocks.size() == unit.variables.size() + unit.clocks.size()) {
      parts.push_back({core.variables, {}, unit.aim, 1});
    } else {
      parts.push_back(std::move(core));
    }
    return true;
  }

  AbstractionReport report() const {
    AbstractionReport out = describe(system_, *best_);
    out.seconds = std::chrono::duration<double>(ZoneDatabase::Clock::now() - start_).count();
    out.details.emplace_back("projections tried", std::to_string(attempts_) + (cut_ ? ", some too large" : ""));
    return out;
  }
};

}  // namespace

ChosenZones choose_zones(const System& system, const std::vector<model::Clause>& goal,
                         const AbstractionOptions& options, const Watch& watch) {
  Choice choice(system, goal, options, watch);
  return options.pattern.empty() ? choice.run() : choice.run(options.pattern);
}

ChosenZones ChosenZones::load(ArchiveReader& in, const System& system, const std::vector<model::Clause>& goal,
                              const Watch& watch) {
  ChosenZones out;
  out.database = std::make_shared<const ZoneDatabase>(
      ZoneDatabase::load(in, system, transform::ModelProjector(system, goal, watch)));
  out.record = describe(system, *out.database);
  return out;
}

}  // namespace harrier::abstraction
