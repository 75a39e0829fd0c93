// Atomic sequences that end in a selection, a loop with break, a block, an unless.
byte x, y;
inline set(v) { x = v; y = v }
active proctype A() {
  byte i;
  atomic { x = 1; if :: y == 0 -> x = 2 :: y == 1 fi };
  atomic { i = 0; do :: i < 2 -> i++ :: else -> break od };
  atomic { x = 3; { y = 2; x = 4 } };
  atomic { x = 5; set(6) };
  atomic { { x = 7; y = 3 } unless { y == 9 } }
}
active proctype B() { y = 1; x = 9; y = 9 }
