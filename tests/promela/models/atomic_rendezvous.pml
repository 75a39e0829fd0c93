// A rendezvous takes control away from an atomic sender; an atomic receiver gets it.
chan c = [0] of { byte };
chan d = [0] of { byte };
byte x;
active proctype A() { atomic { x = 1; c!1; x++; x++ } }
active proctype B() { byte k; c?k; x = x * 2; atomic { d?k; x++; x = x + k } }
active proctype C() { atomic { d!3; x = x + 5; x-- } assert(x != 17) }
