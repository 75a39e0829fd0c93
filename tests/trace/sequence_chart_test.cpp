// Message sequence charts: synchronisations with times, rendezvous, messages that wait in a queue, and what is no
// message at all.
#include "trace/sequence_chart.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "harrier/harrier.h"

namespace harrier {
namespace {

std::string chart_of(const Model& model, Search search = Search::BreadthFirst) {
  CheckOptions options;
  options.search = search;
  return model.check(0, options).trace_chart;
}

TEST(SequenceChart, OfTimedAutomata) {
  Model model = Model::load_text(R"(clock x;
int n;
chan go; broadcast chan all;
process A() {
  state a, b, c;
  init a;
  trans a -> b { guard x >= 3; sync go!; }, b -> c { sync all!; assign n := n + 2; };
}
process B() {
  state d, e, f;
  init d;
  trans d -> e { sync go?; }, e -> f { sync all?; };
}
process C() {
  state g, h;
  init g;
  trans g -> h { sync all?; };
}
system A, B, C;
)",
                                 "m.xta");
  model.add_query("E<> C.h && x > 4");
  EXPECT_EQ(chart_of(model),
            "sequenceDiagram\n"
            "  participant p0 as A\n"
            "  participant p1 as B\n"
            "  participant p2 as C\n"
            "  Note over p0,p2: time 3\n"
            "  p0->>p1: 1. go\n"
            "  Note over p0,p1: a -#62; b, d -#62; e\n"
            "  p0->>p1: 2. all\n"
            "  p0->>p2: 2. all\n"
            "  Note over p0,p2: b -#62; c, e -#62; f, g -#62; h, n = 2\n"
            "  Note over p0,p2: time 9/2\n"
            "  Note over p0,p2: reached#58; E#60;#62; C.h #38;#38; x #62; 4\n");
}

TEST(SequenceChart, OfStepsWithoutMessages) {
  Model model = Model::load_text(R"(int n;
broadcast chan alone;
process P(const int k) {
  state idle, busy;
  init idle;
  trans idle -> busy { select i : int[1, 1]; assign n := n + k; },
        busy -> idle { sync alone!; };
}
A := P(1);
B := P(2);
system A, B;
)",
                                 "m.xta");
  model.add_query("E<> n == 3 && A.idle");
  EXPECT_EQ(chart_of(model),
            "sequenceDiagram\n"
            "  participant p0 as A\n"
            "  participant p1 as B\n"
            "  Note over p0: 1. idle -#62; busy (i = 1), n = 1\n"
            "  Note over p0: 2. busy -#62; idle alone!\n"
            "  Note over p1: 3. idle -#62; busy (i = 1), n = 3\n"
            "  Note over p0,p1: reached#58; E#60;#62; n == 3 #38;#38; A.idle\n");
}

TEST(SequenceChart, OfMessages) {
  const Model model = Model::load_text(R"(mtype = { ask, tell };
chan q = [2] of { mtype, byte };
chan r = [0] of { byte };
active proctype P() { q!ask(3); q!tell(4); r!5 }
active proctype Q() { byte x; q??tell(x); r?x; assert(x == 4) }
)",
                                       "m.pml");
  EXPECT_EQ(chart_of(model),
            "sequenceDiagram\n"
            "  participant p0 as P(0)\n"
            "  participant p1 as q\n"
            "  participant p2 as Q(1)\n"
            "  p0-)p1: 1. ask(3)\n"
            "  p0-)p1: 2. tell(4)\n"
            "  p1-->>p2: 3. tell(4), sent in step 2\n"
            "  Note over p2: x = 4\n"
            "  p0->>p2: 4. r!5 (x = 5)\n"
            "  Note over p2: 5. assert(x == 4)\n"
            "  Note over p0,p2: assertion failed#58; assert(x == 4)  (m.pml#58;5#58;48)\n");
}

