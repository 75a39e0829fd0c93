#include "heur/variable_domains.h"

#include <algorithm>
#include <set>

#include "model/interpreter.h"

namespace harrier::heur {

namespace {

using model::EdgeId;
using model::ExprId;
using model::Op;
using model::StmtId;
using model::StmtKind;
using model::VarId;

constexpr size_t kMostLabels = 512;  // of one transition
constexpr uint32_t kNone = UINT32_MAX;
constexpr uint32_t kGoal = UINT32_MAX;  // in place of a transition

}  // namespace

class VariableDomains::Builder {
 public:
  Builder(VariableDomains& out, const model::System& system, const Watch& watch)
      : out_(out),
        system_(system),
        watch_(watch),
        accesses_(system, watch),
        interpreter_(system),
        base_(system.initial_values()) {}

  void build(const std::vector<model::Clause>& goal) {
    values_ = model::reachable_values(system_, watch_);
    number_of_.assign(system_.variables.size(), kNone);
    for (uint32_t v = 0; v < system_.variables.size(); ++v) {
      if (!values_[v].wide) add_variable(v);
    }
    out_.variables_.push_back({0, false, 2, {}});
    out_.by_edge_.resize(system_.edges.size());
    for (uint32_t t = 0; t < out_.transitions_.size(); ++t) add_transition(t);
    for (const model::Clause& clause : goal) {
      Source source;
      source.transition = kGoal;
      source.conditions = clause.conditions;
      add_labels(source);
    }
    link();
  }

 private:
  using Allowed = std::map<uint32_t, std::vector<int32_t>>;  // by variable of the system; variables without entry may
                                                             // have any value

  // What labels are made from: edges that fire together, or a clause of the goal.
  struct Source {
    uint32_t transition = 0;
    std::vector<EdgeId> edges;
    std::vector<ExprId> conditions;
    std::vector<StmtId> statements;
    std::vector<VarId> arbitrary;  // variables that other processes may have a say in
  };
  // Variables that are computed together, from others.
  struct Effect {
    std::vector<VarId> reads;
    std::vector<VarId> writes;
    ExprId value;                    // of the one variable written, or
    std::vector<StmtId> statements;  // what is executed
  };

  void add_variable(uint32_t v) {
    number_of_[v] = out_.size();
    const std::vector<int32_t>& values = values_[v].values;
    out_.variables_.push_back({v, system_.variables[v].kind == model::VarKind::Location,
                               static_cast<uint32_t>(values.size()), model::ValueNumbers(values)});
  }

  void add_transition(uint32_t number) {
    const model::Transition& t = out_.transitions_[number];
    const auto source_of = [&](const std::vector<EdgeId>& edges) {
      Source source{number, edges, {}, system_.before_update, {}};
      for (const EdgeId id : edges) {
        const model::Edge& edge = system_.edge(id);
        source.conditions.insert(source.conditions.end(), edge.guard.begin(), edge.guard.end());
        source.statements.insert(source.statements.end(), edge.effect.begin(), edge.effect.end());
      }
      source.statements.insert(source.statements.end(), system_.after_update.begin(), system_.after_update.end());
      return source;
    };
    // Receivers that come along as well may change what is read here.
    const auto add = [&](Source source, const std::vector<StmtId>& late, model::ProcessId receiver) {
      std::set<VarId> reads;
      std::set<VarId> writes;
      for (const StmtId id : late) {
        const model::Access access = accesses_.of(id);
        reads.insert(access.reads.begin(), access.reads.end());
        writes.insert(access.writes.begin(), access.writes.end());
      }
      const bool disturbed = std::any_of(t.optional.begin(), t.optional.end(), [&](EdgeId other) {
        if (system_.edge(other).process == receiver) return false;
        for (const StmtId id : system_.edge(other).effect) {
          const std::vector<VarId> written = accesses_.of(id).writes;
          if (std::any_of(written.begin(), written.end(), [&](VarId v) { return reads.contains(v); })) return true;
        }
        return false;
      });
      if (disturbed) source.arbitrary.assign(writes.begin(), writes.end());
      add_labels(source);
    };
    add(source_of(t.edges), system_.after_update, {});
    for (const EdgeId id : t.optional) {
      std::vector<EdgeId> edges = t.edges;
      edges.push_back(id);
      std::vector<StmtId> late = system_.edge(id).effect;
      late.insert(late.end(), system_.after_update.begin(), system_.after_update.end());
      add(source_of(edges), late, system_.edge(id).process);
    }
  }

