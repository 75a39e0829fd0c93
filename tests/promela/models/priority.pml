// Only processes of the highest priority among those that can move do so.
byte x;
active proctype A() priority 5 { x = 1; x == 3; x = 4 }
active proctype B() { byte k; k = x; x = 3; k = x; assert(k != 3) }
active proctype C() priority 2 { byte k; x > 0; k = x; k++ }
