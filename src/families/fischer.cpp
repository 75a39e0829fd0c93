// Fischer's protocol: mutual exclusion by one shared variable and timing alone. The faulty variants weaken the
// strict wait `x > K` to `x >= K` and differ in how they tell the error (Kupferschmid et al. 2006, §5): A by
// further automata, B by naming two processes, C by a counting variable. Their table 3 gives 9, 7 and 7 for the states
// on a shortest path: 8, 6 and 6 transitions.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families {
namespace {

// The processes; `$wait` is the condition to enter, the other blanks are what a variant adds.
constexpr const char* kProtocol = R"(
const int N = $N;
const int K = 10;            // a write takes at most K time units
typedef int[1,N] pid_t;

int[0,N] id = 0;             // whose turn it is; 0: nobody's
$globals
process P(const pid_t pid)
{
  clock x;
  state
    idle,
    req { x <= K },          // about to write its number
    wait,                    // has written it, waits whether somebody overwrites it
    cs$more_states;
  init idle;
  trans
    idle -> req  { guard id == 0; assign x = 0; },
    req  -> wait { guard x <= K; assign x = 0, id = pid; },
    wait -> req  { guard id == 0; assign x = 0; },
    wait -> cs   { guard $wait && id == pid;$enter },
    $leave;
}
$observer
system P$more_processes;
)";

std::string head(const char* what, const std::string& query) {
  return std::string("// Fischer's protocol for mutual exclusion, ") + what + "\n// Query: " + query + "\n";
}

}  // namespace

Generated fischer(uint32_t n) {
  const std::string query = "A[] forall (i : pid_t) forall (j : pid_t) P(i).cs && P(j).cs imply i == j";
  return {head("correct: the query holds.", query) + fill(kProtocol, {{"N", std::to_string(n)},
                                                                      {"globals", ""},
                                                                      {"more_states", ""},
                                                                      {"wait", "x > K"},
                                                                      {"enter", ""},
                                                                      {"leave", "cs   -> idle { assign id = 0; }"},
                                                                      {"observer", ""},
                                                                      {"more_processes", ""}}),
          query};
}

Generated fischer_a(uint32_t n) {
  const std::string query = "E<> Observer.two";
  return {
      head(
          "faulty: waits x >= K, not x > K.\n"
          "// Variant A: a process in its critical section reports to an observer. Shortest error path: 8 transitions.",
          query) +
          fill(kProtocol, {{"N", std::to_string(n)},
                           {"globals",
                            "chan entered, left;          // a process tells the observer; `seen` is the critical "
                            "section, reported\n"},
                           {"more_states", ", seen"},
                           {"wait", "x >= K"},
                           {"enter", ""},
                           {"leave",
                            "cs   -> seen { sync entered!; },\n"
                            "    cs   -> idle { assign id = 0; },\n"
                            "    seen -> idle { sync left!; assign id = 0; }"},
                           {"observer", R"(
process Observer()
{
  state none, one, two;
  init none;
  trans
    none -> one  { sync entered?; },
    one  -> two  { sync entered?; },
    two  -> one  { sync left?; },
    one  -> none { sync left?; };
}
)"},
                           {"more_processes", ", Observer"}}),
      query};
}

Generated fischer_b(uint32_t n) {
  const std::string query = "E<> P(1).cs and P(2).cs";
  return {head("faulty: waits x >= K, not x > K.\n"
               "// Variant B: the error names two processes. Shortest error path: 6 transitions.",
               query) +
              fill(kProtocol, {{"N", std::to_string(n)},
                               {"globals", ""},
                               {"more_states", ""},
                               {"wait", "x >= K"},
                               {"enter", ""},
                               {"leave", "cs   -> idle { assign id = 0; }"},
                               {"observer", ""},
                               {"more_processes", ""}}),
          query};
}

Generated fischer_c(uint32_t n) {
  const std::string query = "E<> inside >= 2";
  return {head("faulty: waits x >= K, not x > K.\n"
               "// Variant C: a variable counts the processes inside. Shortest error path: 6 transitions.",
               query) +
              fill(kProtocol,
                   {{"N", std::to_string(n)},
                    {"globals", "int[0,N] inside = 0;         // how many processes are in their critical section\n"},
                    {"more_states", ""},
                    {"wait", "x >= K"},
                    {"enter", " assign inside = inside + 1;"},
                    {"leave", "cs   -> idle { assign id = 0, inside = inside - 1; }"},
                    {"observer", ""},
                    {"more_processes", ""}}),
          query};
}

}  // namespace harrier::families