  bool known(const std::vector<VarId>& variables) const {
    return std::all_of(variables.begin(), variables.end(), [&](VarId v) { return number_of_[v.value] != kNone; });
  }
  const std::vector<int32_t>& allowed(const Allowed& sets, uint32_t v) const {
    const auto at = sets.find(v);
    return at == sets.end() ? values_[v].values : at->second;
  }
  bool holds(ExprId condition) {
    try {
      return interpreter_.value(condition, base_) != 0;
    } catch (const model::EvalFailure&) {
      return false;
    }
  }
  // Keeps the values of a variable that satisfy a condition, the others being as in `base_`.
  void filter(Allowed& sets, uint32_t v, ExprId condition) {
    std::vector<int32_t> kept;
    for (const int32_t value : allowed(sets, v)) {
      base_[v] = value;
      if (holds(condition)) kept.push_back(value);
    }
    sets[v] = std::move(kept);
  }

  // Splits statements into assignments that do not depend on each other; all in one if they do.
  std::vector<Effect> effects_of(const std::vector<StmtId>& statements) {
    std::vector<Effect> out;
    std::set<uint32_t> written;
    if (independent(statements, out, written)) return out;
    Effect whole;
    std::set<VarId> reads;
    std::set<VarId> writes;
    for (const StmtId id : statements) {
      const model::Access access = accesses_.of(id);
      reads.insert(access.reads.begin(), access.reads.end());
      writes.insert(access.writes.begin(), access.writes.end());
    }
    whole.reads.assign(reads.begin(), reads.end());
    whole.writes.assign(writes.begin(), writes.end());
    whole.statements = statements;
    return {std::move(whole)};
  }
  bool independent(std::span<const StmtId> statements, std::vector<Effect>& out, std::set<uint32_t>& written) {
    for (const StmtId id : statements) {
      const model::Stmt& s = system_.stmt(id);
      if (s.kind == StmtKind::Block) {
        if (!independent(system_.block(s), out, written)) return false;
        continue;
      }
      if (s.kind == StmtKind::Reset && accesses_.of(id).writes.empty()) continue;
      if (s.kind != StmtKind::Expr) return false;
      const model::Expr& e = system_.expr(s.expr);
      if (e.op != Op::Store || e.a.valid()) return false;
      const model::Access access = accesses_.of(e.b);
      if (!access.writes.empty() || written.contains(e.base)) return false;
      for (const VarId v : access.reads) {
        if (written.contains(v.value)) return false;
      }
      written.insert(e.base);
      out.push_back({access.reads, {VarId(e.base)}, e.b, {}});
    }
    return true;
  }

  // Which variables must have one value each in a label for an effect to be a map of each variable alone.
  static std::vector<VarId> fixed_for(const Effect& effect) {
    std::vector<VarId> out = effect.reads;
    if (effect.writes.size() == 1) std::erase(out, effect.writes[0]);
    return out;
  }

