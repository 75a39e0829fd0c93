// What is read: names, modules, types, operators, specifications; and the shared models with their known numbers.
#include <fstream>
#include <sstream>

#include "lang/smv_support.h"
#include "support/shared_models.h"
#include "trace/trace.h"

namespace harrier::testing {
namespace {

bool is_about_states(const model::Property& property) {
  return !property.refusal &&
         (property.kind == model::PropertyKind::Invariant || property.kind == model::PropertyKind::Reachable);
}

// Whether a closed boolean expression holds, in a model with some variables.
bool holds(const std::string& expression) {
  const SmvModel model(
      "MODULE main VAR b : boolean; x : 0..7; s : {p, q}; w : word[8]; v : signed word[8];\n"
      "a : array -1..1 of 0..7; m : M(x, s);\n"
      "ASSIGN init(b) := TRUE; init(x) := 5; init(s) := q; init(w) := 0ud8_200; init(v) := -0sd8_3;\n"
      "init(a[-1]) := 1; init(a[0]) := 2; init(a[1]) := 3; init(m.y) := 6;\n"
      "CONSTANTS r; DEFINE two := 2; INVARSPEC " +
      expression + "\nMODULE M(n, t) VAR y : 0..7; DEFINE sum := n + y; self.twice := 2 * y; same := t = q;\n");
  EXPECT_FALSE(model.diagnostics.has_errors()) << expression << ": " << model.said();
  if (model.diagnostics.has_errors()) return false;
  const model::Property& property = model.loaded.first().properties.at(0);
  EXPECT_FALSE(property.refusal) << expression;
  model::Interpreter run(model.system());
  const std::set<SmvState> initial = initial_states(model.system());
  EXPECT_EQ(initial.size(), 1U);
  for (const model::Clause& clause : property.goal) {
    if (run.holds(clause.conditions, *initial.begin())) return false;
  }
  return true;
}

TEST(SmvModel, Operators) {
  for (const char* expression : {
           "b & !FALSE | FALSE",
           "!b = FALSE",
           "b xor FALSE",
           "b xnor TRUE",
           "b -> FALSE -> FALSE",
           "b <-> TRUE",
           "x = 5 & x != 4 & x > 4 & x >= 5 & x < 6 & x <= 5",
           "x + 2 * 3 = 11",
           "(x + 2) * 3 = 21",
           "x / 2 = 2",
           "-7 / 2 = -3",
           "-7 mod 2 = -1",
           "x mod 3 = two",
           "-x = 0 - 5",
           "x in {1, 5}",
           "x in 4..6",
           "!(x in 1..2 union 7)",
           "s = q",
           "s != r",
           "s in {q, r}",
           "(b ? x : 0) = 5",
           "case s = p : 1; b : 2; TRUE : 3; esac = 2",
           "case x = 4 : FALSE; 1 : b; esac",
           "b = 1",
           "count(b, !b, x = 5) = 2",
           "toint(b) = 1",
           "max(x, 7) = 7",
           "min(x, 2) = 2",
           "abs(-4) = 4",
           "bool(1)",
           "word1(b) = 0ub1_1",
           "bool(word1(b))",
           "m.y = 6",
           "m.sum = 11",
           "m.twice = 12",
           "m.same",
           "a[-1] + a[0] + a[1] = 6",
           "a[x - 4] = 3",
           "a[toint(b) - 1] = 2",
       }) {
    EXPECT_TRUE(holds(expression)) << expression;
  }
}

TEST(SmvModel, Words) {
  for (const char* expression : {
           "w = 0uh8_C8",
           "w = 0b8_11001000",
           "w = 0o8_310",
           "w = uwconst(200, 8)",
           "v = swconst(-3, 8)",
           "w + 0ud8_100 = 0ud8_44",
           "w - 0ud8_201 = 0ud8_255",
           "w * 0ud8_3 = 0ud8_88",
           "w / 0ud8_7 = 0ud8_28",
           "w mod 0ud8_7 = 0ud8_4",
           "-w = 0ud8_56",
           "!w = 0ud8_55",
           "(w & 0ud8_15) = 0ud8_8",
           "(w | 0ud8_15) = 0ud8_207",
           "(w xor 0ud8_255) = !w",
           "w << 1 = 0ud8_144",
           "w >> 3 = 0ud8_25",
           "w[7:4] = 0ud4_12",
           "w[7:4] :: w[3:0] = w",
           "w > 0ud8_199",
           "v < 0sd8_0",
           "-v = 0sd8_3",
           "v >> 1 = -0sd8_2",
           "v << 2 = -0sd8_12",
           "toint(v) = -3",
           "toint(w) = 200",
           "unsigned(v) = 0ud8_253",
           "signed(w) = -0sd8_56",
           "extend(v, 4) = -0sd12_3",
           "extend(w, 4) = 0ud12_200",
           "resize(w, 4) = 0ud4_8",
           "resize(v, 4) = -0sd4_3",
           "v * v = 0sd8_9",
           "v + 0sd8_127 + 0sd8_127 = -0sd8_5",
           "sizeof(w) = 8",
           "0ud16_65535 * 0ud16_65535 = 0ud16_1",
           "0ud30_1073741823 * 0ud30_1073741823 = 0ud30_1",
           "(-0sd8_128) / (-0sd8_1) = -0sd8_128",
       }) {
    EXPECT_TRUE(holds(expression)) << expression;
  }
}

TEST(SmvModel, ErrorsOfTheModelItself) {
  // A value outside of the range, an index, a case that no condition of holds.
  for (const char* text : {"MODULE main VAR x : 0..3; ASSIGN init(x) := 3; next(x) := x + 1;",
                           "MODULE main VAR x : 0..3; a : array 0..2 of 0..3; ASSIGN init(x) := 3; next(x) := a[x];",
                           "MODULE main VAR x : 0..3; ASSIGN init(x) := 3; next(x) := case x < 3 : x; esac;",
                           "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := 3 / x;"}) {
    const SmvModel model(text);
    EXPECT_THROW(reach(model.system()), model::EvalFailure) << text;
  }
  // In a relation such a value is no successor.
  const SmvModel relation("MODULE main VAR x : 0..3; INIT x = 3 TRANS next(x) = x + 1");
  EXPECT_EQ(reach(relation.system()).states(), 1U);
}

TEST(SmvModel, Specifications) {
  const std::string model = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;\n";
  struct Expected {
    const char* spec;
    const char* kind;  // "invariant", "reachable", or "" for a refusal
    int steps;         // to the goal
  };
  for (const Expected& e : {Expected{"INVARSPEC x < 2", "invariant", 2},
                            {"SPEC AG x < 3", "invariant", 3},
                            {"CTLSPEC NAME n := AG (x < 3)", "invariant", 3},
                            {"SPEC !EF x = 1", "invariant", 1},
                            {"SPEC AG x < 3 & AG x != 1", "invariant", 1},
                            {"SPEC EF x = 2", "reachable", 2},
                            {"SPEC !AG x < 1", "reachable", 1},
                            {"LTLSPEC G x < 3", "invariant", 3},
                            {"LTLSPEC ! F x = 2", "invariant", 2},
                            {"LTLSPEC F x = 2", "liveness", 0},
                            {"LTLSPEC G (x = 1 -> F x = 2)", "liveness", 0},
                            {"LTLSPEC x = 0 U x = 1", "liveness", 0},
                            {"LTLSPEC G (x = 2 -> O x = 1)", "liveness", 0},
                            {"LTLSPEC O (x = 2 -> F x = 1)", "", 0},
                            {"LTLSPEC F [0, 3] x = 1", "", 0},
                            {"SPEC AG AF x = 2", "branching", 0},
                            {"SPEC E [x = 0 U x = 1]", "branching", 0},
                            {"SPEC x = 0", "branching", 0},
                            {"SPEC ABF 0..3 x = 1", "", 0},
                            {"INVARSPEC next(x) = x", "", 0},
                            {"COMPUTE MIN [x = 0, x = 1]", "", 0},
                            {"PSLSPEC always x = 0;", "", 0}}) {
    const SmvModel read(model + e.spec);
    ASSERT_FALSE(read.diagnostics.has_errors()) << e.spec << read.said();
    const std::vector<model::Property> all = read.properties();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].refusal ? "" : trace::kind_name(all[0].kind), std::string(e.kind)) << e.spec;
    if (all[0].refusal || !is_about_states(all[0])) continue;
    EXPECT_EQ(steps_to_goal(read, 0, reach(read.system())), e.steps) << e.spec;
  }
  EXPECT_EQ(SmvModel(model + "SPEC NAME n := AG (x  <\n 3) -- no\n").loaded.first().properties[0].name, "n");
  EXPECT_EQ(SmvModel(model + "SPEC AG (x  <\n 3) -- no\n").loaded.first().properties[0].text, "SPEC AG (x < 3)");
  // With several initial states EF p has to hold in all of them.
  EXPECT_EQ(SmvModel("MODULE main VAR x : boolean; SPEC EF x").properties()[0].kind, model::PropertyKind::Branching);
  EXPECT_TRUE(SmvModel(model + "FAIRNESS x = 0 SPEC AG x < 3").properties()[0].on_fair_paths);
  EXPECT_FALSE(SmvModel(model + "FAIRNESS TRUE SPEC AG x < 3").properties()[0].on_fair_paths);
  EXPECT_FALSE(SmvModel(model + "FAIRNESS x = 0 INVARSPEC x < 3").properties()[0].on_fair_paths);
}

