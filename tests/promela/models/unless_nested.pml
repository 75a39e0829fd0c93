// The outer escape comes before the inner one; escape sequences are under the outer escape, too.
byte x, y;
active proctype A() {
  { { x = 1; do :: x < 4 -> x++ :: x >= 4 -> x = 1 od } unless { y == 1 -> x = 10; x = 11 } } unless { y == 2 -> x = 20; if :: x = 21 :: x = 22 fi };
  y = 5
}
active proctype B() { y = 1; y = 2 }
