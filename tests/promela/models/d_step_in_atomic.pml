// A d_step inside an atomic sequence, with a channel.
chan q = [2] of { byte, short };
byte x; short s;
active proctype A() { atomic { x = 1; d_step { q!x,-7; q!2,300; x = 3 }; x = 4 } d_step { q?x,s; q?_,s; x = x + len(q) } }
active proctype B() { do :: s == 300 -> break :: x == 4 -> s++ ; s = s & 3 od }
