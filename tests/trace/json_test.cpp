// JSON: round trip, damaged texts, and the example of the documentation.
#include "trace/json.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "base/error.h"
#include "support/system_builder.h"
#include "trace/text_writer.h"
#include "trace/validator.h"

namespace harrier::trace {
namespace {

using model::EdgeId;
using model::Op;
using testing_support::SystemBuilder;

// The system of docs/trace.md.
class TraceOutput : public ::testing::Test {
 protected:
  SystemBuilder b;
  model::VarId n = b.var("n", 0, 5);
  model::ClockId x = b.clock("x");
  model::ChannelId go = b.channel("go");
  model::ProcessId p = b.process("P", {"idle", "busy"});
  model::ProcessId q = b.process("Q(1)", {"wait", "done"});
  EdgeId start = b.edge(p, 0, 1);
  EdgeId send = b.send(p, 1, 0, go);
  EdgeId receive = b.receive(q, 0, 1, go);
  model::Property property;
  Trace trace;

  void SetUp() override {
    b.edge(start).clock_guard = {b.gt(x, 2)};
    b.edge(start).effect = {b.run(b.store(n, b.op(Op::Add, b.get(n), b.num(1)))), b.reset(x)};
    b.edge(receive).label = "i = 1";
    b.location(p, 1).clock_invariant = {b.le(x, 3)};
    property = b.reachable({b.at(q, 1)}, {b.ge(x, 1)});
    property.text = "E<> Q(1).done and x >= 1";
    trace = build_trace(b.system, property, {.steps = {{{start}, {}}, {{send, receive}, {}}}});
    ASSERT_TRUE(validate(b.system, property, trace).valid);
  }

