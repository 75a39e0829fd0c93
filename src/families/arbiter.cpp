// An arbiter tree: clients at the leaves ask for a resource at the root, arbiters on the way let one of their two
// children through at a time. One client is faulty and releases what it does not hold.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families {

Generated arbiter(uint32_t n) {
  const std::string query = "E<> Client(1).work and Client(2).work";
  const uint32_t clients = 1u << n;
  return {
      fill(
          R"(// An arbiter tree of height $height: $clients clients, $arbiters arbiters and the resource. Node i has the children
// 2i + 1 and 2i + 2, and node 0 is the root; client c is the leaf ARBITERS + c. Client 0 is faulty: it may release
// the resource without having it. Shortest error path: 2 * height + 8 = $length transitions.
// Query: $query

const int CLIENTS = $clients;
const int ARBITERS = $arbiters;
typedef int[0,ARBITERS-1] node_t;
typedef int[0,CLIENTS-1] client_t;

// Between node i and its parent: i asks, the parent grants, i releases.
chan ask[ARBITERS+CLIENTS], grant[ARBITERS+CLIENTS], release[ARBITERS+CLIENTS];

process Resource()
{
  state free, asked, taken;
  init free;
  trans
    free  -> asked { sync ask[0]?; },
    asked -> taken { sync grant[0]!; },
    taken -> free  { sync release[0]?; };
}

process Arbiter(const node_t i)
{
  state
    idle,
    ask_left, expect_left, grant_left,
    ask_right, expect_right, grant_right,
    busy,                    // one child has it; which one, the arbiter does not remember
    left_next, right_next,   // and the other child has asked as well
    give_back;
  init idle;
  trans
    idle         -> ask_left     { sync ask[2*i+1]?; },
    ask_left     -> expect_left  { sync ask[i]!; },
    expect_left  -> grant_left   { sync grant[i]?; },
    grant_left   -> busy         { sync grant[2*i+1]!; },

    idle         -> ask_right    { sync ask[2*i+2]?; },
    ask_right    -> expect_right { sync ask[i]!; },
    expect_right -> grant_right  { sync grant[i]?; },
    grant_right  -> busy         { sync grant[2*i+2]!; },

    busy         -> left_next    { sync ask[2*i+1]?; },
    left_next    -> grant_left   { sync release[2*i+2]?; },
    busy         -> right_next   { sync ask[2*i+2]?; },
    right_next   -> grant_right  { sync release[2*i+1]?; },

    busy         -> give_back    { sync release[2*i+1]?; },
    busy         -> give_back    { sync release[2*i+2]?; },
    give_back    -> idle         { sync release[i]!; };
}

process Client(const client_t c)
{
  state rest, wait, work;
  init rest;
  trans
    rest -> wait { sync ask[ARBITERS+c]!; },
    wait -> work { sync grant[ARBITERS+c]?; },
    work -> rest { sync release[ARBITERS+c]!; },
    rest -> rest { guard c == 0; sync release[ARBITERS+c]!; };  // the error
}

system Resource, Arbiter, Client;
)",
          {{"height", std::to_string(n)},
           {"clients", std::to_string(clients)},
           {"arbiters", std::to_string(clients - 1)},
           {"length", std::to_string(2 * n + 8)},
           {"query", query}}),
      query};
}

}  // namespace harrier::families
