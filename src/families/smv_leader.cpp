// Leader election in a ring in SMV (after Bui 2009, §4.3.1): a token goes round, and who has it may use the resource.
// After a time-out a process claims the resource as if the token were lost; nobody tells it that it was not.
//
// The shortest error: process 1 claims, and the others pass its claim on (1 + n - 1 steps). The token lies before
// process 1; it has to go out of the way of the claim, so process 1 passes it on, and process 2 takes it (2 steps).
// When process 1 gets its claim back (1 step), both have the resource. The token must come behind the claim, for who
// uses the resource passes nothing on; with another claimant it is before it, and has to go further. For two
// claims to come back takes 2n + 2 steps.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families::smv {

Generated leader(uint32_t n) {
  const std::string token = std::to_string(n + 1);
  return {
      fill(
          R"(-- A ring of $N processes that share a resource. Who gets the token may use the resource, and passes the token on
-- afterwards. After a time-out a process may send its number round the ring; who gets its own number back uses the
-- resource, and sends a new token. But the old one need not be lost: then two use the resource at the same time.
-- Shortest path to that: $N + 3 = $length steps.

-- The links hold 0 if there is no message, the number of a claimant, or the token. The resource counts its users.
MODULE node(me, before, behind, resource)
DEFINE
  N := $N;
  none := 0;
  token := $token;
VAR
  state : {idle, using};
  claiming : boolean;
ASSIGN
  init(state) := idle;
  init(claiming) := FALSE;
  next(claiming) := case
    state = idle & before = me                    : FALSE;
    state = idle & !claiming & behind = none      : {FALSE, TRUE};  -- a time-out: nothing else happens
    TRUE                                          : claiming;
  esac;
  next(state) := case
    state = using & behind = none                 : idle;
    state = using                                 : using;
    before = me                                   : using;
    before = token & next(claiming) = claiming    : {idle, using};
    TRUE                                          : idle;
  esac;
  next(before) := case
    state = using                                 : before;
    !claiming & next(claiming)                    : before;
    next(state) = using                           : none;
    behind = none                                 : none;           -- passed on
    TRUE                                          : before;
  esac;
  next(behind) := case
    behind != none                                : behind;
    state = using                                 : token;
    !claiming & next(claiming)                    : me;
    next(state) = using                           : none;
    TRUE                                          : before;
  esac;
  next(resource) := case
    state = idle & next(state) = using & resource < N : resource + 1;
    state = using & next(state) = idle & resource > 0 : resource - 1;
    TRUE                                              : resource;
  esac;

MODULE main
VAR
  resource : 0..$N;
$links
$nodes
ASSIGN
  init(resource) := 0;
  init(link1) := $token;
$start

INVARSPEC resource <= 1
)",
          {{"N", std::to_string(n)},
           {"length", std::to_string(n + 3)},
           {"token", token},
           {"links", each(n, "  link$i : 0.." + token + ";", "\n")},
           {"nodes", each(n, "  p$i : process node($i, link$i, link$next, resource);", "\n")},
           {"start", each(n, "  init(link$i) := 0;", "\n", 2)}}),
      {}};
}

}  // namespace harrier::families::smv
