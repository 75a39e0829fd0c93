// Processes may stop at labels that begin with end.
byte x;
chan c = [0] of { byte };
active proctype P() { end: do :: c?x -> skip :: x == 9 -> break od }
active proctype Q() { end_q: if :: x == 1 -> c!2 :: x == 2 -> c!3 fi; endless: { x == 5; x = 6 } }
active proctype R() { c!1; end2: atomic { x == 4; x = 5 } }
