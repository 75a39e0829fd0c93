// What is wrong with a Promela model beyond its grammar, and what is refused.
#include <gtest/gtest.h>

#include "lang/promela/promela.h"

namespace harrier::testing {
namespace {

struct Case {
  const char* text;
  const char* diagnostic;  // "line:column message", the first one
};

// Lowers a model; the first thing to say about it, with "unsupported: " in front where it applies.
std::string first_diagnostic(const std::string& text) {
  Diagnostics diagnostics;
  promela::Source source(text, "m.pml", {}, diagnostics);
  if (!diagnostics.has_errors()) source.lower(diagnostics);
  if (diagnostics.all().empty()) return "";
  const Diagnostic& d = diagnostics.all().front();
  const std::string place = std::to_string(d.at.line) + ":" + std::to_string(d.at.column) + " ";
  return place + (d.severity == Severity::Unsupported ? "unsupported: " : "") + d.message;
}

constexpr Case kErrors[] = {
    {"active proctype P() { y = 1 }", "1:23 unknown name 'y'"},
    {"proctype P() { y = 1 } active proctype Q() { skip }", "1:16 unknown name 'y'"},
    {"proctype P() { run R() } active proctype Q() { skip }", "1:16 there is no proctype 'R'"},
    {"active proctype P() { y = 1 } byte y;", "1:23 'y' is declared below, not above"},
    {"active proctype P() { goto L }", "1:23 there is no label 'L' in P"},
    {"byte x; active proctype P() { L: x = 1; L: x = 2 }", "1:41 the label 'L' stands twice in P"},
    {"active proctype P() { L: goto L }", "1:26 this goto leads to itself"},
    {"active proctype P() { run Q() }", "1:23 there is no proctype 'Q'"},
    {"proctype Q(byte a) { skip } init { run Q() }", "1:36 'Q' takes 1 argument, not 0"},
    {"proctype Q(byte a; bit b) { skip } init { run Q(1) }", "1:43 'Q' takes 2 arguments, not 1"},
    {"active proctype P() { skip } active proctype P() { skip }", "1:46 the proctype 'P' is declared twice"},
    {"byte x; active proctype P() { do :: d_step { x = 1; break } od }", "1:53 a jump into or out of a d_step"},
    {"byte x; active proctype P() { d_step { x = 1; goto L }; L: x = 2 }", "1:47 a jump into or out of a d_step"},
    {"byte x; active proctype P() { goto L; d_step { x = 1; L: x = 2 } }", "1:31 a jump into or out of a d_step"},
    {"byte x; init { if :: x > 1 :: else -> x = 1 :: else -> x = 2 fi }",
     "1:48 a second 'else' among the same alternatives"},
    {"byte x; init { do :: if :: x == 3 :: else -> break fi :: else -> break od }",
     "1:58 a second 'else' among the same alternatives"},
    {"byte x; byte x; init { x = 1 }", "1:14 'x' is declared twice"},
    {"init { byte y; byte y; y = 1 }", "1:21 'y' is declared twice"},
    {"mtype = { a, b }; byte a; init { a = 1 }", "1:24 'a' is already a message type"},
    {"mtype = { a, a }; init { skip }", "1:14 the message type 'a' is declared twice"},
    {"mtype = { a, b }; init { a = 1 }", "1:26 'a' is not a variable"},
    {"init { _pid = 1 }", "1:8 '_pid' is not a variable"},
    {"byte x[0]; init { x[0] = 1 }", "1:8 the size of an array has to be between 1 and 1048576"},
    {"byte x[-2]; init { x[0] = 1 }", "1:8 the size of an array has to be between 1 and 1048576"},
    {"byte n; byte x[n]; init { x[0] = 1 }", "1:16 the size of an array has to be a constant"},
    {"byte x[2]; init { x[3] = 1 }", "1:21 the index 3 is outside of 'x[2]'"},
    {"byte x[2]; init { x = 1 }", "1:19 the array 'x' needs an index"},
    {"byte x; init { x[0] = 1 }", "1:16 'x' is not an array"},
    {"byte x; byte i; init { for (i in x) { skip } }", "1:34 'for' needs an array here"},
    {"typedef T { byte a; T t }; T x; init { x.a = 1 }", "1:21 unknown type 'T': no typedef of it stands above"},
    {"typedef T { byte a }; typedef T { byte b }; init { skip }", "1:31 the type 'T' is declared twice"},
    {"typedef T { byte a }; T x; init { x.b = 1 }", "1:37 there is no field 'b'"},
    {"typedef T { byte a }; T x; init { x = 1 }", "1:35 'x' is a structure, not a number"},
    {"chan q = [1] of { byte }; init { q!1,2 }", "1:34 this sends 2 fields, but messages of q have 1"},
    {"chan q = [1] of { byte, byte }; byte x; init { q?x }", "1:48 this receives 1 field, but messages of q have 2"},
    {"chan q = [1] of { byte }; init { q?[1,2] }", "1:35 this poll asks for 2 fields, but messages of q have 1"},
    {"byte q; init { q!1 }", "1:16 'q' is not a channel"},
    {"chan q = [300] of { byte }; init { q!1 }", "1:11 the capacity of a channel has to be between 0 and 255"},
    {"chan q = [0] of { byte }; init { q?[1] }", "1:35 a rendezvous channel cannot be polled"},
    {"chan q = [0] of { byte }; byte x; init { q?<x> }", "1:42 a message cannot be kept in a rendezvous channel"},
    {"chan q = [0] of { byte }; init { d_step { skip; q!1 } }", "1:49 a rendezvous inside a d_step"},
    {"active [256] proctype P() { skip }", "1:23 more than 255 active processes"},
    {"active proctype P(int a[3]) { skip }", "1:23 a parameter cannot be an array"},
    {"proctype P() { skip } init { P@M; skip }", "1:32 there is no label 'M' in P"},
    {"proctype P() { byte k; k++ } init { P:j == 1 }", "1:39 there is no variable 'j' in P"},
    {"proctype P() { skip } init { d_step { run P(); skip } }", "1:39 'run' inside a d_step"},
    {"init { enabled(0) }", "1:8 enabled() asks for the process itself"},
    {"active proctype P() priority 300 { skip }", "1:30 a priority is from 1 to 255"},
    {"trace { skip } init { skip }", "1:9 only sends and receives can stand in a trace"},
    {"chan q = [1] of { byte }; trace { q!1,2 } init { q!1 }",
     "1:35 this event has 2 fields, but messages of q have 1"},
    {"byte x = 1 / 0; init { skip }", "1:12 the initial value cannot be computed: division by zero"},
};

constexpr Case kRefused[] = {
    {"chan q = [1] of { byte }; trace { if :: q!1 :: q!_ fi } init { q!1 }",
     "1:48 unsupported: a choice between events of a trace that can be the same"},
    {"active D_proctype P() { if :: timeout :: timeout -> skip fi }",
     "1:31 unsupported: 'timeout' as a choice in a D_proctype"},
    {"byte x; active D_proctype P() { if :: if :: else :: x == 1 fi :: x == 0 fi }",
     "1:45 unsupported: an 'else' before other alternatives in a D_proctype"},
    {"chan q = [0] of { byte }; active proctype P() { if :: if :: else :: q!1 fi :: true fi } init { q?1 }",
     "1:61 unsupported: an 'else' between a rendezvous send and other alternatives"},
    {"byte x; init { x = set_priority(_pid, 2) }", "1:20 unsupported: set_priority() inside an expression"},
    {"active proctype P() { enabled(1) } active proctype Q() { enabled(0) }",
     "1:23 unsupported: enabled() of processes that ask for each other"},
    {"chan q = [0] of { byte }; active proctype P() priority 4 { q!1 } init { q?1 }",
     "1:66 unsupported: priorities in a model with rendezvous channels"},
    {"byte x; init { x = 1 + run Q() } proctype Q() { skip }", "1:24 unsupported: 'run' inside a larger expression"},
    {"chan q = [0] of { byte }; active D_proctype P() { if :: q!1 :: q!2 fi } init { q?1 }",
     "1:57 unsupported: a rendezvous as a choice in a D_proctype"},
    {"typedef T { byte a }; proctype P(T t) { skip } init { T x; run P(x) }",
     "1:36 unsupported: a structure as a parameter"},
    {"unsigned x : 32; init { x-- }", "1:10 unsupported: an unsigned variable of 32 bits"},
    {"byte x; init { c_code { x = 1; } }", "1:16 unsupported: embedded C code ('c_code')"},
    {"chan q = [2] of { byte }; trace { q!1 } init { q!!1 }", "1:48 unsupported: a sorted send in a trace"},
    {"chan q = [2] of { byte }; trace { q?1 } init { q??1 }", "1:48 unsupported: a random receive in a trace"},
    {"chan q = [2] of { byte }; trace { q!!1 } init { q!1 }", "1:35 unsupported: this kind of event in a trace"},
    {"byte x; chan q = [2] of { byte }; trace { q!x } init { q!1 }",
     "1:45 unsupported: a field of an event that is no constant"},
    {"chan q = [2] of { byte }; trace { progress: q!1 } init { q!1 }", "1:45 unsupported: this label in a trace"},
    {"chan q = [0] of { byte }; init { set_priority(_pid, 2); q!1 } active proctype P() { q?1 }",
     "1:57 unsupported: priorities in a model with rendezvous channels"},
};

TEST(PromelaLowering, ErrorsStandAtTheirPlaces) {
  for (const Case& c : kErrors) EXPECT_EQ(first_diagnostic(c.text), c.diagnostic) << c.text;
}

TEST(PromelaLowering, WhatIsNotSupportedIsRefused) {
  for (const Case& c : kRefused) EXPECT_EQ(first_diagnostic(c.text), c.diagnostic) << c.text;
}

TEST(PromelaLowering, ModelsThatSpinAcceptsAreFine) {
  for (const char* text : {
           "hidden byte x; active proctype P(byte k; chan c) { x = k }",
           "byte x; active proctype P() { L: M: x = 1; if :: x == 1 -> goto L :: else -> goto M fi }",
           "active proctype P() priority 3 { byte k; k = get_priority(_pid) + _priority }",
           "byte x; init { { byte k; k = 1 }; { byte k; k = 2 } }",
           "init { byte i; for (i : 1 .. 2) { byte k; k++ } for (i : 1 .. 2) { byte k; k-- } }",
       }) {
    EXPECT_EQ(first_diagnostic(text), "") << text;
  }
}

}  // namespace
}  // namespace harrier::testing
