// First it is settled what can be kept, then the edges are made anew.
#include "transform/model_projection.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "model/printer.h"

namespace harrier::transform {

using namespace model;

namespace {

// An edge becomes at most so many because of values that are not known.
constexpr size_t kMostChoices = 16;

}  // namespace

Kept Kept::nothing(const System& system) {
  Kept out{std::vector<bool>(system.variables.size(), false), std::vector<bool>(system.clocks.size(), false)};
  out.clocks[0] = true;
  return out;
}

Kept Kept::everything(const System& system) {
  return {std::vector<bool>(system.variables.size(), true), std::vector<bool>(system.clocks.size(), true)};
}

class ModelProjector::Builder {
 public:
  Builder(const ModelProjector& projector, Kept kept)
      : projector_(projector),
        out_{std::move(kept), projector.system_, {}},
        system_(out_.system),
        kept_(out_.kept),
        accesses_(system_, projector.watch_) {
    out_.property.goal = projector.goal_;
    kept_.clocks[0] = true;
  }

  ModelProjection run() {
    if (kept_ == Kept::everything(system_)) return std::move(out_);
    // Control follows rules of its own, which are gone.
    if (system_.control.valid()) kept_.variables[system_.control.value] = false;
    while (!settle()) {
    }
    project_edges();
    drop_idle_edges();
    add_company();
    relax_committed();
    relax_urgent_channels();
    project_locations();
    level();
    project_updates();
    project_axioms();
    project_goal();
    narrow_variables();
    store_edges();
    return std::move(out_);
  }

 private:
  // A part of an effect: a statement, or a variable that gets any value.
  struct Item {
    StmtId statement;
    VarId unknown;
  };
  struct Made {
    Edge edge;
    bool weaker = false;          // than the original: a part of its guard is gone, or its process
    bool from_committed = false;  // the original's source
  };

  const ModelProjector& projector_;
  ModelProjection out_;
  System& system_;
  Kept& kept_;
  model::Accesses accesses_;
  std::vector<Made> edges_;

  bool keeps(const Process& p) const { return kept_.has(p.location); }
  bool keeps(const Edge& e) const { return keeps(system_.process(e.process)); }
  template <class Ids>
  bool all_kept(const Ids& ids) const {
    return std::all_of(ids.begin(), ids.end(), [&](auto id) { return kept_.has(id); });
  }
  template <class Ids>
  bool none_kept(const Ids& ids) const {
    return std::none_of(ids.begin(), ids.end(), [&](auto id) { return kept_.has(id); });
  }
  // It has to do with nothing that is dropped.
  bool is_inside(const Access& a) const {
    return all_kept(a.reads) && all_kept(a.writes) && all_kept(a.clocks_read) && all_kept(a.clocks_written);
  }
  bool is_inside(ExprId e) { return !e.valid() || is_inside(accesses_.of(e)); }

  // The parts of an effect that matter.
  std::vector<Item> items(const std::vector<StmtId>& effect, std::vector<ClockId>& lost) {
    std::vector<Item> out;
    for (const StmtId s : effect) add_items(s, out, lost);
    return out;
  }

  // `lost` gets clocks that would be set to an unknown value.
  void add_items(StmtId id, std::vector<Item>& out, std::vector<ClockId>& lost) {
    const Access access = accesses_.of(id);
    if (none_kept(access.writes) && none_kept(access.clocks_written)) return;
    if (is_inside(access)) {
      out.push_back({id, {}});
      return;
    }
    const Stmt s = system_.stmt(id);
    if (s.kind == StmtKind::Block) {
      const auto block = system_.block(s);
      for (const StmtId part : std::vector<StmtId>(block.begin(), block.end())) add_items(part, out, lost);
      return;
    }
    if (s.kind == StmtKind::Expr && system_.expr(s.expr).op == Op::Comma) {
      const Expr comma = system_.expr(s.expr);
      add_items(system_.make_expr_stmt(comma.a, s.at), out, lost);
      add_items(system_.make_expr_stmt(comma.b, s.at), out, lost);
      return;
    }
    if (s.kind == StmtKind::If && is_inside(s.expr) && add_branches(s, out)) return;
    for (const VarId v : access.writes) {
      if (kept_.has(v)) out.push_back({{}, v});
    }
    for (const ClockId c : access.clocks_written) {
      if (kept_.has(c)) lost.push_back(c);
    }
  }

