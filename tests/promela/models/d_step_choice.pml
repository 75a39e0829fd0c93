// A d_step is one step and takes the first option that can be taken.
byte x, y, z;
active proctype A() {
  d_step { y = 2; do :: x < 5 -> x = x + y :: else -> break od; if :: x > 5 -> z = 1 :: x > 1 -> z = 2 :: else -> z = 3 fi; y = 0 };
  d_step { if :: z == 2 -> x = 1 :: z == 1 -> x = 9; x++ fi };
  do
  :: d_step { x > 7 -> x--; z++ }
  :: d_step { else -> y = 1; z = z + 2 }; break
  od
}
active proctype B() { y = 1; y = 3; d_step { x > 3; y = x; goto_free: y++ } }
