// A process that is started has the priority of its run, 1 if that has none, whatever its proctype says.
byte x;
proctype C(byte n) priority 5 { x = n; x++; assert(x != 3) }
proctype D() { byte k; k = x; assert(k != 9); x = 9 }
active proctype A() priority 3 { x > 0; x = 7; x = 8 }
init { run C(2); run D() priority 4; x = 1; x = 2 }
