// Events that must not all happen in this order, and do on one path.
chan q = [2] of { byte };
byte x;
active proctype A() { if :: q!1 :: q!2 fi; q!3 }
active proctype B() { q?x; if :: q?x :: x == 2 -> skip fi }
notrace { q!1; q!3 }
