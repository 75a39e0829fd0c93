// Peterson's algorithm for n processes in SMV (the filter lock, Peterson 1981; after Bui 2009, §7.4), with a mistake:
// on its way up a process waits only for those that are higher.
//
// The shortest error: two processes go up side by side, and on each level both look at all others before one of them
// goes on. Nobody is quicker: one step to begin, n - 1 levels of n + 2 steps, one to enter are n(n + 1) for each.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families::smv {
namespace {

// The first `counted` processes use the resource; the others use another one, which no property asks for.
Generated protocol(uint32_t n, uint32_t counted, const std::string& error) {
  const std::string most = std::to_string(counted);
  const std::string immune = std::to_string(n - counted);
  const bool all = counted == n;
  const std::string user = "  p$i : process user($i, level[$i], level, last, ";
  return {
      fill(
          R"(-- Peterson's algorithm for $N processes, with a mistake. A process goes up $N levels; the highest is the critical
-- section. On each level below it says how high it is and that it came last, and then looks at one process after the
-- other: it waits while that one is higher and nobody came later. It should wait as well while that one is as high.
-- The error: $error.
-- Shortest path to that: 2 * $N * ($N + 1) = $length steps.

-- The number, its own level, all levels, who came last to each level, how many use the resource and how many may.
MODULE user(me, mine, level, last, resource, most)
VAR
  state : {idle, entry, inside};
  k : 1..$N;  -- the level to be reached
  state2 : {rise, come, look};  -- what to do there
  j : 1..$N;  -- who is looked at
DEFINE
  N := $N;
  free := level[j] <= k | last[k] != me;  -- the mistake: < would be right, and j = me
ASSIGN
  init(state) := idle;
  init(k) := 1;
  init(state2) := rise;
  init(j) := 1;
  next(state) := case
    state = idle          : entry;
    state = entry & k = N : inside;
    state = inside        : idle;
    TRUE                  : state;
  esac;
  next(k) := case
    state = inside                                       : 1;
    state = entry & state2 = look & free & j = N & k < N : k + 1;
    TRUE                                                 : k;
  esac;
  next(state2) := case
    state != entry | k = N       : rise;
    state2 = rise                : come;
    state2 = come                : look;
    state2 = look & free & j = N : rise;
    TRUE                         : state2;
  esac;
  next(j) := case
    state = entry & state2 = look & free & j < N : j + 1;
    state = entry & state2 = look & !free        : j;
    TRUE                                         : 1;
  esac;
  next(mine) := case
    state = entry & state2 = rise & k < N : k;
    state = inside                        : 0;
    TRUE                                  : mine;
  esac;
$last
  next(resource) := case
    state = entry & k = N & resource < most : resource + 1;
    state = inside & resource > 0           : resource - 1;
    TRUE                                    : resource;
  esac;

MODULE main
VAR
  resource : 0..$most;
$other  level : array 1..$N of 0..$top;
  last : array 1..$N of 0..$N;  -- nobody comes to the highest level, but k is an index
$users
ASSIGN
  init(resource) := 0;
$unused$nobody

INVARSPEC resource <= 1
)",
          {{"N", std::to_string(n)},
           {"top", std::to_string(n - 1)},
           {"error", error},
           {"length", std::to_string(2 * n * (n + 1))},
           {"last",
            each(n, "  next(last[$i]) := case state = entry & state2 = come & k = $i : me; TRUE : last[$i]; esac;",
                 "\n")},
           {"most", most},
           {"other", all ? "" : "  other : 0.." + immune + ";\n"},
           {"users", each(counted, user + "resource, " + most + ");", "\n") + (all ? "" : "\n") +
                         each(n, user + "other, " + immune + ");", "\n", counted + 1)},
           {"unused", all ? "" : "  init(other) := 0;\n"},
           {"nobody", each(n, "  init(level[$i]) := 0;\n  init(last[$i]) := 0;", "\n")}}),
      {}};
}

}  // namespace

Generated peterson(uint32_t n) { return protocol(n, n, "two processes use the resource at the same time"); }

Generated peterson_low(uint32_t n) {
  return protocol(n, 2, "the first two use the resource at the same time; the others do not count");
}

}  // namespace harrier::families::smv
