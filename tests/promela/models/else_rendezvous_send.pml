// An else beside a rendezvous send is executable only where nobody receives.
chan c = [0] of { byte };
byte x, n;
active proctype A() { do :: n < 3 -> n++; if :: c!n -> x = 1 :: else -> x = 2 fi :: n == 3 -> break od }
active proctype B() { byte k; c?k; x = 5; c?2; assert(x != 2) }
