// Mutual exclusion with a mistake in SMV (after Bui 2009, §4.3.1): a process says that it came last before it raises
// its flag.
//
// Each of two processes needs three steps; that the six are enough: 1 comes, 2 comes, 2 raises its flag, sees no other
// one and goes in; 1 raises its flag and goes in, because 2 came later.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families::smv {
namespace {

// Whether a process other than `me` has raised its flag.
std::string others(uint32_t n, uint32_t me) {
  std::string out;
  for (uint32_t i = 1; i <= n; ++i) {
    if (i == me) continue;
    if (!out.empty()) out += " | ";
    out += "p" + std::to_string(i) + ".flag";
  }
  return out;
}

}  // namespace

Generated mutex(uint32_t n) {
  std::string users;
  for (uint32_t i = 1; i <= n; ++i) {
    const std::string number = std::to_string(i);
    users += "\n  p" + number + " : process user(" + number + ", last, " + others(n, i) + ");";
  }
  return {
      fill(
          R"(-- $N processes and a critical section. A process says that it came last, and raises its flag only then. It enters
-- if no other flag is raised, or if another one came after it. The error: the first two are inside at the same time.
-- Shortest path to that: 6 steps, three of each.

MODULE user(me, last, others)  -- the number, who came last, whether the flag of another one is raised
VAR
  state : {outside, came, waiting, inside};
  flag : boolean;
ASSIGN
  init(state) := outside;
  init(flag) := FALSE;
  next(state) := case
    state = outside                           : came;
    state = came                              : waiting;
    state = waiting & (!others | last != me)  : inside;
    state = inside                            : outside;
    TRUE                                      : state;
  esac;
  next(flag) := case
    state = came   : TRUE;
    state = inside : FALSE;
    TRUE           : flag;
  esac;
  next(last) := case
    state = outside : me;
    TRUE            : last;
  esac;

MODULE main
VAR
  last : 0..$N;$users
ASSIGN
  init(last) := 0;

INVARSPEC !(p1.state = inside & p2.state = inside)
)",
          {{"N", std::to_string(n)}, {"users", users}}),
      {}};
}

}  // namespace harrier::families::smv
