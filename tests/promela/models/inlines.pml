// An inline is a block, also with loops, labels and parameters that are expressions.
byte x, y;
inline wait(v) { do :: v > 0 -> v-- :: else -> break od }
inline copy(a, b) { byte t; t = a; a = b; b = t + 1; wait(t) }
active proctype P() { x = 2; wait(x); copy(x, y); wait(y) }
active proctype Q() { y++; atomic { copy(y, x); y = 0 } }
