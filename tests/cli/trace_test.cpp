// Traces on disk: what `check --trace` writes, `validate` accepts; what was tampered with, it refuses.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

#include "cli/run_harrier.h"

namespace harrier {
namespace {

using namespace testing_support;
using nlohmann::json;

// A model that needs time to pass before the goal.
constexpr const char* kTimed = R"(clock x;
chan go;
process A() {
  state wait { x <= 5 }, done;
  init wait;
  trans wait -> done { guard x >= 3; sync go!; assign x := 0; };
}
process B() {
  state idle, late;
  init idle;
  trans idle -> late { sync go?; };
}
system A, B;
)";

class Traces : public testing::Test {
 protected:
  // Writes the trace of a run that must find a witness.
  std::string trace_of(const std::string& model, const std::string& query) const {
    std::string trace = here_.path("trace.json");
    const Outcome run = harrier({"check", model, "--query", query, "--trace", trace});
    EXPECT_EQ(run.exit_code, 10) << run.err;
    return trace;
  }

  // Validates a changed trace; returns what `validate` says.
  Outcome tampered(const std::string& model, const std::string& trace, const std::function<void(json&)>& change) const {
    json content = json::parse(read_all(trace));
    change(content);
    return harrier({"validate", model, here_.write("tampered.json", content.dump())});
  }

  Workspace here_;
};

TEST_F(Traces, AreValidAsWritten) {
  const std::string counter = here_.write("counter.xta", kCounter);
  const Outcome first = harrier({"validate", counter, trace_of(counter, "E<> n == 2")});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_EQ(first.out,
            "property: E<> n == 2  (not one of the model's, only the trace names it)\n"
            "valid: the property is satisfied, in 3 steps\n");
  const std::string timed = here_.write("timed.xta", kTimed);
  const Outcome second = harrier({"validate", timed, trace_of(timed, "E<> B.late && x > 7")});
  EXPECT_EQ(second.exit_code, 0);
  const Outcome third = harrier({"validate", timed, trace_of(timed, "A[] not deadlock")});
  EXPECT_EQ(third.exit_code, 0);
  EXPECT_NE(third.out.find("\nvalid: the property is violated, in 1 step\n"), std::string::npos) << third.out;
}

TEST_F(Traces, OfEverySearchAreValid) {
  const std::string model = generate(here_, "fischer-c", 4);
  for (const char* search : {"bfs", "dfs", "rdfs", "astar", "wastar", "greedy", "ib-process", "ib-interference"}) {
    const std::string trace = here_.path(std::string(search) + ".json");
    EXPECT_EQ(harrier({"check", model, "--search", search, "--trace", trace}).exit_code, 10) << search;
    EXPECT_EQ(harrier({"validate", model, trace}).exit_code, 0) << search;
  }
}

TEST_F(Traces, OfTheInitialStateAreValid) {
  const std::string model = here_.write("m.xta", kCounter);
  const std::string trace = trace_of(model, "E<> n == 0");
  EXPECT_TRUE(json::parse(read_all(trace))["steps"].empty());
  EXPECT_EQ(harrier({"validate", model, trace}).exit_code, 0);
}

TEST_F(Traces, ThatWereTamperedWithAreInvalid) {
  const std::string model = here_.write("m.xta", kCounter);
  const std::string trace = trace_of(model, "E<> n == 2");
  const auto says = [&](const std::function<void(json&)>& change) {
    const Outcome run = tampered(model, trace, change);
    EXPECT_EQ(run.exit_code, 2);
    return run.out.substr(run.out.find('\n') + 1);  // without the property
  };
  EXPECT_EQ(says([](json& t) { t["steps"].erase(2); }), "invalid: step 3: the goal does not hold at the end\n");
  EXPECT_EQ(says([](json& t) { t["steps"][0]["edges"][0]["edge"] = 1; }),
            "invalid: step 1: edge 1 starts in location busy\n");
  EXPECT_EQ(says([](json& t) { t["steps"][0]["changed"]["variables"]["n"] = 2; }),
            "invalid: step 1: the state after the step claims n = 2 where it is 1\n");
  EXPECT_EQ(says([](json& t) { t["initial"]["variables"]["n"] = 1; }),
            "invalid: step 0: the initial state claims n = 1 where it is 0\n");
  EXPECT_EQ(says([](json& t) { t["steps"][0]["delay"] = -1; }), "invalid: step 1: the delay is negative\n");
  EXPECT_EQ(says([](json& t) { t["property"]["text"] = "E<> n == 3"; }),
            "invalid: step 4: the goal does not hold at the end\n");
}

TEST_F(Traces, ThatLetTooMuchOrTooLittleTimePassAreInvalid) {
  const std::string model = here_.write("timed.xta", kTimed);
  const std::string trace = trace_of(model, "E<> B.late");
  for (const int delay : {2, 6}) {
    const Outcome run = tampered(model, trace, [&](json& t) { t["steps"][0]["delay"] = delay; });
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.out.find("\ninvalid: step 1: "), std::string::npos) << run.out;
  }
}

