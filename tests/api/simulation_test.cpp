// Steps by hand: what can be chosen, taken back, reached and saved, in every language.
#include "harrier/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "families/families.h"

namespace harrier {
namespace {

Model example(const std::string& name) { return Model::load_file(HARRIER_SOURCE_DIR "/models/" + name); }

bool lists(Simulation& simulation, const std::string& text) {
  const auto& all = simulation.transitions().all;
  return std::any_of(all.begin(), all.end(), [&](const auto& t) { return t.text.find(text) != std::string::npos; });
}

void take(Simulation& simulation, const std::string& text) {
  const auto& all = simulation.transitions().all;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].text.find(text) != std::string::npos) return simulation.take(i);
  }
  FAIL() << "nothing has '" << text << "'";
}

std::string value(const Simulation& simulation, const std::string& name) {
  for (const Simulation::Value& v : simulation.values()) {
    if (v.name == name) return v.value + (v.changed ? "*" : "");
  }
  return "";
}

void expect_error(ErrorKind kind, const std::string& text, const std::function<void()>& work) {
  try {
    work();
    FAIL() << "nothing was thrown, but expected: " << text;
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), kind) << e.what();
    EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
  }
}

// Random steps, saved, validated and read again.
void expect_runs(const Model& model, const std::string& name) {
  for (const uint64_t seed : {1, 2, 3}) {
    Simulation simulation(model);
    simulation.seed(seed);
    const uint64_t steps = simulation.random(80);
    EXPECT_EQ(simulation.position(), steps) << name;
    EXPECT_GT(steps, 0u) << name;
    const Trace trace = simulation.trace();
    EXPECT_EQ(trace.steps.size(), steps) << name;
    const Validation validation = model.validate(to_json(trace), "trace");
    EXPECT_EQ(validation.problem, "") << name;
    EXPECT_TRUE(validation.run) << name;
    EXPECT_EQ(validation.verdict, Verdict::Unknown) << name;
    Simulation again(model);
    again.load(to_json(trace), "trace");
    EXPECT_EQ(again.known_steps(), steps) << name;
    EXPECT_EQ(again.trace(), trace) << name;
    again.go_to(steps / 2);
    again.random(5);
    EXPECT_EQ(model.validate(to_json(again.trace()), "trace").problem, "") << name;
  }
}

TEST(Simulation, OfEveryExample) {
  size_t models = 0;
  for (const auto& file : std::filesystem::directory_iterator(HARRIER_SOURCE_DIR "/models")) {
    const std::string name = file.path().filename();
    const std::string suffix = file.path().extension();
    if (suffix == ".q" || suffix == ".md" || name.ends_with("-domain.pddl")) continue;
    expect_runs(Model::load_file(file.path()), name);
    ++models;
  }
  EXPECT_GE(models, 14u);
}

TEST(Simulation, OfEveryFamily) {
  for (const families::Language& language : families::languages()) {
    for (const families::Family& family : language.families) {
      const families::Generated generated = family.generate(std::max(family.min_n, uint32_t{2}));
      LoadOptions options;
      options.language = language.name;
      expect_runs(Model::load_text(generated.model, "generated", options), family.name);
    }
  }
}

TEST(Simulation, MovesAndTakesBack) {
  Simulation simulation(example("fischer-faulty.xta"));
  ASSERT_TRUE(simulation.begun());
  EXPECT_EQ(simulation.transitions().all.size(), 4u);
  EXPECT_EQ(value(simulation, "P(1)"), "idle");
  take(simulation, "P(1): idle -> req");
  EXPECT_EQ(value(simulation, "P(1)"), "req*");
  EXPECT_EQ(value(simulation, "P(2)"), "idle");
  take(simulation, "P(1): req -> wait");
  EXPECT_EQ(value(simulation, "id"), "1*");
  EXPECT_EQ(value(simulation, "P(1)"), "wait*");
  EXPECT_EQ(simulation.position(), 2u);
  simulation.go_to(0);
  EXPECT_EQ(simulation.position(), 0u);
  EXPECT_EQ(simulation.known_steps(), 2u);
  EXPECT_EQ(value(simulation, "id"), "0");
  simulation.go_to(2);
  EXPECT_EQ(value(simulation, "id"), "1*");
  simulation.go_to(1);
  take(simulation, "P(2): idle -> req");  // another way
  EXPECT_EQ(simulation.known_steps(), 2u);
  EXPECT_EQ(value(simulation, "id"), "0");
  EXPECT_NE(simulation.last_step().find("P(2): idle -> req"), std::string::npos);
  expect_error(ErrorKind::Usage, "there is no step 3: they go from 0 to 2", [&] { simulation.go_to(3); });
  expect_error(ErrorKind::Usage, "there is no transition 100", [&] { simulation.take(99); });
  EXPECT_EQ(simulation.position(), 2u);
}

