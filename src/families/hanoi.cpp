// The towers of Hanoi as a network that has nothing but locations.
//
// A disk may move from one peg to another if all smaller disks are on the third one. It finds out by asking the next
// smaller disk, which holds still and asks the next smaller one, down to the table below the smallest disk; then
// the answers come back. With k disks and the table taking part, a move of the k-th smallest disk is 2k transitions.
// That disk really moves when the question has reached the table: at that moment all smaller disks hold still on the
// third peg. In a solution it moves 2^(n-k) times, so the shortest path has the sum of 2k * 2^(n-k), which is
// 2^(n+2) - 2n - 4 transitions.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families {

Generated hanoi(uint32_t n) {
  const std::string query = "E<> forall (k : disk_t) Disk(k).on_2";
  const uint64_t length = (uint64_t{1} << (n + 2)) - 2 * n - 4;
  return {
      fill(
          R"(// The towers of Hanoi: N disks, disk 1 is the smallest, pegs 1 to 3. All disks stand on peg 1 and are wanted on
// peg 2. Shortest path: 2^(N+2) - 2N - 4 = $length transitions.
// Query: $query

const int N = $N;
typedef int[1,N] disk_t;

// clear_p[k]: a larger disk asks disk k (or the table, k = 0) whether it and all smaller ones are on peg p.
chan clear_1[N+1], clear_2[N+1], clear_3[N+1];
chan yes[N+1];

process Table()
{
  state idle, asked;
  init idle;
  trans
    idle  -> asked { sync clear_1[0]?; },
    idle  -> asked { sync clear_2[0]?; },
    idle  -> asked { sync clear_3[0]?; },
    asked -> idle  { sync yes[0]!; };
}

process Disk(const disk_t k)
{
  state
    on_1, on_2, on_3,
    from_1_to_2, from_1_to_3, from_2_to_1, from_2_to_3, from_3_to_1, from_3_to_2,
    hold_1, wait_1, tell_1,  // asked by a larger disk; has asked the next smaller one; knows
    hold_2, wait_2, tell_2,
    hold_3, wait_3, tell_3;
  init on_1;
  trans
    on_1 -> from_1_to_2 { sync clear_3[k-1]!; },  from_1_to_2 -> on_2 { sync yes[k-1]?; },
    on_1 -> from_1_to_3 { sync clear_2[k-1]!; },  from_1_to_3 -> on_3 { sync yes[k-1]?; },
    on_2 -> from_2_to_1 { sync clear_3[k-1]!; },  from_2_to_1 -> on_1 { sync yes[k-1]?; },
    on_2 -> from_2_to_3 { sync clear_1[k-1]!; },  from_2_to_3 -> on_3 { sync yes[k-1]?; },
    on_3 -> from_3_to_1 { sync clear_2[k-1]!; },  from_3_to_1 -> on_1 { sync yes[k-1]?; },
    on_3 -> from_3_to_2 { sync clear_1[k-1]!; },  from_3_to_2 -> on_2 { sync yes[k-1]?; },

    on_1   -> hold_1 { sync clear_1[k]?; },
    hold_1 -> wait_1 { sync clear_1[k-1]!; },
    wait_1 -> tell_1 { sync yes[k-1]?; },
    tell_1 -> on_1   { sync yes[k]!; },

    on_2   -> hold_2 { sync clear_2[k]?; },
    hold_2 -> wait_2 { sync clear_2[k-1]!; },
    wait_2 -> tell_2 { sync yes[k-1]?; },
    tell_2 -> on_2   { sync yes[k]!; },

    on_3   -> hold_3 { sync clear_3[k]?; },
    hold_3 -> wait_3 { sync clear_3[k-1]!; },
    wait_3 -> tell_3 { sync yes[k-1]?; },
    tell_3 -> on_3   { sync yes[k]!; };
}

system Table, Disk;
)",
          {{"N", std::to_string(n)}, {"length", std::to_string(length)}, {"query", query}}),
      query};
}

}  // namespace harrier::families