TEST_F(Traces, OfAnotherModelAreInvalid) {
  const std::string model = here_.write("m.xta", kCounter);
  const std::string trace = trace_of(model, "E<> n == 2");
  const std::string other = here_.write("other.xta", std::string(kCounter) + "// changed\n");
  const Outcome run = harrier({"validate", other, trace});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.out.find("\ninvalid: step 0: the trace belongs to a model with other content\n"), std::string::npos);
}

TEST_F(Traces, ThatAreNoTracesAreRefused) {
  const std::string model = here_.write("m.xta", kCounter);
  const std::string trace = trace_of(model, "E<> n == 2");
  for (const char* text : {"", "{", "[]", "null", "42", "{\"format\": \"harrier-trace/1\"}", "\xff\xfe"}) {
    const Outcome run = harrier({"validate", model, here_.write("bad.json", text)});
    EXPECT_EQ(run.exit_code, 2) << text;
    EXPECT_EQ(run.out, "") << text;
    EXPECT_NE(run.err.find("bad.json: bad trace: "), std::string::npos) << run.err;
  }
  EXPECT_EQ(tampered(model, trace, [](json& t) { t["format"] = "harrier-trace/2"; }).exit_code, 2);
  EXPECT_EQ(tampered(model, trace, [](json& t) { t.erase("steps"); }).exit_code, 2);
  EXPECT_EQ(tampered(model, trace, [](json& t) { t["steps"] = 7; }).exit_code, 2);
  EXPECT_EQ(tampered(model, trace, [](json& t) { t["steps"][0]["edges"][0]["edge"] = 1000000; }).exit_code, 2);
  EXPECT_EQ(tampered(model, trace, [](json& t) { t["time_denominator"] = 0; }).exit_code, 2);
  EXPECT_EQ(harrier({"validate", model, here_.path("missing.json")}).exit_code, 2);
}

