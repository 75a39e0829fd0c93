// An else beside a rendezvous receive does not see the sender.
chan c = [0] of { byte };
byte x, k;
active proctype A() { do :: c?k -> x = 1; break :: else -> x = 2 :: x == 3 -> break od }
active proctype B() { c!1; x = 3 }
