// len, full and the others, on channels with and without room.
chan q = [2] of { byte }; chan c = [0] of { byte };
byte x, k;
active proctype P() { do :: nfull(q) -> q!x; x = len(q) :: full(q) -> break :: empty(c) && x == 1 -> x = 3 :: nempty(q) -> q?_; if :: k < 2 -> k++ :: else -> break fi od; assert(!(len(q) == 2 && k == 1)) }
active proctype Q() { c!1 }
active proctype R() { byte y; nfull(c); c?y; empty(q) -> y = 9 }
