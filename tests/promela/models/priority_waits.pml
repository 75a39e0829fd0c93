// One of higher priority that waits, for a timeout or for its turn, keeps nobody from going on.
byte x;
chan q = [1] of { byte };
active proctype A() priority 2 { q?x; x = 9; timeout -> x = 1; set_priority(0, 1) }
active proctype B() provided (x != 5) { q!3; x = 4; if :: x == 4 -> x = 5 :: else -> x = 6 fi; x = 7 }
active proctype C() priority 3 { byte k; x > 3; k = x; if :: k == 5 -> k = 0 :: else -> set_priority(1, 4) fi; assert(x != 7) }
