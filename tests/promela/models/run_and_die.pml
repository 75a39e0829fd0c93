// Processes die youngest first, and their numbers are used again.
byte n, last;
proctype P(byte k) { byte mine = k + 1; n = n + mine; n = n - mine }
init { byte i; pid p; do :: i < 3 -> p = run P(i); i++; last = p; assert(p > 0) :: i == 3 -> break od; _nr_pr == 1; assert(n == 0) }
