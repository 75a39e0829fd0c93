// A statement inside a d_step that cannot be executed is an error.
byte x;
active proctype A() { d_step { x = 1; x == 2; x = 3 } }