  // An alternative whose branches can be projected to statements.
  bool add_branches(const Stmt& s, std::vector<Item>& out) {
    std::vector<ClockId> lost;
    StmtId branches[2];
    for (const auto& [from, to] : {std::pair(s.a, &branches[0]), std::pair(s.b, &branches[1])}) {
      std::vector<Item> parts;
      if (from.valid()) add_items(from, parts, lost);
      std::vector<StmtId> statements;
      for (const Item& part : parts) {
        if (part.unknown.valid()) return false;
        statements.push_back(part.statement);
      }
      if (!lost.empty()) return false;
      if (from.valid()) *to = system_.make_block(statements, s.at);
    }
    Stmt made = s;
    made.a = branches[0];
    made.b = branches[1];
    out.push_back({system_.make_stmt(made), {}});
    return true;
  }

  size_t value_count(VarId v) const {
    const model::ValueSet& set = projector_.values_[v.value];
    const model::Variable& variable = system_.variable(v);
    return set.wide ? static_cast<size_t>(int64_t{variable.hi} - variable.lo + 1) : set.values.size();
  }

  // Drops what gets values that are not known and too many. False if something went: more may have to.
  bool settle() {
    bool settled = true;
    const auto drop = [&](const auto& ids, auto& flags) {
      for (const auto id : ids) {
        settled = settled && !flags[id.value];
        flags[id.value] = false;
      }
    };
    // What every transition does has no edges to choose from.
    for (const auto* around : {&system_.before_update, &system_.after_update}) {
      std::vector<ClockId> lost;
      for (const Item& item : items(*around, lost)) {
        if (item.unknown.valid()) drop(std::vector{item.unknown}, kept_.variables);
      }
      drop(lost, kept_.clocks);
    }
    for (const model::Axiom& axiom : system_.axioms) {
      if (kept_.has(axiom.head) && !is_inside(accesses_.of(axiom))) drop(std::vector{axiom.head}, kept_.variables);
    }
    enum : uint8_t { kUnknown = 1, kKnown = 2 };
    std::vector<uint8_t> written(system_.variables.size(), 0);
    for (size_t i = 0; i < system_.edges.size(); ++i) {
      if (system_.edges[i].effect.empty()) continue;
      projector_.watch_.poll();
      std::vector<ClockId> lost;
      std::vector<VarId> unknown;
      for (const Item& item : items(system_.edges[i].effect, lost)) {
        if (item.unknown.valid()) {
          unknown.push_back(item.unknown);
          written[item.unknown.value] |= kUnknown;
        } else {
          for (const VarId v : accesses_.of(item.statement).writes) written[v.value] |= kKnown;
        }
      }
      drop(lost, kept_.clocks);
      std::sort(unknown.begin(), unknown.end(), [&](VarId a, VarId b) { return value_count(a) < value_count(b); });
      size_t choices = 1;
      for (const VarId v : unknown) {
        if (value_count(v) > kMostChoices / choices) {
          drop(std::vector{v}, kept_.variables);
        } else {
          choices *= std::max<size_t>(1, value_count(v));
        }
      }
    }
    // A variable of which nothing is known any more, once it is written, tells too little.
    for (size_t v = 0; v < written.size(); ++v) {
      if (written[v] == kUnknown && !projector_.in_goal_[v] && system_.variables[v].kind == model::VarKind::Data) {
        drop(std::vector{VarId(v)}, kept_.variables);
      }
    }
    return settled;
  }

  // True if all of it can stay.
  bool project_conditions(std::vector<ExprId>& conditions) {
    bool whole = true;
    std::erase_if(conditions, [&](ExprId e) {
      const bool stays = is_inside(e) && (whole || !model::can_fail(system_, e));
      whole = whole && stays;
      return !stays;
    });
    return whole;
  }
  bool project_constraints(std::vector<ClockConstraint>& constraints, bool protection = true) {
    const auto can_fail = [&](ExprId e) { return e.valid() && model::can_fail(system_, e); };
    return std::erase_if(constraints, [&](const ClockConstraint& c) {
             return !kept_.has(c.left) || !kept_.has(c.right) || !is_inside(c.condition) || !is_inside(c.bound) ||
                    (!protection && (can_fail(c.condition) || can_fail(c.bound)));
           }) == 0;
  }

