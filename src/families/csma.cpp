// CSMA/CD: stations share a bus, listen before they send, and back off when the bus tells them of a collision.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families {

Generated csma(uint32_t n) {
  const std::string query = "A[] not (Station(1).send and Station(1).x >= 2*SIGMA and Station(2).send)";
  return {
      fill(
          R"(// CSMA/CD: N stations on one bus. A station that has been sending for twice the propagation delay is alone,
// because a collision is told to all stations before: the query holds.
// Query: $query

const int N = $N;
const int SIGMA = 26;        // a signal reaches the far end of the bus in less than SIGMA
const int LAMBDA = 808;      // a frame takes exactly LAMBDA
typedef int[1,N] sid_t;

chan begin, busy, end;
broadcast chan collision;    // heard by every station

process Bus()
{
  clock y;                   // since the last begin of a frame
  state free, taken, jammed { y < SIGMA };
  init free;
  trans
    free   -> taken  { sync begin?; assign y = 0; },
    taken  -> free   { sync end?; },
    taken  -> taken  { guard y >= SIGMA; sync busy!; },
    taken  -> jammed { guard y < SIGMA; sync begin?; assign y = 0; },
    jammed -> free   { sync collision!; };
}

process Station(const sid_t i)
{
  clock x;                   // since the begin of the frame, or of the pause before the next try
  state quiet, send { x <= LAMBDA }, retry { x < 2*SIGMA };
  init quiet;
  trans
    quiet -> send  { sync begin!; assign x = 0; },
    quiet -> retry { sync busy?; assign x = 0; },
    send  -> quiet { guard x == LAMBDA; sync end!; },
    send  -> retry { sync collision?; assign x = 0; },
    retry -> send  { sync begin!; assign x = 0; },
    retry -> retry { sync busy?; assign x = 0; },
    retry -> retry { sync collision?; assign x = 0; };
}

system Bus, Station;
)",
          {{"N", std::to_string(n)}, {"query", query}}),
      query};
}

}  // namespace harrier::families
