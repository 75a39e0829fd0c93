// An atomic sequence that blocks at a timeout waits for the others first.
byte x;
active proctype A() { atomic { x = 1; timeout -> x = 2; x = 3 } }
active proctype B() { byte k; do :: x == 1 && k < 2 -> k++ :: x == 3 -> break od }
active proctype C() { x == 1; if :: timeout -> x = 1 :: else -> x = 1 fi }
