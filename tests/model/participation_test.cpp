// Who takes part in an error (PEP), the layers of variables, and the features, on models made by hand and on the
// examples of Bui (2009) in both languages.
#include "model/participation.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "families/families.h"
#include "harrier/harrier.h"
#include "lang/promela/promela.h"
#include "model/features.h"
#include "support/subject.h"
#include "support/system_builder.h"

namespace harrier::model {
namespace {

using testing_support::Subject;
using testing_support::SystemBuilder;
using Names = std::vector<std::string>;

// A system and a property of it, and what is found out about them, by name.
struct Found {
  Found(const System& system, const Property& property) : features(model::features(system, property)) {
    for (const ProcessId p : features.participation.processes) participants.push_back(system.process(p).name);
    for (const Layer& layer : dependency_layers(system, property)) {
      Names names;
      for (const VarId v : layer.variables) names.push_back(system.variable(v).name);
      for (const ClockId c : layer.clocks) names.push_back(system.clocks[c.value].name);
      layers.push_back(names);
    }
  }

  double pep() const { return features.participation.factor(); }

  Features features;
  Names participants;
  std::vector<Names> layers;
};

Found uppaal(const std::string& model, const std::string& query) {
  const Subject subject(model, query);
  return {subject.system(), subject.property};
}

Found promela(const std::string& text, promela::Options options = {}) {
  Diagnostics diagnostics;
  promela::Source source(text, "m.pml", std::move(options), diagnostics);
  source.lower(diagnostics);
  EXPECT_FALSE(diagnostics.has_errors());
  return {*source.system(), source.properties().at(0)};
}

promela::Options goal(const std::string& expression) {
  promela::Options options;
  options.goals = {expression};
  return options;
}

// Processes with and without access to the resource, as the Peterson protocols of Bui (2009, §7.4.1).
std::string sharing(int with, int without) {
  std::string text = "byte resource, turn;\nactive [" + std::to_string(with) +
                     "] proctype user() { byte k; do :: turn == _pid -> k = turn; resource++; "
                     "cs: assert(resource == 1); resource--; turn = k + 1 od }\n";
  if (without > 0) {
    text += "active [" + std::to_string(without) + "] proctype other() { do :: turn = 0 od }\n";
  }
  return text;
}

TEST(Participation, LowIfFewWriteWhatTheGoalReads) {
  const Found high = promela(sharing(5, 0), goal("resource > 1"));
  EXPECT_EQ(high.pep(), 1);
  EXPECT_TRUE(high.features.high_pep());
  const Found low = promela(sharing(2, 3), goal("resource > 1"));
  EXPECT_EQ(low.participants, (Names{"user(0)", "user(1)"}));
  EXPECT_EQ(low.features.participation.all, 5u);
  EXPECT_DOUBLE_EQ(low.pep(), 0.4);
  EXPECT_FALSE(low.features.high_pep());
}

TEST(Participation, LayersOfThePetersonProtocols) {
  // As figure 7.4 of Bui (2009) has them: the resource, then who writes it, then what decides about those.
  const Found low = promela(sharing(2, 3), goal("resource > 1"));
  ASSERT_EQ(low.layers.size(), 4u);
  EXPECT_EQ(low.layers[0], Names{"resource"});
  EXPECT_EQ(low.layers[1], (Names{"user(0)", "user(1)"}));
  EXPECT_EQ(low.layers[2], Names{"turn"});
  EXPECT_EQ(low.layers[3], (Names{"user(0).k", "user(1).k", "other(2)", "other(3)", "other(4)"}));
}

TEST(Participation, AnAssertionStandsForWhatItReads) {
  const Found low = promela(sharing(2, 3));
  EXPECT_EQ(low.participants, (Names{"user(0)", "user(1)"})) << "the deadlock is not counted beside the assertion";
  EXPECT_EQ(low.layers.at(0), (Names{"resource", "user(0)", "user(1)"}));
  EXPECT_EQ(low.features.deadlock_clauses, 1u);
  EXPECT_EQ(low.features.other_clauses, 1u);
  // Who asserts and who writes are different processes here.
  const Found watched = promela(
      "byte x, y;\nactive proctype writer() { x = 1 }\nactive proctype idler() { y = x }\n"
      "active proctype watcher() { assert(x == 0) }\n");
  EXPECT_EQ(watched.participants, (Names{"writer(0)", "watcher(2)"}));
}

TEST(Participation, EverybodyTakesPartInADeadlock) {
  promela::Options options;
  options.assertions = false;
  const Found found = promela(sharing(2, 3), options);
  EXPECT_TRUE(found.features.only_deadlocks());
  EXPECT_EQ(found.pep(), 1);
  EXPECT_EQ(found.layers.at(0).size(), 5u);
  const Subject philosophers(families::find_family("philosophers")->generate(6).model, "A[] not deadlock");
  EXPECT_EQ(Found(philosophers.system(), philosophers.property).pep(), 1);
}

TEST(Participation, TwoPredeterminedProcessesOfMany) {
  for (uint32_t n = 2; n <= 10; n += 4) {
    const std::string model = families::find_family("fischer")->generate(n).model;
    const Found two = uppaal(model, "E<> P(1).cs && P(2).cs");
    EXPECT_EQ(two.participants, (Names{"P(1)", "P(2)"}));
    EXPECT_DOUBLE_EQ(two.pep(), 2.0 / n);
    // Bui 2009, §5.4.2: if any two of them make the error, PEP is high.
    const Found any = uppaal(model, families::find_family("fischer")->generate(n).query);
    EXPECT_EQ(any.pep(), 1);
  }
}

TEST(Participation, SendAndReceiveIsAboutTwoProcesses) {
  std::string text = "chan data[3] = [1] of { bit }; chan confirmation[3] = [1] of { bit };\nbyte late;\n";
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    const std::string fails = i == 0 ? ":: late++ " : "";
    text += "active proctype sender" + n + "() { do :: data[" + n + "]!1; if :: confirmation[" + n + "]?_ " + fails +
            "fi od }\nactive proctype receiver" + n + "() { do :: data[" + n + "]?_ -> confirmation[" + n + "]!1 " +
            fails + "od }\n";
  }
  const Found found = promela(text, goal("late > 0"));
  EXPECT_EQ(found.participants, (Names{"sender0(0)", "receiver0(1)"}));
  EXPECT_DOUBLE_EQ(found.pep(), 2.0 / 6);
  std::set<std::string> reached;
  for (const Names& layer : found.layers) reached.insert(layer.begin(), layer.end());
  EXPECT_TRUE(reached.contains("len(data[0])"));
  EXPECT_FALSE(reached.contains("len(data[1])")) << "the other pairs are weak";
  EXPECT_FALSE(reached.contains("sender1(2)"));
}

TEST(Participation, WhoStartsAProcessIsNotPartOfItsError) {
  const char* const model = "proctype P(byte n) { byte x; x = n; cs: x = 0 }\ninit { atomic { run P(1); run P(2) } }\n";
  Diagnostics diagnostics;
  promela::Source source(model, "m.pml", goal("P[1]@cs && P[1]:x == 1"), diagnostics);
  source.make_room_for({"P(1)", "P(2)"});
  source.lower(diagnostics);
  const Found found(*source.system(), source.properties().at(0));
  EXPECT_EQ(found.participants, Names{"P(1)"});
  EXPECT_EQ(found.features.processes, 3u);
  EXPECT_GT(found.features.incomplete_clauses, 0u);
  EXPECT_EQ(found.features.other_clauses, 1u);
  EXPECT_TRUE(found.features.exclusive_control);
}

TEST(Participation, AClaimStandsForWhatItWatches) {
  promela::Options options;
  options.assertions = false;
  options.ltl = {"[] !(user[0]@cs && user[1]@cs)"};
  const Found safety = promela(sharing(5, 0), options);
  EXPECT_EQ(safety.participants, (Names{"user(0)", "user(1)"}));
  EXPECT_EQ(safety.features.processes, 5u) << "the claim is no process of the model";
  EXPECT_EQ(safety.layers.at(0), (Names{"user(0)", "user(1)"}));
  EXPECT_TRUE(safety.features.claim);
  options.ltl = {"[] <> user[3]@cs"};
  const Found liveness = promela(sharing(5, 0), options);
  EXPECT_TRUE(liveness.features.liveness);
  EXPECT_TRUE(liveness.features.proof);
  EXPECT_EQ(liveness.participants, Names{"user(3)"});
}

TEST(Participation, NobodyIfNothingCanBeDone) {
  const Found found = promela("byte x, y;\nactive proctype P() { x = 1 }\n", goal("y == 1"));
  EXPECT_EQ(found.participants, Names{});
  EXPECT_EQ(found.pep(), 0);
  EXPECT_EQ(found.layers, std::vector<Names>{{"y"}});
  const SystemBuilder empty;
  EXPECT_EQ(Found(empty.system, SystemBuilder::reachable({})).pep(), 0);
}

class Layers : public ::testing::Test {
 protected:
  SystemBuilder b;
  VarId x = b.var("x", 0, 9);
  VarId y = b.var("y", 0, 9);
  VarId z = b.var("z", 0, 9);
  ClockId c = b.clock("c");
  ClockId d = b.clock("d");
  ProcessId p = b.process("P", {"l", "m"});
  ProcessId q = b.process("Q", {"l", "m"});
  ProcessId r = b.process("R", {"l", "m"});

