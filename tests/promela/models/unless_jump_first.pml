// An escape that begins with a jump begins where the jump leads, but not where the statement that it forestalls holds control of
// an atomic sequence: there the jump is a step, and the process is seen at the label.
byte x, a, seen;
active proctype A() {
  L0: x = 0; a++; a < 3;
  { atomic { x == 1; x = 2; x = 3 } } unless { goto L0 };
  L2: x = 0; a++; a < 5;
  { if :: x == 5 :: atomic { x == 0; x = 4 } fi; x = 4; atomic { x = 5; if :: x == 5 :: else fi; x = 6 } } unless { goto L2 }
}
active proctype B() { A@L0; seen++; A@L2; seen++; atomic { x = 1; goto L1 }; x = 7; atomic { x = 8; L1: x = 9 } }
