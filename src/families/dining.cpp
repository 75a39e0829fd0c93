// Dining philosophers without time, for sizes beyond what languages with few processes allow: they deadlock.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families {

Generated dining(uint32_t n) {
  const std::string query = "E<> deadlock";
  return {
      fill(
          R"(// N dining philosophers. Each takes the left fork, then the right one, eats, and puts both back. If all hold their
// left fork, nobody goes on. Shortest path: N = $N transitions.
// Query: $query

const int N = $N;
typedef int[0,N-1] seat_t;

bool taken[N];               // fork i lies to the left of seat i, fork i + 1 to its right

process Philosopher(const seat_t i)
{
  state hungry, one_fork, eating;
  init hungry;
  trans
    hungry   -> one_fork { guard !taken[i]; assign taken[i] = true; },
    one_fork -> eating   { guard !taken[(i + 1) % N]; assign taken[(i + 1) % N] = true; },
    eating   -> hungry   { assign taken[i] = false, taken[(i + 1) % N] = false; };
}

system Philosopher;
)",
          {{"N", std::to_string(n)}, {"query", query}}),
      query};
}

}  // namespace harrier::families
