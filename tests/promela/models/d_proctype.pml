// A deterministic proctype that is one.
byte x;
chan q = [1] of { byte };
active D_proctype A() { do :: x < 2 -> x++ :: x == 2 -> q!x; x = 9 :: x > 2 -> break od }
D_proctype B() { byte k; q?k; if :: k == 2 -> x = 1 :: else -> x = 2 fi }
init { run B() }
