#include "task/variable_domains.h"

#include <algorithm>
#include <map>
#include <set>

#include "task/evaluator.h"

namespace harrier::task {

using model::VarId;

namespace {

constexpr size_t kMostLabels = 512;  // of one label of the task

}  // namespace

class VariableDomains::Splitter {
 public:
  Splitter(VariableDomains& out, const Watch& watch)
      : out_(out),
        task_(*out.task_),
        watch_(watch),
        evaluator_(task_),
        number_of_(task_.variable_count(), kNone),
        state_(task_.variable_count(), 0) {}

  void run() {
    for (uint32_t v = 0; v < number_of_.size(); ++v) {
      const Domain& domain = task_.domain(v);
      if (!domain.is_exact()) continue;
      number_of_[v] = out_.size();
      const bool is_process = task_.system().variables[v].kind == model::VarKind::Location;
      const auto derived = task_.derived();
      const bool is_derived = std::binary_search(derived.begin(), derived.end(), VarId(v));
      out_.variables_.push_back({v, is_process, is_derived, domain.size(), &domain.number});
    }
    out_.variables_.push_back({0, false, false, 2, nullptr});
    out_.by_edge_.resize(task_.system().edges.size());
    for (const task::Label& label : task_.labels()) {
      begin();
      label_ = &label;
      exact_ = task_.axioms().empty();
      if (locate()&& restrict(task_.conditions(label))) {
        gather_effects();
        choose_fixed();
        for_each_combination();
      }
    }
    for (size_t c = 0; c < task_.goal().size(); ++c) {
      begin();
      const model::Clause& clause = task_.goal()[c];
      exact_ = clause.clocks.empty() && clause.deadlock == model::DeadlockTest::Ignore;
      if (restrict(task_.goal_conditions(c))) {
        choose_fixed();
        for_each_combination();
      }
    }
    for (const Axiom& axiom : task_.axioms()) derive(axiom.variable, axiom.value, task_.conditions(axiom));
    for (const VarId v : task_.derived()) derive(v.value, task_.system().variable(v).initial, {});
    link();
  }

 private:
  using Sets = std::map<uint32_t, std::vector<Value>>;  // by variable of the task; those without may have any value
  using Maps = std::map<uint32_t, std::vector<Value>>;  // by variable of the task; those without keep their values

  // A condition on several variables.
  struct Joint {
    const Condition* condition = nullptr;
    uint32_t open = kNone;  // the variable that stays a set

    std::vector<VarId> fixed() const {
      std::vector<VarId> out = condition->reads;
      std::erase(out, VarId(open));
      return out;
    }
  };
  // Effects that are computed together.
  struct Bundle {
    std::vector<VarId> reads;
    std::vector<VarId> writes;
    std::vector<uint32_t> effects;
    bool chooses = false;

    bool reads_itself() const {
      return writes.size() == 1 && std::binary_search(reads.begin(), reads.end(), writes[0]);
    }
    // Which variables must have one value each in a label for the effects to be a map of each variable alone.
    std::vector<VarId> fixed() const {
      std::vector<VarId> out = reads;
      if (writes.size() == 1) std::erase(out, writes[0]);
      return out;
    }
  };

  void begin() {
    label_ = nullptr;
    derives_ = false;
    exact_ = true;
    sets_.clear();
    targets_.clear();
    joints_.clear();
    bundles_.clear();
    arbitrary_.clear();
    fixed_.clear();
  }

  // A variable may have a value where conditions hold.
  void derive(uint32_t variable, int32_t value, std::span<const uint32_t> conditions) {
    begin();
    derives_ = true;
    const auto number = task_.domain(variable).find(value);
    if (!is_known(VarId(variable)) || !number || !restrict(conditions)) return;
    targets_[variable] = *number;
    choose_fixed();
    for_each_combination();
  }

