// Channels of a process go with it.
chan pass = [1] of { chan };
byte x;
proctype P() { chan own = [1] of { byte }; own!_pid; pass!own; x = x + len(own) }
active proctype Q() { byte i; do :: i < 2 -> i++; run P(); _nr_pr == 1; chan c; pass?c :: else -> break od }
