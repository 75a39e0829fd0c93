// The XML format: its elements, and places in decoded text.
#include "lang/lang_support.h"

namespace harrier::testing {
namespace {

std::string document(const std::string& locations, const std::string& edges, const std::string& more = "") {
  return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
         "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' 'http://www.it.uu.se/flat-1_1.dtd'>\n"
         "<nta>\n<declaration>clock x; int n; chan c;</declaration>\n<template><name x=\"1\">P</name>\n" +
         locations + edges + "</template>\n<system>Q = P(); system Q;</system>\n" + more + "</nta>\n";
}

TEST(Xml, IsRead) {
  Model model(
      document("<location id=\"id0\" x=\"1\"><name>A</name><label kind=\"invariant\">x &lt;= 3</label>"
               "<label kind=\"comments\">text &amp; more</label></location>\n"
               "<location id=\"id1\"><committed/></location><location id=\"id2\"><urgent/></location>\n"
               "<init ref=\"id0\"/>\n",
               "<transition><source ref=\"id0\"/><target ref=\"id1\"/><label kind=\"select\">i : int[0,1]</label>"
               "<label kind=\"guard\">n &lt; 2 &amp;&amp; x &gt;= i</label><label kind=\"synchronisation\">c!</label>"
               "<label kind=\"assignment\">n = i, x = 0</label><nail x=\"1\" y=\"2\"/></transition>\n"),
      "model.xml");
  const auto& system = model.system();
  EXPECT_EQ(system.processes[0].name, "Q");
  ASSERT_EQ(system.processes[0].locations.size(), 3u);
  EXPECT_EQ(system.processes[0].locations[1].name, "_id1");
  EXPECT_EQ(system.processes[0].locations[1].kind, model::LocationKind::Committed);
  EXPECT_EQ(system.processes[0].locations[2].kind, model::LocationKind::Urgent);
  EXPECT_EQ(system.edges.size(), 2u);
  EXPECT_EQ(system.edges[0].direction, model::Direction::Send);
}

TEST(Xml, QueriesAreEmbedded) {
  Model model(
      document("<location id=\"a\"><name>A</name></location><init ref=\"a\"/>", "",
               "<queries><query><formula>E&lt;&gt; Q.A\n and n == 1</formula><comment>c</comment></query>\n"
               "<query><formula></formula></query><query><formula>A[] not deadlock</formula></query></queries>"));
  ASSERT_EQ(model.loaded.embedded_queries.size(), 2u);
  EXPECT_EQ(model.loaded.embedded_queries[0].text, "E<> Q.A and n == 1");
}

TEST(Xml, QueriesSayWhatIsExpected) {
  Model model(document("<location id=\"a\"><name>A</name></location><init ref=\"a\"/>", "",
                       "<queries><query><formula>E&lt;&gt; Q.A</formula><comment>reach A</comment>"
                       "<expect outcome=\"success\" type=\"quality\"/></query>"
                       "<query><formula>A[] Q.A</formula><expect outcome=\"failure\"/></query>"
                       "<query><formula>A[] Q.A</formula><comment>expect: unreachable</comment></query></queries>"));
  ASSERT_EQ(model.loaded.embedded_queries.size(), 3u);
  EXPECT_EQ(model.loaded.embedded_queries[0].comment, "reach A");
  EXPECT_EQ(model.loaded.embedded_queries[0].expected, "holds");
  EXPECT_EQ(model.loaded.embedded_queries[1].expected, "violated");
  EXPECT_EQ(model.loaded.embedded_queries[2].expected, "unreachable");
}

TEST(Xml, AnEmbeddedQueryThatCannotBeUsedIsRefusedAlone) {
  Model model(document("<location id=\"a\"><name>A</name></location><init ref=\"a\"/>", "",
                       "<queries><query><formula>Pr[&lt;=1](&lt;&gt; Q.A)</formula></query>"
                       "<query><formula>E&lt;&gt; Q.A</formula></query></queries>"));
  ASSERT_EQ(model.loaded.embedded_queries.size(), 2u);
  EXPECT_EQ(model.loaded.embedded_queries[0].refusal.value().kind, ErrorKind::Unsupported);
  EXPECT_FALSE(model.loaded.embedded_queries[1].refusal);
  EXPECT_TRUE(model.diagnostics.all().empty()) << "the model is fine";
}

TEST(Xml, PlacesAreExact) {
  const std::string text =
      document("<location id=\"a\"/><init ref=\"a\"/>\n",
               "<transition><source ref=\"a\"/><target ref=\"a\"/>\n"
               "<label kind=\"guard\">n &lt; 2 &#38;&amp;\n  unknown_one</label>\n"
               "<label kind=\"assignment\"><!-- x -->n = 1, <![CDATA[n = n < unknown_two]]></label></transition>");
  Diagnostics diagnostics;
  const auto loaded = uppaal::load(text, "m.xml", diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 2u) << all_diagnostics(loaded, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) {
    const auto line = loaded.system->sources.line_text(d.at);
    EXPECT_EQ(line.substr(d.at.column - 1, 8), "unknown_") << d.message;
    EXPECT_NE(loaded.system->sources.describe(d.at).find("/nta/template[1]/transition[1]/label["), std::string::npos);
  }
}

TEST(Xml, ByteOrderMarksAreSkipped) {
  Model xml("\xef\xbb\xbf" + document("<location id=\"a\"/><init ref=\"a\"/>", ""));
  Model text(
      "\xef\xbb\xbf"
      "process P() { state A; init A; } system P;");
}

TEST(Xml, OldInstantiationElement) {
  Model model(
      "<nta><declaration>int v;</declaration><template><name>T</name><parameter>const k; int x</parameter>"
      "<location id='a'/><init ref='a'/><transition><source ref='a'/><target ref='a'/>"
      "<label kind='assignment'>x := k</label></transition></template>"
      "<instantiation>P1 := T(3, v);</instantiation><system>system P1;</system></nta>");
  EXPECT_EQ(model.after(0, "v"), 3);
}

// Words that start something new in a text model start nothing in the declarations of a template.
TEST(Xml, DeclarationsThatAreNoneEnd) {
  for (const char* word : {"process", "system", "}", "system }"}) {
    Diagnostics diagnostics;
    uppaal::load(
        "<nta><template><name>T</name><declaration>int x; " + std::string(word) +
            " y; int z;</declaration><location id='a'/><init ref='a'/></template><system>system T;</system></nta>",
        "m.xml", diagnostics);
    EXPECT_TRUE(diagnostics.has_errors()) << word;
  }
}

}  // namespace
}  // namespace harrier::testing
