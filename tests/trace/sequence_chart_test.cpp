// Message sequence charts: synchronisations with times, rendezvous, and messages that wait in a queue.
#include "trace/sequence_chart.h"

#include <gtest/gtest.h>

#include "harrier/harrier.h"

namespace harrier {
namespace {

std::string chart_of(const Model& model) {
  CheckOptions options;
  options.search = Search::BreadthFirst;
  return model.check(0, options).trace_chart;
}

TEST(SequenceChart, OfTimedAutomata) {
  Model model = Model::load_text(R"(clock x;
chan go; broadcast chan all;
process A() {
  state a, b, c;
  init a;
  trans a -> b { guard x >= 3; sync go!; }, b -> c { sync all!; };
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
            "  p0->>p1: go\n"
            "  p0->>p1: all\n"
            "  p0->>p2: all\n"
            "  Note over p0,p2: E<> C.h && x > 4 at time 9/2\n");
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
            "  p0-)p1: ask(3)\n"
            "  p0-)p1: tell(4)\n"
            "  p1-->>p2: tell(4)\n"
            "  p0->>p2: r!5 (x = 5)\n"
            "  Note over p0,p2: assertion failed: assert(x == 4)  (m.pml:5:48)\n");
}

TEST(SequenceChart, EscapesWhatMermaidWouldRead) {
  trace::Trace trace;
  trace.property = "a; #1";
  EXPECT_EQ(trace::to_sequence_chart(model::System(), trace), "sequenceDiagram\n  %% a#59; #35;1\n");
}

}  // namespace
}  // namespace harrier