  void add_labels(const Source& source) {
    Allowed sets;
    std::map<uint32_t, int32_t> targets;  // of the locations
    for (const EdgeId id : source.edges) {
      const model::Edge& edge = system_.edge(id);
      const uint32_t location = system_.process(edge.process).location.value;
      if (number_of_[location] == kNone) continue;
      const auto& reachable = values_[location].values;
      if (!std::binary_search(reachable.begin(), reachable.end(), static_cast<int32_t>(edge.source))) return;
      sets[location] = {static_cast<int32_t>(edge.source)};
      targets[location] = static_cast<int32_t>(edge.target);
    }
    struct Joint {
      ExprId condition;
      std::vector<VarId> reads;
      uint32_t open = kNone;  // the variable that stays a set
    };
    std::vector<Joint> joints;
    for (const ExprId condition : source.conditions) {
      std::vector<VarId> reads = accesses_.of(condition).reads;
      if (!known(reads)) continue;
      if (reads.empty()) {
        if (!holds(condition)) return;
      } else if (reads.size() == 1) {
        filter(sets, reads[0].value, condition);
        if (sets[reads[0].value].empty()) return;
      } else {
        joints.push_back({condition, std::move(reads)});
      }
    }
    std::vector<Effect> effects;
    std::set<VarId> arbitrary(source.arbitrary.begin(), source.arbitrary.end());
    for (Effect& effect : effects_of(source.statements)) {
      const bool disturbed =
          std::any_of(effect.writes.begin(), effect.writes.end(), [&](VarId v) { return arbitrary.contains(v); });
      if (disturbed || !known(effect.reads)) {
        arbitrary.insert(effect.writes.begin(), effect.writes.end());
      } else {
        effects.push_back(std::move(effect));
      }
    }
    for (Joint& joint : joints) {
      joint.open = std::max_element(joint.reads.begin(), joint.reads.end(), [&](VarId a, VarId b) {
                     return allowed(sets, a.value).size() < allowed(sets, b.value).size();
                   })->value;
    }

    // The variables to fix, as far as there are not too many combinations: the cheapest conditions and effects first.
    std::set<VarId> fixed;
    const auto combinations = [&](const std::set<VarId>& variables) {
      size_t product = 1;
      for (const VarId v : variables) product = std::min(product * allowed(sets, v.value).size(), 2 * kMostLabels);
      return product;
    };
    const auto fix = [&](const std::vector<VarId>& more) {
      std::set<VarId> all = fixed;
      all.insert(more.begin(), more.end());
      if (combinations(all) > kMostLabels) return false;
      fixed = std::move(all);
      return true;
    };
    const auto own = [&](const std::vector<VarId>& variables) {
      return combinations({variables.begin(), variables.end()});
    };
    const auto fixed_for_joint = [](const Joint& j) {
      std::vector<VarId> out = j.reads;
      std::erase(out, VarId(j.open));
      return out;
    };
    std::stable_sort(joints.begin(), joints.end(),
                     [&](const Joint& a, const Joint& b) { return own(fixed_for_joint(a)) < own(fixed_for_joint(b)); });
    std::stable_sort(effects.begin(), effects.end(),
                     [&](const Effect& a, const Effect& b) { return own(fixed_for(a)) < own(fixed_for(b)); });
    std::erase_if(effects, [&](const Effect& effect) {
      if (fix(fixed_for(effect))) return false;
      arbitrary.insert(effect.writes.begin(), effect.writes.end());
      return true;
    });
    std::erase_if(joints, [&](const Joint& joint) { return !fix(fixed_for_joint(joint)); });

    const std::vector<VarId> order(fixed.begin(), fixed.end());
    std::vector<size_t> at(order.size(), 0);
    const size_t count = combinations(fixed);
    for (size_t n = 0; n < count; ++n) {
      watch_.poll();
      Allowed own_sets = sets;
      for (size_t i = 0; i < order.size(); ++i) {
        const int32_t value = allowed(sets, order[i].value)[at[i]];
        base_[order[i].value] = value;
        own_sets[order[i].value] = {value};
      }
      const std::vector<int32_t> here = base_;
      bool possible = true;
      for (const Joint& joint : joints) {
        if (!possible) break;
        filter(own_sets, joint.open, joint.condition);
        base_ = here;
        possible = !own_sets[joint.open].empty();
      }
      if (possible) add_label(source, std::move(own_sets), targets, effects, arbitrary);
      base_ = here;
      for (size_t i = 0; i < at.size() && ++at[i] == allowed(sets, order[i].value).size(); ++i) at[i] = 0;
    }
  }

