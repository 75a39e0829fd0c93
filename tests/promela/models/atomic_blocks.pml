// An atomic sequence that blocks gives up control, and has it again when it goes on.
byte x, y;
active proctype A() { atomic { x = 1; y == 1 -> x = 2; x = 3 } }
active proctype B() { byte k; k = x; atomic { y = 1; k = x; k++ } x == 3; assert(k < 3) }
