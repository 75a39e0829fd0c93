// A deterministic proctype that has a choice once another process has moved.
byte x;
active D_proctype A() { do :: x < 2 -> x++ :: x == 1 -> x = 3 :: x > 2 -> break :: else od }
active proctype B() { x = 4; x = 2 }
