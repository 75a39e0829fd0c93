// Structures in messages, arrays in structures, arrays of structures.
typedef Point { byte x; short y[2] };
typedef Line { Point p[2]; bool set };
chan q = [2] of { Point, byte };
Line l[2]; byte n;
active proctype A() { Point p; p.x = 3; p.y[1] = -2; q!p,1; l[1].p[n].x = p.x; n++; l[1].p[n].y[n] = 7; q!l[1].p[1],2 }
active proctype B() { Point r; do :: q?r,1 -> l[0].set = r.x :: q?r,eval(n + 1) -> assert(r.y[1] == 7); break od; assert(l[1].p[0].x != 3) }