TEST(SmvModel, FairnessIsPartOfFormulasAboutPaths) {
  const SmvModel model(
      "MODULE main VAR x : boolean; p : process P; FAIRNESS x FAIRNESS x & p.running COMPASSION (x, !x)\n"
      "SPEC AG (x -> A [x U EG !x]) LTLSPEC G F x COMPUTE MIN [x, x] INVARSPEC x | !x\n"
      "MODULE P VAR y : boolean; FAIRNESS running\n");
  ASSERT_FALSE(model.diagnostics.has_errors()) << model.said();
  const std::vector<model::Property> all = model.properties();
  ASSERT_EQ(all.size(), 4U);
  EXPECT_TRUE(all[0].refusal) << "CTL knows no compassion";
  EXPECT_EQ(all[1].kind, model::PropertyKind::Liveness);
  EXPECT_EQ(all[1].accepting.size(), 4U) << "the automaton, and three conditions of justice";
  EXPECT_TRUE(all[2].refusal);
  EXPECT_EQ(all[3].kind, model::PropertyKind::Invariant);
  // What watches the model is not in the system of what needs no watching.
  EXPECT_EQ(model.loaded.machines.size(), 2U);
  EXPECT_GT(model.loaded.machines[1].system->variables.size(), model.system().variables.size());
}

