// Infinite paths and formulas of branching time: the explicit search for cycles and the symbolic engine against plain
// fixpoints on the graph of all states.
#include <gtest/gtest.h>

#include <map>

#include "search/search.h"
#include "symbolic/enumeration.h"
#include "symbolic/random_network.h"

namespace harrier::testing_support {
namespace {

using model::FormulaKind;
using model::FormulaNode;

constexpr size_t kMostGraphStates = 400;

// All states that can be reached, and their successors. Nothing if there are too many, or something fails.
struct Graph {
  std::vector<Values> states;
  std::vector<std::vector<size_t>> after;
  std::vector<size_t> initial;

  static std::optional<Graph> of(const model::System& system) {
    Graph out;
    trace::ConcreteSemantics semantics(system);
    std::map<Values, size_t> numbers;
    const auto number = [&](const Values& values) {
      const auto [at, fresh] = numbers.emplace(values, out.states.size());
      if (fresh) out.states.push_back(values);
      return at->second;
    };
    try {
      for (const auto& s : semantics.initial_states()) {
        if (semantics.invariant_holds(s)) out.initial.push_back(number(s.values));
      }
    } catch (const model::RunTimeError&) {
      return std::nullopt;
    }
    for (size_t i = 0; i < out.states.size(); ++i) {
      const Successors after = concrete_successors(semantics, Values(out.states[i]));
      if (after.failure || out.states.size() > kMostGraphStates) return std::nullopt;
      out.after.emplace_back();
      for (const Values& v : after.states) out.after.back().push_back(number(v));
    }
    return out;
  }
};

// The meaning of formulas, set by set.
class Meaning {
 public:
  using Set = std::vector<bool>;

  Meaning(const model::System& system, const model::Property& property, const Graph& graph)
      : system_(system), property_(property), graph_(graph) {
    for (const std::vector<model::Clause>& clauses : property.accepting) {
      Set met(graph.states.size());
      for (const model::Clause& clause : clauses) met = either(met, where(clause.conditions));
      accepting_.push_back(met);
    }
    fair_ = always(Set(graph.states.size(), true));
  }

  bool has_accepting_path() const { return std::find(fair_.begin(), fair_.end(), true) != fair_.end(); }

  bool is_violated() {
    std::vector<Set> sets;
    for (const FormulaNode& node : property_.formula) sets.push_back(of(node, sets));
    return std::any_of(graph_.initial.begin(), graph_.initial.end(),
                       [&](size_t s) { return fair_[s] && sets.back()[s]; });
  }

 private:
  static Set either(Set a, const Set& b) {
    for (size_t i = 0; i < a.size(); ++i) a[i] = a[i] || b[i];
    return a;
  }
  static Set both(Set a, const Set& b) {
    for (size_t i = 0; i < a.size(); ++i) a[i] = a[i] && b[i];
    return a;
  }
  static Set no(Set a) {
    a.flip();
    return a;
  }
  Set where(const std::vector<model::ExprId>& conditions) const {
    Set out(graph_.states.size());
    model::Interpreter run(system_);
    for (size_t i = 0; i < out.size(); ++i) out[i] = run.holds(conditions, graph_.states[i]);
    return out;
  }
  Set before(const Set& some) const {
    Set out(some.size());
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] = std::any_of(graph_.after[i].begin(), graph_.after[i].end(), [&](size_t s) { return some[s]; });
    }
    return out;
  }
  Set until(const Set& left, const Set& right) const {
    Set out = right;
    for (;;) {
      const Set next = either(out, both(left, before(out)));
      if (next == out) return out;
      out = next;
    }
  }
  Set always(const Set& some) const {
    Set out = some;
    for (;;) {
      Set next = both(out, before(out));
      for (const Set& set : accepting_) next = both(next, before(until(next, both(next, set))));
      if (next == out) return out;
      out = next;
    }
  }
  Set of(const FormulaNode& node, const std::vector<Set>& sets) const {
    const Set a = sets.empty() ? Set() : sets[node.a];
    const Set b = sets.empty() ? Set() : sets[node.b];
    const auto some_until = [&](const Set& x, const Set& y) { return until(x, both(y, fair_)); };
    switch (node.kind) {
      case FormulaKind::State: return where({node.condition});
      case FormulaKind::And: return both(a, b);
      case FormulaKind::Or: return either(a, b);
      case FormulaKind::SomeNext: return before(both(a, fair_));
      case FormulaKind::AllNext: return no(before(both(no(a), fair_)));
      case FormulaKind::SomeUntil: return some_until(a, b);
      case FormulaKind::SomeWeak: return either(some_until(a, b), always(a));
      // By the fixpoint equations, on fair paths: a path that is not as it should be does not keep b away for ever.
      case FormulaKind::AllUntil: return no(either(some_until(no(b), both(no(a), no(b))), always(no(b))));
      case FormulaKind::AllWeak: return no(some_until(no(b), both(no(a), no(b))));
    }
    return {};
  }

