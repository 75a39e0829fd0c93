// Dining philosophers in SMV (after Bui 2009, §5.4.1): all of them hold the left fork.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families::smv {

Generated philosophers(uint32_t n) {
  return {
      fill(
          R"(-- $N dining philosophers. Each gets hungry, takes the left fork, then the right one, eats, and puts both back. If
-- all hold one fork, nobody goes on; that is the error. It takes each of them two steps: 2 * $N = $length steps.

MODULE philosopher(left, right)  -- the forks: whether they are taken
VAR
  state : {thinking, hungry, one_fork, eating};
ASSIGN
  init(state) := thinking;
  next(state) := case
    state = thinking          : hungry;
    state = hungry & !left    : one_fork;
    state = one_fork & !right : eating;
    state = eating            : thinking;
    TRUE                      : state;
  esac;
  next(left) := case
    state = hungry : TRUE;
    state = eating : FALSE;
    TRUE           : left;
  esac;
  next(right) := case
    state = one_fork : TRUE;
    state = eating   : FALSE;
    TRUE             : right;
  esac;

MODULE main
VAR
$forks
$philosophers
ASSIGN
$free

INVARSPEC !($all)
)",
          {{"N", std::to_string(n)},
           {"length", std::to_string(2 * n)},
           {"forks", each(n, "  fork$i : boolean;", "\n")},
           {"philosophers", each(n, "  p$i : process philosopher(fork$i, fork$next);", "\n")},
           {"free", each(n, "  init(fork$i) := FALSE;", "\n")},
           {"all", each(n, "p$i.state = one_fork", " & ")}}),
      {}};
}

}  // namespace harrier::families::smv
