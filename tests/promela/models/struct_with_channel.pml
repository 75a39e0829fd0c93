// Channels inside structures inside messages, also by rendezvous; and none at all.
typedef Box { byte k; chan to };
chan boxes = [1] of { Box };
chan hand = [0] of { byte, Box };
chan a = [1] of { byte };
chan b = [1] of { byte };
active proctype P() { Box x; x.k = 1; x.to = a; boxes!x; x.to = (x.k == 1 -> b : a); hand!4,x }
active proctype Q() { Box y; byte n; boxes?y; y.to!7; hand?n,y; y.to!n }
active proctype R() { byte m; a?m; b?m; assert(m != 4) }