  void project_edges() {
    for (const Edge& original : projector_.system_.edges) {
      projector_.watch_.poll();
      Made made{original, false, false};
      Edge& e = made.edge;
      const Location& source = system_.process(e.process).locations[e.source];
      made.from_committed = source.kind == LocationKind::Committed;
      const bool guards = project_conditions(e.guard);
      const bool clocks = project_constraints(e.clock_guard, guards);
      made.weaker = !guards || !clocks || !keeps(e);
      if (!keeps(e)) e.source = e.target = 0;
      e.urgency = 0;
      e.when_idle = false;
      e.keeps_control = false;
      std::vector<ClockId> lost;
      const std::vector<Item> parts = items(original.effect, lost);
      e.effect.clear();
      add_choices(made, parts, 0);
    }
    remove_copies();
  }

  void add_choices(const Made& made, std::span<const Item> parts, size_t at) {
    if (at == parts.size()) {
      edges_.push_back(made);
      return;
    }
    Made next = made;
    const VarId v = parts[at].unknown;
    if (!v.valid()) {
      next.edge.effect.push_back(parts[at].statement);
      add_choices(next, parts, at + 1);
      return;
    }
    for (size_t i = 0; i < value_count(v); ++i) {
      const model::ValueSet& set = projector_.values_[v.value];
      Expr store;
      store.op = Op::Store;
      store.base = v.value;
      store.count = 1;
      store.b = system_.make_const(set.wide ? static_cast<int32_t>(system_.variable(v).lo + static_cast<int64_t>(i))
                                            : set.values[i]);
      next.edge.effect.push_back(system_.make_expr_stmt(system_.make(store)));
      add_choices(next, parts, at + 1);
      next.edge.effect.pop_back();
    }
  }

  std::string description(const Edge& e) const {
    std::string out = std::to_string(e.process.value) + " " + std::to_string(e.source) + " " +
                      std::to_string(e.target) + " " + std::to_string(static_cast<int>(e.direction)) + " " +
                      std::to_string(e.channel.value);
    const auto add = [&](const std::string& text) { out += "\n" + text; };
    for (const ExprId g : e.guard) add(model::to_text(system_, g));
    for (const ClockConstraint& c : e.clock_guard) add(model::to_text(system_, c));
    for (const StmtId s : e.effect) add("! " + model::to_text(system_, s));
    return out;
  }

  // Of edges that are alike, one; it is weaker than its original if any of them is.
  void remove_copies() {
    std::map<std::string, size_t> known;
    std::vector<Made> left;
    for (Made& made : edges_) {
      projector_.watch_.poll();
      const auto [at, fresh] = known.emplace(description(made.edge), left.size());
      if (fresh) {
        left.push_back(std::move(made));
        continue;
      }
      left[at->second].weaker = left[at->second].weaker || made.weaker;
      left[at->second].from_committed = left[at->second].from_committed || made.from_committed;
    }
    edges_ = std::move(left);
  }

  bool broadcasts(const Edge& e) const {
    return e.direction != Direction::Internal && system_.channel(e.channel).broadcast;
  }

  // Takes away the edges that change nothing, neither themselves nor by whom they meet.
  void drop_idle_edges() {
    std::vector<ClockId> lost;
    const bool always = !items(system_.before_update, lost).empty() || !items(system_.after_update, lost).empty();
    const auto acts = [&](const Edge& e) { return always || e.source != e.target || !e.effect.empty(); };
    // By channel and direction: processes with edges that act.
    std::vector<std::set<uint32_t>> active[2];
    active[0].resize(system_.channels.size());
    active[1].resize(system_.channels.size());
    const auto side = [](Direction d) { return d == Direction::Send ? 0 : 1; };
    for (const Made& made : edges_) {
      const Edge& e = made.edge;
      if (e.direction != Direction::Internal && acts(e)) {
        active[side(e.direction)][e.channel.value].insert(e.process.value);
      }
    }
    std::erase_if(edges_, [&](const Made& made) {
      const Edge& e = made.edge;
      if (acts(e)) return false;
      if (e.direction == Direction::Internal) return true;
      // Who receives a broadcast and does nothing is as good as absent; unless it has edges that do something, in the
      // place of which it may take this one, or leaves a committed location, which lets the others go.
      if (broadcasts(e) && e.direction == Direction::Receive) {
        return !made.from_committed && !active[1][e.channel.value].contains(e.process.value);
      }
      const auto& others = active[1 - side(e.direction)][e.channel.value];
      return others.empty() || (others.size() == 1 && others.contains(e.process.value));
    });
  }