  void add_label(const Source& source, Allowed sets, const std::map<uint32_t, int32_t>& targets,
                 const std::vector<Effect>& effects, const std::set<VarId>& arbitrary) {
    std::map<uint32_t, std::vector<Value>> maps;  // by variable of the system
    const auto numbered = [&](uint32_t v, int32_t value) {
      const Variable& variable = out_.variables_[number_of_[v]];
      return static_cast<Value>(variable.number(value));
    };
    const auto map_of = [&](uint32_t v) -> std::vector<Value>& {
      std::vector<Value>& map = maps[v];
      if (map.empty()) {
        for (uint32_t i = 0; i < out_.variables_[number_of_[v]].size; ++i) map.push_back(static_cast<Value>(i));
      }
      return map;
    };
    const std::vector<int32_t> here = base_;
    for (const Effect& effect : effects) {
      // Only a variable that is computed from its own value has a set of values here.
      const VarId own = effect.writes.empty() ? VarId() : effect.writes[0];
      const bool of_itself = effect.writes.size() == 1 &&
                             std::binary_search(effect.reads.begin(), effect.reads.end(), own) &&
                             (!sets.contains(own.value) || sets[own.value].size() != 1);
      if (!of_itself) {
        for (const VarId v : effect.writes) {
          const auto set = sets.find(v.value);
          const bool one = set != sets.end() && set->second.size() == 1;
          base_[v.value] =
              one && std::binary_search(effect.reads.begin(), effect.reads.end(), v) ? set->second[0] : untouched(v);
        }
        if (!run(effect)) return;
        for (const VarId v : effect.writes) {
          if (number_of_[v.value] != kNone && base_[v.value] != untouched(v)) {
            auto& map = map_of(v.value);
            std::fill(map.begin(), map.end(), numbered(v.value, base_[v.value]));
          }
          base_[v.value] = here[v.value];
        }
        continue;
      }
      std::vector<int32_t> kept;
      const std::vector<int32_t> values = allowed(sets, own.value);
      for (const int32_t value : values) {
        base_[own.value] = value;
        if (!run(effect)) continue;
        kept.push_back(value);
        map_of(own.value)[numbered(own.value, value)] = numbered(own.value, base_[own.value]);
      }
      if (kept.empty()) return;
      sets[own.value] = std::move(kept);
      base_[own.value] = here[own.value];
    }
    for (const VarId v : arbitrary) {
      if (number_of_[v.value] == kNone) continue;
      auto& map = map_of(v.value);
      std::fill(map.begin(), map.end(), kAnyValue);
    }
    for (const auto& [v, target] : targets) {
      auto& map = map_of(v);
      std::fill(map.begin(), map.end(), numbered(v, target));
    }

    Label label{source.transition, static_cast<uint32_t>(out_.parts_.size()), 0};
    bool affects = false;
    std::set<uint32_t> concerned;
    for (const auto& [v, values] : sets) concerned.insert(v);
    for (const auto& [v, map] : maps) concerned.insert(v);
    for (const uint32_t v : concerned) {
      Part part{number_of_[v]};
      const auto& values = allowed(sets, v);
      part.restricts = values.size() < out_.variables_[part.variable].size;
      std::vector<Value> numbers;
      for (const int32_t value : values) numbers.push_back(numbered(v, value));
      if (const auto map = maps.find(v); map != maps.end()) {
        part.affects = std::any_of(numbers.begin(), numbers.end(), [&](Value x) { return map->second[x] != x; });
        if (part.affects) part.map = map_id(map->second);
      }
      if (part.restricts) part.set = set_id(out_.variables_[part.variable].size, numbers);
      if (part.restricts || part.affects) out_.parts_.push_back(part);
      affects = affects || part.affects;
    }
    if (source.transition == kGoal) {
      out_.parts_.push_back({out_.goal(), set_id(2, {0}), map_id({1, 1}), true, true});
    } else if (!affects) {
      out_.parts_.resize(label.first_part);
      return;
    }
    label.end_part = static_cast<uint32_t>(out_.parts_.size());
    for (const EdgeId e : source.edges) out_.by_edge_[e.value].push_back(static_cast<uint32_t>(out_.labels_.size()));
    out_.labels_.push_back(label);
  }

