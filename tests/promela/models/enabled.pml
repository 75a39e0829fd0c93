// Whether another process can go on: not if it waits, also if its turn to end has come.
byte x, seen;
active proctype A() { x = 1; x == 3; x = 4 }
active proctype B() { if :: enabled(0) -> seen = 1 :: x > 0 && !enabled(0) -> seen = 2 fi; x = 3 }
active proctype C() {
  byte n;
  n = enabled(0) + enabled(1) + enabled(9);
  assert(n < 3);
  if :: !enabled(1) && seen == 2 -> assert(x != 4) :: else fi
}
