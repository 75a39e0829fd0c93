// Escapes out of atomic sequences and d_steps.
byte x, y;
active proctype A() { { atomic { x = 1; x = 2; y == 7; x = 3 }; d_step { x == 4; x++; x++ } } unless { y == 3 -> x = 9 } ; atomic { x++; { y == 8 -> x = 1 } unless { y == 3 -> y = 4; y = 5 } } }
active proctype B() { y = 1; x = 4; y = 3 }
