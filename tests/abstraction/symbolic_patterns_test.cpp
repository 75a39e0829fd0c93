// Symbolic pattern databases as tables, against plain enumeration by the concrete semantics: of networks with choices,
// several initial states and every rule of who goes first.
#include "abstraction/diagrams/symbolic_patterns.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "abstraction/diagrams/layer_merger.h"
#include "abstraction/distance.h"
#include "abstraction/patterns/pattern_text.h"
#include "base/error.h"
#include "harrier/harrier.h"
#include "heur/table.h"
#include "support/options.h"
#include "support/system_builder.h"
#include "symbolic/enumeration.h"
#include "symbolic/random_network.h"

namespace harrier::testing_support {
namespace {

using abstraction::DistanceDiagram;
using abstraction::kInfinity;
using abstraction::LayerMerger;
using abstraction::SymbolicPatterns;

struct Network {
  explicit Network(uint64_t seed)
      : system(RandomNetwork::lively(seed, static_cast<int>(seed % 12)).make()),
        property(RandomNetwork::goal(system, seed)) {}

  // Of variables that are drawn with these chances.
  std::string pattern(uint64_t seed, int percent) const {
    Rng rng(seed);
    std::string out;
    for (const std::string& name : abstraction::names_for_users(system)) {
      if (rng.chance(percent)) out += (out.empty() ? "" : ", ") + name;
    }
    return out;
  }
  SymbolicPatterns build(const AbstractionOptions& options) const {
    return SymbolicPatterns::build(system, property.goal, options);
  }

  model::System system;
  model::Property property;
};

// All states that can be reached, and how far each is from where the goal holds or something fails.
struct Distances {
  std::vector<Values> states;
  std::vector<uint32_t> distance;

