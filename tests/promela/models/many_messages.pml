// Structures and rendezvous: the exchange happens at once.
chan c = [0] of { byte, byte };
byte x = 1, y = 2;
active proctype P() { c!x,y; c!y,x; x = 0 }
active proctype Q() { byte a, b; c?a,b; atomic { c?x,a; x++; y = a } assert(x == 3 && b == 2) }