  const model::System& system_;
  const model::Property& property_;
  const Graph& graph_;
  std::vector<Set> accepting_;
  Set fair_;
};

model::ExprId condition(model::System& system, Rng& rng) {
  const model::VarId v(rng.below(system.variables.size()));
  const model::ExprId value = system.make_const(rng.between(system.variable(v).lo, system.variable(v).hi));
  return system.make_binary(rng.chance(50) ? model::Op::Eq : model::Op::Ne, system.make_var(v), value);
}

model::Property property(model::System& system, model::PropertyKind kind, Rng& rng) {
  model::Property out;
  out.text = "random";
  out.kind = kind;
  for (int sets = rng.between(kind == model::PropertyKind::Liveness ? 1 : 0, 2); sets > 0; --sets) {
    std::vector<model::Clause>& set = out.accepting.emplace_back();
    for (int clauses = rng.between(1, 2); clauses > 0; --clauses) set.push_back({{condition(system, rng)}, {}});
  }
  if (kind != model::PropertyKind::Branching) return out;
  const int nodes = rng.between(1, 8);
  for (int i = 0; i < nodes; ++i) {
    FormulaNode node;
    const auto operand = [&] { return static_cast<uint32_t>(std::max(0, i - 1 - rng.between(0, 2))); };
    if (i > 0 && !rng.chance(25)) {
      node = {static_cast<FormulaKind>(rng.between(1, 8)), {}, static_cast<uint32_t>(i - 1), operand()};
      if (rng.chance(50)) std::swap(node.a, node.b);
    } else {
      node.condition = condition(system, rng);
    }
    out.formula.push_back(node);
  }
  return out;
}

class Agreement {
 public:
  void compare(uint64_t seed, model::PropertyKind kind, const std::vector<search::Method>& methods) {
    SCOPED_TRACE(seed);
    Rng rng(seed);
    model::System system = RandomNetwork(seed).make();
    const std::optional<Graph> graph = Graph::of(system);
    if (!graph || graph->initial.empty()) return;
    for (int i = 0; i < 4; ++i) {
      const model::Property asked = property(system, kind, rng);
      Meaning meaning(system, asked, *graph);
      const bool expected =
          kind == model::PropertyKind::Liveness ? meaning.has_accepting_path() : meaning.is_violated();
      ++(expected ? violated : holding);
      for (const search::Method& method : methods) {
        search::Config config;
        config.method = method;
        const search::Result result = search::run(system, asked, config);
        ASSERT_EQ(result.verdict, expected ? Verdict::Reachable : Verdict::Unreachable)
            << describe(config) << ", seed " << seed << ", property " << i;
        if (!result.path) {
          unshown += expected ? 1 : 0;
          continue;
        }
        ++shown;
        ASSERT_EQ(problem_with(system, asked, *result.path), "")
            << describe(config) << ", seed " << seed << ", property " << i;
      }
    }
  }

  int violated = 0;
  int holding = 0;
  int shown = 0;    // by a path
  int unshown = 0;  // but violated
};

TEST(Temporal, FindsAcceptingPaths) {
  Agreement all;
  for (uint64_t seed = 1; seed <= 800; ++seed) {
    all.compare(seed, model::PropertyKind::Liveness,
                {search::DepthFirstSearch(), search::SymbolicSearch(), search::AutoSearch()});
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(all.violated, 200);
  EXPECT_GT(all.holding, 300);
  EXPECT_EQ(all.unshown, 0);
}

TEST(Temporal, ChecksFormulasOfBranchingTime) {
  Agreement all;
  for (uint64_t seed = 1; seed <= 800; ++seed) {
    all.compare(seed, model::PropertyKind::Branching, {search::SymbolicSearch()});
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(all.violated, 120);
  EXPECT_GT(all.holding, 300);
  EXPECT_GT(all.shown, 60);
  EXPECT_GT(all.unshown, 50);
}

TEST(Temporal, OtherSearchesAreRefused) {
  Rng rng(1);
  model::System system = RandomNetwork(1).make();
  const model::Property formula = property(system, model::PropertyKind::Branching, rng);
  const model::Property cycles = property(system, model::PropertyKind::Liveness, rng);
  using Way = search::SymbolicSearch::Way;
  for (const search::Method& method :
       std::vector<search::Method>{search::BreadthFirstSearch(), search::SymbolicSearch{.way = Way::Backward},
                                   search::SymbolicSearch{.way = Way::Guided}, search::AnytimeSearch()}) {
    search::Config config;
    config.method = method;
    EXPECT_THROW(search::check(config, system, formula), Error) << describe(config);
    EXPECT_THROW(search::check(config, system, cycles), Error) << describe(config);
  }
}

}  // namespace
}  // namespace harrier::testing_support
