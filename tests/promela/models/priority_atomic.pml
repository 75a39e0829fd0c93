// A process of higher priority interrupts an atomic sequence.
byte x;
proctype P(byte k) { x = 3; x == 5; x = k }
init { atomic { run P(1) priority 4; x = 1; x = 5; x = 6 }; x = 2 }
active proctype Q() priority 3 { byte k; k = x; x == 5 -> k = x; assert(k != 6) }