// x <= 3 in `a`, x > 2 to leave it.
constexpr const char* kTimed =
    "clock x, y; int n; process P() { state a { x <= 3 }, b; init a; trans a -> b { guard x > 2; assign x = 0; },\n"
    "a -> a { guard x == 1; assign n = 1; }, b -> b { guard y >= 10; assign n = n + 1; }; } system P;";

TEST(Simulation, WaitsAsLongAsItIsTold) {
  const Model model = Model::load_text(kTimed, "timed.xta");
  Simulation simulation(model);
  EXPECT_TRUE(simulation.timed());
  EXPECT_EQ(simulation.transitions().all.size(), 2u);
  simulation.wait(1);
  EXPECT_EQ(simulation.waited(), 1);
  EXPECT_EQ(simulation.zone(), (std::vector<std::string>{"x == 1", "y == x"}));
  ASSERT_EQ(simulation.transitions().all.size(), 1u);
  EXPECT_TRUE(lists(simulation, "a -> a"));
  simulation.wait(2);
  EXPECT_EQ(simulation.waited(), 3);
  EXPECT_TRUE(lists(simulation, "a -> b"));
  expect_error(ErrorKind::Usage, "4 time units cannot pass here", [&] { simulation.wait(1); });
  expect_error(ErrorKind::Usage, "a delay is a number", [&] { simulation.wait(-1); });
  EXPECT_EQ(simulation.waited(), 3);
  take(simulation, "a -> b");
  simulation.wait(8);
  take(simulation, "b -> b");
  const Trace trace = simulation.trace();
  EXPECT_EQ(trace.denominator, 1);
  EXPECT_EQ(trace.steps[0].delay, 3);
  EXPECT_EQ(trace.steps[1].delay, 8);
  EXPECT_EQ(trace.last().clocks, (std::vector<int64_t>{0, 8, 11}));
  EXPECT_EQ(model.validate(to_json(trace), "trace").problem, "");
  // Without a wait: as soon as it can be, which is just after 2.
  simulation.go_to(0);
  simulation.wait(std::nullopt);
  EXPECT_FALSE(simulation.waited());
  take(simulation, "a -> b");
  const Trace earliest = simulation.trace();
  EXPECT_GT(earliest.steps[0].delay, 2 * earliest.denominator);
  EXPECT_LT(earliest.steps[0].delay, 3 * earliest.denominator);
}

TEST(Simulation, HasTheDelayAtItsEndInTheTrace) {
  const Model model = Model::load_text(kTimed, "timed.xta");
  Simulation simulation(model);
  simulation.wait(2);
  const Trace trace = simulation.trace();
  EXPECT_EQ(trace.final_delay, 2);
  EXPECT_EQ(model.validate(to_json(trace), "trace").problem, "");
  expect_error(ErrorKind::Usage, "no clocks", [] { Simulation(example("peterson.pml")).wait(1); });
}

TEST(Simulation, RefusesTimesThatZonesCannotHold) {
  const Model model = Model::load_text(
      "clock x, y; process P() { state a; init a; trans a -> a { guard x >= 60000000; assign x = 0; }; } system P;",
      "far.xta");
  Simulation simulation(model);
  simulation.take(0);
  expect_error(ErrorKind::Limit, "a clock comes beyond", [&] { simulation.random(5); });
  EXPECT_EQ(simulation.position(), 1u);
  EXPECT_EQ(model.validate(to_json(simulation.trace()), "trace").problem, "");
}