  // Executes an effect in `base_`; false if that fails or gives a variable a value that it never has.
  bool run(const Effect& effect) {
    try {
      if (effect.statements.empty()) {
        base_[effect.writes[0].value] = interpreter_.value(effect.value, base_);
      } else {
        std::vector<model::ClockReset> resets;
        interpreter_.execute(effect.statements, base_, resets);
      }
    } catch (const model::EvalFailure&) {
      return false;
    }
    return std::all_of(effect.writes.begin(), effect.writes.end(), [&](VarId v) {
      const model::ValueSet& set = values_[v.value];
      const int32_t value = base_[v.value];
      return set.wide || value == untouched(v) || std::binary_search(set.values.begin(), set.values.end(), value);
    });
  }

  // A value that a variable never has: it shows whether the variable was written.
  int32_t untouched(VarId v) const {
    int32_t value = INT32_MIN;
    while (std::binary_search(values_[v.value].values.begin(), values_[v.value].values.end(), value)) ++value;
    return value;
  }

  uint32_t set_id(uint32_t size, const std::vector<Value>& values) {
    const auto [at, fresh] = known_sets_.try_emplace({size, values}, static_cast<uint32_t>(out_.sets_.size()));
    if (fresh) {
      Set set{values, std::vector<uint8_t>(size, 0)};
      for (const Value v : values) set.holds[v] = 1;
      out_.sets_.push_back(std::move(set));
    }
    return at->second;
  }
  uint32_t map_id(const std::vector<Value>& map) {
    const auto [at, fresh] = known_maps_.try_emplace(map, static_cast<uint32_t>(out_.maps_.size()));
    if (fresh) out_.maps_.push_back(map);
    return at->second;
  }

  // The edges of every variable, from the parts.
  void link() {
    out_.edges_.resize(out_.size());
    for (uint32_t l = 0; l < out_.labels_.size(); ++l) {
      watch_.poll();
      for (const Part& part : out_.parts(out_.labels_[l])) {
        if (!part.affects) continue;
        const auto edge = [&](Value from) {
          const Value to = out_.mapped(part.map, from);
          if (to != from) out_.edges_[part.variable].push_back({l, from, to});
        };
        if (part.set == kEverything) {
          for (uint32_t x = 0; x < out_.variables_[part.variable].size; ++x) edge(static_cast<Value>(x));
        } else {
          for (const Value x : out_.sets_[part.set].values) edge(x);
        }
      }
    }
    for (uint32_t v = 0; v < out_.size(); ++v) {
      auto& edges = out_.edges_[v];
      std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.from < b.from; });
      std::vector<uint32_t> first(out_.variables_[v].size + 1, 0);
      for (const Edge& e : edges) ++first[e.from + size_t{1}];
      for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
      out_.first_edge_.push_back(std::move(first));
    }
  }

  VariableDomains& out_;
  const model::System& system_;
  const Watch& watch_;
  model::Accesses accesses_;
  model::Interpreter interpreter_;
  std::vector<int32_t> base_;
  std::vector<model::ValueSet> values_;
  std::vector<uint32_t> number_of_;  // by variable of the system
  std::map<std::pair<uint32_t, std::vector<Value>>, uint32_t> known_sets_;
  std::map<std::vector<Value>, uint32_t> known_maps_;
};

VariableDomains::VariableDomains(const model::System& system, const std::vector<model::Clause>& goal,
                                 const Watch& watch)
    : transitions_(model::flat_transitions(system, watch)) {
  Builder(*this, system, watch).build(goal);
}

}  // namespace harrier::heur