  ExprId at(ProcessId process, int32_t location) {
    return b.op(Op::Eq, b.get(b.system.process(process).location), b.num(location));
  }
};

TEST_F(Layers, AnEdgeNeedsItsPartnerAndTheInvariant) {
  const ChannelId a = b.channel("a");
  b.send(p, 0, 1, a);
  const EdgeId received = b.receive(q, 0, 1, a);
  b.edge(received).guard = {b.get(y)};
  b.edge(received).effect = {b.run(b.store(z, b.get(z)))};  // decides nothing about P
  b.location(p, 1).clock_invariant = {b.le(c, 5)};
  const Found found(b.system, SystemBuilder::reachable({at(p, 1)}));
  EXPECT_EQ(found.participants, Names{"P"});
  EXPECT_EQ(found.layers, (std::vector<Names>{{"P.location"}, {"y", "Q.location", "c"}}));
}

TEST_F(Layers, ABroadcastWaitsForNobody) {
  const ChannelId a = b.channel("a", true);
  b.send(p, 0, 1, a);
  b.edge(b.receive(q, 0, 1, a)).guard = {b.get(y)};
  EXPECT_EQ(Found(b.system, SystemBuilder::reachable({at(p, 1)})).layers, (std::vector<Names>{{"P.location"}}));
  EXPECT_EQ(Found(b.system, SystemBuilder::reachable({at(q, 1)})).layers,
            (std::vector<Names>{{"Q.location"}, {"y", "P.location"}}));
}

TEST_F(Layers, ClocksCountAndSoDoesWhoResetsThem) {
  const EdgeId reset = b.edge(p, 0, 0);
  b.edge(reset).effect = {b.reset(c)};
  b.edge(reset).clock_guard = {b.ge(d, 2)};
  b.edge(b.edge(q, 0, 1)).effect = {b.reset(d)};
  const Found found(b.system, SystemBuilder::reachable({}, {b.le(c, 3)}));
  EXPECT_EQ(found.participants, Names{"P"});
  EXPECT_EQ(found.layers, (std::vector<Names>{{"c"}, {"P.location", "d"}, {"Q.location"}}));
}

TEST_F(Layers, WhoWritesWhatADerivedVariableFollowsFromDecidesAboutIt) {
  const VarId derived = b.var("derived", 0, 1);
  b.system.axioms = {{derived, 1, 0, {b.eq(x, 1), b.at(q, 1)}, {}}};
  b.edge(b.edge(p, 0, 0)).effect = {b.set(x, 1)};
  b.edge(q, 0, 1);
  const Found found(b.system, SystemBuilder::reachable({b.eq(derived, 1)}));
  EXPECT_EQ(found.participants, (Names{"P", "Q"}));
  EXPECT_EQ(found.layers, (std::vector<Names>{{"derived"}, {"x", "P.location", "Q.location"}}));
}

TEST_F(Layers, WhatEveryTransitionDoesIsDoneByEverybody) {
  b.edge(p, 0, 1);
  b.edge(q, 0, 1);
  b.system.after_update = {b.run(b.store(x, b.get(y)))};
  const Found found(b.system, SystemBuilder::reachable({b.get(x)}));
  EXPECT_EQ(found.participants, (Names{"P", "Q"})) << "R has no edge";
  EXPECT_EQ(found.layers, (std::vector<Names>{{"x"}, {"y", "P.location", "Q.location", "R.location"}}));
}

// What holds for every model.
void expect_consistent(const System& system, const Property& property, const std::string& name) {
  const Found found(system, property);
  const Features& f = found.features;
  EXPECT_GE(found.pep(), 0) << name;
  EXPECT_LE(found.pep(), 1) << name;
  EXPECT_EQ(f.processes, system.processes.size() - (system.claim.valid() ? 1 : 0)) << name;
  EXPECT_EQ(f.processes, f.participation.all) << name;
  EXPECT_EQ(f.proof, property.kind != PropertyKind::Reachable) << name;
  EXPECT_EQ(f.deadlock_clauses + f.other_clauses + f.incomplete_clauses, property.goal.size()) << name;
  if (f.only_deadlocks()) {
    EXPECT_EQ(found.participants.size(), f.processes) << name;
  }
  // Layers have no name in common, and none is empty.
  std::set<std::string> seen;
  size_t names = 0;
  for (const Names& layer : found.layers) {
    EXPECT_FALSE(layer.empty()) << name;
    names += layer.size();
    seen.insert(layer.begin(), layer.end());
  }
  EXPECT_EQ(seen.size(), names) << name;
  // The location of who participates decides about the goal.
  for (const ProcessId p : f.participation.processes) {
    EXPECT_TRUE(seen.contains(system.variable(system.process(p).location).name)) << name;
  }
  const Found again(system, property);
  EXPECT_EQ(again.participants, found.participants) << name;
  EXPECT_EQ(again.layers, found.layers) << name;
}

TEST(Features, OfFamiliesAreConsistent) {
  for (const families::Family& family : families::families()) {
    for (uint32_t n = family.min_n; n <= family.min_n + 2; ++n) {
      const Subject subject(family.generate(n));
      expect_consistent(subject.system(), subject.property, family.name);
      EXPECT_GT(Found(subject.system(), subject.property).pep(), 0) << family.name;
    }
  }
}

TEST(Features, OfPromelaModelsAreConsistent) {
  size_t models = 0;
  for (const auto& file : std::filesystem::directory_iterator(HARRIER_SOURCE_DIR "/tests/promela/models")) {
    if (file.path().extension() != ".pml") continue;
    const std::string path = file.path().string();
    Diagnostics diagnostics;
    promela::Source source(read_file(path), path, {}, diagnostics);
    if (!diagnostics.has_errors()) source.lower(diagnostics);
    if (diagnostics.has_errors()) continue;
    expect_consistent(*source.system(), source.properties().at(0), path);
    ++models;
  }
  EXPECT_GT(models, 20u);
}

}  // namespace
}  // namespace harrier::model
