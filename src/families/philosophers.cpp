// Dining philosophers who give up waiting after a while: the time-outs rule out a deadlock, but not that for a
// moment all of them hold one fork and wait for the other. That moment is the error to be found.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families {

Generated philosophers(uint32_t n) {
  const std::string query = "E<> forall (i : seat_t) Philosopher(i).one_fork";
  return {
      fill(
          R"(// N dining philosophers. Who holds one fork waits at most PATIENCE for the other one, then puts it back. There is
// no deadlock, but all can hold one fork at the same time. Shortest path: 2N = $length transitions.
// Query: $query

const int N = $N;
const int PATIENCE = 4;
const int MEAL = 10;
typedef int[0,N-1] seat_t;

bool taken[N];               // fork i lies to the left of seat i, fork i + 1 to its right

process Philosopher(const seat_t i)
{
  clock x;
  state
    thinking,
    hungry   { x <= 2 },     // reaches for the left fork; turns back to thinking if it is not there
    one_fork { x <= PATIENCE },
    eating   { x <= MEAL };
  init thinking;
  trans
    thinking -> hungry   { assign x = 0; },
    hungry   -> one_fork { guard x >= 1 && !taken[i]; assign taken[i] = true, x = 0; },
    hungry   -> thinking { guard taken[i]; },
    one_fork -> eating   { guard !taken[(i + 1) % N]; assign taken[(i + 1) % N] = true, x = 0; },
    one_fork -> thinking { guard x >= PATIENCE; assign taken[i] = false; },
    eating   -> thinking { guard x >= MEAL; assign taken[i] = false, taken[(i + 1) % N] = false; };
}

system Philosopher;
)",
          {{"N", std::to_string(n)}, {"length", std::to_string(2 * n)}, {"query", query}}),
      query};
}

}  // namespace harrier::families
