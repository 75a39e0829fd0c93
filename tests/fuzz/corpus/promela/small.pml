#define N 2
#define IN(i) (level[i] > 0)
mtype = { req, ack };
typedef Pair { byte a; bool b[N] }
chan q = [N] of { mtype, byte };
byte level[N];
inline enter(i) { level[i] = 1; do :: IN(1 - i) -> break :: else -> skip od }
active [N] proctype P() provided (true) {
  Pair p; byte x;
L: atomic { enter(_pid); q!req(x) };
  if :: q?ack,x -> p.b[1] = !p.b[0] :: timeout -> goto L fi unless { q??[req, eval(x)] };
  for (x : 0 .. N - 1) { printf("%d\n", (x -> 1 : 2)) }
  select (x : 1 .. 3)
}
init { run P() }
ltl safe { [] (P[0]@L -> <> (len(q) == 0)) }
