// What does not fit a type is cut off.
bit b; bool o; byte y; short s; int i; unsigned u : 3; unsigned w : 9; mtype = { m1, m2 }; mtype m;
chan q = [1] of { bit, byte, short, int };
active proctype P() {
  b = 2; o = 3; y = 300; s = 40000; i = 2000000000; u = 9; w = -1; m = m1 + 255;
  y = y - 45; y--; s = -s * 2; i = -i / 7 % 13; u--; w = w << 3; b = !b + 2; y = ~y;
  q!3,-1,70000,-70000; q?o,y,s,i;
  assert(o == 1 && y == 255 && s == 4464 && i == -70000); assert(i > 0)
}