  // None if there are too many states, or the beginning fails.
  static std::optional<Distances> of(const model::System& system, const model::Property& property) {
    constexpr size_t kMost = 3000;
    trace::ConcreteSemantics semantics(system);
    Distances out;
    std::map<Values, size_t> number;
    const auto visit = [&](const Values& values) {
      const auto [at, fresh] = number.emplace(values, out.states.size());
      if (fresh) out.states.push_back(values);
      return at->second;
    };
    try {
      for (const auto& s : semantics.initial_states()) {
        if (semantics.invariant_holds(s)) visit(s.values);
      }
    } catch (const model::RunTimeError&) {
      return std::nullopt;
    }
    std::vector<std::vector<size_t>> before;
    std::vector<size_t> queue;
    for (size_t id = 0; id < out.states.size(); ++id) {
      if (out.states.size() > kMost) return std::nullopt;
      const Values values = out.states[id];
      const Successors after = concrete_successors(semantics, values);
      bool target = after.failure.has_value();
      try {
        target = semantics.goal(property.goal, {values, {0}}) || target;
      } catch (const model::RunTimeError&) {
        target = true;
      }
      if (target) queue.push_back(id);
      for (const Values& next : after.states) {
        const size_t to = visit(next);
        before.resize(out.states.size());
        before[to].push_back(id);
      }
    }
    before.resize(out.states.size());
    out.distance.assign(out.states.size(), kInfinity);
    for (const size_t id : queue) out.distance[id] = 0;
    for (size_t i = 0; i < queue.size(); ++i) {
      for (const size_t id : before[queue[i]]) {
        if (out.distance[id] != kInfinity) continue;
        out.distance[id] = out.distance[queue[i]] + 1;
        queue.push_back(id);
      }
    }
    return out;
  }
};

TEST(SymbolicPatterns, KeepTheirPromisesWhateverIsCutOff) {
  size_t states = 0;
  size_t dead_ends = 0;
  size_t positive = 0;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    const Network network(seed);
    const auto all = Distances::of(network.system, network.property);
    if (!all) continue;
    for (const char* way : {"layers", "pattern", "few nodes"}) {
      AbstractionOptions options;
      if (way != std::string("layers")) options.pattern = network.pattern(seed, 50);
      if (way == std::string("few nodes")) options.states = seed % 12;
      const SymbolicPatterns table = network.build(options);
      for (size_t id = 0; id < all->states.size(); ++id) {
        const uint32_t h = table.look_up(all->states[id].data());
        ASSERT_LE(h, all->distance[id]) << "seed " << seed << ", " << way << ", state " << id;
        dead_ends += h == kInfinity;
        positive += h != 0 && h != kInfinity;
        ++states;
      }
      if (table.report().proved) {
        for (const uint32_t d : all->distance) ASSERT_EQ(d, kInfinity) << "seed " << seed << ", " << way;
      }
    }
  }
  EXPECT_GT(states, 20'000u);
  EXPECT_GT(dead_ends, 1200u);
  EXPECT_GT(positive, 2000u);
}

TEST(SymbolicPatterns, OfAllVariablesAreExact) {
  int far = 0;
  for (uint64_t seed = 1; seed <= 800; ++seed) {
    const Network network(seed);
    const auto all = Distances::of(network.system, network.property);
    if (!all) continue;
    AbstractionOptions options;
    options.pattern = network.pattern(seed, 100);
    const SymbolicPatterns table = network.build(options);
    for (size_t id = 0; id < all->states.size(); ++id) {
      ASSERT_EQ(table.look_up(all->states[id].data()), all->distance[id]) << "seed " << seed << ", state " << id;
      far += all->distance[id] > 2 && all->distance[id] != kInfinity;
    }
  }
  EXPECT_GT(far, 400);
}

TEST(SymbolicPatterns, GuideToShortestPaths) {
  int reachable = 0;
  int unreachable = 0;
  int failed = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    const Network network(seed);
    const Enumeration expected = enumerate(network.system, network.property);
    if (!expected.complete) continue;
    for (const char* heuristic : {"spdb", "max(hL, spdb)"}) {
      // hL does not see exclusive control change: the goals of languages do not ask for it.
      if (heuristic != std::string("spdb") && network.system.control.valid()) continue;
      CheckOptions options;
      options.search = Search::AStar;
      options.heuristic = heuristic;
      const search::Result result = search::run(network.system, network.property, options);
      if (!expected.goal && !expected.failure) {
        ASSERT_EQ(result.verdict, Verdict::Unreachable) << "seed " << seed;
        ++unreachable;
      } else if (!expected.failure) {
        ASSERT_EQ(result.verdict, Verdict::Reachable) << "seed " << seed;
        ASSERT_EQ(result.path->steps.size(), *expected.goal) << "seed " << seed;
        ASSERT_EQ(problem_with(network.system, network.property, *result.path), "") << "seed " << seed;
        ++reachable;
      } else if (heuristic == std::string("spdb")) {  // hL knows nothing of failures: it may hide them
        // The state that fails may have another successor, where the goal holds.
        ASSERT_TRUE(result.verdict == Verdict::Failed || result.verdict == Verdict::Reachable) << "seed " << seed;
        ++failed;
      }
    }
  }
  EXPECT_GT(reachable, 80);
  EXPECT_GT(unreachable, 150);
  EXPECT_GT(failed, 40);
}

TEST(SymbolicPatterns, AreTheSameFromAFile) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const Network network(seed);
    AbstractionOptions options;
    options.pattern = network.pattern(seed, 60);
    if (seed % 3 == 0) options.states = 10;
    const SymbolicPatterns table = network.build(options);
    ArchiveWriter out;
    table.save(out);
    ArchiveReader in(out.bytes(), "file");
    const SymbolicPatterns again = SymbolicPatterns::load(in, network.system);
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(again.report().details, table.report().details);
    EXPECT_EQ(again.report().states, table.report().states);
    EXPECT_EQ(again.report().bytes, table.report().bytes);
    EXPECT_EQ(again.report().proved, table.report().proved);
    Rng rng(seed);
    for (int i = 0; i < 200; ++i) {
      const Values values = random_state(network.system, rng);
      ASSERT_EQ(again.look_up(values.data()), table.look_up(values.data())) << "seed " << seed;
    }
  }
}

// Whatever is in a file, it is refused, or a table that every look-up comes back from.
TEST(SymbolicPatterns, DamagedFilesAreRefused) {
  const Network network(6);
  AbstractionOptions options;
  options.pattern = network.pattern(6, 100);
  const SymbolicPatterns table = network.build(options);
  ArchiveWriter out;
  table.save(out);
  const auto refused = [&](const std::string& bytes) {
    try {
      ArchiveReader in(bytes, "file");
      const SymbolicPatterns loaded = SymbolicPatterns::load(in, network.system);
      Rng rng(1);
      for (int i = 0; i < 20; ++i) loaded.look_up(random_state(network.system, rng).data());
      return false;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::Input);
      return true;
    }
  };
  EXPECT_FALSE(refused(out.bytes()));
  for (size_t size = 0; size < out.bytes().size(); ++size) EXPECT_TRUE(refused(out.bytes().substr(0, size))) << size;
  int count = 0;
  for (size_t i = 0; i < out.bytes().size(); ++i) {
    for (const int mask : {1, 128, 255}) {
      std::string edited = out.bytes();
      edited[i] = static_cast<char>(edited[i] ^ mask);
      count += refused(edited);
    }
  }
  EXPECT_GT(count, 100);
}

