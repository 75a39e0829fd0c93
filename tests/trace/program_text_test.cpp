// Traces of programs as a reader sees them: statements and values in the text, and the trail for Spin.
#include "trace/program_text.h"

#include <gtest/gtest.h>

#include "harrier/harrier.h"

namespace harrier {
namespace {

constexpr const char* kMessages = R"(mtype = { one, two };
chan q = [2] of { mtype, byte };
chan r = [0] of { mtype, byte };
byte x;

active proctype P() {
  byte k = 3;
  q!one(k);
  q!two, 4;
  r!one(k);
  x = k + 1
}

active proctype Q() {
  mtype m;
  byte y;
  q?m(y);
  r?_, x;
  assert(x == 4)
}
)";

constexpr const char* kForks = R"(bool fork[2];

proctype Philosopher(byte left, right) {
  atomic { !fork[left] -> fork[left] = true };
  !fork[right] -> fork[right] = true;
  fork[left] = false; fork[right] = false
}

init { run Philosopher(0, 1); run Philosopher(1, 0) }
)";

CheckResult checked(const char* text, const LoadOptions& load = {}) {
  CheckOptions options;
  options.search = Search::BreadthFirst;
  return Model::load_text(text, "dir/m.pml", load).check(0, options);
}

TEST(ProgramText, MessagesAndAFailedAssertion) {
  EXPECT_EQ(checked(kMessages).trace_text,
            "no assertion fails, no invalid end state: violated in 5 steps\n"
            "\n"
            "  0  start at P(0) line 8, Q(1) line 17\n"
            "     P(0).k = 3, all others 0\n"
            "  1  P(0)  m.pml:8   q!one(k)        q = <one(3)>\n"
            "  2  P(0)  m.pml:9   q!two, 4        q = <one(3) two(4)>\n"
            "  3  Q(1)  m.pml:17  q?m(y)          m = one, y = 3, q = <two(4)>\n"
            "  4  P(0)  m.pml:10  r!one(k)\n"
            "     Q(1)  m.pml:18  r?_, x          x = 3\n"
            "  5  Q(1)  m.pml:19  assert(x == 4)\n"
            "end  assertion failed: assert(x == 4)  (dir/m.pml:19:3)\n");
}

TEST(ProgramText, WhereProcessesAreStuck) {
  EXPECT_EQ(checked(kForks).trace_text,
            "no assertion fails, no invalid end state: violated in 6 steps\n"
            "\n"
            "  0  start at :init:(0) line 9\n"
            "  1  :init:(0)       m.pml:9  run Philosopher(0, 1)  Philosopher(1).right = 1\n"
            "  2  :init:(0)       m.pml:9  run Philosopher(1, 0)  Philosopher(2).left = 1\n"
            "  3  Philosopher(1)  m.pml:4  !fork[left]\n"
            "  4  Philosopher(1)  m.pml:4  fork[left] = true      fork[0] = 1\n"
            "  5  Philosopher(2)  m.pml:4  !fork[left]\n"
            "  6  Philosopher(2)  m.pml:4  fork[left] = true      fork[1] = 1\n"
            "end  invalid end state\n"
            "     :init:(0)       m.pml:9  -end-\n"
            "     Philosopher(1)  m.pml:5  !fork[right]\n"
            "     Philosopher(2)  m.pml:5  !fork[right]\n");
}

TEST(ProgramText, AnAssignmentIsNotRepeated) {
  EXPECT_EQ(checked("byte x; active proctype P() { x = 1; x = x + 1 }", {.options = {{"--goal", "x == 2"}}}).trace_text,
            "x == 2: reached in 2 steps\n"
            "\n"
            "  0  start at P(0) line 1\n"
            "  1  P(0)  m.pml:1  x = 1\n"
            "  2  P(0)  m.pml:1  x = x + 1  x = 2\n");
}

TEST(SpinTrail, HasALineForEachHalfOfARendezvous) {
  EXPECT_EQ(checked(kMessages).trace_trail, "1:0:0\n2:0:1\n3:1:5\n4:0:2\n5:1:6\n6:1:7\n");
}

TEST(SpinTrail, IsForPromelaOnly) {
  Model model = Model::load_text("process P() { state a, b; init a; trans a -> b { }; } system P;", "m.xta");
  model.add_query("E<> P.b");
  EXPECT_EQ(model.check(0, {}).trace_trail, "");
}

// The trace knows more processes than the model that is read for it.
TEST(PromelaTraces, AreValidInAModelReadAnew) {
  const CheckResult result = checked(kForks);
  const Model model = Model::load_text(kForks, "m.pml");
  EXPECT_EQ(model.validate(result.trace_json, "trace").problem, "");
  const CheckResult polished = model.polish(result.trace_json, "trace", {}, 1000);
  EXPECT_EQ(polished.witness_length, result.witness_length);
  EXPECT_EQ(polished.trace_trail, result.trace_trail);
}

TEST(PromelaTraces, NeedTheirOptions) {
  const CheckResult result = checked(kForks, {.options = {{"--goal", "fork[0] && fork[1]"}}});
  EXPECT_THROW(Model::load_text(kForks, "m.pml").validate(result.trace_json, "trace"), Error);
  EXPECT_EQ(Model::load_text(kForks, "m.pml", {.options = {{"--goal", "fork[0] && fork[1]"}}})
                .validate(result.trace_json, "trace")
                .problem,
            "");
}

}  // namespace
}  // namespace harrier
