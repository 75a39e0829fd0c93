// Every variable of a structure has channels of its own, those of a process from its start to its end.
typedef M { byte a; byte b };
typedef L { chan c0 = [1] of { M }; byte n = 3; chan c1[2] = [1] of { byte } };
L x, y[2];
active proctype P() {
  M m;
  m.a = x.n;
  x.c0!m;
  y[1].c1[0]!5;
  assert(len(y[0].c1[0]) == 0 && len(x.c1[1]) == 0)
}
active proctype Q() {
  M m;
  byte b;
  x.c0?m;
  assert(m.a == 3 && m.b == 0);
  y[1].c1[0]?b;
  y[b - 5].c1[1]!b;
  run R(y[0].c1[1])
}
proctype R(chan c) {
  L z;
  byte b;
  c?b;
  z.c1[b % 2]!b;
  assert(len(z.c1[1]) == 1 && len(z.c0) == 0 && z.n == 3)
}