TEST_F(Traces, OfSeveralPropertiesGetTheirNumbers) {
  const std::string model = here_.write("m.xta", kCounter);
  const std::string queries = here_.write("three.q", "E<> n == 1\nE<> n == 3\nE<> n == 2\n");
  EXPECT_EQ(harrier({"check", model, queries, "--trace", here_.path("t.json")}).exit_code, 10);
  EXPECT_EQ(harrier({"validate", model, here_.path("t.1.json")}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(here_.path("t.2.json"))) << "there is no witness of the second";
  EXPECT_EQ(harrier({"validate", model, here_.path("t.3.json")}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(here_.path("t.json")));
}

TEST_F(Traces, ReplaceAnOlderFileAsAWhole) {
  const std::string model = here_.write("m.xta", kCounter);
  here_.write("trace.json", std::string(100000, 'x'));
  EXPECT_EQ(harrier({"validate", model, trace_of(model, "E<> n == 2")}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(here_.path("trace.json.part")));
}

TEST_F(Traces, ThatCannotBeWrittenAreAnError) {
  const std::string model = here_.write("m.xta", kCounter);
  for (const std::string& target : {here_.path("no/such/folder.json"), std::string("/dev/full")}) {
    const Outcome run = harrier({"check", model, "--query", "E<> n == 2", "--trace", target});
    EXPECT_EQ(run.exit_code, 2) << target;
    EXPECT_NE(run.err.find("cannot write '" + target + "'"), std::string::npos) << run.err;
  }
}

TEST_F(Traces, OfPromelaModelsGoToSpinAndBack) {
  const std::string model = here_.write("m.pml", "byte x; active proctype P() { x = 1; x = 2 }\n");
  const std::string trace = here_.path("trace.json");
  const Outcome run = harrier({"check", model, "--goal", "x == 1", "--goal", "x == 2", "--trail", here_.path("m.trail"),
                               "--chart", here_.path("m.mmd"), "--trace", trace});
  EXPECT_EQ(run.exit_code, 10) << run.err;
  EXPECT_EQ(read_all(here_.path("m.1.trail")), "1:0:0\n");
  EXPECT_EQ(read_all(here_.path("m.2.trail")), "1:0:0\n2:0:1\n");
  EXPECT_EQ(
      read_all(here_.path("m.1.mmd")),
      "sequenceDiagram\n  participant p0 as P(0)\n  Note over p0: 1. x = 1\n  Note over p0: reached#58; x == 1\n");
  const Outcome with = harrier({"validate", model, here_.path("trace.2.json"), "--goal", "x == 2"});
  EXPECT_EQ(with.out, "property: x == 2\nvalid: the property is satisfied, in 2 steps\n") << with.err;
  const Outcome without = harrier({"validate", model, here_.path("trace.2.json")});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_NE(without.err.find("give the options with which the trace was made"), std::string::npos) << without.err;
}

TEST_F(Traces, TrailsAreForPromela) {
  const std::string counter = here_.write("counter.xta", kCounter);
  const Outcome run = harrier({"check", counter, "--query", "E<> n == 2", "--trail", here_.path("t.trail")});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("--trail is for Promela models"), std::string::npos) << run.err;
}

// `show` writes what `check` wrote of the same trace.
TEST_F(Traces, AreShownAgain) {
  const std::string timed = here_.write("timed.xta", kTimed);
  const std::string trace = here_.path("trace.json");
  const std::string chart = here_.path("first.mmd");
  const Outcome first = harrier({"check", timed, "--query", "E<> B.late", "--trace", trace, "--chart", chart});
  const Outcome again = harrier({"show", timed, trace});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_FALSE(again.out.empty());
  EXPECT_TRUE(first.out.find(again.out) != std::string::npos) << again.out;
  const std::string second = here_.path("second.mmd");
  const std::string page = here_.path("page.html");
  const Outcome files = harrier({"show", timed, trace, "--chart", second, "--html", page});
  EXPECT_EQ(files.exit_code, 0) << files.err;
  EXPECT_EQ(files.out, "");
  EXPECT_EQ(read_all(second), read_all(chart));
  EXPECT_TRUE(read_all(page).starts_with("<!doctype html>"));
}

TEST_F(Traces, AreShownOnlyIfTheyAreTrue) {
  const std::string timed = here_.write("timed.xta", kTimed);
  json content = json::parse(read_all(trace_of(timed, "E<> B.late")));
  content["steps"][0]["clocks"]["x"] = 4;
  const std::string page = here_.path("page.html");
  const Outcome run = harrier({"show", timed, here_.write("tampered.json", content.dump()), "--html", page});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("not a valid trace"), std::string::npos) << run.err;
  EXPECT_FALSE(std::filesystem::exists(page));
  const Outcome no_trace = harrier({"show", timed, here_.write("plan.txt", "(a plan)")});
  EXPECT_EQ(no_trace.exit_code, 2);
  EXPECT_NE(no_trace.err.find("bad trace"), std::string::npos) << no_trace.err;
  const std::string trace = here_.path("trace.json");
  EXPECT_EQ(harrier({"show", timed, trace, "--html", timed}).exit_code, 2);
  EXPECT_EQ(read_all(timed), kTimed);
}

}  // namespace
}  // namespace harrier
