// The data in the page of a trace: what the page shows, and that no text of a model can be anything but text.
// tests/page tries the page itself, in a browser.
#include "trace/page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "api/data.h"
#include "harrier/harrier.h"

namespace harrier {
namespace {

using nlohmann::json;

constexpr std::string_view kDataBegins = "<script type=\"application/json\" id=\"data\">";

std::string data_text(const std::string& page) {
  const size_t begin = page.find(kDataBegins) + kDataBegins.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

json data_of(const std::string& page) { return json::parse(data_text(page)); }

CheckResult checked(const Model& model, Search search = Search::BreadthFirst) {
  CheckOptions options;
  options.search = search;
  options.forms.page = true;
  return model.check(0, options);
}

Model timed() {
  Model model = Model::load_text(R"(chan go[2]; int n;
process A(const int[1,2] k) {
  clock x;
  state wait { x <= 5 }, done;
  init wait;
  trans
    wait -> done {
      guard x >= 3;
      sync go[k-1]!;
      assign x := 0,
             n := n + k;
    };
}
process B() {
  state idle, urgent_one, last;
  urgent urgent_one;
  init idle;
  trans idle -> urgent_one { select i : int[0,1]; sync go[i]?; },
        urgent_one -> last { };
}
system A, B;
)",
                                 "timed.xta");
  model.add_query("E<> B.last && n == 2");
  return model;
}

TEST(Page, HasTheStructureOfTheModel) {
  const CheckResult result = checked(timed());
  const json data = data_of(result.trace_page);
  EXPECT_EQ(data["format"], "harrier-page/1");
  EXPECT_EQ(data["model"],
            (json{{"name", "timed.xta"}, {"language", "uppaal"}, {"telling", "moves"}, {"timed", true}}));
  ASSERT_EQ(data["processes"].size(), 3u);
  EXPECT_EQ(data["processes"][0]["name"], "A(1)");
  EXPECT_EQ(data["clocks"], (json{"A(1).x", "A(2).x"}));
  const json& b = data["shapes"][data["processes"][2]["shape"].get<size_t>()];
  EXPECT_EQ(b["locations"][1], (json{{"name", "urgent_one"}, {"kind", "urgent"}}));
  // Two choices are one edge, with what they have in common.
  ASSERT_EQ(b["edges"].size(), 2u);
  EXPECT_EQ(b["edges"][0]["choices"], 2);
  EXPECT_EQ(b["edges"][0]["sync"], "go[…]?");
  // Names are as in the text of the template.
  const json& a = data["shapes"][data["processes"][0]["shape"].get<size_t>()];
  EXPECT_EQ(a["locations"][0]["invariant"], "x <= 5");
  EXPECT_EQ(a["edges"][0]["guard"], "x >= 3");
  EXPECT_EQ(a["edges"][0]["update"], "x := 0, n := n + 1");
}

TEST(Page, HasTheStepsAsChanges) {
  const CheckResult result = checked(timed());
  const json data = data_of(result.trace_page);
  ASSERT_EQ(data["steps"].size(), 2u);
  const json& first = data["steps"][0];
  EXPECT_EQ(first["delay"], 3);
  EXPECT_EQ(first["time"], 3);
  EXPECT_EQ(first["at"], (json{1, 1, 2, 1}));  // A(2) is done, B in its second location
  EXPECT_EQ(first["set"], (json{0, 2}));
  EXPECT_EQ(first["reset"], (json{1, 0}));  // the other clock only ran on
  ASSERT_EQ(first["edges"].size(), 2u);
  const json& sender = data["edges"][first["edges"][0].get<size_t>()];
  EXPECT_EQ(sender["process"], 1);
  EXPECT_EQ(sender["channel"], "go[1]");
  EXPECT_EQ(sender["sends"], true);
  EXPECT_EQ(sender["lines"], (json{7, 8, 10, 11}));
  EXPECT_FALSE(data["steps"][1].contains("set"));
  EXPECT_EQ(data["end"]["time"], 3);
}

TEST(Page, HasFactsOfTheSearchOnlyFromASearch) {
  const Model model = timed();
  CheckOptions options;
  options.forms.page = true;
  const CheckResult result = model.check(0, options);
  const json facts = data_of(result.trace_page)["facts"];
  EXPECT_TRUE(std::any_of(facts.begin(), facts.end(), [](const json& fact) { return fact[0] == "found by"; }));
  const json without = data_of(to_page(*result.trace))["facts"];
  ASSERT_EQ(without.size(), 1u);
  EXPECT_EQ(without[0][0], "written by");
  EXPECT_THROW(to_page(Trace()), std::invalid_argument);
  CheckOptions limited;
  limited.poll_limit = 0;
  EXPECT_THROW(to_page(*result.trace, limited), Error);
}

TEST(Page, IsMadeOnlyIfAskedFor) { EXPECT_TRUE(timed().check(0, {}).trace_page.empty()); }

TEST(Page, LeavesOutTheStepsOfAClaim) {
  LoadOptions load;
  load.options = {{"--ltl", "<> [] on"}};
  const Model model =
      Model::load_text("bool on; active proctype P() { do :: on = true; on = false od }", "cycle.pml", load);
  const CheckResult result = checked(model, Search::DepthFirst);
  ASSERT_TRUE(result.witness_length && result.loop_start);
  const json data = data_of(result.trace_page);
  EXPECT_EQ(data["steps"].size(), *result.witness_length);
  EXPECT_EQ(data["loop"], *result.loop_start);
  EXPECT_EQ(data["processes"].size(), 1u);
  for (const json& step : data["steps"]) EXPECT_EQ(data["edges"][step["edges"][0].get<size_t>()]["process"], 0);
}

TEST(Page, TellsWhichMessageIsTaken) {
  const Model model = Model::load_text(R"(chan c = [2] of { byte };
active proctype P() { byte x; c!3; c!4; c?x; c?x; assert(x != 4) }
)",
                                       "messages.pml");
  const json data = data_of(checked(model).trace_page);
  EXPECT_EQ(data["queues"], (json{"c"}));
  EXPECT_EQ(data["steps"][0]["messages"], (json::array({{{"queue", 0}, {"kind", "sent"}, {"text", "3"}}})));
  EXPECT_EQ(data["steps"][1]["queues"], (json{0, {"3", "4"}}));
  EXPECT_EQ(data["steps"][3]["messages"],
            (json::array({{{"queue", 0}, {"kind", "taken"}, {"text", "4"}, {"sent_in", 2}}})));
}

TEST(Page, DrawsProcessesWhereTheFileDoes) {
  const Model model = Model::load_file(HARRIER_SOURCE_DIR "/models/train-gate.xml");
  CheckOptions options;
  options.forms.page = true;
  const json data = data_of(model.check(1, options).trace_page);
  const json& train = data["shapes"][data["processes"][0]["shape"].get<size_t>()];
  EXPECT_EQ(train["locations"][1]["at"], (json{0, 150}));
  EXPECT_EQ(train["locations"][1]["name_at"], (json{-62, 132}));
  EXPECT_EQ(train["locations"][1]["invariant_at"], (json{-72, 152}));
  EXPECT_EQ(train["edges"][0]["sync_at"], (json{-94, 50}));
  EXPECT_EQ(train["edges"][5]["bends"], (json::array({{250, 0}})));
}

TEST(Page, TextsAreNothingButTexts) {
  const std::string bad = "</script><img src=x onerror=alert(1)>&lt;\xe2\x80\xa8\xe2\x80\xa9\"\\";
  const Model model = timed();
  const CheckResult result = checked(model);
  model::System system = api::Inside::first(model)->system();
  system.name = bad;
  for (model::Process& process : system.processes) {
    process.name = bad;
    process.type = bad;
    for (model::Location& location : process.locations) location.name = bad;
  }
  for (model::Variable& variable : system.variables) variable.name = bad;
  for (model::Clock& clock : system.clocks) clock.name = bad;
  for (model::Channel& channel : system.channels) channel.name = bad;
  for (model::Edge& edge : system.edges) edge.label = bad;
  system.sources.add_file(bad, bad);
  Trace trace = *result.trace;
  trace.property = bad;
  trace.reason = bad;
  trace.initial.zone = {bad, "\xff not UTF-8"};
  const std::string page = trace::to_page(system, {}, trace, {{bad, bad}});
  const std::string text = data_text(page);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(text.find("\xe2\x80\xa8"), std::string::npos);
  EXPECT_EQ(text.find("\xe2\x80\xa9"), std::string::npos);
  const json data = json::parse(text);
  EXPECT_EQ(data["processes"][2]["name"], bad);
  EXPECT_EQ(data["property"]["text"], bad);
  EXPECT_EQ(data["facts"][0], (json{bad, bad}));
  EXPECT_EQ(data["files"].back()["text"], bad);
  // Those of the first state come after those of the steps.
  const json& constraints = data["constraints"];
  EXPECT_EQ(constraints[data["initial"]["zone"][0].get<size_t>()], bad);
  EXPECT_EQ(constraints[data["initial"]["zone"][1].get<size_t>()], "\xef\xbf\xbd not UTF-8");
}

TEST(Page, NamesItsOwnScriptAndStyleAndAllowsNothingElse) {
  const std::string page = checked(timed()).trace_page;
  const size_t policy = page.find("Content-Security-Policy");
  ASSERT_NE(policy, std::string::npos);
  const std::string line = page.substr(policy, page.find('\n', policy) - policy);
  EXPECT_NE(line.find("default-src 'none'; script-src 'sha256-"), std::string::npos) << line;
  EXPECT_EQ(line.find("unsafe"), std::string::npos) << line;
  EXPECT_EQ(page.find("{{"), std::string::npos);
}

}  // namespace
}  // namespace harrier