  std::string json() const { return to_json(b.system, trace); }
  void is_bad(const std::string& text, const std::string& reason = "") const {
    try {
      from_json(b.system, text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Input);
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  }
};

TEST_F(TraceOutput, Text) {
  EXPECT_EQ(to_text(b.system, trace),
            "E<> Q(1).done and x >= 1: reached in 2 steps at time 7/2\n"
            "\n"
            "  0  time 0\n"
            "     at P.idle, Q(1).wait\n"
            "     n = 0\n"
            "     x = 0\n"
            "  1  time 5/2, after a delay of 5/2\n"
            "     P: idle -> busy  [n := n + 1, x := 0]  (test.xta:10:1)\n"
            "     n = 1\n"
            "     x = 0\n"
            "  2  time 5/2\n"
            "     P: busy -> idle  go!  (test.xta:11:1)\n"
            "     Q(1): wait -> done  go?  i = 1  (test.xta:12:1)\n"
            "     x = 0\n"
            "end  time 7/2, after a delay of 1\n"
            "     x = 1\n");
  EXPECT_NE(to_text(b.system, trace, true).find("     zone: x <= 3\n"), std::string::npos)
      << to_text(b.system, trace, true);
}

TEST_F(TraceOutput, TextOfViolationsAndLongLists) {
  property.kind = model::PropertyKind::Invariant;
  for (int i = 0; i < 100; ++i) b.var("variable_" + std::to_string(i), 0, 1);
  trace = build_trace(b.system, property, {.steps = {{{start}, {}}, {{send, receive}, {}}}});
  const std::string text = to_text(b.system, trace);
  EXPECT_NE(text.find(": violated in 2 steps"), std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 101U);
}

TEST_F(TraceOutput, RoundTrip) {
  const Trace read = from_json(b.system, json());
  EXPECT_EQ(read, trace);
  EXPECT_EQ(to_json(b.system, read), json());
  EXPECT_TRUE(validate(b.system, property, read).valid);
}

TEST_F(TraceOutput, DocumentedExample) {
  std::ifstream file(std::string(HARRIER_SOURCE_DIR) + "/docs/trace.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  const auto from = document.find("```json\n");
  ASSERT_NE(from, std::string::npos);
  const auto to = document.find("```", from + 8);
  EXPECT_EQ(document.substr(from + 8, to - from - 8), json());
}

TEST_F(TraceOutput, DamagedTexts) {
  is_bad("");
  is_bad("{");
  is_bad("[]", "not a JSON object");
  is_bad("null", "not a JSON object");
  is_bad("{}", "'format' is missing");
  is_bad("\xff\xfe");
  is_bad(std::string(100'000, '['));
  const auto change = [&](const std::string& pointer, const nlohmann::json& value) {
    auto j = nlohmann::json::parse(json());
    j[nlohmann::json::json_pointer(pointer)] = value;
    return j.dump();
  };
  is_bad(change("/format", "harrier-trace/2"), "is expected");
  is_bad(change("/format", 3), "not a string");
  is_bad(change("/model", 3), "not an object");
  is_bad(change("/model/hash", "12"), "hexadecimal");
  is_bad(change("/model/hash", "zzzzzzzzzzzzzzzz"), "hexadecimal");
  is_bad(change("/property/kind", "wishful"), "unknown word");
  is_bad(change("/property/goal_clause", -1), "out of range");
  is_bad(change("/time_denominator", 1.5), "not an integer");
  is_bad(change("/time_denominator", 18446744073709551615U), "not an integer");
  is_bad(change("/initial/locations/Z", "a"), "no process 'Z'");
  is_bad(change("/initial/locations/P", "nowhere"), "no such location");
  is_bad(change("/initial/locations/P", 1), "not a string");
  is_bad(change("/initial/locations", nlohmann::json::object()), "does not name all");
  is_bad(change("/initial/variables/k", 1), "no variable 'k'");
  is_bad(change("/initial/variables/n", "1"), "not an integer");
  is_bad(change("/initial/variables/n", 1LL << 40), "out of range");
  is_bad(change("/initial/clocks/x", 1LL << 62), "out of range");
  is_bad(change("/initial/clocks", {{"z", 0}}), "no clock 'z'");
  is_bad(change("/initial/clocks", nlohmann::json::object()), "does not name all clocks");
  is_bad(change("/initial/zone", {1}), "not a string");
  is_bad(change("/steps", nlohmann::json::object()), "not an array");
  is_bad(change("/steps/0", 1), "not an object");
  is_bad(change("/steps/0/edges/0/edge", 99), "no edge 99");
  is_bad(change("/steps/0/edges/0/edge", -1), "out of range");
  is_bad(change("/steps/0/edges/0/direction", "up"), "unknown word");
  is_bad(change("/end/time", 100), "time of 'end'");
}

TEST_F(TraceOutput, EveryFieldIsNeeded) {
  const auto whole = nlohmann::json::parse(json());
  const auto flat = whole.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (pointer.find("/zone/") != std::string::npos || pointer.find("/changed/") != std::string::npos) continue;
    auto j = whole;
    const nlohmann::json::json_pointer at(pointer);
    j[at.parent_pointer()].erase(at.back());
    is_bad(j.dump());
  }
}

// Bytes changed at random: a trace or an Error(Input), nothing else.
TEST_F(TraceOutput, RandomDamageNeverCrashes) {
  std::mt19937 rng(11);
  const std::string whole = json();
  const std::string alphabet = "{}[]\",:0123456789-.eEtrufalsn \\x";
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (int k = 0; k < 3; ++k) {
      const auto at = std::uniform_int_distribution<size_t>(0, text.size() - 1)(rng);
      const char c = alphabet[std::uniform_int_distribution<size_t>(0, alphabet.size() - 1)(rng)];
      switch (round % 3) {
        case 0: text[at] = c; break;
        case 1: text.erase(at, 1); break;
        default: text.insert(at, 1, c);
      }
    }
    try {
      const Trace read = from_json(b.system, text);
      validate(b.system, property, read);
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::Input) << error.what();
    }
  }
}

}  // namespace
}  // namespace harrier::trace
