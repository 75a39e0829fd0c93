// timeout is true where no process can move otherwise; in the same state everybody sees it.
byte x;
chan q = [1] of { byte };
active proctype A() { do :: timeout -> x++; if :: x < 3 -> q!x :: else -> break fi :: (timeout && x == 1) -> x = 7; break od }
active proctype B() { byte k; do :: q?k -> k = 0 :: (timeout || x == 2) -> break od }
active proctype C() { byte n; do :: (!timeout && n < 2) -> n++ :: n == 2 -> break od }
