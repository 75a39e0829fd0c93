/* goal: done && x == 9 */
/* Every statement that Spin numbers in a way of its own. */
byte x, y; bool done;

inline bump(v) { byte t; t = v; v = t + 1 }

active proctype P() {
  byte i, a[3] = 1;
  for (i : 1..3) { x = x + i; byte w = i; y = w }
  for (i in a) { a[i] = i }
  select (i : 1..4);
  select (i : 0..y);
  bump(x); bump(y);
  if
  :: x == 7 -> skip; skip; skip; x = 8
  :: else -> goto over
  fi;
  d_step { y = 1; do :: y < 3 -> y++ :: else -> break od };
  atomic { y = 4; if :: y == 4 -> x = 9 :: else fi };
  { y = 5; y = 6 } unless { y == 6 -> y = 7 };
  y = 0 unless y == 8;
progress:
  goto over;
over:
  { do :: y > 20 :: break od };
  byte late;
  late = y;
  done = true
}
