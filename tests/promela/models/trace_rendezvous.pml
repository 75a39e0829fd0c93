// Both events of a rendezvous.
chan c = [0] of { byte };
byte x;
active proctype A() { c!1; c!2; x = 1; if :: c!3 :: c!4 fi }
active proctype B() { byte k; c?k; c?eval(k + 1); do :: c?k -> break :: x == 1 -> x = 2 od }
trace { c!1; c?1; c!2; c?_; c!4; c?4 }
