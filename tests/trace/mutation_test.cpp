// Every field of a trace is a claim: traces of all kinds are changed field by field, and no change may pass.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "harrier/harrier.h"

namespace harrier {
namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

struct Subject {
  std::string name;
  Model model;
  Json trace;
};

Subject subject(const std::string& name, const std::string& text, const std::string& query,
                const LoadOptions& load = {}, Search search = Search::BreadthFirst,
                Verdict verdict = Verdict::Reachable) {
  Model model = Model::load_text(text, name, load);
  if (!query.empty()) model.add_query(query);
  CheckOptions options;
  options.search = search;
  const CheckResult result = model.check(0, options);
  EXPECT_EQ(result.verdict, verdict) << name << " " << query;
  EXPECT_EQ(model.validate(result.trace_json, "trace").problem, "") << name << " " << query;
  return {name + " " + query, std::move(model), Json::parse(result.trace_json)};
}

// Time has to pass: exactly 3 before the first step, and 2 before the second.
constexpr const char* kTimed = R"(clock x, y;
int n = 0;
chan go;
process A() {
  state wait { x <= 3 }, busy { y <= 2 }, done;
  init wait;
  trans wait -> busy { guard x == 3; assign n := n + 1, y := 0; },
        busy -> done { guard y == 2; sync go!; };
}
process B() {
  state idle, late;
  init idle;
  trans idle -> late { select i : int[1, 2]; guard i == 2; sync go?; assign n := n + i; };
}
system A, B;
)";

constexpr const char* kBroadcast = R"(broadcast chan all;
int n;
process S() { state a, b; init a; trans a -> b { sync all!; }; }
process R(const int k) { state a, b; init a; trans a -> b { sync all?; assign n := n + k; }; }
R1 := R(1);
R2 := R(5);
system S, R1, R2;
)";

constexpr const char* kPromela = R"(mtype = { one, two };
chan q = [1] of { mtype, byte };
chan r = [0] of { byte };
byte x;
active proctype P() { q!one(3); r!x; x = 7 }
active proctype Q() { byte y; mtype m; q?m(y); r?_; x = y; assert(x != 7 || y != 3) }
)";

constexpr const char* kStuck = R"(chan c = [0] of { byte };
byte x;
active proctype P() { x = 1; c!2; x = 3 }
active proctype Q() { x == 1; x = 4; c?5 }
)";

constexpr const char* kLasso = R"(byte x;
active proctype P() { x = 1; do :: x = 2; x = 3 od }
active proctype Q() { x == 200 }
)";

// The effect of the receiver fails, after a step and some time; and a guard.
constexpr const char* kFailing = R"(clock x;
int n = 1, m;
chan go;
process A() {
  state wait { x <= 3 }, busy { x <= 1 };
  init wait;
  trans wait -> busy { guard x == 3; assign n := n - 1, x := 0; },
        busy -> wait { guard x == 1; sync go!; };
}
process B() {
  state idle;
  init idle;
  trans idle -> idle { sync go?; assign m := 7 / n; };
}
system A, B;
)";

constexpr const char* kFailingGuard = R"(byte a[3];
byte i = 2;
active proctype P() { i = i + 3; if :: a[i] == 1 -> i = 1 fi }
)";

std::vector<Subject> subjects() {
  std::vector<Subject> out;
  out.push_back(subject("timed.xta", kTimed, "E<> B.late and y >= 2"));
  out.push_back(subject("timed.xta", kTimed, "E<> B.late and x > 6 and n == 3"));
  out.push_back(subject("timed.xta", kTimed, "A[] not (n == 3 && B.late)"));
  out.push_back(subject("timed.xta", kTimed, "A[] not deadlock"));
  out.push_back(subject("timed.xta", kTimed, "E<> n == 9 or (B.late and deadlock)"));
  out.push_back(subject("broadcast.xta", kBroadcast, "E<> n == 6"));
  out.push_back(subject("broadcast.xta", kBroadcast, "E<> deadlock"));
  out.push_back(subject("assertion.pml", kPromela, ""));
  out.push_back(subject("goal.pml", kPromela, "", {.options = {{"--goal", "x == 7"}}}));
  out.push_back(subject("stuck.pml", kStuck, ""));
  out.push_back(subject("lasso.pml", kLasso, "", {.options = {{"--ltl", "<> (x == 200)"}}}, Search::DepthFirst));
  out.push_back(subject("failing.xta", kFailing, "E<> m == 3", {}, Search::BreadthFirst, Verdict::Failed));
  out.push_back(subject("failing.pml", kFailingGuard, "", {}, Search::BreadthFirst, Verdict::Failed));
  return out;
}

bool accepted(const Subject& s, const std::string& text) {
  try {
    return s.model.validate(text, "trace").problem.empty();
  } catch (const Error& e) {
    EXPECT_NE(e.kind(), ErrorKind::Internal) << e.what();
    return false;
  }
}

// The name of the file that the model was read from is nobody's business.
bool free_to_change(const Pointer& at) { return at.to_string() == "/model/name"; }

class Mutations {
 public:
  explicit Mutations(const Subject& s) : s_(s) { walk(Pointer()); }
  size_t count() const { return count_; }

 private:
  void refuse(const Json& changed, const std::string& how) {
    ++count_;
    EXPECT_FALSE(accepted(s_, changed.dump())) << s_.name << ": " << how;
  }

  void walk(const Pointer& at) {
    const Json& part = s_.trace[at];
    if (part.is_structured()) {
      for (const auto& [key, value] : part.items()) walk(at / (part.is_array() ? Pointer("/" + key).back() : key));
      if (part.is_array()) disorder(at);
      if (part.is_object()) refuse(with(at, [](Json& j) { j["extra"] = 1; }), "extra field in " + at.to_string());
    } else if (!free_to_change(at)) {
      for (const Json& other : others(part)) {
        if (other == part) continue;
        refuse(with(at, [&](Json& j) { j = other; }), at.to_string() + " := " + other.dump());
      }
    }
    if (!at.empty()) erase(at);
  }