TEST(SymbolicPatterns, WithoutTimeKnowNothing) {
  const Network network(1);
  AbstractionOptions options;
  options.seconds = 0;
  const SymbolicPatterns table = network.build(options);
  EXPECT_EQ(table.look_up(network.system.initial_values().data()), 0u);
  EXPECT_FALSE(table.report().proved);
}

TEST(SymbolicPatterns, WatchesEnd) {
  const Network network(1);
  const Watch watch({.polls = 50});
  EXPECT_THROW(SymbolicPatterns::build(network.system, network.property.goal, {}, watch), Error);
  Budget budget;
  const symbolic::BddManager free(budget);  // what it used is
}

TEST(SymbolicPatterns, RefuseClocksAndWhatIsNoPattern) {
  const auto complaint = [](const SystemBuilder& b, const std::string& pattern) -> std::string {
    AbstractionOptions options;
    options.pattern = pattern;
    try {
      SymbolicPatterns::build(b.system, SystemBuilder::reachable({}).goal, options);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  SystemBuilder b;
  b.edge(b.process("P", {"a", "b"}), 0, 1);
  EXPECT_EQ(complaint(b, "P"), "");
  EXPECT_EQ(complaint(b, "P; P"), "a symbolic database has one pattern");
  EXPECT_NE(complaint(b, "Q").find("the pattern names 'Q', which the model does not have"), std::string::npos);
  b.clock("x");
  EXPECT_NE(complaint(b, "").find("unsupported: the clock 'x' in the symbolic engine"), std::string::npos);
  EXPECT_FALSE(heur::get("spdb").is_for(b.system));
}

// Layers of random states of two variables, one after the other, until there is no room.
TEST(LayerMerger, KeepsTheNearestLayersThatFit) {
  SystemBuilder b;
  b.var("x", -3, 28);
  b.var("y", 0, 31);
  for (const uint64_t most : {0, 1, 30, 200, 500, 1'000'000}) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      Rng rng(seed);
      const uint64_t distances = 1 + rng.below(300);
      std::map<Values, uint64_t> distance;
      Budget budget;
      symbolic::BddManager manager(budget);
      const auto domains = symbolic::declared_domains(b.system);
      const symbolic::Encoding encoding(manager, b.system,
                                        symbolic::variable_orders(b.system, domains, Watch::none()).front(), domains);
      std::vector<symbolic::Bdd> layers(distances);
      for (int32_t x = -3; x <= 28; ++x) {
        for (int32_t y = 0; y <= 31; ++y) {
          const uint64_t d = rng.below(distances + 1);
          distance[{x, y}] = d;
          if (d < distances) layers[d] |= encoding.states(Values{x, y});
        }
      }
      LayerMerger merger(budget, most);
      for (const symbolic::Bdd& layer : layers) {
        if (!merger.add(layer)) break;
      }
      EXPECT_TRUE(most < 2000 || merger.layers() == distances);
      const DistanceDiagram diagram = merger.diagram(encoding, merger.layers());
      EXPECT_LE(diagram.size(), most);
      for (const auto& [values, d] : distance) {
        ASSERT_EQ(diagram.look_up(values.data()), std::min<uint64_t>(d, merger.layers())) << most << " " << seed;
      }
    }
  }
}

constexpr const char* kChooses = R"(
MODULE main
VAR
  x : 0..15;
  y : 0..15;
  go : boolean;
ASSIGN
  init(x) := {0, 1, 2};
  next(x) := case go & x < 15 : {x, x + 1}; TRUE : x; esac;
  init(y) := 0;
  next(y) := case y < x : y + 1; TRUE : y; esac;
INVARSPEC !(x = 12 & y = 12)
INVARSPEC !(x = 1 & y = 2)
)";

TEST(SymbolicPatterns, AreForSmv) {
  const Model model = Model::load_text(kChooses, "m.smv");
  CheckOptions options;
  options.search = Search::BreadthFirst;
  const CheckResult plain = model.check(0, options);
  options.search = Search::AStar;
  options.heuristic = "spdb";
  const CheckResult guided = model.check(0, options);
  EXPECT_EQ(guided.verdict, Verdict::Reachable);
  EXPECT_EQ(guided.witness_length, plain.witness_length);
  EXPECT_LT(guided.statistics.expanded, plain.statistics.expanded);
  ASSERT_EQ(guided.abstractions.size(), 1u);
  EXPECT_EQ(guided.abstractions[0].heuristic, "spdb");
  EXPECT_EQ(model.check(1, options).verdict, Verdict::Unreachable);
  options.heuristic = "pdb";
  try {
    model.check(0, options);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Unsupported);
    EXPECT_NE(std::string(e.what()).find("; spdb is a database for such models"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace harrier::testing_support
