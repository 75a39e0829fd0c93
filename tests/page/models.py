"""Models whose traces try the page: long, wide, hostile, with cycles, plans and messages."""

# 2 * N steps, in which two processes talk, and time passes in every other one.
PING_PONG = """
const int N = {rounds};
chan ping, pong;
int[0,N] n = 0;
process P() {{
  clock x;
  state idle {{ x <= 2 }}, waiting;
  init idle;
  trans idle -> waiting {{ guard x >= 1 && n < N; sync ping!; assign x := 0; }},
        waiting -> idle {{ sync pong?; assign x := 0, n := n + 1; }};
}}
process Q() {{
  state idle, busy;
  init idle;
  trans idle -> busy {{ sync ping?; }},
        busy -> idle {{ sync pong!; }};
}}
system P, Q;
"""

# Every one of N processes greets a host, one after the other.
CROWD = """
const int N = {processes};
chan greet[N];
int[0,N] next = 0;
process Guest(const int[0,N-1] i) {{
  state outside, inside;
  init outside;
  trans outside -> inside {{ guard next == i; sync greet[i]!; }};
}}
process Host() {{
  state here;
  init here;
  trans here -> here {{ select k : int[0,N-1]; guard k == next; sync greet[k]?; assign next := next + 1; }};
}}
system Guest, Host;
"""

# Texts that would be markup, script or the end of a script where they are not treated as text.
HOSTILE = """/* </script><img src=x onerror="window.hacked=1"> <!-- ]]> \u2028 \u2029 & &lt; */
chan c = [2] of { byte };
active proctype P() {
  c!1;
  printf("</script><script>window.hacked=2</script>");
  c!2;
  assert(false)
}
active proctype Q() { byte b; c?b }
"""

# The path to an error that comes back to where it was for ever.
CYCLE = """
bool on = false;
byte n = 0;
active proctype P() {
  n = 7;
  do :: on = true; on = false od
}
ltl settles { <> [] on }
"""

MESSAGES = """
mtype = { ask, answer };
chan line = [2] of { mtype, byte };
chan back = [1] of { mtype, byte };
active proctype client() { byte r; line!ask(3); line!ask(4); back?answer(r); assert(r != 6) }
active proctype server() { byte q; line?ask(q); back!answer(2 * q); line?ask(q) }
"""

SMV = """MODULE main
VAR light : {red, green, yellow}; n : 0..3; busy : boolean;
ASSIGN
  init(light) := red; init(n) := 0; init(busy) := FALSE;
  next(light) := case light = red : green; light = green : yellow; TRUE : red; esac;
  next(n) := case light = yellow & n < 3 : n + 1; TRUE : n; esac;
  next(busy) := light = green;
INVARSPEC n < 2
"""

DOMAIN = """(define (domain move)
  (:requirements :strips :typing)
  (:types place)
  (:predicates (at ?p - place) (road ?p ?q - place))
  ; (:action go is not here
  (:action go
    :parameters (?p ?q - place)
    :precondition (and (at ?p) (road ?p ?q))
    :effect (and (not (at ?p)) (at ?q))))
"""
PROBLEM = """(define (problem way) (:domain move)
  (:objects a b c - place)
  (:init (at a) (road a b) (road b c))
  (:goal (at c)))
"""
