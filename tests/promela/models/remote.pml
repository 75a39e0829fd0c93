// Labels and variables of other processes.
byte x;
active [2] proctype P() { byte k; k = 1; cs: x++; k = x; out: x-- }
active proctype Q() { byte t; (P[0]@cs && P[1]@cs) -> t = P[1]:k; assert(t == 1); P[0]@out -> assert(P[0]:k != 2) }
