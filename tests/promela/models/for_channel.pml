// for over the messages of a channel takes each out and puts it in again.
typedef M { byte a; short b };
chan q = [3] of { M };
M g; short sum;
active proctype P() { M m; m.a = 1; m.b = -3; q!m; m.b = 8; q!m; for (m in q) { sum = sum + m.b } assert(len(q) == 2); assert(sum != 5) }
active proctype Q() { M n; q?n; g.b = n.b; q!n }
