#include "random/generator.h"

#include <algorithm>
#include <functional>

#include "random/expression_generator.h"
#include "random/rng.h"
#include "random/ta_names.h"
#include "random/ta_network.h"

namespace harrier::testing_support {

namespace {

uint64_t seed_of(const Profile& profile, uint64_t seed) {
  uint64_t h = 0xCBF29CE484222325ULL;
  for (const char c : profile.name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return h ^ (seed * 0x9E3779B97F4A7C15ULL);
}

class Generator {
 public:
  Generator(const Profile& profile, uint64_t seed)
      : profile_(profile), rng_(seed_of(profile, seed)), expressions_(rng_, model_, profile) {}

  TaModel generate() {
    declare_globals();
    declare_channels();
    make_templates();
    for (TaTemplate& of : model_.templates) fill(of);
    pair_synchronisations();
    if (profile_.priorities) set_priorities();
    const size_t queries = 1 + rng_.below(4);
    for (size_t i = 0; i < queries; ++i) model_.queries.push_back(make_query());
    repair_initial_invariants();
    share_names(model_, rng_, profile_.scopes ? 90 : 30);
    return std::move(model_);
  }

 private:
  // ---- declarations ----
  // A constant of a template or the model that something may be written with.
  std::optional<TaPlace> constant(const TaTemplate* of, const std::function<bool(int32_t)>& fits) {
    std::vector<TaPlace> found;
    const auto add = [&](const std::vector<TaVariable>& variables, TaScope scope) {
      for (size_t i = 0; i < variables.size(); ++i) {
        const TaVariable& v = variables[i];
        if (v.is_const && v.size == 0 && fits(v.initial[0])) found.push_back({scope, i});
      }
    };
    add(model_.variables, TaScope::Global);
    if (of != nullptr) add(of->variables, TaScope::Local);
    if (found.empty()) return std::nullopt;
    return rng_.pick(found);
  }

  int32_t value(const TaPlace& place, const TaTemplate* of) const {
    return (place.scope == TaScope::Global ? model_.variables : of->variables)[place.index].initial[0];
  }

  TaVariable make_variable(const std::string& name, const TaTemplate* of) {
    TaVariable v{.name = name};
    if (rng_.chance(15)) {
      v.is_bool = true;
      v.hi = 1;
    } else {
      v.lo = rng_.chance(70) ? 0 : rng_.between(-2, 1);
      v.hi = v.lo + rng_.between(1, 3);
      if (v.lo > 0 && rng_.chance(50)) v.lo = 0;
    }
    if (!v.is_bool && rng_.chance(25)) {
      if (const auto upper = constant(of, [&](int32_t c) { return c > v.lo; })) {
        v.upper = upper;
        v.hi = value(*upper, of);
      }
    } else if (!v.is_bool && rng_.chance(25)) {
      const TaSlot range = expressions_.small_range(of, 3);
      v.type = range.type;
      v.lo = range.lo;
      v.hi = range.hi;
    }
    if (rng_.chance(20)) v.size = 2 + rng_.below(2);
    if (!v.is_bool && rng_.chance(profile_.rich ? 20 : 8)) v.is_const = true;
    for (size_t i = 0; i < std::max<size_t>(v.size, 1); ++i) v.initial.push_back(rng_.between(v.lo, v.hi));
    if (v.lo <= 0 && v.hi >= 0 && rng_.chance(50)) std::fill(v.initial.begin(), v.initial.end(), 0);
    if (!v.is_bool && v.size == 0 && rng_.chance(25)) {
      if (const auto from = constant(of, [&](int32_t c) { return c >= v.lo && c <= v.hi; })) {
        v.value = from;
        v.initial[0] = value(*from, of);
      }
    }
    return v;
  }

  // Declarations in any order: each may use those before it.
  template <class Owner>
  void declare(Owner& owner, TaTemplate* of, const std::string& prefix, size_t variables, size_t clocks,
               size_t functions, size_t types) {
    using Kind = TaDeclaration::Kind;
    std::vector<Kind> kinds(variables, Kind::Variable);
    kinds.insert(kinds.end(), clocks, Kind::Clock);
    kinds.insert(kinds.end(), functions, Kind::Function);
    kinds.insert(kinds.end(), types, Kind::Type);
    while (!kinds.empty()) {
      const size_t chosen = rng_.below(kinds.size());
      const Kind kind = kinds[chosen];
      kinds.erase(kinds.begin() + static_cast<std::ptrdiff_t>(chosen));
      size_t number = 0;
      switch (kind) {
        case Kind::Variable:
          number = owner.variables.size();
          owner.variables.push_back(make_variable(prefix + "v" + std::to_string(number), of));
          break;
        case Kind::Clock:
          number = owner.clocks.size();
          owner.clocks.push_back(prefix + "x" + std::to_string(number));
          break;
        case Kind::Type:
          number = owner.types.size();
          owner.types.push_back({prefix + "t" + std::to_string(number), rng_.between(0, 1), rng_.between(1, 3)});
          break;
        case Kind::Function: expressions_.add_function(of); continue;
      }
      owner.order.push_back({kind, number});
    }
  }

  void declare_globals() {
    const size_t variables = profile_.rich ? 1 + rng_.below(3) : rng_.below(4);
    clocks_left_ = rng_.between(profile_.min_clocks, profile_.max_clocks);
    const int global = clocks_left_ == 0 ? 0 : rng_.between(rng_.chance(70) ? 1 : 0, clocks_left_);
    clocks_left_ -= global;
    const size_t functions = profile_.rich ? (profile_.violations ? 2 : 0) + rng_.below(3) : (rng_.chance(15) ? 1 : 0);
    declare(model_, nullptr, "", variables, static_cast<size_t>(global), functions, rng_.chance(30) ? 1 : 0);
  }

  void declare_channels() {
    const size_t channels = rng_.below(4);
    for (size_t i = 0; i < channels; ++i) {
      TaChannel c{.name = "c" + std::to_string(i)};
      if (rng_.chance(25)) c.size = 2 + rng_.below(2);
      c.broadcast = rng_.chance(profile_.broadcast_clock_guards ? 70 : 30);
      c.urgent = rng_.chance(20);
      model_.channels.push_back(c);
    }
  }

  // ---- templates and instances ----
  void make_templates() {
    size_t processes = rng_.chance(10) ? 1 : 2 + rng_.below(2);
    while (processes > 0) {
      const size_t copies = 1 + rng_.below(processes);
      processes -= copies;
      TaTemplate of{.name = "T" + std::to_string(model_.templates.size())};
      make_parameters(of, copies);
      for (size_t i = 0; i < copies; ++i) {
        if (!of.parameters.empty() || copies > 1 || !of.instantiated_by_range) {
          add_instance(of, i);
        } else {
          model_.instances.push_back({.name = of.name, .of = model_.templates.size()});
        }
      }
      model_.templates.push_back(std::move(of));
    }
  }

  void make_parameters(TaTemplate& of, size_t copies) {
    if (rng_.chance(25)) {
      of.instantiated_by_range = true;
      if (copies > 1 || rng_.chance(50)) {
        const int32_t lo = rng_.between(0, 1);
        of.parameters.push_back({TaParameter::Kind::Value, "k", lo, lo + static_cast<int32_t>(copies) - 1});
      }
      return;
    }
    if (rng_.chance(40)) of.parameters.push_back({TaParameter::Kind::Value, "k", 0, rng_.between(1, 3)});
    if (rng_.chance(25)) {
      for (const TaVariable& v : model_.variables) {
        if (v.size == 0 && !v.is_bool && !v.is_const) {
          of.parameters.push_back({TaParameter::Kind::Variable, "r", v.lo, v.hi});
          break;
        }
      }
    }
    if (!model_.clocks.empty() && rng_.chance(25)) of.parameters.push_back({TaParameter::Kind::Clock, "rx", 0, 0});
  }

  void add_instance(const TaTemplate& of, size_t copy) {
    TaInstance instance{.of = model_.templates.size()};
    for (const TaParameter& p : of.parameters) {
      if (p.kind == TaParameter::Kind::Value) {
        instance.arguments.push_back(of.instantiated_by_range ? p.lo + static_cast<int32_t>(copy)
                                                              : rng_.between(p.lo, p.hi));
      } else if (p.kind == TaParameter::Kind::Clock) {
        instance.arguments.push_back(static_cast<int32_t>(rng_.below(model_.clocks.size())));
      } else {
        std::vector<int32_t> same_type;
        for (size_t i = 0; i < model_.variables.size(); ++i) {
          const TaVariable& v = model_.variables[i];
          if (v.size == 0 && !v.is_bool && !v.is_const && v.lo == p.lo && v.hi == p.hi) {
            same_type.push_back(static_cast<int32_t>(i));
          }
        }
        instance.arguments.push_back(rng_.pick(same_type));
      }
    }
    instance.name = of.instantiated_by_range ? of.name + "(" + std::to_string(instance.arguments[0]) + ")"
                                             : "P" + std::to_string(model_.instances.size());
    model_.instances.push_back(std::move(instance));
  }

  size_t copies(const TaTemplate& of) const {
    return static_cast<size_t>(std::count_if(model_.instances.begin(), model_.instances.end(),
                                             [&](const TaInstance& i) { return &model_.templates[i.of] == &of; }));
  }

  void fill(TaTemplate& of) {
    const size_t variables = profile_.scopes ? 1 + rng_.below(2) : (rng_.chance(35) ? 1 : 0);
    const int copies_of = static_cast<int>(copies(of));
    const bool clock = clocks_left_ >= copies_of && rng_.chance(60);
    if (clock) clocks_left_ -= copies_of;
    const size_t functions = (profile_.scopes ? 1 : 0) + (profile_.rich ? rng_.below(3) : (rng_.chance(15) ? 1 : 0));
    declare(of, &of, "l", variables, clock ? 1 : 0, functions, rng_.chance(20) ? 1 : 0);
    const size_t locations = 2 + rng_.below(3);
    for (size_t i = 0; i < locations; ++i) of.locations.push_back(make_location(of, i));
    of.initial = rng_.chance(80) ? 0 : rng_.below(locations);
    if (of.initial != 0 || rng_.chance(80)) of.locations[of.initial].kind = TaLocationKind::Normal;
    const size_t edges = locations + rng_.below(5);
    for (size_t i = 0; i < edges; ++i) {
      // First a tree that reaches every location, then anything.
      TaEdge e;
      if (i + 1 < locations) {
        e.source = rng_.below(i + 1);
        e.target = i + 1;
      } else {
        e.source = rng_.below(locations);
        e.target = rng_.below(locations);
      }
      fill(of, e);
      of.edges.push_back(std::move(e));
    }
    if (rng_.chance(50)) {
      std::stable_sort(of.edges.begin(), of.edges.end(),
                       [](const TaEdge& a, const TaEdge& b) { return a.source < b.source; });
    }
  }

  TaLocation make_location(const TaTemplate& of, size_t number) {
    TaLocation l{.name = "L" + std::to_string(number)};
    if (rng_.chance(12)) {
      l.kind = TaLocationKind::Urgent;
    } else if (rng_.chance(12)) {
      l.kind = TaLocationKind::Committed;
    }
    Scope scope{.of = &of};
    if (rng_.chance(8)) {
      if (auto e = expressions_.condition(scope)) l.invariant.push_back({e, {}});
    }
    const int clocks = rng_.chance(45) ? (rng_.chance(15) ? 2 : 1) : 0;
    for (int i = 0; i < clocks; ++i) {
      if (auto atom = expressions_.clock_invariant(scope)) l.invariant.push_back({nullptr, atom});
    }
    return l;
  }

  void fill(const TaTemplate& of, TaEdge& e) {
    Scope scope{.of = &of};
    if (rng_.chance(profile_.rich ? 25 : 12)) {
      e.selects.push_back(expressions_.new_slot("s", expressions_.small_range(&of, 2)));
      if (rng_.chance(10)) e.selects.push_back(expressions_.new_slot("s", {.lo = 0, .hi = 1}));
    }
    scope.slots = e.selects;
    if (!model_.channels.empty() && rng_.chance(model_.instances.size() > 1 ? 50 : 10)) {
      TaSync sync{.channel = rng_.below(model_.channels.size()), .send = rng_.chance(50)};
      if (model_.channels[sync.channel].size != 0) {
        sync.index = expressions_.index(scope, model_.channels[sync.channel].size);
      }
      e.sync = std::move(sync);
    }
    bool clock_guards = true;
    if (e.sync) {
      const TaChannel& c = model_.channels[e.sync->channel];
      clock_guards = !c.urgent && (!c.broadcast || e.sync->send || profile_.broadcast_clock_guards);
    }
    const size_t conditions = rng_.chance(profile_.rich ? 50 : 28) ? (rng_.chance(15) ? 2 : 1) : 0;
    for (size_t i = 0; i < conditions; ++i) {
      if (auto c = expressions_.condition(scope)) e.guard.push_back({c, {}});
    }
    if (clock_guards && rng_.chance(50)) {
      const size_t atoms = rng_.chance(30) ? 2 : 1;
      for (size_t i = 0; i < atoms; ++i) {
        if (auto atom = expressions_.clock_guard(scope)) {
          const auto at = e.guard.begin() + static_cast<std::ptrdiff_t>(rng_.below(e.guard.size() + 1));
          e.guard.insert(at, TaCondition{nullptr, atom});
        }
      }
    }
    if (profile_.broadcast_clock_guards && e.sync && !e.sync->send && rng_.chance(15)) {
      // A receiver that is forced to take part and cannot: the sender waits until its guard is false.
      if (auto u = expressions_.impossible_update(scope)) e.updates.push_back({u, {}});
    }
    const size_t updates = rng_.chance(60) ? (rng_.chance(20) ? 2 : 1) : 0;
    for (size_t i = 0; i < updates; ++i) {
      if (auto u = expressions_.update(scope)) e.updates.push_back({u, {}});
    }
    if (rng_.chance(45)) {
      if (auto reset = expressions_.reset(scope)) {
        const auto at = e.updates.begin() + static_cast<std::ptrdiff_t>(rng_.below(e.updates.size() + 1));
        e.updates.insert(at, std::move(*reset));
      }
    }
  }

  // A binary channel on which all edges send, or all receive, is dead: turn one of them round.
  void pair_synchronisations() {
    for (size_t c = 0; c < model_.channels.size(); ++c) {
      std::vector<TaSync*> on_channel;
      for (TaTemplate& of : model_.templates) {
        for (TaEdge& e : of.edges) {
          if (e.sync && e.sync->channel == c) on_channel.push_back(&*e.sync);
        }
      }
      const auto sends = static_cast<size_t>(
          std::count_if(on_channel.begin(), on_channel.end(), [](const TaSync* s) { return s->send; }));
      if (model_.channels[c].broadcast || on_channel.size() < 2) continue;
      if (sends != 0 && sends != on_channel.size()) continue;
      TaSync* turned = rng_.pick(on_channel);
      turned->send = !turned->send;
    }
  }

  void set_priorities() {
    if (!model_.channels.empty() && rng_.chance(70)) {
      for (size_t i = 0; i < model_.channels.size(); ++i) model_.channel_priority.push_back(rng_.between(-1, 2));
    }
    int32_t level = 0;
    const bool by_process = rng_.chance(70);
    for (size_t i = 1; i < model_.instances.size(); ++i) {
      const TaTemplate& of = model_.templates[model_.instances[i].of];
      const bool same = of.instantiated_by_range && model_.instances[i].of == model_.instances[i - 1].of;
      if (by_process && !same && rng_.chance(60)) ++level;
      model_.instances[i].priority = level;
    }
  }

  // ---- queries ----
  TaQuery make_query() {
    TaQuery query;
    query.as_invariant = rng_.chance(25);
    const size_t clauses = rng_.chance(15) ? 2 : 1;
    for (size_t i = 0; i < clauses; ++i) query.clauses.push_back(make_clause());
    return query;
  }

  std::vector<TaGoalAtom> make_clause() {
    std::vector<TaGoalAtom> clause;
    for (size_t i = 0; i < model_.instances.size(); ++i) {
      if (!rng_.chance(60)) continue;
      TaGoalAtom atom{.kind = TaGoalAtom::Kind::Location, .instance = i};
      atom.location = rng_.below(model_.templates[model_.instances[i].of].locations.size());
      atom.negated = rng_.chance(10);
      clause.push_back(std::move(atom));
    }
    const size_t instance = rng_.below(model_.instances.size());
    Scope scope{.of = &model_.templates[model_.instances[instance].of], .in_query = true};
    const bool quantified = scope.of->instantiated_by_range && !scope.of->parameters.empty();
    if (quantified && rng_.chance(50)) {
      TaGoalAtom atom{.kind = rng_.chance(50) ? TaGoalAtom::Kind::All : TaGoalAtom::Kind::Some, .instance = instance};
      const TaParameter& number = scope.of->parameters[0];
      atom.slot = expressions_.new_slot("q", {.lo = number.lo, .hi = number.hi});
      Scope inner = scope;
      inner.slots.push_back(atom.slot);
      atom.condition.expr = expressions_.condition(inner);
      clause.push_back(std::move(atom));
    } else if (rng_.chance(profile_.violations ? 80 : 45)) {
      if (auto c = expressions_.condition(scope)) {
        TaGoalAtom atom{.kind = TaGoalAtom::Kind::Condition, .instance = instance, .negated = rng_.chance(15)};
        atom.condition.expr = c;
        clause.push_back(std::move(atom));
      }
    }
    const size_t clocks = rng_.chance(45) ? (rng_.chance(30) ? 2 : 1) : 0;
    for (size_t i = 0; i < clocks; ++i) {
      if (auto clock = expressions_.clock_guard(scope)) {
        TaGoalAtom atom{.kind = TaGoalAtom::Kind::Condition, .instance = instance};
        atom.condition.clock = clock;
        clause.push_back(std::move(atom));
      }
    }
    if (clause.empty() || (profile_.deadlock && rng_.chance(60))) {
      TaGoalAtom atom;
      if (profile_.deadlock && model_.channel_priority.empty() && !has_process_priorities()) {
        atom.kind = TaGoalAtom::Kind::Deadlock;
        atom.negated = rng_.chance(12);
      } else {
        atom.location = model_.templates[model_.instances[0].of].locations.size() - 1;
      }
      clause.push_back(std::move(atom));
    }
    return clause;
  }

  bool has_process_priorities() const { return model_.instances.back().priority != 0; }

  // A model whose initial state violates an invariant is no model; drop the invariants then.
  void repair_initial_invariants() {
    const auto network = make_network(model_);
    std::vector<NetAtom> atoms;
    bool holds = false;
    try {
      holds = network->invariant(network->initial_values(), atoms);
    } catch (const NetRuntimeError&) {
      return;
    }
    for (const NetAtom& atom : atoms) holds = holds && (atom.strict ? 0 < atom.bound : 0 <= atom.bound);
    if (holds) return;
    for (TaTemplate& of : model_.templates) of.locations[of.initial].invariant.clear();
  }

  const Profile& profile_;
  TaModel model_;
  Rng rng_;
  ExpressionGenerator expressions_;
  int clocks_left_ = 0;
};

}  // namespace

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all{
      {.name = "untimed"},
      {.name = "rich", .rich = true},
      {.name = "closed", .min_clocks = 1, .max_clocks = 3},
      {.name = "strict", .min_clocks = 1, .max_clocks = 3, .strict = true},
      {.name = "closed-diagonal", .min_clocks = 2, .max_clocks = 3, .diagonals = true},
      {.name = "diagonal", .min_clocks = 2, .max_clocks = 3, .strict = true, .diagonals = true},
      {.name = "priority", .max_clocks = 2, .strict = true, .priorities = true},
      {.name = "broadcast", .min_clocks = 1, .max_clocks = 2, .strict = true, .broadcast_clock_guards = true},
      {.name = "deadlock", .max_clocks = 2, .strict = true, .deadlock = true},
      {.name = "broadcast-priority",
       .min_clocks = 1,
       .max_clocks = 2,
       .strict = true,
       .priorities = true,
       .broadcast_clock_guards = true},
      {.name = "broadcast-deadlock",
       .min_clocks = 1,
       .max_clocks = 2,
       .strict = true,
       .broadcast_clock_guards = true,
       .deadlock = true},
      {.name = "diagonal-priority",
       .min_clocks = 2,
       .max_clocks = 2,
       .strict = true,
       .diagonals = true,
       .priorities = true,
       .broadcast_clock_guards = true},
      {.name = "diagonal-deadlock",
       .min_clocks = 2,
       .max_clocks = 2,
       .strict = true,
       .diagonals = true,
       .broadcast_clock_guards = true,
       .deadlock = true},
      {.name = "derived", .derived = true},
      {.name = "derived-clocks", .min_clocks = 1, .max_clocks = 2, .strict = true, .derived = true},
      {.name = "derived-priority", .max_clocks = 1, .priorities = true, .deadlock = true, .derived = true},
      // Hidden names, functions of templates and of the model.
      {.name = "scopes", .max_clocks = 1, .rich = true, .scopes = true},
      {.name = "violations", .max_clocks = 2, .strict = true, .rich = true, .violations = true},
      {.name = "violations-everything",
       .min_clocks = 1,
       .max_clocks = 2,
       .strict = true,
       .diagonals = true,
       .priorities = true,
       .broadcast_clock_guards = true,
       .deadlock = true,
       .rich = true,
       .violations = true},
      {.name = "everything",
       .max_clocks = 2,
       .strict = true,
       .diagonals = true,
       .priorities = true,
       .broadcast_clock_guards = true,
       .deadlock = true,
       .rich = true},
  };
  return all;
}

TaModel generate(const Profile& profile, uint64_t seed) { return Generator(profile, seed).generate(); }

}  // namespace harrier::testing_support