  // Lets those pass who may be unable to receive a broadcast.
  void add_company() {
    std::set<std::tuple<uint32_t, uint32_t, uint32_t>> known;
    const size_t count = edges_.size();
    for (size_t i = 0; i < count; ++i) {
      const Edge& e = edges_[i].edge;
      if (!edges_[i].weaker || !broadcasts(e) || e.direction != Direction::Receive) continue;
      if (!known.emplace(e.process.value, e.source, e.channel.value).second) continue;
      Made loop{e, true, false};
      loop.edge.target = e.source;
      loop.edge.guard.clear();
      loop.edge.clock_guard.clear();
      loop.edge.effect.clear();
      edges_.push_back(std::move(loop));
    }
  }

  void relax_committed() {
    const bool outside = std::any_of(edges_.begin(), edges_.end(),
                                     [&](const Made& made) { return made.from_committed && !keeps(made.edge); });
    if (!outside) return;
    for (Process& p : system_.processes) {
      for (Location& l : p.locations) {
        if (l.kind == LocationKind::Committed) l.kind = LocationKind::Urgent;
      }
    }
  }

  void relax_urgent_channels() {
    for (const Made& made : edges_) {
      if (made.edge.direction != Direction::Internal && made.weaker) {
        system_.channels[made.edge.channel.value].urgent = false;
      }
    }
  }

  void project_locations() {
    for (Process& p : system_.processes) {
      if (!keeps(p)) {
        p.locations = {p.locations[static_cast<size_t>(system_.variable(p.location).initial)]};
        p.locations[0].kind = LocationKind::Normal;
        p.locations[0].invariant.clear();
        p.locations[0].clock_invariant.clear();
        system_.variables[p.location.value].initial = 0;
      }
      for (Location& l : p.locations) {
        const bool whole = project_conditions(l.invariant);
        project_constraints(l.clock_invariant, whole);
      }
    }
  }

  void level() {
    for (Process& p : system_.processes) p.priority = 0;
    for (model::Channel& c : system_.channels) c.priority = 0;
    system_.internal_priority = 0;
    system_.control = {};
    system_.claim = {};
  }

  void project_updates() {
    for (auto* around : {&system_.before_update, &system_.after_update}) {
      std::vector<ClockId> lost;
      std::vector<StmtId> left;
      for (const Item& item : items(*around, lost)) left.push_back(item.statement);
      *around = std::move(left);
    }
  }

  void project_axioms() {
    std::erase_if(system_.axioms, [&](const model::Axiom& axiom) { return !kept_.has(axiom.head); });
  }

  void project_goal() {
    for (Clause& clause : out_.property.goal) {
      const bool whole = project_conditions(clause.conditions);
      project_constraints(clause.clocks, whole);
      clause.deadlock = model::DeadlockTest::Ignore;
    }
  }

  void narrow_variables() {
    for (size_t v = 0; v < system_.variables.size(); ++v) {
      model::Variable& variable = system_.variables[v];
      if (!kept_.variables[v]) variable.lo = variable.hi = variable.initial;
    }
  }

  void store_edges() {
    system_.edges.clear();
    for (Process& p : system_.processes) p.edges.clear();
    for (Made& made : edges_) {
      system_.processes[made.edge.process.value].edges.push_back(EdgeId(system_.edges.size()));
      system_.edges.push_back(std::move(made.edge));
    }
  }
};

ModelProjector::ModelProjector(const System& system, const std::vector<Clause>& goal, const Watch& watch)
    : system_(system),
      goal_(goal),
      watch_(watch),
      values_(model::reachable_values(system, watch)),
      in_goal_(system.variables.size(), false) {
  model::Accesses accesses(system, watch);
  for (const Clause& clause : goal) {
    for (const VarId v : accesses.of(clause).reads) in_goal_[v.value] = true;
  }
}

ModelProjection ModelProjector::project(Kept kept) const { return Builder(*this, std::move(kept)).run(); }

}  // namespace harrier::transform
