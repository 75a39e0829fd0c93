// Senders and receivers in SMV (after Bui 2009, §5.4.1): a sender that waits too long for an answer gives up.
#include <string>

#include "families/fill.h"
#include "families/generators.h"

namespace harrier::families::smv {

Generated send_receive(uint32_t n) {
  return {
      fill(
          R"(-- $N senders, each with a receiver. A sender sends and waits for the acknowledgement; when it has counted to 10, it
-- reports an error. Shortest path to that: one step to send, 10 to count, one to report: 12 steps.

MODULE sender(data, ack)
VAR
  state : {idle, waiting, error};
  waited : 0..10;
ASSIGN
  init(state) := idle;
  init(waited) := 0;
  next(state) := case
    state = idle                  : waiting;
    state = waiting & ack         : idle;
    state = waiting & waited = 10 : error;
    TRUE                          : state;
  esac;
  next(waited) := case
    state = waiting & !ack & waited < 10 : waited + 1;
    TRUE                                 : 0;
  esac;
  next(data) := case
    state = idle : TRUE;
    TRUE         : data;
  esac;
  next(ack) := FALSE;

MODULE receiver(data, ack)
ASSIGN
  next(data) := FALSE;
  next(ack) := ack | data;

MODULE main
VAR
$pairs
ASSIGN
$quiet

INVARSPEC !($error)
)",
          {{"N", std::to_string(n)},
           {"pairs", each(n,
                          "  data$i : boolean;\n  ack$i : boolean;\n  s$i : process sender(data$i, ack$i);\n"
                          "  r$i : process receiver(data$i, ack$i);",
                          "\n")},
           {"quiet", each(n, "  init(data$i) := FALSE;\n  init(ack$i) := FALSE;", "\n")},
           {"error", each(n, "s$i.state = error", " | ")}}),
      {}};
}

}  // namespace harrier::families::smv