TEST(SequenceChart, OfACycle) {
  const Model model = Model::load_text(R"(byte x;
active proctype P() { x = 1; do :: x = 2; x = 3 od }
)",
                                       "m.pml", {.options = {{"--ltl", "<> (x == 200)"}}});
  const std::string chart = chart_of(model, Search::DepthFirst);
  const size_t loop = chart.find("  loop for ever\n");
  ASSERT_NE(loop, std::string::npos) << chart;
  EXPECT_NE(chart.rfind(". x = 1\n", loop), std::string::npos) << chart;
  EXPECT_NE(chart.find(". x = 2\n", loop), std::string::npos) << chart;
  EXPECT_NE(chart.find(". x = 3\n", loop), std::string::npos) << chart;
  EXPECT_TRUE(chart.ends_with("  end\n")) << chart;
  EXPECT_EQ(std::count(chart.begin(), chart.end(), '\n'), 2 + std::count(chart.begin(), chart.end(), '.') + 2)
      << "nothing but lanes, steps and the loop: " << chart;
}

TEST(SequenceChart, OfALongPathIsCut) {
  const Model model = Model::load_text("int x; active proctype P() { do :: x = x + 1 od }\n", "m.pml",
                                       {.options = {{"--goal", "x == 10000"}}});
  const std::string chart = chart_of(model);
  EXPECT_LT(chart.size(), 50'000U);
  EXPECT_NE(chart.find("  Note over p0: 1. x = x + 1, x = 1\n"), std::string::npos);
  EXPECT_NE(chart.find("  Note over p0: left out#58; steps "), std::string::npos);
  EXPECT_NE(chart.find("  Note over p0: 10000. x = x + 1, x = 10000\n"), std::string::npos);
}

TEST(SequenceChart, ForPlantUml) {
  const Model model = Model::load_text(
      "chan q = [1] of { byte }; chan r = [0] of { byte };"
      "active proctype P() { byte x; q!3; r?x; do :: q!4; q?x od } active proctype Q() { byte y; q?y; r!1 }"
      "ltl p { <> (len(q) == 7) }",
      "m.pml", {.options = {{"--ltl", "p"}}});
  CheckOptions options;
  options.forms.chart_form = ChartForm::PlantUml;
  const CheckResult result = model.check(0, options);
  ASSERT_TRUE(result.loop_start);
  const std::string& chart = result.trace_chart;
  EXPECT_TRUE(chart.starts_with("@startuml\n  participant \"P<U+0028>0<U+0029>\" as p0\n")) << chart;
  EXPECT_TRUE(chart.ends_with("  end\n@enduml\n")) << chart;
  EXPECT_NE(chart.find("  p0 ->> p1 : 1. 3\n"), std::string::npos) << chart;
  EXPECT_NE(chart.find("  p1 -->> p2 : 2. 3, sent in step 1\n"), std::string::npos) << chart;
  EXPECT_NE(chart.find("  p2 -> p0 : 3. r<U+0021>1 <U+0028>x <U+003D> 1<U+0029>\n"), std::string::npos) << chart;
  EXPECT_NE(chart.find("  loop for ever\n"), std::string::npos) << chart;
  EXPECT_EQ(to_chart(*result.trace, ChartForm::PlantUml), chart);
  EXPECT_TRUE(to_chart(*result.trace).starts_with("sequenceDiagram\n"));
}

TEST(SequenceChart, EscapesWhatPlantUmlWouldRead) {
  EXPECT_EQ(trace::plantuml_text("a, b. 1+2?"), "a, b. 1+2?");
  EXPECT_EQ(trace::plantuml_text("\n@enduml"), " <U+0040>enduml");
  EXPECT_EQ(trace::plantuml_text("__x__ <b> \\n"), "<U+005F><U+005F>x<U+005F><U+005F> <U+003C>b<U+003E> <U+005C>n");
  EXPECT_EQ(trace::plantuml_text("grüße"), "grüße");
}

TEST(SequenceChart, EscapesWhatMermaidWouldRead) {
  trace::Trace trace;
  trace.property = "a; #1";
  EXPECT_EQ(trace::to_sequence_chart(model::System(), trace, ChartForm::Mermaid),
            "sequenceDiagram\n  %% reached#58; a#59; #35;1\n");
  EXPECT_EQ(trace::mermaid_text("end"), "#101;nd");
  EXPECT_EQ(trace::mermaid_text("the end, ending _end"), "the #101;nd, ending _end");
  EXPECT_EQ(trace::mermaid_text("style: x\n\"$%<b>{}"), "#115;tyle#58; x #34;#36;#37;#60;b#62;#123;#125;");
  EXPECT_EQ(trace::mermaid_text("grüße"), "grüße");
}

}  // namespace
}  // namespace harrier