  bool is_known(VarId v) const { return number_of_[v.value] != kNone; }
  size_t allowed_count(uint32_t v) const {
    const auto at = sets_.find(v);
    return at == sets_.end() ? task_.domain(v).size() : at->second.size();
  }
  std::vector<Value> allowed(const Sets& sets, uint32_t v) const {
    const auto at = sets.find(v);
    if (at != sets.end()) return at->second;
    std::vector<Value> all(task_.domain(v).size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Value>(i);
    return all;
  }
  // Keeps the values of a variable that satisfy a condition, the others being as in `state_`. False if none does.
  bool filter(Sets& sets, uint32_t v, const Condition& condition) {
    std::vector<Value> kept = allowed(sets, v);
    const Value before = state_[v];
    std::erase_if(kept, [&](Value value) {
      state_[v] = value;
      return !evaluator_.holds(condition, state_.data());
    });
    state_[v] = before;
    const bool possible = !kept.empty();
    sets[v] = std::move(kept);
    return possible;
  }

  // False if a process is never where the label starts.
  bool locate() {
    for (const Move& move : task_.moves(*label_)) {
      if (!is_known(VarId(move.variable))) {
        exact_ = false;
        continue;
      }
      const auto from = task_.domain(move.variable).find(move.from);
      if (!from) return false;
      sets_[move.variable] = {*from};
      targets_[move.variable] = task_.domain(move.variable).find(move.to).value();
    }
    // Who else receives is left open.
    const auto& optional = task_.transitions()[label_->transition].optional;
    const model::System& system = task_.system();
    if (std::any_of(optional.begin(), optional.end(), [&](model::EdgeId e) {
          return !label_->receiver.valid() || system.edge(e).process != system.edge(label_->receiver).process;
        })) {
      exact_ = false;
    }
    return true;
  }

  // Conditions on one variable at once, those on several are noted. False if one can never hold.
  bool restrict(std::span<const uint32_t> conditions) {
    for (const uint32_t id : conditions) {
      const Condition& condition = task_.condition(id);
      if (!task_.is_exact(condition.reads)) {
        exact_ = false;
      } else if (condition.reads.empty()) {
        if (!evaluator_.holds(condition, state_.data())) return false;
      } else if (condition.reads.size() == 1) {
        if (!filter(sets_, condition.reads[0].value, condition)) return false;
      } else {
        joints_.push_back({&condition});
      }
    }
    for (Joint& joint : joints_) {
      const auto& reads = joint.condition->reads;
      joint.open = std::max_element(reads.begin(), reads.end(), [&](VarId a, VarId b) {
                     return allowed_count(a.value) < allowed_count(b.value);
                   })->value;
    }
    return true;
  }

  // Plain assignments to different variables are computed one by one, anything else together.
  void gather_effects() {
    const auto disturbed = task_.arbitrary(*label_);
    arbitrary_.insert(disturbed.begin(), disturbed.end());
    std::vector<Bundle> all;
    std::set<VarId> written;
    const auto effects = task_.effects(*label_);
    const bool separate = std::all_of(effects.begin(), effects.end(), [&](uint32_t id) {
      const Effect& effect = task_.effect(id);
      return effect.kind == Effect::Kind::Reset ||
             (effect.kind == Effect::Kind::Assignment && written.insert(effect.writes[0]).second);
    });
    for (const uint32_t id : effects) {
      const Effect& effect = task_.effect(id);
      if (separate && effect.kind == Effect::Kind::Reset) {
        exact_ = false;
        continue;
      }
      if (separate || all.empty()) all.emplace_back();
      unite(all.back().reads, effect.reads);
      unite(all.back().writes, effect.writes);
      all.back().effects.push_back(id);
      all.back().chooses = all.back().chooses || effect.chooses;
    }
    for (Bundle& bundle : all) {
      const bool open =
          std::any_of(bundle.writes.begin(), bundle.writes.end(), [&](VarId v) { return arbitrary_.contains(v); });
      if (open || bundle.chooses || !task_.is_exact(bundle.reads)) {
        give_up(bundle);
      } else {
        bundles_.push_back(std::move(bundle));
      }
    }
  }
  static void unite(std::vector<VarId>& all, const std::vector<VarId>& more) {
    std::vector<VarId> both;
    std::set_union(all.begin(), all.end(), more.begin(), more.end(), std::back_inserter(both));
    all = std::move(both);
  }
  void give_up(const Bundle& bundle) {
    arbitrary_.insert(bundle.writes.begin(), bundle.writes.end());
    exact_ = false;
  }

  size_t combinations(const std::set<VarId>& variables) const {
    size_t product = 1;
    for (const VarId v : variables) product = std::min(product * allowed_count(v.value), 2 * kMostLabels);
    return product;
  }
  bool fix(const std::vector<VarId>& more) {
    std::set<VarId> all = fixed_;
    all.insert(more.begin(), more.end());
    if (combinations(all) > kMostLabels) return false;
    fixed_ = std::move(all);
    return true;
  }
  // The variables to fix, as far as there are not too many combinations: the cheapest conditions and effects first.
  void choose_fixed() {
    const auto cheaper = [&](const auto& a, const auto& b) {
      const std::vector<VarId> x = a.fixed();
      const std::vector<VarId> y = b.fixed();
      return combinations({x.begin(), x.end()}) < combinations({y.begin(), y.end()});
    };
    std::stable_sort(joints_.begin(), joints_.end(), cheaper);
    std::stable_sort(bundles_.begin(), bundles_.end(), cheaper);
    std::erase_if(bundles_, [&](const Bundle& bundle) {
      if (fix(bundle.fixed())) return false;
      give_up(bundle);
      return true;
    });
    if (std::erase_if(joints_, [&](const Joint& joint) { return !fix(joint.fixed()); }) > 0) exact_ = false;
    if (!arbitrary_.empty()) exact_ = false;
  }

  void for_each_combination() {
    const std::vector<VarId> order(fixed_.begin(), fixed_.end());
    std::vector<std::vector<Value>> values;
    for (const VarId v : order) values.push_back(allowed(sets_, v.value));
    std::vector<size_t> at(order.size(), 0);
    const size_t count = combinations(fixed_);
    for (size_t n = 0; n < count; ++n) {
      watch_.poll();
      Sets own = sets_;
      for (size_t i = 0; i < order.size(); ++i) {
        state_[order[i].value] = values[i][at[i]];
        own[order[i].value] = {values[i][at[i]]};
      }
      if (std::all_of(joints_.begin(), joints_.end(),
                      [&](const Joint& joint) { return filter(own, joint.open, *joint.condition); })) {
        add_label(std::move(own));
      }
      for (size_t i = 0; i < at.size() && ++at[i] == values[i].size(); ++i) at[i] = 0;
    }
  }

  std::vector<Value>& map_of(Maps& maps, uint32_t v) const {
    std::vector<Value>& map = maps[v];
    if (map.empty()) {
      for (uint32_t i = 0; i < task_.domain(v).size(); ++i) map.push_back(static_cast<Value>(i));
    }
    return map;
  }
  static void give_all(std::vector<Value>& map, Value value) { std::fill(map.begin(), map.end(), value); }

  // What effects write in `state_`, later ones last. False if one fails or gives a variable a value that it never has.
  bool execute(const Bundle& bundle) {
    results_.clear();
    for (const uint32_t id : bundle.effects) {
      const auto writes = evaluator_.outcome(task_.effect(id), state_.data());
      if (!writes) return false;
      for (const Write& write : *writes) {
        if (!is_known(VarId(write.variable))) continue;
        const auto value = task_.domain(write.variable).find(write.value);
        if (!value) return false;
        results_.push_back({write.variable, *value});
      }
    }
    return true;
  }

  // The maps of effects; false if they cannot be taken from the sets, which they may restrict further.
  bool map_effects(const Bundle& bundle, Sets& sets, Maps& maps) {
    const auto set = bundle.reads_itself() ? sets.find(bundle.writes[0].value) : sets.end();
    const bool one_value = set != sets.end() && set->second.size() == 1;
    if (!bundle.reads_itself() || one_value) {
      if (one_value) state_[set->first] = set->second[0];
      if (!execute(bundle)) return false;
      for (const Fact& result : results_) give_all(map_of(maps, result.variable), result.value);
      return true;
    }
    // A variable that is computed from its own value has a map from all of its set.
    const uint32_t own = bundle.writes[0].value;
    std::vector<Value> kept;
    for (const Value value : allowed(sets, own)) {
      state_[own] = value;
      if (!execute(bundle)) continue;
      kept.push_back(value);
      for (const Fact& result : results_) map_of(maps, own)[value] = result.value;
    }
    const bool possible = !kept.empty();
    sets[own] = std::move(kept);
    return possible;
  }

  void add_label(Sets sets) {
    Maps maps;
    for (const Bundle& bundle : bundles_) {
      if (!map_effects(bundle, sets, maps)) return;
    }
    for (const VarId v : arbitrary_) {
      if (is_known(v)) give_all(map_of(maps, v.value), kAnyValue);
    }
    for (const auto& [v, target] : targets_) give_all(map_of(maps, v), target);

    Label label{.axiom = derives_, .first_part = static_cast<uint32_t>(out_.parts_.size()), .exact = exact_};
    if (label_ != nullptr) {
      label.transition = label_->transition;
      label.split_from = static_cast<uint32_t>(label_ - task_.labels().data());
    }
    const bool affects = add_parts(sets, maps);
    if (label_ == nullptr && !derives_) {
      out_.parts_.push_back({out_.goal(), set_id(2, {0}), map_id({1, 1}), true, true});
    } else if (!affects) {
      out_.parts_.resize(label.first_part);
      return;
    }
    label.end_part = static_cast<uint32_t>(out_.parts_.size());
    const auto number = static_cast<uint32_t>(out_.labels_.size());
    out_.labels_.push_back(label);
    if (label_ == nullptr) return;
    for (const model::EdgeId e : task_.transitions()[label_->transition].edges) {
      out_.by_edge_[e.value].push_back(number);
    }
    if (label_->receiver.valid()) out_.by_edge_[label_->receiver.value].push_back(number);
  }

  // Tells whether some variable is affected.
  bool add_parts(const Sets& sets, const Maps& maps) {
    bool affects = false;
    std::set<uint32_t> concerned;
    for (const auto& [v, values] : sets) concerned.insert(v);
    for (const auto& [v, map] : maps) concerned.insert(v);
    for (const uint32_t v : concerned) {
      const uint32_t size = task_.domain(v).size();
      const std::vector<Value> values = allowed(sets, v);
      Part part{number_of_[v]};
      part.restricts = values.size() < size;
      if (const auto map = maps.find(v); map != maps.end()) {
        part.affects = std::any_of(values.begin(), values.end(), [&](Value x) { return map->second[x] != x; });
        if (part.affects) part.map = map_id(map->second);
      }
      if (part.restricts) part.set = set_id(size, values);
      if (part.restricts || part.affects) out_.parts_.push_back(part);
      affects = affects || part.affects;
    }
    return affects;
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
  const Task& task_;
  const Watch& watch_;
  Evaluator evaluator_;
  std::vector<uint32_t> number_of_;  // by variable of the task
  std::vector<Value> state_;
  std::vector<Fact> results_;
  std::map<std::pair<uint32_t, std::vector<Value>>, uint32_t> known_sets_;
  std::map<std::vector<Value>, uint32_t> known_maps_;

  // Of the label of the task, the axiom, or the clause of the goal, that is being split.
  const task::Label* label_ = nullptr;
  bool derives_ = false;
  bool exact_ = true;
  Sets sets_;
  std::map<uint32_t, Value> targets_;  // of the locations, or of what is derived
  std::vector<Joint> joints_;
  std::vector<Bundle> bundles_;
  std::set<VarId> arbitrary_;
  std::set<VarId> fixed_;
};

VariableDomains::VariableDomains(std::shared_ptr<const Task> task, const Watch& watch) : task_(std::move(task)) {
  Splitter(*this, watch).run();
}

}  // namespace harrier::task