struct Known {
  const char* file;
  size_t states;
  size_t layers;
  std::vector<int> steps = {};  // of the properties that can be checked; -1: the goal is not reached
};

// Another checker's results (manifest.csv).
TEST(SmvModel, SharedModels) {
  HARRIER_NEEDS_SHARED("smv");
  const std::vector<Known> all = {
      {"smv-dist-counter", 8, 8},
      {"example_cmu-counter", 8, 8, {7}},
      {"example_cmu-mutex", 6, 6, {-1}},
      {"example_cmu-mutex1", 16, 7},
      {"example_cmu-semaphore", 12, 5},
      {"example_cmu-ring", 7, 3},
      {"smv-dist-short", 4, 2},
      {"example_cmu-syncarb5", 5120, 10, {-1}},
      {"example_cmu-dme1", 6579, 96, {-1}},
      {"example_cmu-gigamax", 3408, 6, {-1}},
      {"p-queue-p-queue", 4144, 12},
      {"brp-brp", 22432, 57, {-1}},
      {"example_cmu-periodic", 1000, 100, {-1, -1}},
      {"production-cell-production-cell", 81, 81},
      {"reactor-base", 398, 271, {-1, -1, -1, -1, -1, -1, -1}},
  };
  for (const Known& known : all) {
    std::ifstream in(testing_support::shared_model("smv/" + std::string(known.file) + ".smv"));
    std::stringstream text;
    text << in.rdbuf();
    const SmvModel model(text.str());
    ASSERT_FALSE(model.diagnostics.has_errors()) << known.file << ": " << model.said();
    const SmvReach reached = reach(model.system());
    EXPECT_EQ(reached.states(), known.states) << known.file;
    EXPECT_EQ(reached.layers, known.layers) << known.file;
    std::vector<int> steps;
    for (size_t i = 0; i < model.loaded.first().properties.size(); ++i) {
      if (is_about_states(model.loaded.first().properties[i])) steps.push_back(steps_to_goal(model, i, reached));
    }
    EXPECT_EQ(steps, known.steps) << known.file;
  }
}

// Those that have too many states to be walked through here.
TEST(SmvModel, LargeSharedModelsAreRead) {
  HARRIER_NEEDS_SHARED("smv");
  for (const char* file : {"abp-abp10", "abp-abp4", "abp-abp8", "example_irst-dme4", "msi-msi_wtrans",
                           "prod-cons-prod-cons", "smv-dist-dme1-16", "smv-dist-pci3p", "smv-dist-syncarb10"}) {
    std::ifstream in(testing_support::shared_model("smv/" + std::string(file) + ".smv"));
    std::stringstream text;
    text << in.rdbuf();
    EXPECT_EQ(SmvModel(text.str()).said(), "") << file;
  }
}

}  // namespace
}  // namespace harrier::testing