TEST(Simulation, RunsToAConditionOfEachLanguage) {
  Simulation timed(example("fischer-faulty.xta"));
  EXPECT_TRUE(timed.run_until("P(1).cs && P(1).x > 5", 1000));
  EXPECT_EQ(value(timed, "P(1)"), "cs*");
  EXPECT_FALSE(timed.run_until("id == 9", 50));
  expect_error(ErrorKind::Input, "unknown name", [&] { timed.run_until("idd == 2", 5); });

  Simulation faulty(example("mutex-faulty.pml"));
  EXPECT_TRUE(faulty.run_until("inside == 1", 5000));
  EXPECT_EQ(value(faulty, "inside"), "1*");
  expect_error(ErrorKind::Input, "insid", [&] { faulty.run_until("insid == 1", 5); });

  Simulation plan(example("parcels.pddl"));
  EXPECT_TRUE(plan.run_until("(and (at van mill) (not (empty van)))", 10'000));
  const auto values = plan.values();
  EXPECT_TRUE(std::any_of(values.begin(), values.end(), [](const auto& v) { return v.value == "at(van, mill)"; }));
  expect_error(ErrorKind::Input, "did you mean 'at(van, mill)'", [&] { plan.run_until("(at van mil)", 5); });
  expect_error(ErrorKind::Input, "expected ')'", [&] { plan.run_until("(not (at van mill)", 5); });
  expect_error(ErrorKind::Input, "expected the end", [&] { plan.run_until("(at van mill) x", 5); });

  Simulation machine(
      Model::load_text("MODULE main VAR x : 0..7; b : boolean; ASSIGN init(x) := 0; next(x) := (x + 1) "
                       "mod 8; DEFINE high := x > 5;",
                       "m.smv"));
  EXPECT_TRUE(machine.run_until("high & b", 1000));
  EXPECT_EQ(value(machine, "b").substr(0, 4), "TRUE");
  expect_error(ErrorKind::Input, "'y' is not declared", [&] { machine.run_until("y = 1", 5); });
  expect_error(ErrorKind::Input, "the end of the condition", [&] { machine.run_until("x = 1 x", 5); });
}

// A condition takes at least a step.
TEST(Simulation, RunsOnFromAStateThatSatisfiesTheCondition) {
  Simulation simulation(
      Model::load_text("MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;", "m.smv"));
  EXPECT_TRUE(simulation.run_until("x = 0", 100));
  EXPECT_EQ(simulation.position(), 4u);
  EXPECT_TRUE(simulation.run_until("x = 0", 100));
  EXPECT_EQ(simulation.position(), 8u);
}

TEST(Simulation, BeginsInOneOfSeveralStates) {
  const Model model = Model::load_text("MODULE main VAR x : 0..2; b : boolean; ASSIGN next(x) := x; ", "m.smv");
  Simulation simulation(model);
  EXPECT_FALSE(simulation.begun());
  EXPECT_EQ(simulation.transitions().all.size(), 6u);
  expect_error(ErrorKind::Usage, "take an initial state first", [&] { simulation.trace(); });
  expect_error(ErrorKind::Usage, "take an initial state first", [&] { simulation.go_to(0); });
  take(simulation, "x = 2, b = TRUE");
  ASSERT_TRUE(simulation.begun());
  EXPECT_EQ(simulation.position(), 0u);
  EXPECT_EQ(value(simulation, "x"), "2");
  EXPECT_EQ(simulation.transitions().all.size(), 2u);  // b is free
  take(simulation, "b = FALSE");
  const Trace trace = simulation.trace();
  EXPECT_EQ(model.validate(to_json(trace), "trace").problem, "");
  Simulation again(model);
  again.load(to_json(trace), "trace");
  EXPECT_EQ(value(again, "x"), "2");
}

TEST(Simulation, TellsWhatPropertiesAState) {
  const Model model = example("peterson-faulty.pml");
  CheckOptions options;
  options.search = Search::BreadthFirst;
  const CheckResult result = model.check(0, options);
  ASSERT_TRUE(result.trace);
  Simulation simulation(model);
  EXPECT_TRUE(simulation.standings().empty());
  expect_error(ErrorKind::Usage, "this is no witness for property 1", [&] { simulation.trace(0); });
  simulation.load(result.trace_json, "trace");
  ASSERT_EQ(simulation.standings().size(), 1u);
  EXPECT_EQ(simulation.standings()[0].property, 0u);
  EXPECT_EQ(simulation.standings()[0].text.substr(0, 9), "violates ");
  const Validation witness = model.validate(to_json(simulation.trace(0)), "trace");
  EXPECT_EQ(witness.problem, "");
  EXPECT_FALSE(witness.run);
  EXPECT_EQ(witness.holds, false);
}

TEST(Simulation, SavesTimedWitnesses) {
  Model model = example("fischer-faulty.xta");
  model.add_query("E<> P(1).cs and P(2).cs");
  model.add_query("E<> deadlock");
  CheckOptions options;
  options.search = Search::BreadthFirst;
  Simulation simulation(model);
  simulation.load(model.check(0, options).trace_json, "trace");
  const auto standings = simulation.standings();
  ASSERT_EQ(standings.size(), 1u);
  EXPECT_EQ(standings[0].text, "reaches 'E<> P(1).cs and P(2).cs'");
  const Validation witness = model.validate(to_json(simulation.trace(0)), "trace");
  EXPECT_EQ(witness.problem, "");
  EXPECT_EQ(witness.holds, true);
}

TEST(Simulation, StandsAtDeadlocks) {
  Model model = Model::load_text(
      "clock x; process P() { state a { x <= 5 }, b; init a; trans a -> b { guard x < 2; }; } system P;", "stuck.xta");
  model.add_query("A[] not deadlock");
  Simulation simulation(model);
  // After 2 time units nothing can happen any more.
  ASSERT_EQ(simulation.standings().size(), 1u);
  const Trace trace = simulation.trace(0);
  EXPECT_GE(trace.final_delay, 2 * trace.denominator);
  EXPECT_EQ(model.validate(to_json(trace), "trace").problem, "");
  simulation.wait(1);
  EXPECT_TRUE(simulation.standings().empty());
  simulation.wait(2);
  EXPECT_EQ(simulation.standings().size(), 1u);
  EXPECT_EQ(simulation.trace(0).final_delay, 3);
}

// Processes that start while it runs: the front end makes room for them.
TEST(Simulation, MakesRoomForProcesses) {
  const Model model = Model::load_text(
      "byte n; proctype P(byte k) { n = n + k; if :: k < 6 -> run P(k + 1) :: k == 6 fi }\n"
      "init { run P(1); run P(3) }\n",
      "run.pml");
  for (const uint64_t seed : {1, 2, 3, 4}) {
    Simulation simulation(model);
    simulation.seed(seed);
    EXPECT_LT(simulation.random(1000), 1000u);
    const auto values = simulation.values();
    const auto n = std::find_if(values.begin(), values.end(), [](const auto& v) { return v.name == "n"; });
    ASSERT_NE(n, values.end());
    EXPECT_EQ(n->value, std::to_string(21 + 18)) << "seed " << seed;
    EXPECT_EQ(model.validate(to_json(simulation.trace()), "trace").problem, "");
    Simulation again(model);
    again.load(to_json(simulation.trace()), "trace");
    EXPECT_TRUE(again.transitions().all.empty());
    EXPECT_TRUE(simulation.position() == again.position());
    simulation.go_to(3);
    EXPECT_TRUE(simulation.run_until("n == 39", 1000));
  }
}

// Later than is looked at when the model is loaded, so that the steps before it are taken again.
TEST(Simulation, MakesRoomOnTheWay) {
  const Model model = Model::load_text(
      "short c; byte n; proctype P(byte k) { n = n + k; if :: k < 3 -> run P(k + 1) :: k == 3 fi }\n"
      "init { do :: c < 2500 -> c++ :: c == 2500 -> break od; run P(1) }\n",
      "late.pml");
  Simulation simulation(model);
  EXPECT_TRUE(simulation.run_until("n == 6", 10'000));
  EXPECT_GT(simulation.position(), 5000u);
  EXPECT_EQ(model.validate(to_json(simulation.trace()), "trace").problem, "");
  simulation.go_to(10);
  EXPECT_EQ(value(simulation, "c"), "5*");
  EXPECT_TRUE(simulation.run_until("n == 3", 10'000));
}

// A model with claims is simulated without them, and its runs are found to be runs again.
TEST(Simulation, LeavesClaimsOut) {
  const Model model = Model::load_text(
      "byte x; active proctype P() { do :: x < 5 -> x++ :: x > 0 -> x-- od }\nltl low { [] (x < 4) }\n", "claim.pml");
  expect_runs(model, "claim.pml");
}

TEST(Simulation, NamesAJumpsLabelOnlyIfTheModelDoes) {
  const std::string text =
      "byte n; active proctype P() { do :: n < 3 -> n++ :: n == 3 -> break od; L: goto M; K: n = 7; M: n = 0 }\n";
  const Model model = Model::load_text(text, "jump.pml");
  Simulation simulation(model);
  EXPECT_TRUE(simulation.run_until("P@M", 1000));
  expect_error(ErrorKind::Unsupported, "names a label on a jump", [&] { simulation.run_until("P@L", 1000); });
}

TEST(Simulation, TellsWhereTheModelFails) {
  const Model model = Model::load_text(
      "int n = 2; process P() { state a; init a; trans a -> a { assign n = n - 1; },\n"
      "a -> a { guard 10 / n > 20; }; } system P;",
      "fails.xta");
  Simulation simulation(model);
  EXPECT_EQ(simulation.transitions().failure, "");
  EXPECT_EQ(simulation.random(100), 2u);
  EXPECT_EQ(simulation.transitions().failure, "division by zero at fails.xta:2:19");
  EXPECT_EQ(model.validate(to_json(simulation.trace()), "trace").problem, "");
  simulation.go_to(1);
  EXPECT_EQ(simulation.transitions().failure, "");
}

TEST(Simulation, RefusesWhatIsNoTrace) {
  const Model model = example("fischer-faulty.xta");
  Simulation simulation(model);
  simulation.random(3);
  std::string json = to_json(simulation.trace());
  expect_error(ErrorKind::Input, "t.json: bad trace", [&] { simulation.load("{}", "t.json"); });
  const size_t at = json.find("\"target\": \"req\"");
  ASSERT_NE(at, std::string::npos);
  json.replace(at, 15, "\"target\": \"cs\"");
  expect_error(ErrorKind::Input, "t.json: not a valid trace: step ", [&] { simulation.load(json, "t.json"); });
  EXPECT_EQ(simulation.position(), 3u);  // it stands where it stood
  expect_error(ErrorKind::Usage, "a run leads to no goal",
               [&] { model.polish(to_json(simulation.trace()), "t.json", {}, 1000); });
}

// Where a limit ends a call, the simulation can be used as before.
TEST(Simulation, StandsSomewhereAtEveryPoll) {
  const Model model = example("fischer-faulty.xta");
  size_t ended = 0;
  for (uint64_t polls = 0; polls < 300; polls += 7) {
    Simulation simulation(model);
    simulation.random(2);
    SimulationLimits limits;
    limits.poll_limit = polls;
    try {
      simulation.run_until("P(1).cs", 30, limits);
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::Limit);
      ++ended;
    }
    EXPECT_GE(simulation.position(), 2u);
    simulation.random(3);
    EXPECT_EQ(model.validate(to_json(simulation.trace()), "trace").problem, "") << polls;
  }
  EXPECT_GT(ended, 5u);
}

}  // namespace
}  // namespace harrier
