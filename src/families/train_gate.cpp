// The train gate of the UPPAAL tutorial: trains share a bridge, a controller stops them in time and lets them go
// in the order in which they came.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families {

Generated train_gate(uint32_t n) {
  const std::string query = "A[] forall (i : tid_t) forall (j : tid_t) Train(i).cross && Train(j).cross imply i == j";
  return {
      fill(
          R"(// N trains before a bridge with one track. A train can be stopped within 10 time units of its approach; the gate
// keeps those that wait in a queue, first come first served. Only one train crosses at a time: the query holds.
// Query: $query

const int N = $N;
typedef int[0,N-1] tid_t;

chan approach[N], stop[N], leave[N];
urgent chan go[N];

process Train(const tid_t id)
{
  clock x;
  state
    safe,
    near     { x <= 20 },    // until 10 it can still be stopped
    stopped,
    starting { x <= 15 },
    cross    { x <= 5 };
  init safe;
  trans
    safe     -> near     { sync approach[id]!; assign x = 0; },
    near     -> cross    { guard x >= 10; assign x = 0; },
    near     -> stopped  { guard x <= 10; sync stop[id]?; },
    stopped  -> starting { sync go[id]?; assign x = 0; },
    starting -> cross    { guard x >= 7; assign x = 0; },
    cross    -> safe     { guard x >= 3; sync leave[id]!; };
}

process Gate()
{
  tid_t queue[N];            // the train that may cross, then those that wait
  int[0,N] length = 0;

  void enqueue(tid_t train)
  {
    queue[length] = train;
    length = length + 1;
  }

  void dequeue()
  {
    int i;
    length = length - 1;
    for (i = 0; i < length; i++)
      queue[i] = queue[i + 1];
    queue[length] = 0;
  }

  tid_t last()
  {
    return queue[length - 1];
  }

  state free, taken, halt;
  commit halt;
  init free;
  trans
    free  -> taken { guard length > 0; sync go[queue[0]]!; },
    free  -> taken { select train : tid_t; guard length == 0; sync approach[train]?; assign enqueue(train); },
    taken -> halt  { select train : tid_t; sync approach[train]?; assign enqueue(train); },
    halt  -> taken { sync stop[last()]!; },
    taken -> free  { select train : tid_t; guard train == queue[0]; sync leave[train]?; assign dequeue(); };
}

system Train, Gate;
)",
          {{"N", std::to_string(n)}, {"query", query}}),
      query};
}

}  // namespace harrier::families