  template <class Change>
  Json with(const Pointer& at, const Change& change) const {
    Json copy = s_.trace;
    change(copy[at]);
    return copy;
  }

  static std::vector<Json> others(const Json& value) {
    if (value.is_boolean()) return {!value.get<bool>(), 0, ""};
    if (value.is_number_integer()) return {value.get<int64_t>() + 1, value.get<int64_t>() - 1, 1.5, "1"};
    if (value.is_string()) return {value.get<std::string>() + "x", "", 7};
    return {};
  }

  void erase(const Pointer& at) {
    if (s_.trace[at.parent_pointer()].is_array()) {
      const auto index = static_cast<size_t>(std::stoul(at.back()));
      refuse(with(at.parent_pointer(), [&](Json& j) { j.erase(index); }), "without " + at.to_string());
    } else {
      refuse(with(at.parent_pointer(), [&](Json& j) { j.erase(at.back()); }), "without " + at.to_string());
    }
  }

  // Of the members of a list, two neighbours swapped or one doubled.
  void disorder(const Pointer& at) {
    const size_t size = s_.trace[at].size();
    for (size_t i = 0; i < size; ++i) {
      const std::string which = at.to_string() + " at " + std::to_string(i);
      refuse(with(at, [&](Json& j) { j.insert(j.begin() + static_cast<ptrdiff_t>(i), Json(j[i])); }),
             "doubled " + which);
      if (i == 0) continue;
      refuse(with(at, [&](Json& j) { std::swap(j[i - 1], j[i]); }), "swapped " + which);
    }
  }

  const Subject& s_;
  size_t count_ = 0;
};

TEST(Mutations, OfEveryFieldAreRefused) {
  for (const Subject& s : subjects()) {
    const Mutations mutations(s);
    EXPECT_GT(mutations.count(), 100U) << s.name;
  }
}

TEST(Mutations, FieldsThatStandTwiceAreRefused) {
  for (const Subject& s : subjects()) {
    const std::string text = s.trace.dump();
    for (const std::string field : {"\"kind\":", "\"time_denominator\":", "\"deadlock\":", "\"clocks\":"}) {
      const size_t at = text.find(field);
      ASSERT_NE(at, std::string::npos);
      EXPECT_FALSE(accepted(s, text.substr(0, at) + field + "0," + text.substr(at))) << s.name << " " << field;
    }
  }
}

// A trace is about one property. Another one of the same model is another claim, which is checked, and named.
TEST(Mutations, AnotherProperty) {
  Subject s = subject("timed.xta", kTimed, "E<> B.late and y >= 2");
  s.trace["property"]["text"] = "E<> A.busy";
  EXPECT_FALSE(accepted(s, s.trace.dump()));
  s.trace["property"]["text"] = "A[] n < 3";
  EXPECT_FALSE(accepted(s, s.trace.dump())) << "that is no question of reachability";
  s.trace["property"]["text"] = "E<> B.late";
  const Validation v = s.model.validate(s.trace.dump(), "trace");
  EXPECT_EQ(v.problem, "");
  EXPECT_EQ(v.property, "E<> B.late");
  EXPECT_FALSE(v.of_model);
  EXPECT_EQ(v.verdict, Verdict::Reachable);
  EXPECT_EQ(v.holds, true);
}

TEST(Mutations, WhichClauseHoldsIsChecked) {
  Subject s = subject("timed.xta", kTimed, "E<> n == 9 or (B.late and deadlock)");
  ASSERT_EQ(s.trace["property"]["goal_clause"], 1);
  ASSERT_EQ(s.trace["end"]["deadlock"], true);
  s.trace["property"]["goal_clause"] = 0;
  s.trace["end"]["deadlock"] = false;
  EXPECT_NE(s.model.validate(s.trace.dump(), "trace").problem.find("another clause of the goal"), std::string::npos);
}

// What is written is accepted as it is, also where the edges do not tell the zones.
TEST(Mutations, SplitZones) {
  subject("diagonal.xta", R"(clock x, y;
process P() {
  state a { x <= 5 }, b, c;
  init a;
  trans a -> a { guard x >= 2; assign x := 0; }, a -> b { guard y - x > 3; }, b -> c { guard x - y < 1; assign y := 0; };
}
system P;
)",
          "E<> P.c and y > 1");
  subject("guarded.xta", R"(clock x; broadcast chan all;
process S() { state a, b; init a; trans a -> b { sync all!; }; }
process R() { state a, b; init a; trans a -> b { guard x > 3; sync all?; }; }
system S, R;
)",
          "E<> S.b and R.a and x > 1");
  subject("priorities.xta", R"(clock x; chan low, high; chan priority low < high;
process S() { state a, b; init a; trans a -> b { sync low!; }, a -> a { guard x > 2; sync high!; }; }
process R() { state a, b; init a; trans a -> b { sync low?; }, a -> a { sync high?; }; }
system S, R;
)",
          "E<> S.b and x > 1");
}

TEST(Mutations, TheModelMayHaveMoved) {
  for (const auto& [text, name] : {std::pair{kTimed, "here/old.xta"}, std::pair{kPromela, "here/old.pml"}}) {
    const bool timed = std::string(name) == "here/old.xta";
    const Subject s = subject(name, text, timed ? "E<> B.late" : "");
    const Model moved = Model::load_text(text, timed ? "new.xta" : "there/new.pml");
    EXPECT_EQ(moved.validate(s.trace.dump(), "trace").problem, "");
  }
}

}  // namespace
}  // namespace harrier
